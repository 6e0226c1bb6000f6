"""The drawing of one entry of out: lanes with the factors at the left, and the waterfall running down at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .axis import axis_for
from .blocks import DASHES, held_by
from .canvas import Canvas
from .heat import heat_for
from .lane_words import cut_by_relu
from .level_bars import LevelBars
from .numbers import numbers_for
from .shapes import BACK
from .style import FAINT, SOFT_INK, Real, device_style, fmt
from .tabs import TAB, draw_tab
from .waterfall import partials_of, signed

if TYPE_CHECKING:
    from ..tracing import Trace

LABEL, ADDS, BARS = 70.0, 56.0, 330.0
LANE_GAP, LANE_PAD = 4.0, 5.0
SIDE_BY_SIDE = 2  # hidden units per device; more stand below their weights
MAX_NUMBERS, MAX_NUMBERS_WIDTH = 16, 300.0


class EntryDrawing:
    """Draws one entry of out; with `only`, what that device can know."""

    def __init__(self, trace: Trace, row: int, column: int, only: int | None):
        self.trace, self.row, self.column, self.only = trace, row, column, only
        self.canvas = Canvas()
        self.hidden = [device.hidden[row] for device in trace.devices]
        self.weights = [device.w2[:, column] for device in trace.devices]
        self._choose_cells()
        self._choose_places()

    def _choose_cells(self):
        self.cells = {
            "hidden": heat_for(self.hidden, MAX_NUMBERS_WIDTH, 13.0),
            "w2": heat_for(self.weights, MAX_NUMBERS_WIDTH, 13.0),
        }
        if self.hidden[0].size <= MAX_NUMBERS:
            numbers = numbers_for([*self.hidden, *self.weights])
            if numbers.extent(self.hidden[0])[0] <= MAX_NUMBERS_WIDTH:
                self.cells = {"hidden": numbers, "w2": numbers}
        self.stacked = self.hidden[0].size > SIDE_BY_SIDE
        self.width, self.height = self.cells["hidden"].extent(self.hidden[0])

    def _choose_places(self):
        values = self._levels()
        self.hidden_x = TAB + LABEL + 8
        self.w2_x = self.hidden_x if self.stacked else max(self.hidden_x + self.width + 18, self.hidden_x + 60)
        self.adds_x = (
            self.w2_x + max(self.width, 84.0 if self.stacked else 44.0) + ADDS / 2 + 8
        )  # the middle of the sums' column
        self.bars_x = self.adds_x + ADDS / 2 + 10
        self.lane_height = (2 * self.height + 5 if self.stacked else self.height) + 2 * LANE_PAD
        self.bars = LevelBars(self.canvas, axis_for(values, self.bars_x, self.bars_x + BARS))

    def _levels(self) -> list[Real]:
        """All that the axis must reach."""
        partials = partials_of(self.trace, self.row, self.column)
        sums = np.cumsum(partials) if self.only is None else [partials[self.only]]
        results = (self.trace.psum[self.row, self.column], self.trace.out[self.row, self.column])
        return [float(value) for value in (*sums, *results)]

    def draw(self, title: str, caption: str):
        """Lanes, result, axis, words."""
        level = 0.0
        for d, partial in enumerate(partials_of(self.trace, self.row, self.column)):
            y = d * (self.lane_height + LANE_GAP)
            known = self.only in (None, d)
            self._lane(d, y, known)
            self.canvas.text(self.adds_x, y + self.lane_height / 2, f"= {fmt(partial)}" if known else "= ?", size=9)
            if known:
                start = level if self.only is None else 0.0
                self.bars.bar(start, start + partial, y + self.lane_height / 2, d)
                if self.only is None:
                    self.bars.carry(start + partial, y + self.lane_height / 2, self.lane_height + LANE_GAP)
            level += partial
        bottom = self._result(len(self.trace.devices) * (self.lane_height + LANE_GAP) + 4)
        self.bars.draw_axis(bottom)
        self._titles()
        left, top, right, low = self.canvas.bounds
        self.canvas.paragraph(left, low + 8, caption, right - left, colour=SOFT_INK)
        self.canvas.text(left, top - 16, title, size=10, weight="bold", align="left")

    def _lane(self, d: int, y: Real, known: bool):
        canvas, look, middle = self.canvas, device_style(d), y + self.lane_height / 2
        right = self.adds_x + ADDS / 2 + 4
        if known:
            canvas.rect(0, y, right, self.lane_height, fill=look.wash, edge=look.edge, line=1.0, layer=BACK)
        else:
            canvas.rect(0, y, right, self.lane_height, edge=FAINT, dash=DASHES, layer=BACK)
        draw_tab(canvas, 0, y, TAB, self.lane_height, d)
        canvas.text(TAB + 6, middle - 5.5, look.label, size=8.5, weight="bold", align="left")
        canvas.text(TAB + 6, middle + 5.5, self._units(d), size=8, colour=SOFT_INK, align="left")
        top = y + LANE_PAD
        below = top + (self.height + 5 if self.stacked else 0.0)
        for name, values, x, at in (
            ("hidden", self.hidden, self.hidden_x, top),
            ("w2", self.weights, self.w2_x, below),
        ):
            cells = self.cells[name]
            if known:
                cut = cut_by_relu(self.trace.devices[d])[self.row][None] if name == "hidden" else None
                cells.draw(canvas, x, at, values[d], held_by(d), cut)
            else:
                cells.draw_empty(canvas, x, at, values[d])
        if not self.stacked:
            canvas.text((self.hidden_x + self.width + self.w2_x) / 2, middle, "·", size=13, colour=SOFT_INK)

    def _units(self, d: int) -> str:
        count = self.hidden[0].size
        first, last = d * count, (d + 1) * count - 1
        return f"unit {first}" if count == 1 else f"units {first}–{last}"

    def _result(self, y: Real) -> Real:
        """Three grey rows below the lanes; returns their bottom."""
        trace, canvas = self.trace, self.canvas
        psum, b2, out = (
            float(v)
            for v in (trace.psum[self.row, self.column], trace.b2[self.column], trace.out[self.row, self.column])
        )
        rows = (
            (f"psum[{self.row}, {self.column}]", fmt(psum), 0.0, psum, False),
            (f"+ b2[{self.column}], once", signed(b2), psum, out, False),
            (f"= out[{self.row}, {self.column}]", fmt(out), 0.0, out, True),
        )
        for name, number, start, end, strong in rows:
            middle = y + 11
            canvas.text(self.adds_x - ADDS / 2 - 8, middle, name, size=9, weight="bold", align="right")
            canvas.text(self.adds_x, middle, number, size=9, weight="bold")
            self.bars.bar(start, end, middle, None, strong)
            y += 22
        return y

    def _titles(self):
        canvas, y = self.canvas, -10.0
        canvas.text(self.bars_x + BARS / 2, y, "running sum" if self.only is None else "value", size=9, weight="bold")
        hidden, w2 = f"hidden[{self.row}]", f"W2[:, {self.column}]"
        if self.stacked:
            canvas.text(self.hidden_x, y - 12, f"{hidden}, above", size=9, weight="bold", align="left")
            canvas.text(self.hidden_x, y, f"{w2}, below", size=9, weight="bold", align="left")
        else:
            canvas.text(self.hidden_x + self.width / 2, y, hidden, size=9, weight="bold")
            canvas.text(self.w2_x + self.width / 2, y, w2, size=9, weight="bold")
        canvas.text(self.adds_x, y, "partial", size=9, weight="bold")
