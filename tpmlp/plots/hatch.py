"""The eight hatches, drawn by hand: as fine lines or dots clipped to a rectangle, whatever its size."""

from collections.abc import Callable

import numpy as np
from matplotlib.path import Path

from .style import Real

PIXEL = 0.72  # points
STEP = 5 * PIXEL
RADIUS = 1.0


def hatch_path(name: str, x: Real, y: Real, width: Real, height: Real) -> tuple[Path, bool]:
    """The path of a hatch over a rectangle, and whether it is to be filled (dots) or stroked (lines)."""
    drawn = _DOTS.get(name)
    if drawn is not None:
        return _dots(x, y, width, height, *drawn), True
    segments = [segment for line in _LINES[name] for segment in line(x, y, x + width, y + height)]
    vertices = np.reshape(segments, (-1, 2)) if segments else np.zeros((0, 2))
    return Path(vertices, np.tile([Path.MOVETO, Path.LINETO], len(vertices) // 2)), False


def _across(x0, y0, x1, y1):
    return [((x0, y), (x1, y)) for y in np.arange(y0 + STEP / 2, y1, STEP)]


def _upright(x0, y0, x1, y1):
    return [((x, y0), (x, y1)) for x in np.arange(x0 + STEP / 2, x1, STEP)]


def _rising(x0, y0, x1, y1):
    # The lines x + y = c, each from where it enters the rectangle to where it leaves it.
    starts = np.arange(x0 + y0 + STEP / 2, x1 + y1, STEP * 1.4)
    return [((max(x0, c - y1), min(y1, c - x0)), (min(x1, c - y0), max(y0, c - x1))) for c in starts]


def _falling(x0, y0, x1, y1):
    starts = np.arange(x0 - y1 + STEP / 2, x1 - y0, STEP * 1.4)
    return [((max(x0, c + y0), max(y0, x0 - c)), (min(x1, c + y1), min(y1, x1 - c))) for c in starts]


def _dots(x: Real, y: Real, width: Real, height: Real, radius: Real, hole: bool) -> Path:
    """Discs in a checkerboard, those that fit; with a hole they are rings."""
    step = radius * 2 + 1.6
    xs, ys = (np.arange(step / 2, size - radius, step) for size in (width, height))
    centres = np.array([(x + a, y + b) for j, b in enumerate(ys) for i, a in enumerate(xs) if (i + j) % 2 == 0])
    if not len(centres):
        return Path(np.zeros((0, 2)), np.zeros(0, Path.code_type))
    angles = np.linspace(0, 2 * np.pi, 11)
    disc = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    codes = np.array([Path.MOVETO, *[Path.LINETO] * 9, Path.CLOSEPOLY])
    if hole:
        disc, codes = np.concatenate([disc, disc[::-1] * 0.45]), np.tile(codes, 2)
    vertices = (centres[:, None] + disc).reshape(-1, 2)
    return Path(vertices, np.tile(codes, len(centres)))


_LINES: dict[str, tuple[Callable, ...]] = {
    "/": (_rising,),
    "\\": (_falling,),
    "x": (_rising, _falling),
    "-": (_across,),
    "|": (_upright,),
    "+": (_across, _upright),
}
_DOTS = {".": (1.1, False), "o": (2.2, True)}
