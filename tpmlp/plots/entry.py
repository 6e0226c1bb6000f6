"""One entry of out taken apart: what each device adds to it, and which hidden units and weights make that."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex

from matplotlib.figure import Figure

from .checks import check_index
from .entry_drawing import EntryDrawing
from .picture import Picture
from .style import fmt
from .waterfall import check_entry, partials_of, signed
from .words import MAX_PRINTED, plural, told

if TYPE_CHECKING:
    from ..tracing import DeviceTrace, Trace


def plot_entry(trace: Trace, row: SupportsIndex, column: SupportsIndex, device: SupportsIndex | None = None) -> Picture:
    """Draw how one entry of out comes about: hidden units times weights, device by device, then the psum, then b2.

    Args:
        trace: from `tpmlp.trace`.
        row: 0 to B - 1.
        column: 0 to O - 1.
        device: show only what this device can know: its own part, and the psum.

    Returns:
        A `Picture`; its text tells every product and every sum.

    Raises:
        TypeError: `row`, `column` or `device` is not a whole number.
        ValueError: there is no such entry or device.
    """
    row, column = check_entry(trace, row, column)
    if device is not None:
        device = check_index("device", device, len(trace.devices), "there are")
    return Picture(_draw(trace, row, column, device), _text(trace, row, column, device))


def _draw(trace: Trace, row: int, column: int, only: int | None) -> Figure:
    drawing = EntryDrawing(trace, row, column, only)
    drawing.draw(_title(row, column, only), _caption(only))
    return drawing.canvas.figure()


def _title(row: int, column: int, only: int | None) -> str:
    title = f"out[{row}, {column}] taken apart"
    return title if only is None else f"{title}: what device {only} can know of it"


def _caption(only: int | None) -> str:
    if only is None:
        return "Each device multiplies its hidden units by its weights and adds; the psum adds what the devices found."
    return (
        f"Dashed: what device {only} cannot know. It holds its own part and the sum of all parts, so it can tell what "
        "the others add together, but not what each of them adds."
    )


def _text(trace: Trace, row: int, column: int, only: int | None) -> str:
    partials = partials_of(trace, row, column)
    lines, total = [f"{_title(row, column, only)}."], 0.0
    for device, partial in zip(trace.devices, partials, strict=True):
        total += partial
        if only is not None and device.index != only:
            lines.append(f"device {device.index}: unknown")
            continue
        known = f", running sum {fmt(total)}" if only is None else ""
        lines.append(f"device {device.index}: {_products(device, row, column)} = {fmt(partial)}{known}")
    lines.append(f"psum[{row}, {column}] = {fmt(trace.psum[row, column])}")
    if only is not None and len(partials) > 1:
        others = float(trace.psum[row, column]) - partials[only]
        lines.append(f"the {plural(len(partials) - 1, 'other device')} together: {signed(others)}")
    lines.append(f"b2[{column}]: {signed(trace.b2[column])}, added once, after the psum")
    lines.append(f"out[{row}, {column}] = {fmt(trace.out[row, column])}")
    return "\n".join(lines)


def _products(device: DeviceTrace, row: int, column: int) -> str:
    hidden, w2 = device.hidden[row], device.w2[:, column]
    if hidden.size > MAX_PRINTED // 4:
        return f"hidden ({told(hidden)}) times W2 ({told(w2)})"
    return " + ".join(f"{fmt(h)} * {_bracketed(w)}" for h, w in zip(hidden, w2, strict=True))


def _bracketed(value: SupportsFloat) -> str:
    text = fmt(value)
    return f"({text})" if text.startswith("-") else text
