"""Rectangles, lines and other outlines of one look, kept together so that matplotlib sees few, long paths."""

from collections.abc import Iterator

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.path import Path
from matplotlib.transforms import IdentityTransform, Transform

from .style import Real

# A longer path is not aligned to whole pixels by Agg, and would look blurred.
MAX_VERTICES = 1000
# What is drawn on what: lanes, blocks in them, marks on those, (images,) grids, frames and arrows.
BACK, FILL, MARK, GRID, FRAME = range(5)

Dash = str | tuple[int, tuple[int | float, ...]]  # as for the line styles of matplotlib

_RECT_CODES = np.array([Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY], Path.code_type)
_LINE_CODES = np.array([Path.MOVETO, Path.LINETO], Path.code_type)


class Shapes:
    """Shapes of one look: fill, edge colour, line width in points and dash pattern."""

    def __init__(self, fill: str, edge: str, line: Real, dash: Dash):
        self.fill, self.edge, self.line, self.dash = fill, edge, line, dash
        self.rects: list[tuple[Real, Real, Real, Real]] = []
        self.segments: list = []
        self.others: list[Path] = []

    def paths(self) -> Iterator[Path]:
        """All of them as compound paths."""
        if self.rects:
            x0, y0, x1, y1 = np.array(self.rects).T
            corners = np.stack([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)], axis=0).transpose(2, 0, 1)
            yield from _compound(corners, _RECT_CODES)
        if self.segments:
            yield from _compound(np.asarray(self.segments, float), _LINE_CODES)
        yield from self.others


def _compound(vertices: np.ndarray, codes: np.ndarray) -> Iterator[Path]:
    """(count, vertices each, 2) as few paths."""
    each = MAX_VERTICES // len(codes)
    for start in range(0, len(vertices), each):
        part = vertices[start : start + each]
        yield Path(part.reshape(-1, 2), np.tile(codes, len(part)))


def collection(shapes: list[Shapes], transform: Transform, zorder: Real) -> PathCollection:
    """One artist that draws them in this order."""
    drawn = [(path, each) for each in shapes for path in each.paths()]
    artist = PathCollection(
        [path for path, _ in drawn],
        facecolors=[each.fill for _, each in drawn],
        edgecolors=[each.edge for _, each in drawn],
        linewidths=[each.line for _, each in drawn],
        linestyles=[each.dash for _, each in drawn],
        zorder=zorder,
    )
    artist.set_transform(transform)
    artist.set_offset_transform(IdentityTransform())
    return artist


def polygon(points) -> Path:
    """A closed polygon."""
    return Path([*points, points[0]], [Path.MOVETO] + [Path.LINETO] * (len(points) - 1) + [Path.CLOSEPOLY])


def rounded(x: Real, y: Real, width: Real, height: Real, r: Real) -> Path:
    """A rectangle with round corners."""
    r = min(r, width / 2, height / 2)
    x1, y1 = x + width, y + height
    points = [(x + r, y), (x1 - r, y), (x1, y), (x1, y + r), (x1, y1 - r), (x1, y1), (x1 - r, y1)]
    points += [(x + r, y1), (x, y1), (x, y1 - r), (x, y + r), (x, y), (x + r, y), (x + r, y)]
    curve = [Path.CURVE3, Path.CURVE3]
    codes = [Path.MOVETO, Path.LINETO, *curve, Path.LINETO, *curve, Path.LINETO, *curve, Path.LINETO, *curve]
    return Path(points, [*codes, Path.CLOSEPOLY])
