"""The split: the whole matrices, cut into the devices' blocks. Which device holds this entry?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from .blocks import GREY
from .heat import Heat, heat_for
from .lane_words import sizes
from .numbers import numbers_for
from .picture import Picture
from .split_drawing import SplitDrawing, whole
from .style import SOFT_INK
from .words import named, shape

if TYPE_CHECKING:
    from ..tracing import Trace

_CAPTION = (
    "Cut by columns: W1, b1 and hidden. Cut by rows: W2. A device's columns and its rows belong to the same hidden "
    "units, so hidden never has to move. Grey: every device holds all of it."
)


def plot_split(trace: Trace) -> Picture:
    """Draw W1, b1, hidden and W2 as whole matrices, cut into the blocks that the devices hold.

    They stand as one multiplies by hand: x left of hidden, W1 above it, W2 above out.

    Args:
        trace: from `tpmlp.trace`.

    Returns:
        A `Picture`; its text says which hidden units each device holds, with their numbers.
    """
    return Picture(_draw(trace), _text(trace))


def _draw(trace: Trace) -> Figure:
    drawing = SplitDrawing(trace)
    drawing.draw()
    canvas = drawing.canvas
    cells = below_w2(drawing, trace.out)
    width, height = cells.extent(trace.out)
    cells.draw(canvas, drawing.rows_left, drawing.bottom - height, trace.out, GREY)
    drawing.name_below("out = hidden W2 + b2", trace.out, cells, drawing.rows_left + width / 2)
    left, top, right, low = canvas.bounds
    canvas.paragraph(left, low + 8, _CAPTION, max(right - left, 320.0), colour=SOFT_INK)
    canvas.text(left, top - 14, sizes(trace), size=10, weight="bold", align="left")
    return canvas.figure()


def below_w2(drawing: SplitDrawing, *values):
    """Cells for what stands right of hidden and below W2: as high as hidden."""
    if not drawing.is_heat:
        return numbers_for(values)
    heat = heat_for(values, 84.0, 1.0)
    return Heat(heat.scale, max(heat.width, 20.0), drawing.cells["hidden"].extent(drawing.trace.hidden)[1])


def _text(trace: Trace) -> str:
    units = trace.devices[0].b1.size
    w1, b1, w2 = (shape(whole(trace, name)) for name in ("w1", "b1", "w2"))
    lines = [
        f"Which device holds what: {sizes(trace)}.",
        f"Cut by columns: W1 {w1}, b1 {b1} and hidden {shape(trace.hidden)}. Cut by rows: W2 {w2}.",
    ]
    for device in trace.devices:
        first, last = device.index * units, (device.index + 1) * units - 1
        held = f"hidden unit {first}" if units == 1 else f"hidden units {first} to {last}"
        blocks = (("W1 block", device.w1), ("b1 block", device.b1), ("hidden", device.hidden), ("W2 block", device.w2))
        lines.append(f"device {device.index}, {held}: " + "; ".join(named(name, block) for name, block in blocks))
    lines.append(f"every device: {named('x', trace.x)}; {named('out', trace.out)}")
    return "\n".join(lines)
