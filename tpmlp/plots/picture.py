"""`Picture`: a figure and a text that says the same."""

import base64
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .palette import palette_png


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture for the eye and the same for the ear; a notebook shows the PNG and stores the text beside it.

    Attributes:
        figure: the matplotlib figure, made without pyplot, so that closing is never needed.
        text: all that the picture shows, numbers included, in lines.
        alt: one line for an `<img alt>`; the text's first line unless a picture has a better one.
    """

    figure: Figure
    text: str
    alt: str = ""

    def __post_init__(self):
        if not self.alt:
            object.__setattr__(self, "alt", self.text.partition("\n")[0])

    def png(self) -> bytes:
        """The picture as a PNG file of at most 1280 pixels' width; drawn once and then remembered."""
        return self._png

    @cached_property
    def _png(self) -> bytes:
        canvas = FigureCanvasAgg(self.figure)
        canvas.draw()
        png = palette_png(np.asarray(canvas.buffer_rgba()), self.figure.dpi)
        # The pixels would live as long as the figure, and that is until the next garbage collection: a slider that is
        # moved fast leaves hundreds of megabytes. An empty canvas in the place of this one lets them go at once.
        FigureCanvasBase(self.figure)
        return png

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        return {"text/plain": self.text, "image/png": base64.b64encode(self.png()).decode("ascii")}

    def __str__(self) -> str:
        return self.text
