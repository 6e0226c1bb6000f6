"""The columns of the lanes: x, W1, b1, x W1 + b1, hidden, W2 and partial, side by side."""

from dataclasses import dataclass, replace

import numpy as np

from . import glyphs
from .heat import Heat
from .numbers import Numbers
from .style import Real
from .words import shape

HEADER_SIZE = 9.0  # points

# name, title, and the sign that stands before it
SLOTS = (
    ("x", "x", ""),
    ("w1", "W1 block", "@"),
    ("b1", "b1", "+"),
    ("preactivation", "x W1 + b1", "="),
    ("hidden", "hidden", "relu"),
    ("w2", "W2 block", "@"),
    ("partial", "partial", "="),
)
_GAPS = {"": 8.0, "@": 19.0, "+": 17.0, "=": 17.0, "relu": 36.0}


@dataclass(frozen=True)
class Slot:
    """One column of the picture: a name, a title, the sign before it, its blocks (one per lane) and their cells."""

    name: str
    title: str
    sign: str
    blocks: tuple[np.ndarray, ...]
    cells: Numbers | Heat
    middle: Real = 0.0

    @property
    def extent(self) -> tuple[Real, Real]:
        """Width and height of its blocks."""
        return self.cells.extent(self.blocks[0])

    @property
    def header(self) -> Real:
        """Width of its title."""
        return max(glyphs.width(self.title, HEADER_SIZE, "bold"), glyphs.width(shape(self.blocks[0]), 8))

    @property
    def left(self) -> Real:
        """Where its blocks begin."""
        return self.middle - self.extent[0] / 2

    @property
    def end(self) -> Real:
        """Where its blocks end."""
        return self.middle + self.extent[0] / 2


def row_of_slots(blocks, cells, x: Real) -> tuple[Slot, ...]:
    """Slots from left to right, as close as their signs and titles allow."""
    row = []
    block_end = title_end = x
    for name, title, sign in SLOTS:
        slot = Slot(name, title, sign, blocks[name], cells[name])
        middle = max(block_end + _GAPS[sign] + slot.extent[0] / 2, title_end + 9 + slot.header / 2)
        row.append(replace(slot, middle=middle))
        block_end, title_end = row[-1].end, middle + slot.header / 2
    return tuple(row)
