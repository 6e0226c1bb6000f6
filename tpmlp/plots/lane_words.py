"""The text of the lanes: what a reader hears instead of seeing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .lane_steps import brought_by, running_sum, step_sentence, step_title, summed_devices, there_after
from .words import MAX_PRINTED, named, plural

if TYPE_CHECKING:
    from ..tracing import DeviceTrace, Trace

_DEVICE_BLOCKS = (
    ("w1", "W1 block"),
    ("b1", "b1 block"),
    ("preactivation", "x W1 + b1"),
    ("hidden", "hidden"),
    ("w2", "W2 block"),
    ("partial", "partial"),
)


def sizes(trace: Trace) -> str:
    """`B=1, D=2, H=8, O=1 on 8 devices, 1 hidden unit each`."""
    (b, d), (h, o), n = trace.x.shape, (trace.hidden.shape[1], trace.b2.size), len(trace.devices)
    return f"B={b}, D={d}, H={h}, O={o} on {plural(n, 'device')}, {plural(h // n, 'hidden unit')} each"


def lanes_text(trace: Trace, step: str | None) -> str:
    """Device by device, then the psum and what follows."""
    there = there_after(trace, step)
    lines = [f"The forward, one lane per device: {sizes(trace)}."]
    if step is not None:
        lines.append(f"Step {step_title(step)}. {step_sentence(trace, step)}")
        missing = [title for name, title in _DEVICE_BLOCKS if name not in there]
        missing += [name for name in ("psum", "out") if name not in there]
        if missing:
            lines.append(f"Still empty: {', '.join(missing)}.")
    lines.append(f"every device: {named('x', trace.x)}; {named('b2', trace.b2)}")
    lines += [_device_line(device, there) for device in trace.devices]
    if "hidden" in there:
        lines.append(_cut_line(trace))
    if "psum" in there:
        lines.append(_psum_line(trace, step))
    if "out" in there:
        lines.append(f"out = psum + b2, the same on every device: {named('out', trace.out)}")
    if step is not None:
        new = [dict(_DEVICE_BLOCKS).get(name, name) for name in brought_by(step)]
        lines.append(f"New in this step: {', '.join(new)}.")
    return "\n".join(lines)


def _device_line(device: DeviceTrace, there: frozenset[str]) -> str:
    blocks = [named(title, getattr(device, name)) for name, title in _DEVICE_BLOCKS if name in there]
    return f"device {device.index}: {'; '.join(blocks)}"


def _psum_line(trace: Trace, step: str | None) -> str:
    count, n = summed_devices(trace, step), len(trace.devices)
    if count == n:
        return f'psum over "model", the sum of the {plural(n, "partial")}: {named("psum", trace.psum)}'
    return f"sum of the partials of devices 0 to {count - 1}: {named('running sum', running_sum(trace, step))}"


def cut_by_relu(device: DeviceTrace) -> np.ndarray:
    """bool (B, H/n), the entries that relu made 0; not those that were 0 already, up to rounding."""
    return device.preactivation < -1e-6


def _cut_line(trace: Trace) -> str:
    cuts = [cut_by_relu(device) for device in trace.devices]
    if trace.hidden.size > MAX_PRINTED:
        counts = ", ".join(f"device {d}: {cut.sum()} of {cut.size}" for d, cut in enumerate(cuts))
        return f"set to 0 by relu: {counts}"
    entries = [f"device {d} hidden{[int(i) for i in at]}" for d, cut in enumerate(cuts) for at in np.argwhere(cut)]
    return f"set to 0 by relu: {', '.join(entries) or 'nothing'}"
