"""The strip in a device's colour and hatch that marks, in every picture, what is the device's."""

from .canvas import Canvas
from .shapes import FRAME
from .style import WHITE, Real, device_style

TAB = 13.0  # points across


def draw_tab(canvas: Canvas, x: Real, y: Real, width: Real, height: Real, d: int):
    """Device d's strip, or bar, with its top left corner at (x, y)."""
    look = device_style(d)
    canvas.rect(x, y, width, height, fill=look.colour)
    if min(width, height) > 4:  # a hatch would hide the colour of a thinner bar
        canvas.hatch(x, y, width, height, look.hatch, colour=WHITE)
    canvas.rect(x, y, width, height, edge=look.edge, line=0.9, layer=FRAME)


def draw_all_tabs(canvas: Canvas, x: Real, y: Real, width: Real, height: Real, devices: int):
    """The strips of all devices below each other: what every one of them holds."""
    for d in range(devices):
        draw_tab(canvas, x, y + d * height / devices, width, height / devices, d)
