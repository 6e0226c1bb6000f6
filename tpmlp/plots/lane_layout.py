"""Where everything in the lanes stands, and which blocks are printed as numbers and which as heat maps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from . import glyphs
from .canvas import MAX_WIDTH
from .heat import Heat, heat_for, scale_of
from .numbers import Numbers, numbers_for
from .panel import Entry, panel_width
from .tabs import TAB
from .words import shape

if TYPE_CHECKING:
    from ..tracing import Trace

MAX_TOTAL_WIDTH = MAX_WIDTH - 20
MAX_LANES_HEIGHT = 800.0  # points; more would not fit on a screen
MAX_PRINTED = 48  # numbers in one block of one lane
LANE_GAP, LANE_PAD = 6.0, 6.0
LABEL, BAR, ARROW = 56.0, 24.0, 26.0
HEADER_SIZE = 9.0

# name, title, and the sign that stands before it
_SLOTS = (
    ("x", "x", ""),
    ("w1", "W1 block", "@"),
    ("b1", "b1", "+"),
    ("preactivation", "x W1 + b1", "="),
    ("hidden", "hidden", "relu"),
    ("w2", "W2 block", "@"),
    ("partial", "partial", "="),
)
_RESULT = ("psum", "b2", "out")
_GAPS = {"": 8.0, "@": 19.0, "+": 17.0, "=": 17.0, "relu": 36.0}
# What turns into heat maps together, on one scale, because the reader compares it.
_GROUPS = (("x",), ("w1",), ("b1",), ("preactivation", "hidden"), ("w2",), ("partial",), ("psum", "out"), ("b2",))


@dataclass(frozen=True)
class Slot:
    """One column of the picture: a name, a title, the sign before it, its blocks (one per lane) and their cells."""

    name: str
    title: str
    sign: str
    blocks: tuple[np.ndarray, ...]
    cells: Numbers | Heat
    middle: float = 0.0

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of its blocks."""
        return self.cells.extent(self.blocks[0])

    @property
    def header(self) -> float:
        """Width of its title."""
        return max(glyphs.width(self.title, HEADER_SIZE, "bold"), glyphs.width(shape(self.blocks[0]), 8))

    @property
    def left(self) -> float:
        """Where its blocks begin."""
        return self.middle - self.extent[0] / 2

    @property
    def end(self) -> float:
        """Where its blocks end."""
        return self.middle + self.extent[0] / 2


@dataclass(frozen=True)
class Layout:
    """All positions, in points; the first lane begins at (0, 0)."""

    slots: tuple[Slot, ...]
    cells: dict[str, Numbers | Heat]
    lanes: int
    lane_height: float
    lane_right: float
    bar: float
    panel: float
    right: float

    @property
    def bottom(self) -> float:
        """Where the last lane ends."""
        return self.top_of(self.lanes) - LANE_GAP

    def top_of(self, d: int) -> float:
        """Where lane d begins."""
        return d * (self.lane_height + LANE_GAP)

    def middle_of(self, d: int) -> float:
        """The y of the centre of lane d."""
        return self.top_of(d) + self.lane_height / 2


def lay_out(trace: Trace) -> Layout:
    """Print all numbers if they fit, the larger the better; else let the largest blocks become heat maps."""
    blocks, lanes = _blocks(trace), len(trace.devices)
    crowded = {name for name, group in blocks.items() if group[0].size > MAX_PRINTED}
    for size in (9.0, 8.0):
        cells: dict[str, Numbers | Heat] = {name: numbers_for(group, size) for name, group in blocks.items()}
        layout = _place(blocks, cells, lanes)
        if not crowded and _fits(layout):
            return layout
    for group in _GROUPS:
        if crowded & set(group):
            _heat_up(group, blocks, cells, lanes)
    layout = _place(blocks, cells, lanes)
    while not _fits(layout) and (group := _largest(layout, blocks)):
        _heat_up(group, blocks, cells, lanes)
        layout = _place(blocks, cells, lanes)
    while layout.right > MAX_TOTAL_WIDTH:  # all are heat maps, so they must become narrower
        cells = {name: replace(each, width=each.width * 0.94) for name, each in cells.items()}
        layout = _place(blocks, cells, lanes)
    return layout


def _blocks(trace: Trace) -> dict[str, tuple[np.ndarray, ...]]:
    blocks = {name: tuple(getattr(device, name) for device in trace.devices) for name, _, _ in _SLOTS[1:]}
    return {"x": (trace.x,), **blocks, "psum": (trace.psum,), "b2": (trace.b2,), "out": (trace.out,)}


def _heat_up(group, blocks, cells, lanes: int):
    scale = scale_of([block for name in group for block in blocks[name]])
    for name in group:
        cells[name] = heat_for(blocks[name], 76.0, min(max(560.0 / lanes - 14, 40.0), 120.0), scale=scale)


def _place(blocks, cells, lanes: int) -> Layout:
    slots = _row(blocks, cells, TAB + LABEL)
    lane_right = max(slots[-1].end, slots[-1].middle + slots[-1].header / 2) + 8
    bar = lane_right + ARROW
    panel = bar + BAR + ARROW
    entries = [Entry(name, blocks[name][0], cells[name]) for name in _RESULT]
    height = max(slot.extent[1] for slot in slots) + 2 * LANE_PAD
    return Layout(slots, cells, lanes, height, lane_right, bar, panel, panel + panel_width(entries))


def _row(blocks, cells, x: float) -> tuple[Slot, ...]:
    """Slots from left to right, as close as their signs and titles allow."""
    row = []
    block_end = title_end = x
    for name, title, sign in _SLOTS:
        slot = Slot(name, title, sign, blocks[name], cells[name])
        middle = max(block_end + _GAPS[sign] + slot.extent[0] / 2, title_end + 9 + slot.header / 2)
        row.append(replace(slot, middle=middle))
        block_end, title_end = row[-1].end, middle + slot.header / 2
    return tuple(row)


def _fits(layout: Layout) -> bool:
    return layout.right <= MAX_TOTAL_WIDTH and layout.bottom <= MAX_LANES_HEIGHT


def _largest(layout: Layout, blocks) -> tuple[str, ...] | None:
    """The printed group that takes the most of what is lacking, width or height."""
    direction = 0 if layout.right > MAX_TOTAL_WIDTH else 1
    measure = sum if direction == 0 else max
    printed = [group for group in _GROUPS if isinstance(layout.cells[group[0]], Numbers)]
    taken = {
        group: measure(layout.cells[name].extent(blocks[name][0])[direction] for name in group) for group in printed
    }
    return max(taken, key=taken.__getitem__, default=None)
