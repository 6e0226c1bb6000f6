"""The explorer of one entry of out: which devices, hidden units and weights made it."""

from functools import partial

from ..plots import plot_entry
from ..plots.style import fmt
from ..plots.words import plural
from ..tracing import Trace
from .controls import Slider, choice
from .example import example_trace
from .shell import Explorer, Shown

ALL = -1  # not None, which a drop-down list takes for "nothing chosen"


def entry(trace: Trace | None = None) -> Explorer:
    """Take one entry of out apart, as all devices together see it or as one device alone can.

    Args:
        trace: from `tpmlp.trace`, with at least one sample; the specification's example 2 if None.
    """
    trace = example_trace() if trace is None else trace
    rows, columns = trace.out.shape
    if not rows:
        raise ValueError("this trace has B=0, so out has no entry to take apart; give one with a sample")
    who = [("all devices", ALL), *((f"device {device.index}", device.index) for device in trace.devices)]
    controls = {
        "row": Slider(description="row of out", min=0, max=rows - 1, value=0),
        "column": Slider(description="column of out", min=0, max=columns - 1, value=0),
        "device": choice("known to", who),
    }
    return Explorer("an entry", controls, partial(show_entry, trace))


def show_entry(trace: Trace, row: int, column: int, device: int) -> Shown:
    """The entry taken apart, with what `ALL` devices know together or one of them alone."""
    only = None if device == ALL else device
    return Shown(plot_entry(trace, row, column, only), entry_sentence(trace, row, column, only))


def entry_sentence(trace: Trace, row: int, column: int, device: int | None) -> str:
    """Who gave how much, in one or two sentences."""
    partials = [each.partial[row, column] for each in trace.devices]
    sums = f"psum {fmt(trace.psum[row, column])}, with b2 out[{row}, {column}] = {fmt(trace.out[row, column])}."
    if device is not None:
        return f"Device {device} gave {fmt(partials[device])} and received the {sums} It cannot know who gave the rest."
    given = ", ".join(f"device {d} {fmt(value)}" for d, value in enumerate(partials) if fmt(value) != "0")
    idle = plural(sum(fmt(value) == "0" for value in partials), "device")
    return f"What was given: {given or 'nothing'}; {idle} gave 0. That makes the {sums}"
