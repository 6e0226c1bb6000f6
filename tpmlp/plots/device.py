"""One device's view: all that device d can know, and an empty outline where it cannot look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cells import held_by
from .checks import check_index
from .picture import Picture
from .split import draw_matrices, out_cells, rows_x
from .split_drawing import SplitDrawing
from .style import SOFT_INK, device_style
from .words import named

if TYPE_CHECKING:
    from ..tracing import Trace


def plot_device(trace: Trace, d: int) -> Picture:
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
    d = check_index("device", d, len(trace.devices), "devices")
    drawing = SplitDrawing(trace, only=d)
    _draw(drawing, d)
    return Picture(drawing.canvas.figure(), _text(trace, d))


def _draw(drawing: SplitDrawing, d: int):
    trace, canvas = drawing.trace, drawing.canvas
    bottom = draw_matrices(drawing)
    device = trace.devices[d]
    cells = out_cells(drawing, device.partial, trace.psum, trace.b2, trace.out)
    width, height = cells.extent(trace.out)
    x, top = rows_x(drawing), bottom - height
    cells.draw(canvas, x, top, device.partial, held_by(d, strong=True))
    drawing.name_below("partial", device.partial, x + width / 2, bottom)
    for name, values, sign in (("psum", trace.psum, "psum"), ("b2", trace.b2, "+"), ("out", trace.out, "=")):
        gap = 46 if sign == "psum" else 20
        own_height = cells.extent(values)[1]
        middle = top + height / 2
        if sign == "psum":
            canvas.text(x + width + gap / 2, middle - 8, "psum", size=8.5, colour=SOFT_INK)
            canvas.arrow(x + width + 5, x + width + gap - 5, middle + 1, colour=SOFT_INK, head=5)
        else:
            canvas.text(x + width + gap / 2, middle, sign, size=10, colour=SOFT_INK)
        x += width + gap
        cells.draw(canvas, x, middle - own_height / 2, values, drawing_grey())
        drawing.name_below(name, values, x + width / 2, bottom)
    left, high, right, low = canvas.bounds
    caption = (
        f"Dashed outlines: what device {d} cannot know, because it lies on other devices. Grey: what every device "
        "holds. The psum brought the sum of all partials, never the partials themselves."
    )
    canvas.paragraph(left, low + 8, caption, right - left, colour=SOFT_INK)
    canvas.text(left, high - 14, f"All that {device_style(d).label} can know", size=10, weight="bold", align="left")


def drawing_grey():
    from .cells import GREY

    return GREY


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
    lines = [f"All that device {d} can know."]
    lines.append(f"like every device: {named('x', trace.x)}; {named('b2', trace.b2)}")
    lines += [f"its own: {named(name, block)}" for name, block in blocks]
    lines.append(f"from the psum: {named('psum', trace.psum)}; {named('out', trace.out)}")
    if others:
        lines.append(f"unknown to it: W1, b1, W2, hidden and partial of the devices {', '.join(others)}")
    return "\n".join(lines)
