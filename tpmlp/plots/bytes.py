"""Bytes per device: what splitting the weights saves, and what it does not."""

from typing import SupportsIndex

from .. import cost
from ..cost.sizes import check_size
from .axis import Axis
from .canvas import Canvas
from .picture import Picture
from .style import REPLICATED, REPLICATED_EDGE, SOFT_INK, Real
from .tabs import draw_tab
from .words import plural

Sizes = tuple[int, int, int, int]  # B, D, H, O
DEVICE_COUNTS = (1, 2, 4, 8)
FLOAT32_BYTES = 4
BAR, GAP, GROUP_GAP, HEIGHT = 17.0, 2.0, 44.0, 220.0


def plot_bytes(B: SupportsIndex, D: SupportsIndex, H: SupportsIndex, O: SupportsIndex) -> Picture:
    """Draw the bytes that each device holds for the five inputs when there are 1, 2, 4 or 8 devices.

    Args:
        B: rows of x.
        D: columns of x, rows of W1.
        H: hidden units.
        O: columns of out.

    Returns:
        A `Picture`; numbers of devices that do not divide H are left out, and the text says so.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: a size is below 1 (B: below 0).
    """
    B, D, H, O = (check_size(name, size) for name, size in zip("BDHO", (B, D, H, O), strict=True))
    counts = [n for n in DEVICE_COUNTS if H % n == 0]
    sizes, canvas = (B, D, H, O), Canvas()
    _draw(canvas, sizes, counts)
    return Picture(canvas.figure(), _text(sizes, counts))


def _input_bytes(sizes: Sizes, n: int) -> tuple[int, int]:
    """Bytes per device: of x and b2, which every device holds, and of its blocks of W1, b1 and W2."""
    B, D, H, O = sizes
    replicated = FLOAT32_BYTES * (B * D + O)
    return replicated, cost.argument_bytes(B, D, H, O, n) - replicated


def _draw(canvas: Canvas, sizes: Sizes, counts: list[int]):
    most = sum(_input_bytes(sizes, 1))
    axis = Axis(0.0, float(most), HEIGHT, 0.0)
    right = sum(n * (BAR + GAP) for n in counts) + GROUP_GAP * len(counts)
    axis.draw_upright(canvas, 0, right, name=lambda value: f"{value:,.0f}")
    x = GROUP_GAP / 2
    for n in counts:
        x = _group(canvas, axis, x, n, *_input_bytes(sizes, n)) + GROUP_GAP
    B, D, H, O = sizes
    left, top, right, low = canvas.bounds
    canvas.text(left, top - 16, f"Bytes per device, B={B}, D={D}, H={H}, O={O}", size=10, weight="bold", align="left")
    caption = (
        "Colour: the device's blocks of W1, b1 and W2, which shrink with every device that joins. Grey: x and b2, "
        f"{_input_bytes(sizes, 1)[0]:,} bytes, which every device holds."
    )
    canvas.paragraph(left, low + 8, caption, right - left, size=8.5, colour=SOFT_INK)


def _group(canvas, axis: Axis, x: Real, n: int, replicated: int, blocks: int) -> Real:
    """One bar per device; returns where they end."""
    grey, top = axis.at(replicated), axis.at(replicated + blocks)
    start = x
    for d in range(n):
        draw_tab(canvas, x, top, BAR, grey - top, d)
        canvas.rect(x, grey, BAR, HEIGHT - grey, fill=REPLICATED, edge=REPLICATED_EDGE)
        canvas.text(x + BAR / 2, HEIGHT + 9, str(d), size=8, colour=SOFT_INK)
        x += BAR + GAP
    middle = (start + x - GAP) / 2
    canvas.text(middle, top - 9, f"{replicated + blocks:,}", size=9, weight="bold")
    canvas.text(middle, HEIGHT + 23, plural(n, "device"), size=9, weight="bold")
    return x - GAP


def _text(sizes: Sizes, counts: list[int]) -> str:
    B, D, H, O = sizes
    lines = [f"Bytes per device for the five inputs, B={B}, D={D}, H={H}, O={O}, four bytes a number."]
    for n in counts:
        replicated, blocks = _input_bytes(sizes, n)
        lines.append(
            f"{plural(n, 'device')}: {replicated + blocks:,} each: {blocks:,} for its blocks of W1, b1 and W2, "
            f"{replicated:,} for x and b2"
        )
    left_out = [str(n) for n in DEVICE_COUNTS if n not in counts]
    if left_out:
        lines.append(f"H={H} cannot be split over {', '.join(left_out)} devices.")
    return "\n".join(lines)
