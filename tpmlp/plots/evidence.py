"""Evidence: what each device says for and against each class, and how the psum decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from matplotlib.figure import Figure

from . import glyphs
from .blocks import GREY, held_by
from .canvas import MAX_WIDTH, Canvas
from .checks import check_index
from .heat import Heat, PrintedHeat, heat_for, printed_heat_for, scale_of
from .picture import Picture
from .shapes import FRAME
from .style import INK, SOFT_INK, Real, device_style
from .tabs import TAB, draw_all_tabs, draw_tab
from .words import numbers

if TYPE_CHECKING:
    from ..tracing import Trace

LEFT, ROW_GAP = 78.0, 3.0


def plot_evidence(trace: Trace, row: SupportsIndex, classes: Sequence | None = None) -> Picture:
    """Draw each device's partial output for one row of x, class by class, then the psum, b2 and the winner.

    Args:
        trace: from `tpmlp.trace`, of a network whose outputs are one number per class.
        row: 0 to B - 1.
        classes: O names; 0 to O - 1 if None.

    Returns:
        A `Picture`; its text tells all the numbers, each device's favourite and the winner.

    Raises:
        TypeError: `row` is not a whole number.
        ValueError: there is no such row, or the number of classes is not O.
    """
    row = check_index("row", row, trace.out.shape[0], "out has")
    names = [str(name) for name in (range(trace.out.shape[1]) if classes is None else classes)]
    if len(names) != trace.out.shape[1]:
        raise ValueError(
            f"classes has {len(names)} names, but out has O={trace.out.shape[1]} columns; give one for each"
        )
    return Picture(_draw(trace, row, names), _text(trace, row, names))


def _winner(values: np.ndarray) -> int:
    """The place of the largest, the first of equals; NaN never wins."""
    return int(np.argmax(np.where(np.isnan(values), -np.inf, values)))


def _undecided(values: np.ndarray) -> bool:
    """Whether several are largest, as when relu has silenced a device."""
    return bool(np.count_nonzero(values == values[_winner(values)]) > 1)


def _draw(trace: Trace, row: int, names: list[str]) -> Figure:
    canvas = Canvas()
    partials = [device.partial[row] for device in trace.devices]
    sums = [trace.psum[row], trace.b2, trace.out[row]]
    devices, results = _cells(partials, sums, names)
    width = devices.extent(partials[0])[0]
    cell = width / len(names)
    y = 0.0
    for d, partial in enumerate(partials):
        height = devices.extent(partial)[1]
        draw_tab(canvas, 0, y, TAB, height, d)
        canvas.text(TAB + 6, y + height / 2, device_style(d).label, size=9, weight="bold", align="left")
        devices.draw(canvas, LEFT, y, partial, held_by(d))
        if not _undecided(partial):
            _frame(canvas, LEFT + _winner(partial) * cell, y, cell, height, 1.3)
        y += height + ROW_GAP
    y = top = y + 9
    for name, values in zip(("psum", "+ b2", "= out"), sums, strict=True):
        height = results.extent(values)[1]
        canvas.text(TAB + 6, y + height / 2, name, size=9, weight="bold", align="left")
        results.draw(canvas, LEFT, y, values, GREY)
        y += height + ROW_GAP
    draw_all_tabs(canvas, 0, top, TAB, y - ROW_GAP - top, len(partials))
    winner = _winner(trace.out[row])
    _frame(canvas, LEFT + winner * cell, top, cell, y - ROW_GAP - top, 2.4)
    _class_names(canvas, names, cell, winner)
    _words(canvas, row, names[winner], y, width, devices, results)
    return canvas.figure()


def _cells(partials, sums, names) -> tuple[PrintedHeat | Heat, PrintedHeat | Heat]:
    """Printed if they fit; the devices' rows share one colour scale, psum, b2 and out another."""
    widest = max(glyphs.width(name, 9, "bold") for name in names) + 6
    printed = [printed_heat_for(group, least=widest) for group in (partials, sums)]
    cell = max(each.cell_width for each in printed)
    if cell * len(names) + LEFT <= MAX_WIDTH - 20:
        first, second = (PrintedHeat(each.scale, each.size, cell, 17.0) for each in printed)
        return first, second
    width = MAX_WIDTH - 40 - LEFT
    first, second = (heat_for(group, width, 17.0, cell=20.0, scale=scale_of(group)) for group in (partials, sums))
    return Heat(first.scale, first.width, 17.0), Heat(second.scale, second.width, 17.0)


def _frame(canvas: Canvas, x: Real, y: Real, width: Real, height: Real, line: Real):
    canvas.rect(x + 0.5, y + 0.5, width - 1, height - 1, edge=INK, line=line, layer=FRAME)


def _class_names(canvas: Canvas, names: list[str], cell: Real, winner: int):
    fits = max(glyphs.width(name, 9, "bold") for name in names) + 3 <= cell
    for place, name in enumerate(names):
        if fits or place == winner:
            weight = "bold" if place == winner else "normal"
            canvas.text(LEFT + (place + 0.5) * cell, -8, name, size=9, weight=weight)
    canvas.text(TAB + 6, -8, "class", size=9, colour=SOFT_INK, align="left")


def _words(canvas: Canvas, row: int, winner: str, y: Real, width: Real, devices, results):
    if isinstance(devices, Heat):
        devices.draw_scale(canvas, LEFT + 30, y + 6)
        canvas.text(LEFT + 64, y + 9, "devices", size=8, colour=SOFT_INK, align="left")
        results.draw_scale(canvas, LEFT + 160, y + 6)
        canvas.text(LEFT + 194, y + 9, "psum, b2, out", size=8, colour=SOFT_INK, align="left")
        y += 26
    caption = (
        "Red speaks for a class, blue against it. Thin frame: the device's own favourite. Thick frame: the class that "
        f"wins after the psum and b2: {winner}."
    )
    canvas.paragraph(0, y + 6, caption, max(LEFT + width, 340), colour=SOFT_INK)
    canvas.text(0, -26, f"Evidence for row {row} of x, device by device", size=10, weight="bold", align="left")


def _text(trace: Trace, row: int, names: list[str]) -> str:
    lines = [f"Evidence for row {row} of x, class by class: {', '.join(names)}"]
    for device in trace.devices:
        partial = device.partial[row]
        favourite = "none" if _undecided(partial) else names[_winner(partial)]
        lines.append(f"device {device.index}: {numbers(partial)}, favourite: {favourite}")
    lines.append(f"psum: {numbers(trace.psum[row])}")
    lines.append(f"b2: {numbers(trace.b2)}")
    lines.append(f"out: {numbers(trace.out[row])}, winner: {names[_winner(trace.out[row])]}")
    return "\n".join(lines)
