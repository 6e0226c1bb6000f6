"""Hidden units as images: each one's column of W1, laid out like the input that it looks at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from matplotlib.figure import Figure

from ..cost.sizes import check_size
from .blocks import held_by
from .canvas import MAX_WIDTH, Canvas
from .heat import Heat, scale_of
from .picture import Picture
from .shapes import BACK
from .style import SOFT_INK, device_style, fmt
from .tabs import TAB, draw_tab
from .words import plural

if TYPE_CHECKING:
    from ..tracing import Trace

LABEL, GAP, NAME, LANE_GAP = 64.0, 7.0, 13.0, 6.0
MAX_IMAGE, MIN_IMAGE, MAX_HEIGHT = 64.0, 26.0, 800.0  # points


def plot_units(trace: Trace, image_shape: Sequence[SupportsIndex]) -> Picture:
    """Draw every hidden unit's weights as an image, unit by unit in the lane of the device that holds it.

    Args:
        trace: from `tpmlp.trace`.
        image_shape: rows and columns of the images that the rows of x are; their product is D.

    Returns:
        A `Picture`; its text tells for every unit where it looks hardest.

    Raises:
        TypeError: a size is not a whole number.
        ValueError: `image_shape` does not have D pixels.
    """
    if len(image_shape) != 2:
        raise ValueError(f"image_shape={tuple(image_shape)} has {len(image_shape)} sizes; give two, rows and columns")
    rows, columns = (check_size(f"image_shape[{i}]", size) for i, size in enumerate(image_shape))
    if rows * columns != trace.x.shape[1]:
        raise ValueError(
            f"image_shape=({rows}, {columns}) has {rows * columns} pixels, but x has D={trace.x.shape[1]} columns; "
            f"give rows and columns whose product is {trace.x.shape[1]}"
        )
    return Picture(_draw(trace, rows, columns), _text(trace, rows, columns))


def _draw(trace: Trace, rows: int, columns: int) -> Figure:
    canvas, units = Canvas(), trace.devices[0].b1.size
    pixel = min(5.0, MAX_IMAGE / max(rows, columns))
    width, height = max(columns * pixel, MIN_IMAGE), max(rows * pixel, 12.0)
    per_row = max(1, min(units, int((MAX_WIDTH - 40 - TAB - LABEL) / (width + GAP))))
    most = max(1, int(MAX_HEIGHT / len(trace.devices) / (height + NAME + GAP)))
    lines = min(math.ceil(units / per_row), most)
    shown = min(units, lines * per_row)
    heat = Heat(scale_of([device.w1 for device in trace.devices]), width, height)
    lane_width = TAB + LABEL + per_row * (width + GAP) + GAP
    lane_height = lines * (height + NAME + GAP) + GAP
    for device in trace.devices:
        d, y = device.index, device.index * (lane_height + LANE_GAP)
        look = device_style(d)
        canvas.rect(0, y, lane_width, lane_height, fill=look.wash, edge=look.edge, line=1.2, layer=BACK)
        draw_tab(canvas, 0, y, TAB, lane_height, d)
        canvas.text(TAB + 6, y + lane_height / 2, look.label, size=9, weight="bold", align="left")
        for unit in range(shown):
            left = TAB + LABEL + GAP + (unit % per_row) * (width + GAP)
            top = y + GAP + (unit // per_row) * (height + NAME + GAP)
            canvas.text(left + width / 2, top + 4, str(d * units + unit), size=8, colour=SOFT_INK)
            heat.draw(canvas, left, top + NAME, device.w1[:, unit].reshape(rows, columns), held_by(d))
    low = canvas.bounds[3] + 10
    heat.draw_scale(canvas, 30, low)
    caption = (
        "One image per hidden unit: its column of W1. Where the input is large, red adds to the unit and blue takes "
        "away."
    )
    if shown < units:
        caption += f" Drawn are the first {shown} of the {units} units of each device."
    canvas.paragraph(70, low - 4, caption, max(lane_width - 70, 260), size=9, colour=SOFT_INK)
    canvas.text(0, -14, _title(trace, rows, columns), size=10, weight="bold", align="left")
    return canvas.figure()


def _title(trace: Trace, rows: int, columns: int) -> str:
    return f"{plural(trace.hidden.shape[1], 'hidden unit')} as images of {rows} × {columns} pixels"


def _text(trace: Trace, rows: int, columns: int) -> str:
    lines = [f"{_title(trace, rows, columns)}, by device. Each is a column of W1."]
    for device in trace.devices:
        units = device.b1.size
        lines.append(f"device {device.index}:")
        for unit in range(units):
            image = device.w1[:, unit].reshape(rows, columns)
            lines.append(f"  unit {device.index * units + unit}: {_extremes(image)}")
    return "\n".join(lines)


def _extremes(image: np.ndarray) -> str:
    finite = np.where(np.isfinite(image), image, 0.0)
    largest, smallest = fmt(finite.max()), fmt(finite.min())
    places = [[int(i) for i in np.unravel_index(place, image.shape)] for place in (finite.argmax(), finite.argmin())]
    words = f"largest {largest} at {places[0]}, smallest {smallest} at {places[1]}"
    if largest == smallest == "0":  # which of its entries is the largest then means nothing
        words = "0 everywhere, to three decimals"
    odd = int((~np.isfinite(image)).sum())
    return words + (f", {odd} NaN or infinite" if odd else "")
