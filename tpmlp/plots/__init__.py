"""Pictures of the sharded forward: functions that take a `Trace` and return a `Picture`. No JAX in here."""

from .break_even import plot_break_even as plot_break_even
from .bytes import plot_bytes as plot_bytes
from .device import plot_device as plot_device
from .difference import plot_difference as plot_difference
from .entry import plot_entry as plot_entry
from .evidence import plot_evidence as plot_evidence
from .hidden_units import plot_units as plot_units
from .lane_steps import lane_steps as lane_steps
from .lane_steps import step_sentence as step_sentence
from .lane_steps import step_title as step_title
from .lanes import plot_lanes as plot_lanes
from .layouts import plot_layouts as plot_layouts
from .picture import Picture as Picture
from .price import plot_memory as plot_memory
from .price import plot_times as plot_times
from .roofline import plot_roofline as plot_roofline
from .split import plot_split as plot_split
from .waterfall import plot_psum as plot_psum
