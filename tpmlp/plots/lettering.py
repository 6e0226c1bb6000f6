"""Printed strings as patches: where each stands, and the outlines of all of one colour as one path."""

from typing import NamedTuple

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from . import glyphs
from .style import Real

DPI = 100
PIXEL = 72 / DPI  # in points


class Placed(NamedTuple):
    """One printed string and where: its left end on the baseline, in points from the top left, and its angle."""

    text: str
    size: Real
    weight: str
    x: Real
    y: Real
    angle: int


class TextPatch(PathPatch):
    """All strings of one colour as one patch; `placed` tells what was printed where."""

    def __init__(self, path: Path, placed: list[Placed], **kwargs):
        super().__init__(path, **kwargs)
        self.placed = placed


def outlines(placed: list[Placed], origin: tuple[Real, Real]) -> Path:
    """One path of all the strings, baselines on whole pixels so that digits stay crisp."""
    vertices, codes = [], []
    for text, size, weight, x, y, angle in placed:
        outline, outline_codes, _ = glyphs.outline(text, weight)
        if angle == 90:
            x = origin[0] + round((x - origin[0]) / PIXEL) * PIXEL
            vertices.append(outline[:, ::-1] * (-size, -size) + (x, y))
        else:
            y = origin[1] + round((y - origin[1]) / PIXEL) * PIXEL
            vertices.append(outline * (size, -size) + (x, y))
        codes.append(outline_codes)
    return Path(np.concatenate(vertices), np.concatenate(codes))
