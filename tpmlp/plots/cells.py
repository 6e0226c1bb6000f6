"""A matrix block as cells: with printed numbers while they can be read, beyond that as a heat map with a colour bar."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib import colormaps

from . import glyphs
from .canvas import Canvas
from .style import (
    FAINT,
    INK,
    NOT_FINITE,
    REPLICATED,
    REPLICATED_EDGE,
    SOFT_INK,
    WHITE,
    device_style,
    fmt,
    ink_on,
    minus,
    mix,
)

PAD = 7.0  # points beside a number, both sides together
MAX_HEAT_CELLS = 160  # per direction; larger arrays are shrunk to this, each cell the mean of those it covers
CUT = "#E9DFC6"  # in a heat map, an entry that relu made 0


@dataclass(frozen=True)
class Look:
    """Fill and line colour of a block."""

    fill: str
    edge: str


GREY = Look(REPLICATED, REPLICATED_EDGE)


@lru_cache
def held_by(d: int, strong: bool = False) -> Look:
    """The look of a block on device d; `strong` for what it gives away."""
    style = device_style(d)
    return Look(style.colour if strong else style.tint, style.edge)


def as_matrix(values) -> np.ndarray:
    """(rows, columns); a vector becomes one row."""
    values = np.asarray(values)
    return values[None] if values.ndim == 1 else values


@dataclass(frozen=True)
class Numbers:
    """Blocks whose entries are printed: one cell size for all of them."""

    size: float
    cell_width: float
    cell_height: float

    def extent(self, values) -> tuple[float, float]:
        """Width and height in points."""
        rows, columns = as_matrix(values).shape
        return columns * self.cell_width, rows * self.cell_height

    def draw(self, canvas: Canvas, x: float, y: float, values, look: Look, cut=None):
        """Draw one block from its top left corner; `cut` marks zeros made by relu."""
        values = as_matrix(values)
        width, height = self.extent(values)
        canvas.rect(x, y, width, height, fill=look.fill)
        ink = ink_on(look.fill)
        for row, column in np.ndindex(values.shape):
            left, top = x + column * self.cell_width, y + row * self.cell_height
            value, colour, weight = values[row, column], ink, "normal"
            if not np.isfinite(value):
                canvas.rect(left, top, self.cell_width, self.cell_height, fill=NOT_FINITE)
                colour, weight = INK, "bold"
            elif cut is not None and cut[row, column]:
                self._mark_cut(canvas, left, top, look.edge)
                colour = SOFT_INK
            middle = left + self.cell_width / 2, top + self.cell_height / 2
            canvas.text(*middle, fmt(value), size=self.size, colour=colour, weight=weight)
        self._grid(canvas, x, y, values.shape, WHITE if ink == INK else FAINT)
        canvas.rect(x, y, width, height, edge=look.edge, line=1.0, front=True)

    def draw_empty(self, canvas: Canvas, x: float, y: float, values, edge: str = FAINT):
        """The outline of a block whose numbers are not there (yet)."""
        width, height = self.extent(values)
        canvas.rect(x, y, width, height, fill=WHITE)
        self._grid(canvas, x, y, as_matrix(values).shape, mix(FAINT, WHITE, 0.45))
        canvas.rect(x, y, width, height, edge=edge, line=0.9, dash=(0, (3, 2)), front=True)

    def _mark_cut(self, canvas, left, top, edge):
        right = left + self.cell_width
        canvas.rect(left, top, self.cell_width, self.cell_height, fill=WHITE)
        canvas.polygon([(right - 5.5, top), (right, top), (right, top + 5.5)], fill=edge, front=False)

    def _grid(self, canvas, x, y, shape, colour):
        (rows, columns), (w, h) = shape, (self.cell_width, self.cell_height)
        across = [((x, y + r * h), (x + columns * w, y + r * h)) for r in range(1, rows)]
        down = [((x + c * w, y), (x + c * w, y + rows * h)) for c in range(1, columns)]
        canvas.lines(across + down, colour=colour, line=0.7)


def numbers_for(blocks, size: float = 9.0) -> Numbers:
    """Cells wide enough for every number of these blocks."""
    widest = max((glyphs.width(minus(text), size) for text in _texts(blocks)), default=0.0)
    return Numbers(size, max(widest + PAD, 2.4 * size), round(1.75 * size, 1))


def _texts(blocks):
    values = np.concatenate([np.ravel(block) for block in blocks])
    return {fmt(value) for value in values}


@dataclass(frozen=True)
class Heat:
    """Blocks as heat maps: one colour scale, symmetric about 0, for all of them."""

    scale: float
    width: float
    height: float

    def extent(self, values) -> tuple[float, float]:
        """Width and height in points, the same for all blocks."""
        return self.width, self.height

    def draw(self, canvas: Canvas, x: float, y: float, values, look: Look, cut=None):
        """Draw one block from its top left corner in a frame of its owner's colour."""
        canvas.image(x, y, self.width, self.height, self.rgba(as_matrix(values), cut))
        canvas.rect(x, y, self.width, self.height, edge=look.edge, line=1.6, front=True)

    def draw_empty(self, canvas: Canvas, x: float, y: float, values, edge: str = FAINT):
        """The outline of a block whose numbers are not there (yet)."""
        canvas.rect(x, y, self.width, self.height, fill=WHITE, edge=edge, line=0.9, dash=(0, (3, 2)))

    def rgba(self, values: np.ndarray, cut=None) -> np.ndarray:
        """uint8 (rows, columns, 4)."""
        finite = np.isfinite(values)
        shrunk = _shrink(np.where(finite, values, 0.0))
        rgba = colour_map()[np.rint((shrunk / self.scale * 0.5 + 0.5) * 255).astype(int).clip(0, 255)]
        if cut is not None and cut.any():
            rgba[_shrink(cut) == 1.0] = _rgba(CUT)
        if not finite.all():
            rgba[_shrink(~finite) > 0.0] = _rgba(NOT_FINITE)
        return rgba

    def draw_scale(self, canvas: Canvas, middle: float, y: float, width: float = 56.0):
        """The colour bar, with its ends named below it."""
        left = middle - width / 2
        canvas.image(left, y, width, 6, colour_map()[None, ::4])
        canvas.rect(left, y, width, 6, edge=FAINT, line=0.6, front=True)
        canvas.text(middle, y + 13, f"±{fmt(self.scale)}", size=8, colour=SOFT_INK)


def heat_for(blocks, max_width: float, max_height: float, cell: float = 7.0) -> Heat:
    """A common scale and size for these blocks: square cells while they fit, squeezed where they do not."""
    sizes = [as_matrix(block).shape for block in blocks]
    rows, columns = max(rows for rows, _ in sizes), max(columns for _, columns in sizes)
    return Heat(scale_of(blocks), min(max(columns * cell, 12), max_width), min(max(rows * cell, 9), max_height))


def scale_of(blocks) -> float:
    """The largest finite absolute value, or 1 where all are 0."""
    values = np.concatenate([np.ravel(block) for block in blocks]).astype(np.float64)
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0


@lru_cache
def colour_map() -> np.ndarray:
    """256 colours from negative (blue) over 0 (white) to positive (red), uint8 RGBA."""
    return (colormaps["RdBu_r"](np.arange(256)) * 255).round().astype(np.uint8)


def _rgba(colour: str) -> tuple[int, ...]:
    return (*(int(colour[i : i + 2], 16) for i in (1, 3, 5)), 255)


def _shrink(values: np.ndarray) -> np.ndarray:
    """At most MAX_HEAT_CELLS rows and columns, by averaging neighbours."""
    values = values.astype(np.float64)
    for axis in (0, 1):
        size = values.shape[axis]
        if size > MAX_HEAT_CELLS:
            starts = np.linspace(0, size, MAX_HEAT_CELLS, endpoint=False).astype(int)
            counts = np.diff([*starts, size])
            values = np.add.reduceat(values, starts, axis) / (counts[:, None] if axis == 0 else counts)
    return values
