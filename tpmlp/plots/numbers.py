"""A matrix block as cells with printed numbers."""

from dataclasses import dataclass

import numpy as np

from . import glyphs
from .blocks import DASHES, Look, as_matrix
from .canvas import Canvas
from .shapes import FRAME, MARK
from .style import FAINT, INK, NOT_FINITE, SOFT_INK, WHITE, Real, fmt, ink_on, minus, mix

PAD = 7.0  # points beside a number, both sides together


@dataclass(frozen=True)
class Numbers:
    """Blocks whose entries are printed: one cell size for all of them."""

    size: Real
    cell_width: Real
    cell_height: Real

    def extent(self, values) -> tuple[Real, Real]:
        """Width and height in points."""
        rows, columns = as_matrix(values).shape
        return columns * self.cell_width, rows * self.cell_height

    def draw(self, canvas: Canvas, x: Real, y: Real, values, look: Look, cut=None):
        """Draw one block from its top left corner; `cut` marks zeros made by relu."""
        values = as_matrix(values)
        width, height = self.extent(values)
        canvas.rect(x, y, width, height, fill=look.fill)
        ink = ink_on(look.fill)
        for row, column in np.ndindex(values.shape):
            left, top = x + column * self.cell_width, y + row * self.cell_height
            value, colour, weight = values[row, column], ink, "normal"
            if not np.isfinite(value):
                canvas.rect(left, top, self.cell_width, self.cell_height, fill=NOT_FINITE, layer=MARK)
                colour, weight = INK, "bold"
            elif cut is not None and cut[row, column]:
                self._mark_cut(canvas, left, top, look.edge)
                colour = SOFT_INK
            middle = left + self.cell_width / 2, top + self.cell_height / 2
            canvas.text(*middle, fmt(value), size=self.size, colour=colour, weight=weight)
        self._grid(canvas, x, y, values.shape, WHITE if ink == INK else FAINT)
        canvas.rect(x, y, width, height, edge=look.edge, line=1.0, layer=FRAME)

    def draw_empty(self, canvas: Canvas, x: Real, y: Real, values, edge: str = FAINT):
        """The outline of a block whose numbers are not there (yet)."""
        width, height = self.extent(values)
        canvas.rect(x, y, width, height, fill=WHITE)
        self._grid(canvas, x, y, as_matrix(values).shape, mix(FAINT, WHITE, 0.45))
        canvas.rect(x, y, width, height, edge=edge, line=0.9, dash=DASHES, layer=FRAME)

    def draw_scale(self, canvas: Canvas, middle: Real, y: Real):
        """Numbers need no colour bar."""

    def _mark_cut(self, canvas, left, top, edge):
        right = left + self.cell_width
        canvas.rect(left, top, self.cell_width, self.cell_height, fill=WHITE, layer=MARK)
        canvas.polygon([(right - 5.5, top), (right, top), (right, top + 5.5)], fill=edge, layer=MARK)

    def _grid(self, canvas, x, y, shape, colour):
        (rows, columns), (w, h) = shape, (self.cell_width, self.cell_height)
        across = [((x, y + r * h), (x + columns * w, y + r * h)) for r in range(1, rows)]
        down = [((x + c * w, y), (x + c * w, y + rows * h)) for c in range(1, columns)]
        canvas.lines(across + down, colour=colour, line=0.7)


def numbers_for(blocks, size: Real = 9.0) -> Numbers:
    """Cells wide enough for every number of these blocks."""
    widest = max((glyphs.width(minus(text), size) for text in _texts(blocks)), default=0.0)
    return Numbers(size, max(widest + PAD, 2.4 * size), round(1.75 * size, 1))


def _texts(blocks):
    values = np.concatenate([np.ravel(block) for block in blocks])
    return {fmt(value) for value in values}
