"""One device's view: all that device d can know, and an empty outline where it cannot look."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

from matplotlib.figure import Figure

from .blocks import held_by
from .checks import check_index
from .heat import heat_for
from .numbers import numbers_for
from .panel import Entry, draw_panel, panel_height
from .picture import Picture
from .split import below_w2
from .split_drawing import SplitDrawing
from .style import DARK, SOFT_INK, device_style
from .words import named

if TYPE_CHECKING:
    from ..tracing import Trace


def plot_device(trace: Trace, d: SupportsIndex) -> Picture:
    """Draw all that device d can know: its blocks, x and b2, and what the psum gives it. The rest is outlined.

    Args:
        trace: from `tpmlp.trace`.
        d: the device's place along the mesh axis, 0 to n - 1.

    Returns:
        A `Picture`; its text tells what the device holds, and what it does not.

    Raises:
        TypeError: `d` is not a whole number.
        ValueError: there is no such device.
    """
    d = check_index("device", d, len(trace.devices), "there are")
    return Picture(_draw(trace, d), _text(trace, d))


def _draw(trace: Trace, d: int) -> Figure:
    drawing = SplitDrawing(trace, only=d)
    drawing.draw()
    canvas, partial = drawing.canvas, trace.devices[d].partial
    cells = below_w2(drawing, partial, trace.psum, trace.out)
    width, height = cells.extent(partial)
    left, top = drawing.rows_left, drawing.bottom - height
    cells.draw(canvas, left, top, partial, held_by(d, strong=True))
    drawing.name_below("partial", partial, cells, left + width / 2)
    panel = max(left + width, left + drawing.cells["w2"].extent(trace.devices[0].w2)[0]) + 44
    middle = top + height / 2
    canvas.text((left + width + panel) / 2, middle - 8, "psum", size=8.5, colour=SOFT_INK)
    canvas.arrow(left + width + 5, panel - 3, middle, colour=DARK, line=2.2, head=8)
    b2_cells = heat_for([trace.b2], 84.0, 9.0) if drawing.is_heat else numbers_for([trace.b2])
    entries = [
        Entry("psum", trace.psum, cells),
        Entry("+ b2", trace.b2, b2_cells),
        Entry("= out", trace.out, cells),
    ]
    centre = min(middle, drawing.bottom - panel_height(entries) / 2)
    draw_panel(canvas, panel, centre, entries, len(trace.devices), "the same on every device")
    caption = (
        f"Dashed: what device {d} cannot know, because other devices hold it. Grey: what every device holds. The psum "
        "brought the sum of all partials, never the partials themselves."
    )
    left, high, right, low = canvas.bounds
    canvas.paragraph(left, low + 8, caption, max(right - left, 320.0), colour=SOFT_INK)
    canvas.text(left, high - 14, f"All that {device_style(d).label} can know", size=10, weight="bold", align="left")
    return canvas.figure()


def _text(trace: Trace, d: int) -> str:
    device = trace.devices[d]
    blocks = (
        ("W1 block", device.w1),
        ("b1 block", device.b1),
        ("x W1 + b1", device.preactivation),
        ("hidden", device.hidden),
        ("W2 block", device.w2),
        ("partial", device.partial),
    )
    others = [str(other.index) for other in trace.devices if other.index != d]
    return "\n".join(
        [
            f"All that device {d} can know.",
            f"like every device: {named('x', trace.x)}; {named('b2', trace.b2)}",
            *(f"its own: {named(name, block)}" for name, block in blocks),
            f"from the psum: {named('psum', trace.psum)}; {named('out', trace.out)}",
            f"unknown to it: W1, b1, W2, hidden and partial of device {', '.join(others)}"
            if others
            else "all is known",
        ]
    )
