"""The whole matrices in their places: W1 above hidden, W2 above out, x to the left, as one multiplies by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import glyphs
from .canvas import Canvas
from .cells import GREY, Heat, Numbers, heat_for, held_by, numbers_for
from .lane_words import cut_by_relu
from .style import INK, SOFT_INK, device_style
from .tabs import draw_tab
from .words import shape

if TYPE_CHECKING:
    from ..tracing import DeviceTrace, Trace

GAP = 3.0  # points between the blocks of two devices: the cut
TAB = 11.0
MAX_COLUMNS_WIDTH, MAX_ROWS_HEIGHT = 500.0, 380.0


class SplitDrawing:
    """Draws W1, b1, hidden and W2 cut into blocks; with `only`, the blocks of that device alone."""

    def __init__(self, trace: Trace, only: int | None = None):
        self.trace, self.only = trace, only
        self.canvas = Canvas()
        self.n = len(trace.devices)
        self._choose_cells()

    def _choose_cells(self):
        devices = self.trace.devices
        columns = [block for device in devices for block in (device.w1, device.b1, device.hidden)]
        numbers = numbers_for(columns)
        units, tallest = devices[0].b1.size, max(self.trace.x.shape)
        w2_numbers = numbers_for([device.w2 for device in devices])
        fits = numbers.cell_width * units * self.n <= MAX_COLUMNS_WIDTH and tallest <= 12
        fits = fits and w2_numbers.cell_height * units * self.n <= MAX_ROWS_HEIGHT and devices[0].w2.shape[1] <= 10
        if fits:
            self.w1 = self.b1 = self.hidden = numbers
            self.w2, self.x = w2_numbers, numbers_for([self.trace.x])
        else:
            width = max(min(10.0 * units, MAX_COLUMNS_WIDTH / self.n), 9.0)
            for name in ("w1", "b1", "hidden"):
                heat = heat_for([getattr(device, name) for device in devices], width, 150.0)
                setattr(self, name, Heat(heat.scale, width, heat.height))
            heat = heat_for([device.w2 for device in devices], 100.0, max(MAX_ROWS_HEIGHT / self.n, 12.0))
            self.w2 = Heat(heat.scale, heat.width, max(heat.height, 12.0))
            self.x = heat_for([self.trace.x], 120.0, 150.0)
            self.x = Heat(self.x.scale, self.x.width, self.hidden.height)

    # --- geometry

    def column_x(self, d: int) -> float:
        """Where the columns of device d begin; those of device 0 at 0."""
        return d * (self.w1.extent(self.trace.devices[0].w1)[0] + GAP)

    @property
    def columns_width(self) -> float:
        return self.column_x(self.n) - GAP

    def rows_height(self) -> float:
        return self.n * (self.w2.extent(self.trace.devices[0].w2)[1] + GAP) - GAP

    # --- drawing

    def knows(self, d: int) -> bool:
        return self.only is None or d == self.only

    def draw_columns(self, name: str, cells: Numbers | Heat, y: float) -> float:
        """One matrix cut by columns, its top at y; returns its height."""
        for device in self.trace.devices:
            cut = cut_by_relu(device) if name == "hidden" else None
            self._block(device, name, cells, self.column_x(device.index), y, cut)
        return cells.extent(getattr(self.trace.devices[0], name))[1]

    def draw_rows(self, x: float, y: float) -> float:
        """W2 cut by rows, its top left corner at (x, y); returns its width."""
        width, height = self.w2.extent(self.trace.devices[0].w2)
        for device in self.trace.devices:
            top = y + device.index * (height + GAP)
            self._block(device, "w2", self.w2, x, top, None)
            draw_tab(self.canvas, x - TAB - 3, top, TAB, height, device.index)
            self._label(x - TAB - 8, top + height / 2, device.index, "right")
        return width

    def draw_column_tabs(self, y: float):
        """The devices' strips and labels over the columns, their bottom at y."""
        width = self.column_x(1) - GAP
        whole = glyphs.width(device_style(self.n - 1).label, 8.0, "bold") <= width + GAP - 4
        for d in range(self.n):
            draw_tab(self.canvas, self.column_x(d), y - TAB, width, TAB, d)
            self._label(self.column_x(d) + width / 2, y - TAB - 8, d, "center", whole)
        if not whole:
            self.canvas.text(-8, y - TAB - 8, "device", size=8, weight="bold", align="right")

    def grey(self, name: str, cells, values, x: float, y: float, *, label: str = ""):
        """A replicated matrix with its name below."""
        width, height = cells.extent(values)
        cells.draw(self.canvas, x, y, values, GREY)
        self.name_below(label or name, values, x + width / 2, y + height)
        return width

    def name_below(self, name: str, values, middle: float, bottom: float):
        self.canvas.text(middle, bottom + 10, name, size=9, weight="bold")
        self.canvas.text(middle, bottom + 21, shape(values), size=8, colour=SOFT_INK)

    def name_left(self, name: str, values, x: float, middle: float, cells=None):
        self.canvas.text(x, middle - 6, name, size=9, weight="bold", align="right")
        self.canvas.text(x, middle + 6, shape(values), size=8, colour=SOFT_INK, align="right")

    def _label(self, x, y, d, align, whole=True):
        text = device_style(d).label if whole else str(d)
        self.canvas.text(x, y, text, size=8, weight="bold", align=align, colour=INK if self.knows(d) else SOFT_INK)

    def _block(self, device: DeviceTrace, name: str, cells, x, y, cut):
        values = getattr(device, name)
        if self.knows(device.index):
            cells.draw(self.canvas, x, y, values, held_by(device.index), cut)
        else:
            cells.draw_empty(self.canvas, x, y, values)


def whole(trace: Trace, name: str) -> np.ndarray:
    """A split matrix put together again on the host; no device holds it."""
    axis = 0 if name == "w2" else -1
    return np.concatenate([getattr(device, name) for device in trace.devices], axis=axis)
