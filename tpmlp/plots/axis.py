"""A value axis for bars: from numbers to points, with round ticks."""

from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import MaxNLocator

from .canvas import Canvas
from .shapes import BACK
from .style import FAINT, SOFT_INK, Real, fmt, mix


@dataclass(frozen=True)
class Axis:
    """Maps `low` to the point `start` and `high` to `end`; either may be the larger."""

    low: Real
    high: Real
    start: Real
    end: Real

    def at(self, value: Real) -> Real:
        """Where `value` stands, in points."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 5) -> list[Real]:
        """Round values within the range."""
        values = MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(self.low, self.high)
        return [float(value) for value in values if self.low - 1e-9 <= value <= self.high + 1e-9]

    def draw_upright(self, canvas: Canvas, left: Real, right: Real, name=fmt):
        """Grid lines across, their values at the left, and a stronger line at 0."""
        canvas.reserve(left, min(self.start, self.end), right - left, 0.0)
        for value in self.ticks():
            y = self.at(value)
            strong = value == 0
            canvas.lines(
                [((left, y), (right, y))],
                colour=FAINT if strong else GRID,
                line=0.9 if strong else 0.6,
                layer=BACK,
            )
            canvas.text(left - 6, y, name(value), size=8, colour=SOFT_INK, align="right")


GRID = mix(FAINT, "#FFFFFF", 0.3)


def axis_for(values, start: Real, end: Real) -> Axis:
    """An axis that shows 0 and all finite values."""
    values = np.asarray([0.0, *values], float)
    values = values[np.isfinite(values)]
    low, high = float(values.min()), float(values.max())
    if low == high:
        high = low + 1.0
    pad = 0.02 * (high - low)
    return Axis(low - pad if low < 0 else low, high + pad if high > 0 else high, start, end)
