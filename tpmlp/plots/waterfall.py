"""The waterfall: the psum of one entry of out, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .axis import Axis, axis_for
from .canvas import Canvas
from .checks import check_index
from .picture import Picture
from .shapes import BACK
from .style import DARK, FAINT, INK, NOT_FINITE, REPLICATED, REPLICATED_EDGE, WHITE, device_style, fmt
from .words import plural

if TYPE_CHECKING:
    from ..tracing import Trace

BAR, PITCH, HEIGHT = 36.0, 58.0, 240.0


def plot_psum(trace: Trace, row: int, column: int) -> Picture:
    """Draw how the psum makes one entry of out: from 0, one step per device, then one grey step for b2.

    Args:
        trace: from `tpmlp.trace`.
        row: 0 to B - 1.
        column: 0 to O - 1.

    Returns:
        A `Picture`; its text tells every step and the running sum.

    Raises:
        TypeError: `row` or `column` is not a whole number.
        ValueError: there is no such entry.
    """
    row, column = check_entry(trace, row, column)
    canvas = Canvas()
    _draw(canvas, trace, row, column)
    return Picture(canvas.figure(), waterfall_text(trace, row, column))


def check_entry(trace: Trace, row, column) -> tuple[int, int]:
    """Both as ints, if out has such an entry."""
    rows, columns = trace.out.shape
    return check_index("row", row, rows, "rows in out"), check_index("column", column, columns, "columns in out")


def partials_of(trace: Trace, row: int, column: int) -> np.ndarray:
    """float64 (n,), what each device adds to the entry."""
    return np.array([device.partial[row, column] for device in trace.devices], np.float64)


def signed(value: float) -> str:
    """`+0.6`, `-0.6`, `0`."""
    text = fmt(value)
    return text if text[0] in "-0N" and not text.startswith("0.") else f"+{text}"


def waterfall_text(trace: Trace, row: int, column: int) -> str:
    """Step by step, from the first device to out."""
    partials = partials_of(trace, row, column)
    lines = [f"The psum for out[{row}, {column}]: {plural(len(partials), 'partial')}, one number."]
    for d, (partial, total) in enumerate(zip(partials, np.cumsum(partials), strict=True)):
        lines.append(f"device {d}: {signed(partial)}, running sum {fmt(total)}")
    lines.append(f"psum[{row}, {column}] = {fmt(trace.psum[row, column])}")
    lines.append(f"b2[{column}]: {signed(trace.b2[column])}, added once, after the psum")
    lines.append(f"out[{row}, {column}] = {fmt(trace.out[row, column])}")
    return "\n".join(lines)


def _draw(canvas: Canvas, trace: Trace, row: int, column: int):
    partials, n = partials_of(trace, row, column), len(trace.devices)
    psum, b2, out = (float(v) for v in (trace.psum[row, column], trace.b2[column], trace.out[row, column]))
    levels = [0.0, *np.cumsum(partials)]
    axis = axis_for([*levels, psum, out], HEIGHT, 0.0)
    right = (n + 3) * PITCH
    axis.draw_upright(canvas, 0, right)
    for d, partial in enumerate(partials):
        look = device_style(d)
        _step(canvas, axis, d, levels[d], levels[d + 1], partial, look.colour, look.edge, look.hatch)
    _total(canvas, axis, n, psum, REPLICATED, 1.0)
    _step(canvas, axis, n + 1, psum, out, b2, REPLICATED, REPLICATED_EDGE, None)
    _total(canvas, axis, n + 2, out, "#B9B9B9", 2.0)
    _connect(canvas, axis, [*levels[1:], psum, out])
    low = canvas.bounds[3] + 12
    names = [device_style(d).label for d in range(n)] + ["psum", "+ b2", "out"]
    for place, name in enumerate(names):
        canvas.text((place + 0.5) * PITCH, low, name, size=8.5, weight="bold" if place >= n else "normal")
    canvas.text((n + 1.5) * PITCH, low + 12, "once", size=8.5)
    canvas.text((n + 2.5) * PITCH, low + 12, f"[{row}, {column}]", size=8.5)
    left, top, _, _ = canvas.bounds
    title = f"The psum for out[{row}, {column}]: {plural(n, 'partial')}, one number"
    canvas.text(left, top - 16, title, size=10, weight="bold", align="left")


def _step(canvas, axis: Axis, place: int, start, end, value, fill, edge, hatch):
    """One bar from `start` to `end`, its value at the end where it points to."""
    x = place * PITCH + (PITCH - BAR) / 2
    middle = x + BAR / 2
    if not (np.isfinite(start) and np.isfinite(end)):
        _not_finite(canvas, axis, middle, start, value)
        return
    top, bottom = sorted((axis.at(start), axis.at(end)))
    thin = bottom - top < 2.5
    if thin:
        top, bottom = (top + bottom) / 2 - 1.25, (top + bottom) / 2 + 1.25
    canvas.rect(x, top, BAR, bottom - top, fill=fill, edge=edge, line=1.0)
    if hatch and not thin:
        canvas.hatch(x, top, BAR, bottom - top, hatch, colour=WHITE)
    falls = end < start
    canvas.text(middle, bottom + 8 if falls else top - 8, signed(value), size=9)


def _total(canvas, axis: Axis, place: int, value, fill, line):
    x = place * PITCH + (PITCH - BAR) / 2
    if not np.isfinite(value):
        _not_finite(canvas, axis, x + BAR / 2, 0.0, value)
        return
    top, bottom = sorted((axis.at(0.0), axis.at(value)))
    canvas.rect(x, top, BAR, max(bottom - top, 1.5), fill=fill, edge=DARK if line > 1 else REPLICATED_EDGE, line=line)
    canvas.text(x + BAR / 2, bottom + 9 if value < 0 else top - 9, fmt(value), size=10, weight="bold")


def _not_finite(canvas, axis: Axis, middle, level, value):
    """There is no bar to NaN or infinity, or on top of it: only the number, marked where it is the culprit."""
    y = axis.at(level if np.isfinite(level) else 0.0) - 10
    if not np.isfinite(value):
        canvas.rect(middle - BAR / 2, y - 8, BAR, 16, fill=NOT_FINITE, edge=INK)
    canvas.text(middle, y, fmt(value), size=9, weight="normal" if np.isfinite(value) else "bold")


def _connect(canvas, axis: Axis, levels):
    """Thin lines that carry each level to the next bar."""
    segments = []
    for place, level in enumerate(levels):
        if np.isfinite(level):
            y, x = axis.at(level), place * PITCH + (PITCH + BAR) / 2
            segments.append(((x, y), (x + PITCH - BAR, y)))
    canvas.lines(segments, colour=FAINT, line=0.8, dash=(0, (2, 2)), layer=BACK)
