"""What splitting costs and saves, by formula: FLOPs, bytes, and time on hardware whose numbers are cited. No JAX.

Sizes are those of the course: x is (B, D), W1 (D, H), W2 (H, O), split over n devices. Everything is one device's.
"""

from .counts import activation_bytes as activation_bytes
from .counts import all_reduce_bytes as all_reduce_bytes
from .counts import argument_bytes as argument_bytes
from .counts import backward_flops as backward_flops
from .counts import forward_flops as forward_flops
from .counts import training_bytes as training_bytes
from .counts import weight_bytes as weight_bytes
from .hardware import HARDWARE as HARDWARE
from .hardware import Hardware as Hardware
from .models import MODELS as MODELS
from .models import Model as Model
from .sizes import BYTES as BYTES
from .times import Time as Time
from .times import all_reduce_time as all_reduce_time
from .times import backward_time as backward_time
from .times import break_even as break_even
from .times import critical_batch as critical_batch
from .times import forward_time as forward_time
from .times import update_time as update_time
