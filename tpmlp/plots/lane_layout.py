"""Where everything in the lanes stands, and which blocks are printed as numbers and which as heat maps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from . import glyphs
from .canvas import MAX_WIDTH
from .cells import Heat, Numbers, heat_for, numbers_for
from .words import shape

if TYPE_CHECKING:
    from ..tracing import Trace

MAX_TOTAL_WIDTH = MAX_WIDTH - 20
MAX_LANES_HEIGHT = 800.0  # points; more would not fit on a screen
MAX_PRINTED = 48  # numbers in one block of one lane
LANE_GAP, LANE_PAD = 6.0, 6.0
TAB, LABEL, BAR, ARROW = 13.0, 56.0, 24.0, 26.0
HEADER_SIZE = 9.0

# name, title, and the sign that stands before it
_LANE_SLOTS = (
    ("x", "x", ""),
    ("w1", "W1 block", "@"),
    ("b1", "b1", "+"),
    ("preactivation", "x W1 + b1", "="),
    ("hidden", "hidden", "relu"),
    ("w2", "W2 block", "@"),
    ("partial", "partial", "="),
)
_RESULT_SLOTS = (("psum", "psum", ""), ("b2", "b2", "+"), ("out", "out", "="))
_GAPS = {"": 8.0, "@": 19.0, "+": 17.0, "=": 17.0, "relu": 36.0}
# Slots that turn into heat maps together, because the reader compares them.
_GROUPS = (("x",), ("w1",), ("b1",), ("preactivation", "hidden"), ("w2",), ("partial",), ("psum", "b2", "out"))


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

    @property
    def right(self) -> float:
        """Where its blocks and its title both have ended."""
        return self.middle + max(self.extent[0], self.header) / 2


@dataclass(frozen=True)
class Layout:
    """All positions, in points; the first lane begins at (0, 0)."""

    lane: tuple[Slot, ...]
    result: tuple[Slot, ...]
    lanes: int
    lane_height: float
    lane_right: float
    bar: float
    panel: float
    right: float
    stacked: bool  # psum, b2 and out below each other instead of side by side

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

    def slots(self) -> tuple[Slot, ...]:
        """All columns, left to right."""
        return self.lane + self.result


def lay_out(trace: Trace) -> Layout:
    """Print all numbers if they fit, the larger the better; else let the largest blocks become heat maps."""
    blocks, lanes = _blocks(trace), len(trace.devices)
    crowded = [name for name, group in blocks.items() if group[0].size > MAX_PRINTED]
    for size in (9.0, 8.0):
        cells = {name: numbers_for(group, size) for name, group in blocks.items()}
        layout = _place(blocks, cells, lanes)
        if not crowded and _fits(layout):
            return layout
    for group in _GROUPS:
        if set(group) & set(crowded):
            _heat_up(group, blocks, cells, lanes)
    layout = _place(blocks, cells, lanes)
    while not _fits(layout) and (group := _largest(layout)):
        _heat_up(group, blocks, cells, lanes)
        layout = _place(blocks, cells, lanes)
    for limit in (72.0, 60.0, 50.0, 40.0):
        if _fits(layout):
            break
        cells = {n: replace(c, width=min(c.width, limit)) if isinstance(c, Heat) else c for n, c in cells.items()}
        layout = _place(blocks, cells, lanes)
    return layout


def _blocks(trace: Trace) -> dict[str, tuple[np.ndarray, ...]]:
    blocks = {name: tuple(getattr(device, name) for device in trace.devices) for name, _, _ in _LANE_SLOTS[1:]}
    return {"x": (trace.x,), **blocks, "psum": (trace.psum,), "b2": (trace.b2,), "out": (trace.out,)}


def _heat_up(group, blocks, cells, lanes: int):
    for name in group:
        cells[name] = heat_for(blocks[name], 84.0, min(max(560.0 / lanes - 14, 40.0), 120.0))


def _place(blocks, cells, lanes: int) -> Layout:
    lane = _row(_LANE_SLOTS, blocks, cells, TAB + LABEL)
    lane_right = lane[-1].right + 8
    bar = lane_right + ARROW
    panel = bar + BAR + ARROW
    result = _row(_RESULT_SLOTS, blocks, cells, panel + TAB)
    stacked = result[-1].right + 8 > MAX_TOTAL_WIDTH
    if stacked:
        middle = panel + TAB + 8 + max(max(slot.extent[0], slot.header) for slot in result) / 2
        result = [replace(slot, middle=middle) for slot in result]
    right = max(slot.right for slot in result) + 8
    in_row = lane if stacked else lane + result
    height = max(slot.extent[1] for slot in in_row) + 2 * LANE_PAD
    return Layout(tuple(lane), tuple(result), lanes, height, lane_right, bar, panel, right, stacked)


def _row(names, blocks, cells, x: float) -> list[Slot]:
    """Slots from left to right, as close as their signs and titles allow."""
    row = []
    block_end = title_end = x
    for name, title, sign in names:
        slot = Slot(name, title, sign, blocks[name], cells[name])
        middle = max(block_end + _GAPS[sign] + slot.extent[0] / 2, title_end + 9 + slot.header / 2)
        row.append(replace(slot, middle=middle))
        block_end, title_end = middle + slot.extent[0] / 2, middle + slot.header / 2
    return row


def _fits(layout: Layout) -> bool:
    return layout.right <= MAX_TOTAL_WIDTH and layout.bottom <= MAX_LANES_HEIGHT


def _largest(layout: Layout) -> tuple[str, ...] | None:
    """The printed group that takes the most of what is lacking, width or height."""
    direction = 0 if layout.right > MAX_TOTAL_WIDTH else 1
    printed = {slot.name: slot.extent[direction] for slot in layout.slots() if isinstance(slot.cells, Numbers)}
    groups = [group for group in _GROUPS if group[0] in printed]
    measure = sum if direction == 0 else max
    return max(groups, key=lambda group: measure(printed[name] for name in group), default=None)
