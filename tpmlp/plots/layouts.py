"""Layouts compared: how the matrices are cut, and what the compiler then made the devices send."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from .axis import Axis
from .canvas import Canvas
from .picture import Picture
from .style import DARK, HYPHEN, REPLICATED, REPLICATED_EDGE, SOFT_INK, Real
from .tabs import draw_tab
from .words import plural

if TYPE_CHECKING:
    from ..compiled import Collective, CompiledFacts

# Points. The matrices are not to scale, but a size has one length in all of them.
LENGTHS = {"B": 32.0, "D": 48.0, "H": 96.0, "O": 48.0}
MATRICES = {"x": "BD", "W1": "DH", "W2": "HO"}
PLACES = {"x": 0, "W1": 1, "W2": 3}  # among the arguments
VALUES = MATRICES | {"hidden": "BH", "out": "BO"}
NAME, GAP, ROW_GAP, BARS, TOTAL = 84.0, 30.0, 22.0, 210.0, 150.0
BAR, COLLECTIVE = 9.0, 34.0  # heights: of a bar, and of a collective's two lines


class Cut(NamedTuple):
    """How a matrix lies on the devices: cut along `dimension` into `pieces`, or whole (None, 1)."""

    dimension: int | None
    pieces: int

    def __str__(self) -> str:
        if self.dimension is None:
            return "whole"
        return f"in {self.pieces} blocks of {('rows', 'columns')[self.dimension]}"


def plot_layouts(layouts: Mapping[str, CompiledFacts], *, B: int, D: int, H: int, O: int) -> Picture:
    """Draw how each layout cuts x, W1 and W2, the collectives in its program and the bytes that one device sends.

    Args:
        layouts: name → facts of a function of x, w1, b1, w2, b2, compiled for arguments that lie that way; both the
            cuts and the collectives are read from the facts.
        B: rows of x.
        D: columns of x, rows of W1.
        H: hidden units.
        O: columns of out.

    Returns:
        A `Picture`; its text gives every cut, collective and number. The bytes are those of `Collective.ring_bytes`.

    Raises:
        ValueError: a program's arguments are not those five, or one is neither whole nor cut along one dimension into
            as many blocks as there are devices.
    """
    sizes = {"B": B, "D": D, "H": H, "O": O}
    wholes = {name: (sizes[rows], sizes[columns]) for name, (rows, columns) in MATRICES.items()}
    cuts = {name: _cuts(name, facts, wholes) for name, facts in layouts.items()}
    title = f"What each layout makes a device send: {', '.join(f'{name}={size}' for name, size in sizes.items())}"
    canvas = Canvas()
    _draw(canvas, title, layouts, cuts, sizes)
    lines = [_told(name, facts, cuts[name], sizes) for name, facts in layouts.items()]
    return Picture(canvas.figure(), "\n".join([title, *lines]))


def _cuts(name: str, facts: CompiledFacts, wholes: Mapping[str, tuple[int, int]]) -> dict[str, Cut]:
    count = len(facts.parameter_shapes)
    if count != 5:
        raise ValueError(
            f"the program of {name!r} has {plural(count, 'argument')}; it must be one of x, w1, b1, w2, b2"
        )
    return {each: _cut(name, each, whole, facts) for each, whole in wholes.items()}


def _cut(name: str, matrix: str, whole: tuple[int, int], facts: CompiledFacts) -> Cut:
    local = facts.parameter_shapes[PLACES[matrix]]
    if local is None:
        raise ValueError(f"the program of {name!r} makes no use of {matrix}, so nothing says how it lies")
    if local == whole:
        return Cut(None, 1)
    if len(local) == 2:
        for dimension in (0, 1):
            size, part = whole[dimension], local[dimension]
            if local[1 - dimension] == whole[1 - dimension] and part * facts.devices == size:
                return Cut(dimension, facts.devices)
    raise ValueError(
        f"in {name!r} a device holds {local} of {matrix}, which is neither all of {whole} nor one of {facts.devices} "
        "blocks of its rows or columns; give the sizes that it was compiled for, on a mesh with one axis"
    )


def _told(name: str, facts: CompiledFacts, cuts: Mapping[str, Cut], sizes: Mapping[str, int]) -> str:
    held = ", ".join(f"{matrix} {cut}" for matrix, cut in cuts.items())
    talk = ", ".join(f"{_words(each, sizes)} {each.ring_bytes:,.0f}" for each in facts.details) or "nothing"
    count = plural(len(facts.details), "collective")
    return f"{name}: {held}; {facts.ring_bytes:,.0f} bytes sent in {count}: {talk}"


def _words(collective: Collective, sizes: Mapping[str, int]) -> str:
    """`all-reduce of f32[64,256], out`: what it is for is told where the shape of its operand leaves no doubt."""
    whose = [name for name, letters in VALUES.items() if _is_of(collective, [sizes[letter] for letter in letters])]
    told = f"{collective.kind} of {collective.operands[0]}"
    return f"{told}, {whose[0]}" if len(whose) == 1 else told


def _is_of(collective: Collective, whole: list[int]) -> bool:
    """Whether its operand is an array of shape `whole`, or one of as many blocks of it as there are devices."""
    shapes = [
        whole,
        *([size // (collective.devices if d == cut else 1) for d, size in enumerate(whole)] for cut in (0, 1)),
    ]
    return list(collective.shape) in shapes


def _draw(canvas: Canvas, title: str, layouts, cuts, sizes):
    lefts, x = {}, NAME
    for name, letters in MATRICES.items():
        lefts[name] = x
        middle = x + LENGTHS[letters[1]] / 2
        canvas.text(middle, -24, name, size=9, weight="bold")
        canvas.text(middle, -13, str(tuple(sizes[letter] for letter in letters)), size=8, colour=SOFT_INK)
        x += LENGTHS[letters[1]] + GAP
    longest = max((each.ring_bytes for facts in layouts.values() for each in facts.details), default=0.0)
    axis = Axis(0.0, longest or 1.0, x, x + BARS)
    canvas.text(x, -24, "What the compiler put in", size=9, weight="bold", align="left")
    canvas.text(x, -13, "and the bytes that one device sends for it", size=8, colour=SOFT_INK, align="left")
    canvas.text(axis.end + TOTAL, -13, "together", size=8, colour=SOFT_INK, align="right")
    for row, (name, facts) in enumerate(layouts.items()):
        middle = LENGTHS["H"] / 2 + row * (LENGTHS["H"] + ROW_GAP)
        lines = name.split(", ")
        for line, words in enumerate(lines):
            canvas.text(0, middle + 13 * (line - (len(lines) - 1) / 2), words, size=9, weight="bold", align="left")
        for matrix, left in lefts.items():
            _draw_matrix(canvas, left, middle, matrix, cuts[name][matrix])
        _draw_talk(canvas, axis, middle, facts, sizes)
    canvas.text(0, -50, title, size=10, weight="bold", align="left")
    _, _, right, low = canvas.bounds
    caption = "A device holds the blocks in its colour and hatch; grey: every device holds all of it. Not to scale."
    canvas.paragraph(0, low + 10, caption, right, size=8.5, colour=SOFT_INK)


def _draw_matrix(canvas: Canvas, left: Real, middle: Real, matrix: str, cut: Cut):
    height, width = (LENGTHS[size] for size in MATRICES[matrix])
    top = middle - height / 2
    if cut.dimension is None:
        canvas.rect(left, top, width, height, fill=REPLICATED, edge=REPLICATED_EDGE)
        return
    for d in range(cut.pieces):
        if cut.dimension:
            draw_tab(canvas, left + d * width / cut.pieces, top, width / cut.pieces, height, d)
        else:
            draw_tab(canvas, left, top + d * height / cut.pieces, width, height / cut.pieces, d)


def _draw_talk(canvas: Canvas, axis: Axis, middle: Real, facts: CompiledFacts, sizes: Mapping[str, int]):
    """Each collective with a bar under it, and at the right what they send together."""
    y = middle - COLLECTIVE * len(facts.details) / 2
    for collective in facts.details:
        words = _words(collective, sizes).replace("-", HYPHEN)
        canvas.text(axis.start, y + 8, words, size=9, align="left")
        end = axis.at(collective.ring_bytes)
        canvas.rect(axis.start, y + 16, max(end - axis.start, 1.0), BAR, fill=DARK)
        canvas.text(end + 6, y + 16 + BAR / 2, f"{collective.ring_bytes:,.0f}", size=8, align="left")
        y += COLLECTIVE
    total = f"{facts.ring_bytes:,.0f} bytes"
    canvas.text(axis.end + TOTAL, middle, total, size=10, weight="bold", align="right")
