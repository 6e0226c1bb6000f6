"""A sheet to draw on, in points from the top left corner; it becomes a matplotlib figure just large enough.

Everything of one kind ends up in one matplotlib artist, which is what keeps a picture with hundreds of numbers quick.
"""

import math
from typing import NamedTuple

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.image import BboxImage
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform, TransformedBbox

from . import glyphs
from .style import INK, minus

DPI = 100
MAX_WIDTH = 12.8 * 72  # points: 1280 pixels
MIN_SIZE = 8.0  # points: no text is smaller


class Placed(NamedTuple):
    """One printed string and where: its left end on the baseline, in points from the top left, and its angle."""

    text: str
    size: float
    weight: str
    x: float
    y: float
    angle: int


class TextPatch(PathPatch):
    """All strings of one colour as one patch; `placed` tells what was printed where."""

    def __init__(self, path: Path, placed: list[Placed], **kwargs):
        super().__init__(path, **kwargs)
        self.placed = placed


class Canvas:
    """Collects shapes, images and strings. x grows to the right and y downwards, both in points."""

    def __init__(self):
        self._back, self._front, self._images, self._hatched = [], [], [], []
        self._texts: dict[str, list[Placed]] = {}
        self._left = self._top = math.inf
        self._right = self._bottom = -math.inf

    # --- shapes

    def rect(self, x, y, width, height, *, fill="none", edge="none", line=0.8, radius=0.0, dash=None, front=False):
        """A rectangle, with rounded corners if `radius` is given."""
        path = _rounded(x, y, width, height, radius) if radius else _polygon(_corners(x, y, width, height))
        self._shape(path, fill, edge, line, dash, front)
        self._grow(x, y, x + width, y + height)

    def polygon(self, points, *, fill, edge="none", line=0.8, front=True):
        """A closed polygon."""
        self._shape(_polygon(points), fill, edge, line, None, front)

    def lines(self, segments, *, colour=INK, line=0.8, dash=None, front=True):
        """Many straight segments ((x0, y0), (x1, y1)) of one look, as one shape."""
        if len(segments):
            vertices = np.asarray(segments, float).reshape(-1, 2)
            codes = np.tile([Path.MOVETO, Path.LINETO], len(vertices) // 2)
            self._shape(Path(vertices, codes), "none", colour, line, dash, front)

    def arrow(self, x0, x1, y, *, colour=INK, line=1.2, head=5.0):
        """A horizontal arrow from x0 to x1."""
        back = x1 - math.copysign(head, x1 - x0)
        self.lines([((x0, y), (back, y))], colour=colour, line=line)
        self.polygon([(x1, y), (back, y - head * 0.6), (back, y + head * 0.6)], fill=colour)

    def hatch(self, x, y, width, height, pattern, *, colour):
        """Only a hatch, over what is there."""
        self._hatched.append((_polygon(_corners(x, y, width, height)), pattern, colour))

    def image(self, x, y, width, height, rgba):
        """An image, one rectangle per pixel; it lies over the back shapes and under the front ones."""
        self._images.append((x, y, width, height, rgba))
        self._grow(x, y, x + width, y + height)

    # --- strings

    def text(self, x, y, text, *, size=MIN_SIZE, colour=INK, weight="normal", align="center", angle=0) -> float:
        """Print a string with the middle of its capitals at y; returns its width (along its own direction)."""
        text = minus(text)
        width, half = glyphs.width(text, size, weight), glyphs.CAP_HEIGHT * size / 2
        shift = {"left": 0.0, "center": width / 2, "right": width}[align]
        if angle == 90:
            placed = Placed(text, size, weight, x + half, y + shift, 90)
            self._grow(x - half, placed.y - width, x + half, placed.y)
        else:
            placed = Placed(text, size, weight, x - shift, y + half, 0)
            self._grow(placed.x, y - half, placed.x + width, y + half + glyphs.DESCENT * size)
        self._texts.setdefault(colour, []).append(placed)
        return width

    def paragraph(self, x, y, text, limit, *, size=9.0, colour=INK, leading=1.45) -> float:
        """Print wrapped text from its top left corner; returns the y below it."""
        for line in glyphs.wrap(text, size, limit):
            self.text(x, y + size * leading / 2, line, size=size, colour=colour, align="left")
            y += size * leading
        return y

    # --- the figure

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all that was drawn."""
        return self._left, self._top, self._right, self._bottom

    def figure(self, margin: float = 8.0) -> Figure:
        """A figure that holds all of it, whole pixels wide and high."""
        pixel = 72 / DPI
        left, top = self._left - margin, self._top - margin
        width = math.ceil((self._right + margin - left) / pixel) * pixel
        height = math.ceil((self._bottom + margin - top) / pixel) * pixel
        figure = Figure(figsize=(width / 72, height / 72), dpi=DPI, facecolor="white")
        to_inches = Affine2D().translate(-left, -top).scale(1 / 72, -1 / 72).translate(0, height / 72)
        to_pixels = to_inches + figure.dpi_scale_trans
        for zorder, shapes in ((1, self._back), (3, self._front)):
            if shapes:
                figure.add_artist(_collection(shapes, to_pixels, zorder))
        for x, y, w, h, rgba in self._images:
            box = TransformedBbox(Bbox([[x, y + h], [x + w, y]]), to_pixels)
            image = BboxImage(box, interpolation="nearest", origin="upper", zorder=2)
            image.set_data(rgba)
            figure.add_artist(image)
        for path, pattern, colour in self._hatched:
            figure.add_artist(
                PathPatch(path, fill=False, hatch=pattern, edgecolor=colour, lw=0, transform=to_pixels, zorder=4)
            )
        for colour, placed in self._texts.items():
            path = _compound(placed, (left, top), pixel)
            figure.add_artist(TextPatch(path, placed, fc=colour, lw=0, transform=to_pixels, zorder=5))
        return figure

    def _shape(self, path, fill, edge, line, dash, front):
        (self._front if front else self._back).append((path, fill, edge, line, dash or "solid"))

    def _grow(self, left, top, right, bottom):
        self._left, self._top = min(self._left, left), min(self._top, top)
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)


def _collection(shapes, transform, zorder) -> PathCollection:
    paths, fills, edges, lines, dashes = zip(*shapes, strict=True)
    collection = PathCollection(
        paths, facecolors=fills, edgecolors=edges, linewidths=lines, linestyles=dashes, zorder=zorder
    )
    collection.set_transform(transform)
    collection.set_offset_transform(IdentityTransform())
    return collection


def _compound(placed: list[Placed], origin: tuple[float, float], pixel: float) -> Path:
    """One path of all the strings, baselines on whole pixels so that digits stay crisp."""
    vertices, codes = [], []
    for text, size, weight, x, y, angle in placed:
        outline, outline_codes, _ = glyphs.outline(text, weight)
        if angle == 90:
            x = origin[0] + round((x - origin[0]) / pixel) * pixel
            vertices.append(outline[:, ::-1] * (-size, -size) + (x, y))
        else:
            y = origin[1] + round((y - origin[1]) / pixel) * pixel
            vertices.append(outline * (size, -size) + (x, y))
        codes.append(outline_codes)
    return Path(np.concatenate(vertices), np.concatenate(codes))


def _corners(x, y, width, height):
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _polygon(points) -> Path:
    return Path([*points, points[0]], [Path.MOVETO] + [Path.LINETO] * (len(points) - 1) + [Path.CLOSEPOLY])


def _rounded(x, y, width, height, r) -> Path:
    r = min(r, width / 2, height / 2)
    x1, y1 = x + width, y + height
    points = [(x + r, y), (x1 - r, y), (x1, y), (x1, y + r), (x1, y1 - r), (x1, y1), (x1 - r, y1)]
    points += [(x + r, y1), (x, y1), (x, y1 - r), (x, y + r), (x, y), (x + r, y), (x + r, y)]
    curve = [Path.CURVE3, Path.CURVE3]
    codes = [Path.MOVETO, Path.LINETO, *curve, Path.LINETO, *curve, Path.LINETO, *curve, Path.LINETO, *curve]
    return Path(points, [*codes, Path.CLOSEPOLY])
