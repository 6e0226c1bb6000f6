"""The lanes: the whole forward, one lane per device. The course's main picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .canvas import Canvas
from .cells import GREY, Heat, held_by
from .lane_layout import BAR, HEADER_SIZE, LANE_PAD, TAB, Layout, Slot, lay_out
from .lane_steps import brought_by, check_step, running_sum, step_sentence, summed_devices, there_after
from .lane_words import cut_by_relu, lanes_text, sizes
from .picture import Picture
from .style import DARK, FAINT, INK, REPLICATED_EDGE, SOFT_INK, WHITE, device_style
from .tabs import draw_all_tabs, draw_tab
from .words import shape

if TYPE_CHECKING:
    from ..tracing import Trace

SCALE = 24.0  # points for a colour bar and its numbers
_EVERYWHERE = ("x", "psum", "b2", "out")


def plot_lanes(trace: Trace, *, step: str | None = None) -> Picture:
    """Draw the whole forward, one lane per device; left to right nothing crosses a lane but the psum.

    Args:
        trace: from `tpmlp.trace`.
        step: one of `lane_steps(trace)`, to show the forward when only this much of it is done: what the step brings
            is framed, what is not there yet is an empty outline. None shows all of it.

    Returns:
        A `Picture`; its text tells every block of every device.

    Raises:
        ValueError: `step` is not a step of this trace.
    """
    if step is not None:
        check_step(trace, step)
    return Picture(_Lanes(trace, step).draw(), lanes_text(trace, step))


class _Lanes:
    def __init__(self, trace: Trace, step: str | None):
        self.trace, self.step = trace, step
        self.layout: Layout = lay_out(trace)
        self.canvas = Canvas()
        self.there = there_after(trace, step)
        self.new = frozenset(brought_by(step)) if step else frozenset()
        self.summed = summed_devices(trace, step)

    def draw(self):
        for d in range(self.layout.lanes):
            self._lane(d)
        for slot in self.layout.lane:
            self._header(slot, -5.0, slot.title)
        self._psum()
        self._result()
        self._below()
        return self.canvas.figure()

    def _lane(self, d: int):
        canvas, layout, look = self.canvas, self.layout, device_style(d)
        top, middle = layout.top_of(d), layout.middle_of(d)
        canvas.rect(0, top, layout.lane_right, layout.lane_height, fill=look.wash, edge=look.edge, line=1.2)
        draw_tab(canvas, 0, top, TAB, layout.lane_height, d)
        canvas.text(TAB + 6, middle, look.label, size=9, weight="bold", align="left")
        for slot in layout.lane:
            block = slot.blocks[d if len(slot.blocks) > 1 else 0]
            cut = cut_by_relu(self.trace.devices[d]) if slot.name == "hidden" else None
            self._block(slot, middle, block, self._look(slot.name, d), cut)
            self._sign(slot, middle)
        if d < self.summed or self.step is None:
            canvas.arrow(layout.lane_right, layout.bar - 1, middle, colour=look.edge, line=2.2, head=8)
        else:
            canvas.lines(
                [((layout.lane_right, middle), (layout.bar, middle))], colour=FAINT, line=0.8, dash=(0, (3, 2))
            )

    def _look(self, name: str, d: int):
        return GREY if name in _EVERYWHERE else held_by(d, strong=name == "partial")

    def _block(self, slot: Slot, middle: float, block, look, cut=None):
        width, height = slot.cells.extent(block)
        x, y = slot.middle - width / 2, middle - height / 2
        if slot.name not in self.there:
            slot.cells.draw_empty(self.canvas, x, y, block)
            return
        slot.cells.draw(self.canvas, x, y, block, look, cut)
        if slot.name in self.new:
            self.canvas.rect(x - 2.5, y - 2.5, width + 5, height + 5, edge=INK, line=1.8, front=True)

    def _sign(self, slot: Slot, middle: float):
        slots = self.layout.slots()
        before = slots[slots.index(slot) - 1].end
        centre = (before + slot.left) / 2
        if slot.sign == "relu":
            self.canvas.text(centre, middle - 7, "relu", size=8.5, colour=SOFT_INK)
            self.canvas.arrow(before + 5, slot.left - 5, middle + 1, colour=SOFT_INK, line=1.0, head=4)
        elif slot.sign:
            self.canvas.text(centre, middle, slot.sign, size=10, colour=SOFT_INK)

    def _header(self, slot: Slot, bottom: float, title: str):
        self.canvas.text(slot.middle, bottom - 15, title, size=HEADER_SIZE, weight="bold")
        self.canvas.text(slot.middle, bottom - 5, shape(slot.blocks[0]), size=8, colour=SOFT_INK)

    def _psum(self):
        canvas, layout = self.canvas, self.layout
        canvas.rect(layout.bar, 0, BAR, layout.bottom, fill=DARK, radius=5)
        text = 'psum over "model"' if layout.bottom > 110 else "psum"
        canvas.text(layout.bar + BAR / 2, layout.bottom / 2, text, size=9.5, weight="bold", colour=WHITE, angle=90)
        if "psum" in self.there:
            canvas.arrow(layout.bar + BAR, layout.panel - 1, layout.bottom / 2, colour=DARK, line=2.2, head=8)

    def _result(self):
        canvas, layout = self.canvas, self.layout
        heights = [slot.extent[1] for slot in layout.result]
        height = max(heights) + 2 * LANE_PAD
        if layout.stacked:
            scales = sum(SCALE for slot in layout.result if isinstance(slot.cells, Heat))
            height = sum(heights) + scales + 3 * 27 + LANE_PAD
        top = layout.bottom / 2 - height / 2
        canvas.rect(layout.panel, top, layout.right - layout.panel, height, fill="#F6F6F6", edge=REPLICATED_EDGE)
        draw_all_tabs(canvas, layout.panel, top, TAB, height, layout.lanes)
        y = top
        for slot in layout.result:
            if layout.stacked:
                y += 27
                self._header(slot, y - 2, f"{slot.sign} {slot.title}".strip())
                self._result_block(slot, y + slot.extent[1] / 2)
                y += slot.extent[1]
                if isinstance(slot.cells, Heat):
                    slot.cells.draw_scale(canvas, slot.middle, y + 4)
                    y += SCALE
            else:
                self._header(slot, top - 8, slot.title)
                self._result_block(slot, layout.bottom / 2)
                self._sign(slot, layout.bottom / 2)
        note = (layout.panel + layout.right) / 2, top + height + 11
        for line, text in enumerate(("the same on", "every device")):
            canvas.text(note[0], note[1] + 12 * line, text, size=8.5, colour=SOFT_INK)

    def _result_block(self, slot: Slot, middle: float):
        block = running_sum(self.trace, self.step) if slot.name == "psum" else slot.blocks[0]
        self._block(slot, middle, block, GREY)

    def _below(self):
        y = self.layout.bottom + 12
        slots = self.layout.lane if self.layout.stacked else self.layout.slots()
        heat = [slot for slot in slots if isinstance(slot.cells, Heat)]
        for slot in heat:
            slot.cells.draw_scale(self.canvas, slot.middle, y)
        y += SCALE if heat else 0
        self.canvas.paragraph(0, y, self._caption(bool(heat)), self.layout.right, size=9, colour=SOFT_INK)
        self.canvas.text(0, -44, sizes(self.trace), size=10, weight="bold", align="left")

    def _caption(self, heat: bool) -> str:
        if self.step is not None:
            return step_sentence(self.trace, self.step)
        zeros = "Sand: set to 0 by relu." if heat else "White with a corner: set to 0 by relu."
        return (
            "Left to right nothing crosses a lane: each device computes alone. The psum is the only step where devices "
            f"talk. Grey: every device holds all of it. {zeros}"
        )
