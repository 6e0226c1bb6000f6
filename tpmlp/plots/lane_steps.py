"""The forward step by step, for pictures that show it half done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .words import plural

if TYPE_CHECKING:
    from ..tracing import Trace

# What each step brings; the steps "psum 0", "psum 1", … follow after matmul2 and before bias.
_BRINGS = {
    "place": ("x", "w1", "b1", "w2", "b2"),
    "matmul1": ("preactivation",),
    "relu": ("hidden",),
    "matmul2": ("partial",),
    "psum": ("psum",),
    "bias": ("out",),
}
_TITLES = {
    "place": "place the blocks",
    "matmul1": "first matmul",
    "relu": "relu",
    "matmul2": "second matmul",
    "bias": "+ b2",
}


def lane_steps(trace: Trace) -> tuple[str, ...]:
    """The names of the steps, in order, each of them a `step=` for `plot_lanes`.

    "place", "matmul1", "relu", "matmul2", then "psum 0" up to "psum n-1", one per device, then "bias".
    """
    sums = (f"psum {device.index}" for device in trace.devices)
    return ("place", "matmul1", "relu", "matmul2", *sums, "bias")


def step_title(step: str) -> str:
    """A short name for people: "first matmul" for "matmul1", "psum: + device 3" for "psum 3"."""
    kind, _, device = step.partition(" ")
    return f"psum: + device {device}" if kind == "psum" else _TITLES[kind]


def check_step(trace: Trace, step: str):
    """Refuse a step that this trace does not have."""
    if step not in lane_steps(trace):
        raise ValueError(f"step={step!r} is not a step of this forward; use one of {', '.join(lane_steps(trace))}")


def summed_devices(trace: Trace, step: str | None) -> int:
    """How many partials have been added when `step` is done."""
    if step is None or step == "bias":
        return len(trace.devices)
    return int(step.removeprefix("psum ")) + 1 if step.startswith("psum") else 0


def brought_by(step: str) -> tuple[str, ...]:
    """The names of the blocks that `step` brings."""
    return _BRINGS[step.partition(" ")[0]]


def there_after(trace: Trace, step: str | None) -> frozenset[str]:
    """The names of all blocks that are there when `step` is done."""
    steps = lane_steps(trace)
    done = steps if step is None else steps[: steps.index(step) + 1]
    return frozenset(name for each in done for name in brought_by(each))


def running_sum(trace: Trace, step: str | None) -> np.ndarray:
    """(B, O), the sum of the partials added so far; at the end what the psum itself gave."""
    count = summed_devices(trace, step)
    if count == len(trace.devices):
        return trace.psum
    return sum((device.partial for device in trace.devices[:count]), np.zeros_like(trace.psum))


def step_sentence(trace: Trace, step: str) -> str:
    """What happened in this step, and whether anything was communicated."""
    count, n = summed_devices(trace, step), len(trace.devices)
    alone = "Nothing was communicated."
    if step.startswith("psum"):
        rest = f"{plural(n - count, 'partial')} to go." if count < n else "Now every device holds the sum."
        return f"psum: device {count - 1}'s partial was added, {count} of {n}. Devices talk here, and only here. {rest}"
    return {
        "place": "The host gave each device x, b2 and its blocks of W1, b1 and W2; no device sent anything.",
        "matmul1": f"Each device multiplied x by its columns of W1 and added its part of b1. {alone}",
        "relu": f"Each device set its negative entries to 0. {alone}",
        "matmul2": f"Each device multiplied its hidden units by its rows of W2: its part of the sum. {alone}",
        "bias": f"Each device added b2 once, after the psum: out, the same on every device. {alone}",
    }[step]
