"""The explorer of steps: the forward from the placed blocks to the output, one step after the other."""

from functools import partial

from ..plots import lane_steps, plot_lanes, step_sentence, step_title
from ..tracing import Trace
from .controls import Stepper
from .example import example_trace
from .shell import Explorer, Shown


def steps(trace: Trace | None = None) -> Explorer:
    """Walk through the forward with a slider, with "Previous" and "Next", or with "Play".

    Args:
        trace: from `tpmlp.trace`; the specification's example 2 if None.
    """
    trace = example_trace() if trace is None else trace
    names = lane_steps(trace)
    step = Stepper(description="step", min=1, max=len(names), value=1)

    def adapt(changed: str) -> None:
        step.note = step_title(names[step.value - 1])

    return Explorer("steps", {"step": step}, partial(show_step, trace), adapt=adapt)


def show_step(trace: Trace, step: int) -> Shown:
    """The lanes when step number `step`, counted from 1, is done."""
    names = lane_steps(trace)
    name = names[step - 1]
    title = f"Step {step} of {len(names)}, {step_title(name)}."
    return Shown(plot_lanes(trace, step=name), f"{title} {step_sentence(trace, name)}")
