"""Many small images as one artist, in whole pixels; matplotlib's own take a millisecond each."""

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backend_bases import RendererBase
from matplotlib.transforms import Transform

from .style import Real


class Images(Artist):
    """Draws (x, y, width, height, rgba) each: a box with its top left corner, filled by equal rectangles."""

    def __init__(self, placed: list[tuple], transform: Transform, zorder: int):
        super().__init__()
        self.placed = placed
        self.set_transform(transform)
        self.set_zorder(zorder)

    def draw(self, renderer: RendererBase):
        """Draw all of them with a renderer of any kind."""
        gc = renderer.new_gc()
        magnified = renderer.get_image_magnification()  # 1, but for SVG and PDF, which measure in points
        for x, y, width, height, rgba in self.placed:
            corners = self.get_transform().transform([(x, y + height), (x + width, y)])
            (left, low), (right, high) = np.rint(corners).tolist()
            rows = _spread(rgba.shape[0], (high - low) * magnified)[::-1]  # renderers want the lowest row first
            columns = _spread(rgba.shape[1], (right - left) * magnified)
            renderer.draw_image(gc, left, low, np.ascontiguousarray(rgba[np.ix_(rows, columns)]))
        gc.restore()


def _spread(cells: int, pixels: Real) -> np.ndarray:
    """For each pixel the cell that its middle lies in."""
    pixels = max(round(pixels), 1)
    return ((np.arange(pixels) + 0.5) * cells / pixels).astype(int)
