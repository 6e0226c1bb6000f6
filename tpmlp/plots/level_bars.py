"""Horizontal bars from one level to the next, below each other: a waterfall that runs down."""

from dataclasses import dataclass

import numpy as np

from .axis import GRID, Axis
from .canvas import Canvas
from .shapes import BACK, FRAME
from .style import DARK, FAINT, NOT_FINITE, REPLICATED, REPLICATED_EDGE, SOFT_INK, Real, fmt
from .tabs import draw_tab

BAR_HEIGHT, NOTE_WIDTH = 15.0, 90.0


@dataclass(frozen=True)
class LevelBars:
    """Draws bars on a canvas along a horizontal axis."""

    canvas: Canvas
    axis: Axis

    def carry(self, level: Real, middle: Real, way: Real):
        """A thin line down to the next bar: the running sum."""
        if np.isfinite(level):
            x, top = self.axis.at(level), middle + BAR_HEIGHT / 2
            down = ((x, top), (x, middle + way - BAR_HEIGHT / 2))
            self.canvas.lines([down], colour=SOFT_INK, dash=(0, (2, 2)))

    def bar(self, start: Real, end: Real, middle: Real, d: int | None = None, strong: bool = False):
        """A bar between two values in device d's looks; without a device, a grey one."""
        if not (np.isfinite(start) and np.isfinite(end)):
            self._not_finite(middle)
            return
        left, right = sorted((self.axis.at(start), self.axis.at(end)))
        if right - left < 2.5:
            left, right = (left + right) / 2 - 1.25, (left + right) / 2 + 1.25
        top = middle - BAR_HEIGHT / 2
        if d is None:
            edge, line = (DARK, 2.0) if strong else (REPLICATED_EDGE, 1.0)
            self.canvas.rect(left, top, right - left, BAR_HEIGHT, fill=REPLICATED, edge=edge, line=line, layer=FRAME)
        else:
            draw_tab(self.canvas, left, top, right - left, BAR_HEIGHT, d)

    def _not_finite(self, middle: Real):
        left = min(self.axis.at(0.0), self.axis.end - NOTE_WIDTH)
        self.canvas.rect(left, middle - 7, NOTE_WIDTH, 14, fill=NOT_FINITE)
        self.canvas.text(left + NOTE_WIDTH / 2, middle, "not a finite sum", size=8)

    def draw_axis(self, bottom: Real):
        """Upright grid lines down to `bottom`, their values below."""
        for value in self.axis.ticks():
            x, strong = self.axis.at(value), value == 0
            colour, line = (FAINT, 0.9) if strong else (GRID, 0.6)
            self.canvas.lines([((x, -4), (x, bottom))], colour=colour, line=line, layer=BACK)
            self.canvas.text(x, bottom + 8, fmt(value), size=8, colour=SOFT_INK)
