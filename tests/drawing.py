"""What the tests of the pictures share: made-up traces of any shape, and a look at what a figure prints where."""

from functools import lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from tpmlp import DeviceTrace, Trace
from tpmlp.plots.canvas import TextPatch


def made_up_trace(b, d, h, o, n=8, *, decimals=1, factor=1.0, seed=0) -> Trace:
    """A trace computed with NumPy, for pictures of shapes that need no device."""
    rng = np.random.default_rng(seed)
    shapes = ((b, d), (d, h), (h,), (h, o), (o,))
    x, w1, b1, w2, b2 = (np.round(factor * rng.normal(size=s), decimals).astype(np.float32) for s in shapes)
    devices = []
    for place in range(n):
        own = slice(place * h // n, (place + 1) * h // n)
        pre = x @ w1[:, own] + b1[own]
        hidden = np.maximum(pre, 0)
        blocks = {"w1": w1[:, own], "b1": b1[own], "w2": w2[own], "preactivation": pre, "hidden": hidden}
        devices.append(DeviceTrace(place, f"cpu:{place}", **blocks, partial=hidden @ w2[own], bytes=0))
    psum = np.sum([device.partial for device in devices], axis=0)
    hidden = np.concatenate([device.hidden for device in devices], axis=1)
    return Trace(x, tuple(devices), psum, b2, psum + b2, hidden)


def printed_texts(figure) -> list[tuple[str, float, tuple[float, float, float, float]]]:
    """Every string of a figure: text, size in points, and its box (left, low, right, high) in pixels."""
    texts = []
    for patch in figure.findobj(TextPatch):
        for text, size, weight, x, y, angle in patch.placed:
            left, low, right, high = _extents(text, size, weight)
            corners = [(x + left, y - high), (x + right, y - low)]
            if angle == 90:
                corners = [(x - high, y - right), (x - low, y - left)]
            pixels = patch.get_transform().transform(corners)
            texts.append((text, size, (*pixels.min(axis=0), *pixels.max(axis=0))))
    return texts


@lru_cache(100_000)
def _extents(text: str, size: float, weight: str) -> tuple[float, float, float, float]:
    # By matplotlib's own layout, not by the widths with which the picture was laid out.
    box = TextPath((0, 0), text, size=size, prop=FontProperties(family="DejaVu Sans", weight=weight)).get_extents()
    return box.x0, box.y0, box.x1, box.y1


def faults_of_layout(figure, *, max_width=1280) -> list[str]:
    """What a reader would complain about: too wide, too small, cut off, overlapping."""
    width, height = figure.get_size_inches() * figure.dpi
    faults = [f"{width:.0f} pixels wide"] if width > max_width + 0.5 else []
    texts = printed_texts(figure)
    faults += [f"{text!r} has {size} points" for text, size, _ in texts if size < 8]
    boxes = np.array([box for _, _, box in texts])
    cut = (boxes[:, :2] < 1).any(1) | (boxes[:, 2] > width - 1) | (boxes[:, 3] > height - 1)
    faults += [f"{texts[i][0]!r} is cut off" for i in np.flatnonzero(cut)]
    apart = 0.5  # pixels by which neighbours' antialiased edges may touch
    for i, (text, _, (left, low, right, high)) in enumerate(texts):
        others = boxes[i + 1 :]
        over = (others[:, 0] < right - apart) & (others[:, 2] > left + apart)
        over &= (others[:, 1] < high - apart) & (others[:, 3] > low + apart)
        faults += [f"{text!r} overlaps {texts[i + 1 + j][0]!r}" for j in np.flatnonzero(over)]
    return faults
