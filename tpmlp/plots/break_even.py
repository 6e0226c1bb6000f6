"""From which number of devices on most of the time goes into the all-reduce, for several kinds of hardware."""

import math
from collections.abc import Sequence

from .. import cost
from . import glyphs
from .axis import GRID, Axis
from .canvas import Canvas
from .curves import Curve, draw_curves
from .picture import Picture
from .price_words import ALL_REDUCE, COUNTS, dividing, sizes_told
from .shapes import BACK
from .stacks import CHOSEN
from .style import INK, SOFT_INK
from .units import told_share

WIDTH, HEIGHT = 460.0, 240.0  # points
# Not the devices' colours: TPUs blue and GPUs brown, told apart within each by the dash and the label.
_COLOURS = {True: "#2F3E75", False: "#8A4513"}
_DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)))


def plot_break_even(
    B: int, D: int, H: int, O: int, hardware: Sequence[cost.Hardware] = tuple(cost.HARDWARE.values()), *,
    dtype: str = "bfloat16", gated: bool = False, counts: Sequence[int] = (*COUNTS, 64),
    chosen: int | None = None,
) -> Picture:  # fmt: skip
    """Draw the all-reduce's share of one forward's time over the number of devices.

    Args:
        B: samples, or tokens.
        D: size of the input.
        H: hidden units.
        O: size of the output.
        hardware: some of `tpmlp.cost.HARDWARE`'s values; all if left out.
        dtype: "float32" or "bfloat16".
        gated: the MLP has a second matrix of W1's shape.
        counts: numbers of devices; those that do not divide H are left out.
        chosen: one of them, to be set off.

    Returns:
        A `Picture`; its text gives every number and, for each hardware, the break-even among all divisors of H.
    """
    if isinstance(hardware, cost.Hardware) or not len(hardware):
        raise TypeError("hardware: give a list of Hardware, such as [cost.HARDWARE['H100']]")
    counts = dividing(H, counts)
    shares, lines = {}, []
    for chip in hardware:
        times = [cost.forward_time(B, D, H, O, n, chip, dtype=dtype, gated=gated) for n in counts]
        shares[chip.name] = [time.all_reduce / time.total for time in times]
        n = cost.break_even(B, D, H, O, chip, dtype=dtype, gated=gated)
        listed = ", ".join(f"n={n} {told_share(s)}" for n, s in zip(counts, shares[chip.name], strict=True))
        lines.append(f"{chip.name}: {listed}; {f'more than half at n={n}' if n else 'never more than half'}")
    sizes = sizes_told(B, D, H, O, dtype, gated)
    figure = _draw(f"The {ALL_REDUCE}'s share of one forward: {sizes}", counts, shares, chosen)
    return Picture(figure, "\n".join([f"The all-reduce's share of one forward: {sizes}", *lines]))


def _draw(title: str, counts: list[int], shares: dict[str, list[float]], chosen: int | None):
    canvas = Canvas()
    x, y = Axis(0.0, max(1.0, math.log2(counts[-1])), 0.0, WIDTH), Axis(0.0, 1.0, HEIGHT, 0.0)
    if chosen in counts:
        canvas.rect(x.at(math.log2(chosen)) - 14, 0, 28, HEIGHT + 20, fill=CHOSEN, radius=4, layer=BACK)
    _draw_axes(canvas, x, y, counts)
    curves = []
    for (name, values), look in zip(shares.items(), _looks(shares), strict=True):
        points = [(x.at(math.log2(n)), y.at(share)) for n, share in zip(counts, values, strict=True)]
        curves.append(Curve(name, points, *look))
    draw_curves(canvas, curves, WIDTH)
    lines = glyphs.wrap(title, 10, WIDTH + 60, "bold")
    for row, line in enumerate(lines):
        canvas.text(0, -20 - 15 * (len(lines) - 1 - row), line, size=10, weight="bold", align="left")
    return canvas.figure()


def _draw_axes(canvas: Canvas, x: Axis, y: Axis, counts: list[int]):
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        half = share == 0.5
        canvas.lines(
            [((0, y.at(share)), (WIDTH, y.at(share)))],
            colour=INK if half else GRID,
            line=1.2 if half else 0.7,
            layer=BACK,
        )
        canvas.text(-6, y.at(share), told_share(share), size=8, colour=SOFT_INK, align="right")
    canvas.text(4, y.at(0.5) - 8, "half of the time", size=8, colour=INK, align="left")
    for n in counts:
        canvas.text(x.at(math.log2(n)), HEIGHT + 13, str(n), size=8.5, weight="bold")
    canvas.text(WIDTH / 2, HEIGHT + 28, "devices", size=8.5, colour=SOFT_INK)


def _looks(names) -> list[tuple]:
    """Colour and dash of each curve."""
    looks, seen = [], {True: 0, False: 0}
    for name in names:
        tpu = name.startswith("TPU")
        looks.append((_COLOURS[tpu], _DASHES[seen[tpu] % len(_DASHES)]))
        seen[tpu] += 1
    return looks
