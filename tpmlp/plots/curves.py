"""Curves with a mark at each point, and their names at the right ends, moved apart where they would overlap."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from .canvas import Canvas
from .shapes import FRAME, Dash
from .style import WHITE, Real

LABEL_STEP = 12.0  # points between two names


class Curve(NamedTuple):
    """A name, its points from left to right and its looks."""

    name: str
    points: Sequence[tuple[Real, Real]]
    colour: str
    dash: Dash = "solid"
    line: Real = 1.6


def draw_curves(canvas: Canvas, curves: Sequence[Curve], right: Real):
    """Draw them, with their names right of `right`."""
    for curve in curves:
        canvas.lines(list(pairwise(curve.points)), colour=curve.colour, line=curve.line, dash=curve.dash)
        for left, top in curve.points:
            canvas.rect(left - 2.5, top - 2.5, 5, 5, fill=WHITE, edge=curve.colour, line=1.2, radius=2.5, layer=FRAME)
    lowest = math.inf
    for curve in sorted(curves, key=lambda curve: -curve.points[-1][1]):
        end = curve.points[-1][1]
        lowest = min(end, lowest - LABEL_STEP)
        _draw_name(canvas, curve, right, end, lowest)


def _draw_name(canvas: Canvas, curve: Curve, right: Real, end: Real, place: Real):
    canvas.lines([((right + 4, end), (right + 14, place))], colour=curve.colour, line=0.7)
    canvas.lines([((right + 14, place), (right + 38, place))], colour=curve.colour, line=curve.line, dash=curve.dash)
    canvas.text(right + 43, place, curve.name, size=8.5, colour=curve.colour, weight="bold", align="left")
