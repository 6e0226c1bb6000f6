"""The lanes: the whole forward, one lane per device. The course's main picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from .blocks import GREY, held_by
from .canvas import Canvas
from .heat import Heat
from .lane_layout import BAR, lay_out
from .lane_slots import HEADER_SIZE, Slot
from .lane_steps import brought_by, check_step, running_sum, step_sentence, step_title, summed_devices, there_after
from .lane_words import cut_by_relu, lanes_text, sizes
from .panel import SCALE, Entry, draw_new_frame, draw_panel
from .picture import Picture
from .shapes import BACK
from .style import DARK, FAINT, SOFT_INK, WHITE, Real, device_style
from .tabs import TAB, draw_tab
from .words import shape

if TYPE_CHECKING:
    from ..tracing import Trace


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
    alt = f"Step {step_title(step)}. {step_sentence(trace, step)}" if step else ""
    return Picture(_Lanes(trace, step).draw(), lanes_text(trace, step), alt)


class _Lanes:
    def __init__(self, trace: Trace, step: str | None):
        self.trace, self.step = trace, step
        self.layout = lay_out(trace)
        self.canvas = Canvas()
        self.there = there_after(trace, step)
        self.new = frozenset(brought_by(step)) if step else frozenset()
        self.summed = summed_devices(trace, step)

    def draw(self) -> Figure:
        for d in range(self.layout.lanes):
            self._lane(d)
        for slot in self.layout.slots:
            self.canvas.text(slot.middle, -20, slot.title, size=HEADER_SIZE, weight="bold")
            self.canvas.text(slot.middle, -10, shape(slot.blocks[0]), size=8, colour=SOFT_INK)
        self._psum()
        self._panel()
        self._above_and_below()
        return self.canvas.figure()

    def _lane(self, d: int):
        canvas, layout, look = self.canvas, self.layout, device_style(d)
        top, middle = layout.top_of(d), layout.middle_of(d)
        canvas.rect(0, top, layout.lane_right, layout.lane_height, fill=look.wash, edge=look.edge, line=1.2, layer=BACK)
        draw_tab(canvas, 0, top, TAB, layout.lane_height, d)
        canvas.text(TAB + 6, middle, look.label, size=9, weight="bold", align="left")
        before = None
        for slot in layout.slots:
            self._block(slot, d, middle)
            if before:
                self._sign(before.end, slot, middle)
            before = slot
        if d < self.summed:
            canvas.arrow(layout.lane_right, layout.bar - 1, middle, colour=look.edge, line=2.2, head=8)
        else:
            way = ((layout.lane_right, middle), (layout.bar, middle))
            canvas.lines([way], colour=FAINT, dash=(0, (3, 2)))

    def _block(self, slot: Slot, d: int, middle: Real):
        block = slot.blocks[d] if slot.name != "x" else slot.blocks[0]
        width, height = slot.extent
        x, y = slot.left, middle - height / 2
        if slot.name not in self.there:
            slot.cells.draw_empty(self.canvas, x, y, block)
            return
        look = GREY if slot.name == "x" else held_by(d, strong=slot.name == "partial")
        cut = cut_by_relu(self.trace.devices[d]) if slot.name == "hidden" else None
        slot.cells.draw(self.canvas, x, y, block, look, cut)
        if slot.name in self.new:
            draw_new_frame(self.canvas, x, y, width, height)

    def _sign(self, before: Real, slot: Slot, middle: Real):
        centre = (before + slot.left) / 2
        if slot.sign == "relu":
            self.canvas.text(centre, middle - 7, "relu", size=8.5, colour=SOFT_INK)
            self.canvas.arrow(before + 5, slot.left - 5, middle + 1, colour=SOFT_INK, line=1.0, head=4)
        else:
            self.canvas.text(centre, middle, slot.sign, size=10, colour=SOFT_INK)

    def _psum(self):
        canvas, layout = self.canvas, self.layout
        canvas.rect(layout.bar, 0, BAR, layout.bottom, fill=DARK, radius=5)
        words = 'psum over "model"' if layout.bottom > 110 else "psum"
        canvas.text(layout.bar + BAR / 2, layout.bottom / 2, words, size=9.5, weight="bold", colour=WHITE, angle=90)
        if self.summed:
            canvas.arrow(layout.bar + BAR, layout.panel - 1, layout.bottom / 2, colour=DARK, line=2.2, head=8)

    def _panel(self):
        all_summed = self.summed == self.layout.lanes
        cells, trace = self.layout.cells, self.trace
        entries = [
            Entry(
                "psum" if all_summed or not self.summed else "running sum", running_sum(trace, self.step), cells["psum"]
            ),
            Entry("+ b2", trace.b2, cells["b2"]),
            Entry("= out", trace.out, cells["out"]),
        ]
        names = ("psum", "b2", "out")
        entries = [
            Entry(entry.title, entry.values, entry.cells, name in self.there, name in self.new)
            for name, entry in zip(names, entries, strict=True)
        ]
        note = "the same on every device" if all_summed else ""
        draw_panel(self.canvas, self.layout.panel, self.layout.bottom / 2, entries, self.layout.lanes, note)

    def _above_and_below(self):
        canvas, layout = self.canvas, self.layout
        heat = [slot for slot in layout.slots if isinstance(slot.cells, Heat)]
        for slot in heat:
            slot.cells.draw_scale(canvas, slot.middle, layout.bottom + 10)
        low = layout.bottom + 8 + (SCALE if heat else 0.0)
        canvas.reserve(0, low, 0, 2 * 9 * 1.45)
        canvas.paragraph(0, low, self._caption(bool(heat)), layout.lane_right, size=9, colour=SOFT_INK)
        canvas.text(0, min(canvas.bounds[1] - 4, -42), sizes(self.trace), size=10, weight="bold", align="left")

    def _caption(self, heat: bool) -> str:
        if self.step is not None:
            return step_sentence(self.trace, self.step)
        zeros = "Sand: set to 0 by relu." if heat else "White with a corner: set to 0 by relu."
        return (
            "Left to right nothing crosses a lane: each device computes alone. The psum is the only step where devices "
            f"talk. Grey: every device holds all of it. {zeros}"
        )
