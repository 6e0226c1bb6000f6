"""A wrong out beside the right one, and by how much it is off, entry by entry."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from .blocks import GREY, Look
from .canvas import MAX_WIDTH, Canvas
from .heat import Heat, heat_for, printed_heat_for, scale_of
from .numbers import numbers_for
from .picture import Picture
from .style import DARK, SOFT_INK
from .words import MAX_PRINTED, named, plural, shape

TOLERANCE = 5e-4  # differences that would be printed as 0 count as none
GAP = 22.0


def plot_difference(right: ArrayLike, wrong: ArrayLike, *, note: str = "") -> Picture:
    """Draw a right and a wrong result and their difference, entry by entry.

    Args:
        right: (B, O), what it should be.
        wrong: (B, O), what it is.
        note: a sentence for picture and text, such as what the difference equals.

    Returns:
        A `Picture`; its text tells all three and how many entries are off.

    Raises:
        ValueError: the two are not matrices of one shape.
    """
    right, wrong = (np.asarray(array, np.float32) for array in (right, wrong))
    if right.shape != wrong.shape or right.ndim != 2 or not right.size:
        raise ValueError(
            f"right has shape {shape(right)} and wrong {shape(wrong)}; both must be one shape (B, O) with entries"
        )
    with np.errstate(invalid="ignore", over="ignore"):
        off = wrong - right
    return Picture(_draw(right, wrong, off, note), _text(right, wrong, off, note))


def _draw(right, wrong, off, note: str) -> Figure:
    canvas = Canvas()
    kinds = _cells(right, wrong, off)
    x, top, height = 0.0, 0.0, kinds[0].extent(right)[1]
    name = _name(off)
    titles = (name, "right", f"{name} − right")
    for values, title, sign, cells in zip((wrong, right, off), titles, ("", "−", "="), kinds, strict=True):
        width = cells.extent(values)[0]
        column = max(width, 74.0)
        if sign:
            canvas.text(x + GAP / 2, top + height / 2, sign, size=11, colour=SOFT_INK)
            x += GAP
        middle = x + column / 2
        look = Look(GREY.fill, DARK) if values is off else GREY
        cells.draw(canvas, middle - width / 2, top, values, look)
        canvas.text(middle, top - 21, title, size=9, weight="bold")
        canvas.text(middle, top - 10, shape(values), size=8, colour=SOFT_INK)
        if isinstance(cells, Heat):
            cells.draw_scale(canvas, middle, top + height + 6)
        x += column
    low = canvas.bounds[3] + 8
    canvas.paragraph(0, low, f"{_count(off)} {note}".strip(), max(x, 300.0), colour=SOFT_INK)
    return canvas.figure()


def _cells(right, wrong, off):
    """Numbers for the first two and coloured numbers for the difference, or three heat maps."""
    if right.shape[0] <= 24 and right.size <= 160:
        both, printed = numbers_for([right, wrong]), printed_heat_for([off], 9.0)
        if 2 * both.extent(right)[0] + printed.extent(off)[0] <= MAX_WIDTH - 60:
            return both, both, printed
    scale = scale_of([right, wrong])
    heat = heat_for([right, wrong], 250.0, 260.0, scale=scale)
    return heat, heat, heat_for([off], 250.0, 260.0)


def _off(off: np.ndarray) -> np.ndarray:
    return ~(np.abs(off) < TOLERANCE)  # this way round NaN counts as off


def _name(off: np.ndarray) -> str:
    """What the other result is called: "wrong" only if it is."""
    return "wrong" if _off(off).any() else "result"


def _count(off: np.ndarray) -> str:
    count = int(_off(off).sum())
    if not count:
        return "No entry is off."
    return f"{count} of {plural(off.size, 'entry').replace('entrys', 'entries')} off."


def _text(right, wrong, off, note: str) -> str:
    name = _name(off)
    lines = [f"{_count(off)} {note}".strip(), named(name, wrong), named("right", right), named(f"{name} - right", off)]
    if off.size > MAX_PRINTED and _off(off).any():
        row, column = (int(i) for i in np.unravel_index(np.argmax(np.nan_to_num(np.abs(off), nan=np.inf)), off.shape))
        lines.append(f"most off: entry [{row}, {column}]")
    return "\n".join(lines)
