"""The sheet that pictures are drawn on."""

import matplotlib.colors
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from tpmlp.plots.canvas import Canvas


def test_the_first_row_of_an_image_is_on_top():
    red, blue = ([round(255 * part) for part in matplotlib.colors.to_rgba(name)] for name in ("red", "blue"))
    canvas = Canvas()
    canvas.image(0, 0, 72, 72, np.array([[red], [blue]], np.uint8))
    agg = FigureCanvasAgg(canvas.figure(margin=0.0))
    agg.draw()
    pixels = np.asarray(agg.buffer_rgba())
    assert pixels[10, 50].tolist() == red
    assert pixels[-10, 50].tolist() == blue
