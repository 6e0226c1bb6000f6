"""Where everything in the lanes stands, and which blocks are printed as numbers and which as heat maps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .canvas import MAX_WIDTH
from .heat import Heat, heat_for, scale_of
from .lane_slots import SLOTS, Slot, row_of_slots
from .numbers import Numbers, numbers_for
from .panel import Entry, panel_width
from .style import Real
from .tabs import TAB

if TYPE_CHECKING:
    from ..tracing import Trace

MAX_TOTAL_WIDTH = MAX_WIDTH - 20
MAX_LANES_HEIGHT = 800.0  # points; more would not fit on a screen
MAX_PRINTED = 48  # numbers in one block of one lane
LANE_GAP, LANE_PAD = 6.0, 6.0
LABEL, BAR, ARROW = 56.0, 24.0, 26.0

_RESULT = ("psum", "b2", "out")
# What turns into heat maps together, on one scale, because the reader compares it.
_GROUPS = (("x",), ("w1",), ("b1",), ("preactivation", "hidden"), ("w2",), ("partial",), ("psum", "out"), ("b2",))


@dataclass(frozen=True)
class Layout:
    """All positions, in points; the first lane begins at (0, 0)."""

    slots: tuple[Slot, ...]
    cells: dict[str, Numbers | Heat]
    lanes: int
    lane_height: Real
    lane_right: Real
    bar: Real
    panel: Real
    right: Real

    @property
    def bottom(self) -> Real:
        """Where the last lane ends."""
        return self.top_of(self.lanes) - LANE_GAP

    def top_of(self, d: int) -> Real:
        """Where lane d begins."""
        return d * (self.lane_height + LANE_GAP)

    def middle_of(self, d: int) -> Real:
        """The y of the centre of lane d."""
        return self.top_of(d) + self.lane_height / 2


def lay_out(trace: Trace) -> Layout:
    """Print all numbers if they fit, the larger the better; else let blocks become heat maps, as few as possible."""
    blocks, lanes = _blocks(trace), len(trace.devices)
    crowded = [group for group in _GROUPS if max(blocks[name][0].size for name in group) > MAX_PRINTED]
    heated = {name: heat for group in crowded for name, heat in _heated(group, blocks, lanes).items()}
    for size in (9.0, 8.0):
        printed = {name: numbers_for(group, size) for name, group in blocks.items() if name not in heated}
        layout = _place(blocks, printed | heated, lanes)
        if not crowded and _fits(layout):
            return layout
    cells = layout.cells
    while not _fits(layout) and (rest := [group for group in _GROUPS if isinstance(cells[group[0]], Numbers)]):
        layout = _heat_one(rest, blocks, layout)
        cells = layout.cells
    return _resize(blocks, layout)


def _heat_one(groups, blocks, layout: Layout) -> Layout:
    """Let one group become heat maps: the one with the fewest numbers if that is enough, else the one with the most."""
    tries = {
        group: _place(blocks, layout.cells | _heated(group, blocks, layout.lanes), layout.lanes) for group in groups
    }
    enough = [group for group in groups if _fits(tries[group])]
    count = {group: sum(block.size for name in group for block in blocks[name]) for group in groups}
    return tries[min(enough, key=count.__getitem__) if enough else max(groups, key=count.__getitem__)]


def _resize(blocks, layout: Layout) -> Layout:
    """Heat maps as large as the room allows."""
    if not any(isinstance(each, Heat) for each in layout.cells.values()):
        return layout
    for factor in (1.6, 1.45, 1.3, 1.2, 1.1, 1.0, 0.9, 0.8, 0.65, 0.5):
        cells = {name: _scaled(each, factor) if isinstance(each, Heat) else each for name, each in layout.cells.items()}
        layout_then = _place(blocks, cells, layout.lanes)
        if _fits(layout_then):
            break
    return layout_then


def _scaled(heat: Heat, factor: Real) -> Heat:
    return replace(heat, width=heat.width * factor, height=heat.height * min(factor, 1.0))


def _blocks(trace: Trace) -> dict[str, tuple[np.ndarray, ...]]:
    blocks = {name: tuple(getattr(device, name) for device in trace.devices) for name, _, _ in SLOTS[1:]}
    return {"x": (trace.x,), **blocks, "psum": (trace.psum,), "b2": (trace.b2,), "out": (trace.out,)}


def _heated(group, blocks, lanes: int) -> dict[str, Heat]:
    scale = scale_of([block for name in group for block in blocks[name]])
    height = 64.0 if "psum" in group else min(max(560.0 / lanes - 14, 40.0), 110.0)
    return {name: heat_for(blocks[name], 76.0, height, cell=8.0, scale=scale) for name in group}


def _place(blocks, cells, lanes: int) -> Layout:
    slots = row_of_slots(blocks, cells, TAB + LABEL)
    lane_right = max(slots[-1].end, slots[-1].middle + slots[-1].header / 2) + 8
    bar = lane_right + ARROW
    panel = bar + BAR + ARROW
    entries = [Entry(name, blocks[name][0], cells[name]) for name in _RESULT]
    height = max(slot.extent[1] for slot in slots) + 2 * LANE_PAD
    return Layout(slots, cells, lanes, height, lane_right, bar, panel, panel + panel_width(entries))


def _fits(layout: Layout) -> bool:
    return layout.right <= MAX_TOTAL_WIDTH and layout.bottom <= MAX_LANES_HEIGHT
