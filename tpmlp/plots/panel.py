"""The grey lane that all devices share after the psum: psum, + b2, = out, below each other."""

from dataclasses import dataclass

import numpy as np

from .blocks import GREY
from .canvas import Canvas
from .glyphs import width
from .heat import Heat
from .numbers import Numbers
from .shapes import BACK, FRAME
from .style import INK, PANEL, REPLICATED_EDGE, SOFT_INK, Real
from .tabs import TAB, draw_all_tabs
from .words import shape

TITLES = 28.0  # points above each block, for its title and shape
PAD = 10.0
SCALE = 24.0  # points for a colour bar and its numbers


@dataclass(frozen=True)
class Entry:
    """One block of the panel; `there` False leaves it empty, `new` frames it."""

    title: str
    values: np.ndarray
    cells: Numbers | Heat
    there: bool = True
    new: bool = False

    @property
    def height(self) -> Real:
        """With its title and colour bar."""
        return TITLES + self.cells.extent(self.values)[1] + (SCALE if isinstance(self.cells, Heat) else 0.0)


def panel_width(entries: list[Entry]) -> Real:
    """Tabs, padding and the widest block or title."""
    widest = max(max(entry.cells.extent(entry.values)[0], width(entry.title, 9, "bold")) for entry in entries)
    return TAB + 2 * PAD + max(widest, 64.0)


def panel_height(entries: list[Entry]) -> Real:
    """All blocks and their titles."""
    return sum(entry.height for entry in entries) + PAD


def draw_panel(canvas: Canvas, x: Real, middle: Real, entries: list[Entry], devices: int, note: str):
    """Draw it with its left end at x, centred on `middle`, and a note below; without one it has no tabs either."""
    full, height = panel_width(entries), panel_height(entries)
    top, centre = middle - height / 2, x + TAB + (full - TAB) / 2
    canvas.rect(x, top, full, height, fill=PANEL, edge=REPLICATED_EDGE, layer=BACK)
    canvas.reserve(x, top, full, height + 30)
    if note:
        draw_all_tabs(canvas, x, top, TAB, height, devices)
        for line, words in enumerate(_halves(note)):
            canvas.text(x + full / 2, top + height + 11 + 12 * line, words, size=8.5, colour=SOFT_INK)
    y = top
    for entry in entries:
        _draw_entry(canvas, entry, centre, y)
        y += entry.height


def _draw_entry(canvas: Canvas, entry: Entry, centre: Real, y: Real):
    canvas.text(centre, y + 10, entry.title, size=9, weight="bold")
    canvas.text(centre, y + 20, shape(entry.values), size=8, colour=SOFT_INK)
    width, height = entry.cells.extent(entry.values)
    left, top = centre - width / 2, y + TITLES
    if not entry.there:
        entry.cells.draw_empty(canvas, left, top, entry.values)
        return
    entry.cells.draw(canvas, left, top, entry.values, GREY)
    if entry.new:
        draw_new_frame(canvas, left, top, width, height)
    if isinstance(entry.cells, Heat):
        entry.cells.draw_scale(canvas, centre, top + height + 4)


def draw_new_frame(canvas: Canvas, x: Real, y: Real, width: Real, height: Real):
    """The frame around what a step has just brought."""
    canvas.rect(x - 2, y - 2, width + 4, height + 4, edge=INK, line=1.8, layer=FRAME)


def _halves(note: str) -> list[str]:
    """In two lines, broken where they are most alike in length."""
    words = note.split()
    cut = min(range(1, len(words)), key=lambda i: abs(len(" ".join(words[:i])) - len(" ".join(words[i:]))))
    return [" ".join(words[:cut]), " ".join(words[cut:])]
