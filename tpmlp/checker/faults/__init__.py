"""Every fault that the checker can name, by its stable code."""

from .fault import Fault as Fault
from .wrong_form import FORM
from .wrong_placement import PLACEMENT
from .wrong_structure import STRUCTURE
from .wrong_values import VALUES

FAULTS: dict[str, Fault] = {fault.code: fault for fault in (*VALUES, *FORM, *PLACEMENT, *STRUCTURE)}
