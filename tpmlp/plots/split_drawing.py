"""The whole matrices in their places: W1 above hidden, W2 above out, x to the left, as one multiplies by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import glyphs
from .blocks import GREY, held_by
from .canvas import MAX_WIDTH, Canvas
from .heat import Heat, heat_for, scale_of
from .lane_words import cut_by_relu
from .numbers import Numbers, numbers_for
from .style import INK, SOFT_INK, Real, device_style
from .tabs import TAB, draw_tab
from .words import shape

if TYPE_CHECKING:
    from ..tracing import DeviceTrace, Trace

CUT = 3.0  # points between the blocks of two devices
BELOW_W1, BELOW_B1 = 9.0, 18.0
MAX_COLUMNS_WIDTH, MAX_ROWS_HEIGHT, MAX_HEAT_HEIGHT = 440.0, 380.0, 130.0
MIN_HEAT_HEIGHT = 42.0  # W1 must be as high as its name and colour bar
MAX_PRINTED_ROWS, MAX_PRINTED = 12, 240  # rows of x or W1, and numbers of one block of W2


class SplitDrawing:
    """Draws x, W1, b1, hidden and W2, cut into the devices' blocks; with `only`, the blocks of that device alone.

    After `draw`, `bottom` is where hidden ends, and `rows_left` where W2, and what belongs below it, begins.
    """

    def __init__(self, trace: Trace, only: int | None = None):
        self.trace, self.only, self.canvas = trace, only, Canvas()
        self.is_heat = max(trace.x.shape) > MAX_PRINTED_ROWS or trace.devices[0].w2.size > MAX_PRINTED
        if not self.is_heat:
            self.cells = _printed(trace)
            self.is_heat = not self._fits()
        if self.is_heat:
            self.cells = _heat(trace)
        first = trace.devices[0]
        self.column_width = self.cells["w1"].extent(first.w1)[0]
        self.row_height = self.cells["w2"].extent(first.w2)[1]
        self.columns_right = self._column(len(trace.devices)) - CUT
        self.rows_left = self.columns_right + 76 + TAB
        self.bottom = 0.0

    def draw(self):
        """Draw all five; W1 and b1 end where W2 does, just above hidden."""
        trace, cells, first = self.trace, self.cells, self.trace.devices[0]
        x_height, w1_height, b1_height = (
            cells[name].extent(block)[1] for name, block in (("x", trace.x), ("w1", first.w1), ("b1", first.b1))
        )
        rows = len(trace.devices) * (self.row_height + CUT) - CUT
        end = max(w1_height + BELOW_W1 + b1_height, rows)
        b1_top, hidden_top = end - b1_height, end + BELOW_B1
        w1_top = b1_top - BELOW_W1 - w1_height
        self.bottom = hidden_top + x_height
        self._column_tabs(w1_top - 3)
        for name, top in (("w1", w1_top), ("b1", b1_top), ("hidden", hidden_top)):
            for device in trace.devices:
                self._block(device, name, self._column(device.index), top)
        self._name_left("W1", "w1", min(w1_top + w1_height / 2, b1_top - (44 if self.is_heat else 18)))
        self._name_left("+ b1", "b1", b1_top + b1_height / 2)
        hidden = "hidden = relu(x W1 + b1)"
        if glyphs.width(hidden, 9, "bold") > self.columns_right:
            hidden = "hidden"
        self._name_below(hidden, "hidden", trace.hidden, self.columns_right / 2)
        x_width = cells["x"].extent(trace.x)[0]
        cells["x"].draw(self.canvas, -16 - x_width, hidden_top, trace.x, GREY)
        self._name_below("x", "x", trace.x, -16 - x_width / 2)
        self._rows(end - rows)

    def name_below(self, title: str, values: np.ndarray, cells: Numbers | Heat, middle: Real):
        """Title, shape and colour bar below the bottom row."""
        self.canvas.text(middle, self.bottom + 11, title, size=9, weight="bold")
        self.canvas.text(middle, self.bottom + 22, shape(values), size=8, colour=SOFT_INK)
        if isinstance(cells, Heat):
            cells.draw_scale(self.canvas, middle, self.bottom + 30)

    def _name_below(self, title, name, values, middle):
        self.name_below(title, values, self.cells[name], middle)

    def _fits(self) -> bool:
        trace, first, n = self.trace, self.trace.devices[0], len(self.trace.devices)
        columns, rows = self.cells["w1"].extent(first.w1)[0] * n, self.cells["w2"].extent(first.w2)[1] * n
        # Below W2 stands out, or for one device its partial and then a panel with psum, b2 and out.
        out = numbers_for([first.partial, trace.psum, trace.b2, trace.out]).extent(trace.out)[0]
        below = max(self.cells["w2"].extent(first.w2)[0], out) + out + 90
        width = self.cells["x"].extent(trace.x)[0] + columns + n * CUT + 120 + below
        return width <= MAX_WIDTH and rows <= MAX_ROWS_HEIGHT

    def _column(self, d: int) -> Real:
        return d * (self.column_width + CUT)

    def _column_tabs(self, y: Real):
        whole = glyphs.width(device_style(len(self.trace.devices) - 1).label, 8, "bold") <= self.column_width - 2
        for d in range(len(self.trace.devices)):
            draw_tab(self.canvas, self._column(d), y - TAB, self.column_width, TAB, d)
            self._label(self._column(d) + self.column_width / 2, y - TAB - 8, d, "center", whole)
        if not whole:
            self.canvas.text(-8, y - TAB - 8, "device", size=8, weight="bold", align="right")

    def _rows(self, top: Real):
        width = self.cells["w2"].extent(self.trace.devices[0].w2)[0]
        for device in self.trace.devices:
            y = top + device.index * (self.row_height + CUT)
            self._block(device, "w2", self.rows_left, y)
            draw_tab(self.canvas, self.rows_left - TAB - 3, y, TAB, self.row_height, device.index)
            self._label(self.rows_left - TAB - 8, y + self.row_height / 2, device.index, "right")
        middle = self.rows_left + width / 2
        above = top - (24 if self.is_heat else 0)
        self.canvas.text(middle, above - 21, "W2", size=9, weight="bold")
        self.canvas.text(middle, above - 10, shape(whole(self.trace, "w2")), size=8, colour=SOFT_INK)
        if self.is_heat:
            self.cells["w2"].draw_scale(self.canvas, middle, above)

    def _name_left(self, title: str, name: str, middle: Real):
        self.canvas.text(-8, middle - 6, title, size=9, weight="bold", align="right")
        self.canvas.text(-8, middle + 6, shape(whole(self.trace, name)), size=8, colour=SOFT_INK, align="right")
        if self.is_heat and name == "w1":
            self.cells[name].draw_scale(self.canvas, -36, middle + 16)

    def _label(self, x: Real, y: Real, d: int, align: str, whole: bool = True):
        known = self.only is None or d == self.only
        text = device_style(d).label if whole else str(d)
        self.canvas.text(x, y, text, size=8, weight="bold", align=align, colour=INK if known else SOFT_INK)

    def _block(self, device: DeviceTrace, name: str, x: Real, y: Real):
        values, cells = getattr(device, name), self.cells[name]
        if self.only not in (None, device.index):
            cells.draw_empty(self.canvas, x, y, values)
            return
        cut = cut_by_relu(device) if name == "hidden" else None
        cells.draw(self.canvas, x, y, values, held_by(device.index), cut)


def _printed(trace: Trace) -> dict[str, Numbers | Heat]:
    """Cells with numbers: W1, b1 and hidden share theirs, because their columns stand below each other."""
    columns = numbers_for([block for device in trace.devices for block in (device.w1, device.b1, device.hidden)])
    rows = numbers_for([device.w2 for device in trace.devices])
    return {"x": numbers_for([trace.x]), "w1": columns, "b1": columns, "hidden": columns, "w2": rows}


def _heat(trace: Trace) -> dict[str, Numbers | Heat]:
    n, first = len(trace.devices), trace.devices[0]
    width = max(min(8.0 * first.b1.size, MAX_COLUMNS_WIDTH / n), 12.0)
    cells: dict[str, Numbers | Heat] = {
        "x": _same_size([trace.x], min(max(7.0 * trace.x.shape[1], 20.0), 90.0), scale_of([trace.x]))
    }
    blocks = {name: [getattr(device, name) for device in trace.devices] for name in ("w1", "b1", "hidden", "w2")}
    weights = scale_of(blocks["w1"] + blocks["b1"])  # one colour bar for both
    for name, scale in (("w1", weights), ("b1", weights), ("hidden", scale_of(blocks["hidden"]))):
        cells[name] = _same_size(blocks[name], width, scale)
    rows = heat_for(blocks["w2"], 84.0, MAX_ROWS_HEIGHT / n)
    cells["w2"] = Heat(rows.scale, max(rows.width, 20.0), max(rows.height, 12.0))
    return cells


def _same_size(blocks, width: Real, scale: Real) -> Heat:
    height = heat_for(blocks, width, MAX_HEAT_HEIGHT).height
    return Heat(scale, width, height if np.ndim(blocks[0]) == 1 else max(height, MIN_HEAT_HEIGHT))


def whole(trace: Trace, name: str) -> np.ndarray:
    """A split matrix put together again on the host; no device holds it."""
    return np.concatenate([getattr(device, name) for device in trace.devices], axis=0 if name == "w2" else -1)
