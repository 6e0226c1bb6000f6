"""A matrix block as a heat map, on a colour scale that blocks may share."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from matplotlib import colormaps

from .blocks import DASHES, Look, as_matrix
from .canvas import Canvas
from .numbers import numbers_for
from .shapes import FRAME
from .style import FAINT, NOT_FINITE, SOFT_INK, WHITE, Real, fmt, ink_on, rgb

MAX_HEAT_CELLS = 160  # per direction; larger arrays are shrunk to this, each cell the mean of those it covers
CUT = "#E9DFC6"  # an entry that relu made 0


@dataclass(frozen=True)
class Heat:
    """Blocks as heat maps: one colour scale, symmetric about 0, for all of them."""

    scale: Real
    width: Real
    height: Real

    def extent(self, values) -> tuple[Real, Real]:
        """Width and height in points, the same for all blocks."""
        return self.width, self.height

    def draw(self, canvas: Canvas, x: Real, y: Real, values, look: Look, cut=None):
        """Draw one block from its top left corner in a frame of its owner's colour."""
        canvas.image(x, y, self.width, self.height, self.rgba(as_matrix(values), cut))
        canvas.rect(x, y, self.width, self.height, edge=look.edge, line=1.6, layer=FRAME)

    def draw_empty(self, canvas: Canvas, x: Real, y: Real, values, edge: str = FAINT):
        """The outline of a block whose numbers are not there (yet)."""
        canvas.rect(x, y, self.width, self.height, fill=WHITE, edge=edge, line=0.9, dash=DASHES)

    def rgba(self, values: np.ndarray, cut=None) -> np.ndarray:
        """uint8 (rows, columns, 4)."""
        finite = np.isfinite(values)
        shrunk = _shrink(np.where(finite, values, 0.0))
        rgba = colour_map()[np.rint((shrunk / self.scale * 0.5 + 0.5) * 255).astype(int).clip(0, 255)]
        if cut is not None and cut.any():
            rgba[_shrink(cut) == 1.0] = (*rgb(CUT), 255)
        if not finite.all():
            rgba[_shrink(~finite) > 0.0] = (*rgb(NOT_FINITE), 255)
        return rgba

    def draw_scale(self, canvas: Canvas, middle: Real, y: Real, width: Real = 56.0):
        """The colour bar, with its ends named below it."""
        left = middle - width / 2
        canvas.image(left, y, width, 6, colour_map()[None, ::4])
        canvas.rect(left, y, width, 6, edge=FAINT, line=0.6, layer=FRAME)
        canvas.text(middle, y + 13, f"±{fmt(self.scale)}", size=8, colour=SOFT_INK)


def heat_for(blocks, max_width: Real, max_height: Real, *, cell: Real = 7.0, scale: Real | None = None) -> Heat:
    """A common scale and size for these blocks: square cells while they fit, squeezed where they do not."""
    sizes = [as_matrix(block).shape for block in blocks]
    rows, columns = max(rows for rows, _ in sizes), max(columns for _, columns in sizes)
    return Heat(
        scale or scale_of(blocks), min(max(columns * cell, 12), max_width), min(max(rows * cell, 9), max_height)
    )


def scale_of(blocks) -> Real:
    """The largest finite absolute value, or 1 where all are 0."""
    values = np.concatenate([np.ravel(block) for block in blocks]).astype(np.float64)
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0


@lru_cache
def colour_map() -> np.ndarray:
    """256 colours from negative (blue) over 0 (white) to positive (red), uint8 RGBA."""
    return (colormaps["RdBu_r"](np.arange(256)) * 255).round().astype(np.uint8)


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


@dataclass(frozen=True)
class PrintedHeat:
    """Cells in the colours of a heat map with their numbers printed on them."""

    scale: Real
    size: Real
    cell_width: Real
    cell_height: Real

    def extent(self, values) -> tuple[Real, Real]:
        """Width and height in points."""
        rows, columns = as_matrix(values).shape
        return columns * self.cell_width, rows * self.cell_height

    def draw(self, canvas: Canvas, x: Real, y: Real, values, look: Look):
        """Draw one block from its top left corner in a frame of its owner's colour."""
        values = as_matrix(values)
        width, height = self.extent(values)
        rgba = Heat(self.scale, width, height).rgba(values)
        canvas.image(x, y, width, height, rgba)
        canvas.rect(x, y, width, height, edge=look.edge, line=1.2, layer=FRAME)
        for row, column in np.ndindex(values.shape):
            colour = "#{:02X}{:02X}{:02X}".format(*rgba[row, column, :3])
            middle = x + (column + 0.5) * self.cell_width, y + (row + 0.5) * self.cell_height
            canvas.text(*middle, fmt(values[row, column]), size=self.size, colour=ink_on(colour))


def printed_heat_for(blocks, size: Real = 8.5, scale: Real | None = None, least: Real = 0.0) -> PrintedHeat:
    """Cells wide enough for every number of these blocks, on a common scale."""
    cells = numbers_for(blocks, size)
    return PrintedHeat(scale or scale_of(blocks), size, max(cells.cell_width, least), cells.cell_height)
