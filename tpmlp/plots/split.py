"""The split: the whole matrices, cut into the devices' blocks. Which device holds this entry?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cells import Heat, heat_for, numbers_for
from .lane_words import sizes
from .picture import Picture
from .split_drawing import TAB, SplitDrawing, whole
from .style import SOFT_INK
from .words import named, plural, shape

if TYPE_CHECKING:
    from ..tracing import Trace


def plot_split(trace: Trace) -> Picture:
    """Draw W1, b1, hidden and W2 as whole matrices, cut into the blocks that the devices hold.

    They stand as one multiplies by hand: x left of hidden, W1 above it, W2 above out.

    Args:
        trace: from `tpmlp.trace`.

    Returns:
        A `Picture`; its text says which hidden units each device holds, with their numbers.
    """
    drawing = SplitDrawing(trace)
    _draw(drawing)
    return Picture(drawing.canvas.figure(), _text(trace))


def _draw(drawing: SplitDrawing):
    trace, canvas = drawing.trace, drawing.canvas
    bottom = draw_matrices(drawing)
    out = out_cells(drawing, trace.out)
    x = rows_x(drawing)
    drawing.grey("out", out, trace.out, x, bottom - out.extent(trace.out)[1])
    caption = (
        "Cut by columns: W1, b1 and hidden. Cut by rows: W2. A device's columns and its rows belong to the same hidden "
        "units, so hidden never has to move. Grey: every device holds all of it."
    )
    left, top, right, low = canvas.bounds
    canvas.paragraph(left, low + 8, caption, right - left, colour=SOFT_INK)
    canvas.text(left, top - 14, sizes(trace), size=10, weight="bold", align="left")


def rows_x(drawing: SplitDrawing) -> float:
    """Where W2 and everything below it begins."""
    return drawing.columns_width + 84 + TAB


def out_cells(drawing: SplitDrawing, *values):
    """Cells for what stands below W2: numbers where hidden has numbers."""
    if isinstance(drawing.hidden, Heat):
        heat = heat_for(values, 100.0, 150.0)
        return Heat(heat.scale, heat.width, drawing.hidden.height)
    return numbers_for(values)


def draw_matrices(drawing: SplitDrawing) -> float:
    """x, W1, b1, hidden and W2; returns the y of the bottom of hidden."""
    trace, canvas = drawing.trace, drawing.canvas
    w1_height = drawing.w1.extent(trace.devices[0].w1)[1]
    rows = drawing.rows_height()
    # W1 and W2 end at the same height, just above hidden and out.
    b1_height = drawing.b1.extent(trace.devices[0].b1)[1]
    b1_top = max(w1_height, rows - b1_height - 9) + 9
    w1_top = b1_top - 9 - w1_height
    hidden_top = b1_top + b1_height + 18
    drawing.draw_column_tabs(w1_top - 3)
    drawing.draw_columns("w1", drawing.w1, w1_top)
    drawing.draw_columns("b1", drawing.b1, b1_top)
    height = drawing.draw_columns("hidden", drawing.hidden, hidden_top)
    drawing.name_left("W1", whole(trace, "w1"), -8, w1_top + w1_height / 2)
    drawing.name_left("+ b1", whole(trace, "b1"), -8, b1_top + b1_height / 2)
    title = "hidden = relu(x W1 + b1)"
    drawing.name_below(title, trace.hidden, drawing.columns_width / 2, hidden_top + height)
    x_width = drawing.x.extent(trace.x)[0]
    drawing.grey("x", drawing.x, trace.x, -12 - x_width, hidden_top)
    w2_x = rows_x(drawing)
    w2_top = b1_top + b1_height - rows
    width = drawing.draw_rows(w2_x, w2_top)
    w2 = whole(trace, "w2")
    canvas.text(w2_x + width / 2, w2_top - 21, "W2", size=9, weight="bold")
    canvas.text(w2_x + width / 2, w2_top - 10, shape(w2), size=8, colour=SOFT_INK)
    return hidden_top + height


def _text(trace: Trace) -> str:
    units = trace.devices[0].b1.size
    lines = [
        f"Which device holds what: {sizes(trace)}.",
        f"W1 {shape(whole(trace, 'w1'))} and b1 {shape(whole(trace, 'b1'))} are cut by columns, "
        f"W2 {shape(whole(trace, 'w2'))} by rows, hidden {shape(trace.hidden)} by columns.",
    ]
    for device in trace.devices:
        first, last = device.index * units, (device.index + 1) * units - 1
        held = f"hidden unit {first}" if units == 1 else f"hidden units {first} to {last}"
        blocks = (("W1 block", device.w1), ("b1 block", device.b1), ("hidden", device.hidden), ("W2 block", device.w2))
        lines.append(f"device {device.index}, {held}: " + "; ".join(named(name, block) for name, block in blocks))
    lines.append(
        f"every device ({plural(len(trace.devices), 'copy').replace('copys', 'copies')}): "
        + named("x", trace.x)
        + "; "
        + named("out", trace.out)
    )
    return "\n".join(lines)
