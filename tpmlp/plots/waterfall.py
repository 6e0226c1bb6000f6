"""The waterfall: the psum of one entry of out, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsFloat, SupportsIndex

import numpy as np
from matplotlib.figure import Figure

from . import glyphs
from .axis import axis_for
from .canvas import MAX_WIDTH, Canvas
from .checks import check_index
from .picture import Picture
from .shapes import BACK
from .style import DARK, INK, NOT_FINITE, REPLICATED, REPLICATED_EDGE, SOFT_INK, Real, device_style, fmt
from .tabs import draw_tab
from .words import plural

if TYPE_CHECKING:
    from ..tracing import Trace

HEIGHT = 240.0  # points


def plot_psum(trace: Trace, row: SupportsIndex, column: SupportsIndex) -> Picture:
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
    return Picture(_Drawing(trace, row, column).draw(), waterfall_text(trace, row, column))


def check_entry(trace: Trace, row, column) -> tuple[int, int]:
    """Both as ints, if out has such an entry."""
    rows, columns = trace.out.shape
    return check_index("row", row, rows, "out has"), check_index("column", column, columns, "out has")


def partials_of(trace: Trace, row: int, column: int) -> np.ndarray:
    """float64 (n,), what each device adds to the entry."""
    return np.array([device.partial[row, column] for device in trace.devices], np.float64)


def signed(value: SupportsFloat) -> str:
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


class _Drawing:
    """The bars of one entry: a step per device, psum, a step for b2, out."""

    def __init__(self, trace: Trace, row: int, column: int):
        self.canvas, self.n = Canvas(), len(trace.devices)
        self.row, self.column = row, column
        self.partials = partials_of(trace, row, column)
        self.psum, self.b2, self.out = (
            float(v) for v in (trace.psum[row, column], trace.b2[column], trace.out[row, column])
        )
        self.levels = [0.0, *np.cumsum(self.partials)]
        self.axis = axis_for([*self.levels, self.psum, self.out], HEIGHT, 0.0)
        self.pitch = min(58.0, (MAX_WIDTH - 80) / (self.n + 3))  # from one bar to the next
        self.bar = self.pitch - 22.0

    def draw(self) -> Figure:
        n = self.n
        self.axis.draw_upright(self.canvas, 0, (n + 3) * self.pitch)
        for d, partial in enumerate(self.partials):
            self._step(d, self.levels[d], self.levels[d + 1], partial, device=d)
        self._total(n, self.psum, REPLICATED, 1.0)
        self._step(n + 1, self.psum, self.out, self.b2)
        self._total(n + 2, self.out, "#B9B9B9", 2.0)
        self._connect([*self.levels[1:], self.psum, self.out])
        self._names()
        return self.canvas.figure()

    def _middle(self, place: int) -> Real:
        return (place + 0.5) * self.pitch

    def _step(self, place: int, start: Real, end: Real, value: Real, device: int | None = None):
        """One bar from `start` to `end`, its value at the end where it points to; grey without a device."""
        middle = self._middle(place)
        if not (np.isfinite(start) and np.isfinite(end)):
            self._not_finite(middle, start, value)
            return
        top, bottom = sorted((self.axis.at(start), self.axis.at(end)))
        if bottom - top < 2.5:
            top, bottom = (top + bottom) / 2 - 1.25, (top + bottom) / 2 + 1.25
        if device is None:
            self.canvas.rect(middle - self.bar / 2, top, self.bar, bottom - top, fill=REPLICATED, edge=REPLICATED_EDGE)
        else:
            draw_tab(self.canvas, middle - self.bar / 2, top, self.bar, bottom - top, device)
        self.canvas.text(middle, bottom + 8 if end < start else top - 8, signed(value), size=9)

    def _total(self, place: int, value: Real, fill: str, line: Real):
        middle = self._middle(place)
        if not np.isfinite(value):
            self._not_finite(middle, 0.0, value)
            return
        top, bottom = sorted((self.axis.at(0.0), self.axis.at(value)))
        edge = DARK if line > 1 else REPLICATED_EDGE
        self.canvas.rect(middle - self.bar / 2, top, self.bar, max(bottom - top, 1.5), fill=fill, edge=edge, line=line)
        self.canvas.text(middle, bottom + 9 if value < 0 else top - 9, fmt(value), size=9.5, weight="bold")

    def _not_finite(self, middle: Real, level: Real, value: Real):
        """There is no bar to NaN or infinity, or on top of it: only the number, marked where it is the culprit."""
        y = self.axis.at(level if np.isfinite(level) else 0.0) - 10
        odd = not np.isfinite(value)
        if odd:
            self.canvas.rect(middle - self.bar / 2, y - 8, self.bar, 16, fill=NOT_FINITE, edge=INK)
        self.canvas.text(middle, y, fmt(value) if odd else signed(value), size=9, weight="bold" if odd else "normal")

    def _connect(self, levels: list[Real]):
        """Thin lines that carry each level to the next bar."""
        segments = []
        for place, level in enumerate(levels[:-1]):
            if np.isfinite(level):
                y, ends = (
                    self.axis.at(level),
                    (self._middle(place) + self.bar / 2, self._middle(place + 1) - self.bar / 2),
                )
                segments.append(((ends[0], y), (ends[1], y)))
        self.canvas.lines(segments, colour=SOFT_INK, dash=(0, (2, 2)), layer=BACK)

    def _names(self):
        canvas, n = self.canvas, self.n
        low = canvas.bounds[3] + 12
        whole = glyphs.width(device_style(n - 1).label, 8.5) < self.pitch - 2
        for d in range(n):
            canvas.text(self._middle(d), low, device_style(d).label if whole else str(d), size=8.5)
        if not whole:
            canvas.text(0, low, "device", size=8.5, align="right")
        for place, lines in enumerate((("psum",), ("+ b2", "once"), ("out", f"[{self.row}, {self.column}]")), start=n):
            for line, words in enumerate(lines):
                weight = "normal" if line else "bold"
                canvas.text(self._middle(place), low + 12 * line, words, size=8.5, weight=weight)
        left, top, _, _ = canvas.bounds
        title = f"The psum for out[{self.row}, {self.column}]: {plural(n, 'partial')}, one number"
        canvas.text(left, top - 16, title, size=10, weight="bold", align="left")
