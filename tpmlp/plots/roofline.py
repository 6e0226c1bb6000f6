"""The roofline: what a forward waits for, arithmetic, memory or the all-reduce, over the number of samples."""

import math
from collections.abc import Sequence

from .. import cost
from .axis import GRID, Axis
from .canvas import Canvas
from .curves import Curve, draw_curves
from .picture import Picture
from .price_words import ALL_REDUCE
from .shapes import BACK
from .style import DARK, INK, SOFT_INK
from .units import told_seconds

WIDTH, HEIGHT = 480.0, 230.0  # points
BATCHES = tuple(4**k for k in range(9))  # 1 to 65,536
_COLOURS = {"compute": "#2F3E75", "memory": "#8A4513", ALL_REDUCE: DARK}
_DASHES = {"compute": "solid", "memory": (0, (6, 2)), ALL_REDUCE: (0, (1.5, 1.5))}


def plot_roofline(
    D: int, H: int, O: int, n: int, hardware: cost.Hardware, *, dtype: str = "bfloat16", gated: bool = False,
    batches: Sequence[int] = BATCHES,
) -> Picture:  # fmt: skip
    """Draw the time of one forward's arithmetic, of its reading and writing and of its all-reduce, over B.

    Args:
        D: size of the input.
        H: hidden units.
        O: size of the output.
        n: devices.
        hardware: one of `tpmlp.cost.HARDWARE`.
        dtype: "float32" or "bfloat16".
        gated: the MLP has a second matrix of W1's shape.
        batches: the B to draw, at least two, growing.

    Returns:
        A `Picture`; its text gives every number and from which B on arithmetic takes longer than memory.

    Raises:
        ValueError: `batches` has fewer than two sizes, they do not grow, or one is below 1.
    """
    if len(batches) < 2 or list(batches) != sorted(set(batches)) or batches[0] < 1:
        raise ValueError(f"batches={tuple(batches)}; give at least two sizes of 1 or more, each larger than the last")
    times = [cost.forward_time(B, D, H, O, n, hardware, dtype=dtype, gated=gated) for B in batches]
    critical = cost.critical_batch(D, H, O, n, hardware, dtype=dtype, gated=gated)
    sizes = f"D={D}, H={H}, O={O}, {dtype}{', gated' if gated else ''}"
    title = f"What a forward on {n} {hardware.name} waits for: {sizes}"
    canvas = Canvas()
    _draw(canvas, title, batches, times, critical)
    return Picture(canvas.figure(), "\n".join([title, *map(_told, batches, times), _bound(critical)]))


def _told(B: int, time: cost.Time) -> str:
    parts = ((each, getattr(time, each.replace("-", "_"))) for each in ("compute", "memory", "all-reduce"))
    return f"B={B}: {', '.join(f'{name} {told_seconds(seconds)}' for name, seconds in parts)}; {time.bound}-bound"


def _bound(critical: int | None) -> str:
    return f"compute-bound from B={critical} on" if critical else "memory-bound for every B"


def _draw(canvas: Canvas, title: str, batches: Sequence[int], times: list[cost.Time], critical: int | None):
    seconds = {"compute": [], "memory": [], ALL_REDUCE: []}
    for time in times:
        for name, value in zip(seconds, (time.compute, time.memory, time.all_reduce), strict=True):
            seconds[name].append(value)
    drawn = {name: values for name, values in seconds.items() if min(values) > 0}  # on one device nothing is sent
    x = Axis(math.log2(batches[0]), math.log2(batches[-1]), 0.0, WIDTH)
    every = [value for values in drawn.values() for value in values]
    y = Axis(math.floor(math.log10(min(every))), math.ceil(math.log10(max(every))), HEIGHT, 0.0)
    _draw_axes(canvas, x, y, batches)
    if critical and batches[0] <= critical <= batches[-1]:
        place = x.at(math.log2(critical))
        canvas.lines([((place, 0), (place, HEIGHT))], colour=INK, line=1.2, layer=BACK)
        canvas.text(place + 5, HEIGHT - 9, f"compute\u2011bound from B = {critical:,}", size=8.5, align="left")
    curves = []
    for name, values in drawn.items():
        points = [(x.at(math.log2(B)), y.at(math.log10(value))) for B, value in zip(batches, values, strict=True)]
        curves.append(Curve(name, points, _COLOURS[name], _DASHES[name]))
    draw_curves(canvas, curves, WIDTH)
    canvas.text(0, -20, title, size=10, weight="bold", align="left")
    left, _, right, low = canvas.bounds
    caption = (
        "The slower of compute and memory counts, and the all\u2011reduce comes on top. Both axes are logarithmic."
    )
    canvas.paragraph(left, low + 8, caption, right - left, size=8.5, colour=SOFT_INK)


def _draw_axes(canvas: Canvas, x: Axis, y: Axis, batches: Sequence[int]):
    for power in range(int(y.low), int(y.high) + 1):
        canvas.lines([((0, y.at(power)), (WIDTH, y.at(power)))], colour=GRID, line=0.7, layer=BACK)
        canvas.text(-6, y.at(power), told_seconds(10.0**power), size=8, colour=SOFT_INK, align="right")
    for B in batches:
        canvas.text(x.at(math.log2(B)), HEIGHT + 13, f"{B:,}", size=8.5, weight="bold")
    canvas.text(WIDTH / 2, HEIGHT + 28, "B, samples or tokens", size=8.5, colour=SOFT_INK)
