"""A sheet to draw on, in points from the top left corner; it becomes a matplotlib figure just large enough.

Shapes of one look and strings of one colour become one path each, which is what keeps a picture with hundreds of
numbers quick.
"""

import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D

from . import glyphs
from .hatch import hatch_path
from .images import Images
from .lettering import DPI, PIXEL, Placed, TextPatch, outlines
from .shapes import FILL, FRAME, GRID, MARK, Dash, Shapes, collection, polygon, rounded
from .style import INK, Real, minus

MAX_WIDTH = 12.8 * 72  # points: 1280 pixels
MIN_SIZE = 8.0  # points: no text is smaller


class Canvas:
    """Collects shapes, images and strings. x grows to the right and y downwards, both in points."""

    def __init__(self):
        self._layers: list[dict[tuple, Shapes]] = [{} for _ in range(FRAME + 1)]
        self._images: list = []
        self._texts: dict[str, list[Placed]] = {}
        self._left = self._top = math.inf
        self._right = self._bottom = -math.inf

    # --- shapes

    def rect(
        self,
        x,
        y,
        width,
        height,
        *,
        fill="none",
        edge="none",
        line: Real = 0.8,
        radius=0.0,
        dash: Dash = "solid",
        layer=FILL,
    ):
        """A rectangle, with rounded corners if `radius` is given."""
        shapes = self._shapes(layer, fill, edge, line, dash)
        if radius:
            shapes.others.append(rounded(x, y, width, height, radius))
        else:
            shapes.rects.append((x, y, x + width, y + height))
        self._grow(x, y, x + width, y + height)

    def polygon(self, points, *, fill, layer=FRAME):
        """A filled polygon."""
        self._shapes(layer, fill, "none", 0.0, "solid").others.append(polygon(points))

    def lines(self, segments, *, colour=INK, line: Real = 0.8, dash: Dash = "solid", layer=GRID):
        """Straight segments ((x0, y0), (x1, y1))."""
        if segments:
            self._shapes(layer, "none", colour, line, dash).segments += segments

    def arrow(self, x0, x1, y, *, colour=INK, line: Real = 1.2, head: Real = 5.0):
        """A horizontal arrow from x0 to x1."""
        back = x1 - math.copysign(head, x1 - x0)
        self.lines([((x0, y), (back, y))], colour=colour, line=line, layer=FRAME)
        self.polygon([(x1, y), (back, y - head * 0.6), (back, y + head * 0.6)], fill=colour)

    def hatch(self, x, y, width, height, pattern, *, colour):
        """Only a hatch, over what is there."""
        path, filled = hatch_path(pattern, x, y, width, height)
        if np.size(path.vertices):
            look = (colour, "none") if filled else ("none", colour)
            self._shapes(MARK, *look, 0.85, "solid").others.append(path)

    def image(self, x, y, width, height, rgba):
        """An image, one rectangle per pixel of it; it lies over fills and marks and under grids and frames."""
        self._images.append((x, y, width, height, rgba))
        self._grow(x, y, x + width, y + height)

    # --- strings

    def text(self, x, y, text, *, size: Real = MIN_SIZE, colour=INK, weight="normal", align="center", angle=0) -> Real:
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

    def paragraph(self, x, y, text, limit, *, size: Real = 9.0, colour=INK, leading=1.45) -> Real:
        """Print wrapped text from its top left corner; returns the y below it."""
        for line in glyphs.wrap(text, size, limit):
            self.text(x, y + size * leading / 2, line, size=size, colour=colour, align="left")
            y += size * leading
        return y

    # --- the figure

    @property
    def bounds(self) -> tuple[Real, Real, Real, Real]:
        """Left, top, right and bottom of all that was drawn."""
        return self._left, self._top, self._right, self._bottom

    def figure(self, margin: Real = 8.0) -> Figure:
        """A figure that holds all of it, whole pixels wide and high."""
        left, top = self._left - margin, self._top - margin
        width = math.ceil((self._right + margin - left) / PIXEL) * PIXEL
        height = math.ceil((self._bottom + margin - top) / PIXEL) * PIXEL
        figure = Figure(figsize=(width / 72, height / 72), dpi=DPI, facecolor="white")
        to_inches = Affine2D().translate(-left, -top).scale(1 / 72, -1 / 72).translate(0, height / 72)
        to_pixels = to_inches + figure.dpi_scale_trans
        for zorder, layers in ((1, self._layers[:GRID]), (3, self._layers[GRID:])):
            shapes = [each for layer in layers for each in layer.values()]
            if shapes:
                figure.add_artist(collection(shapes, to_pixels, zorder))
        if self._images:
            figure.add_artist(Images(self._images, to_pixels, zorder=2))
        for colour, placed in self._texts.items():
            path = outlines(placed, (left, top))
            figure.add_artist(TextPatch(path, placed, fc=colour, lw=0, transform=to_pixels, zorder=5))
        return figure

    def reserve(self, x, y, width, height):
        """Keep room in the figure, so that pictures of a series have one size."""
        self._grow(x, y, x + width, y + height)

    def _shapes(self, layer: int, *look) -> Shapes:
        shapes = self._layers[layer].get(look)
        if shapes is None:
            shapes = self._layers[layer][look] = Shapes(*look)
        return shapes

    def _grow(self, left, top, right, bottom):
        self._left, self._top = min(self._left, left), min(self._top, top)
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)
