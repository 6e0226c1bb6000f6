"""Bars made of parts, one bar for each number of devices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import glyphs
from .axis import axis_for
from .canvas import Canvas
from .shapes import BACK, FRAME
from .style import INK, SOFT_INK, WHITE
from .words import plural

HEIGHT = 210.0  # points
BAR = 44.0
GAP = 26.0
LEGEND = 10.0
CHOSEN = "#FFF6D6"  # behind the bar that an explorer's reader chose


@dataclass(frozen=True)
class Part:
    """What one colour in the bars stands for."""

    name: str
    fill: str


@dataclass(frozen=True)
class Bar:
    """One bar: the value of each part from the bottom up, and what is printed over and under it."""

    n: int
    values: tuple[int | float, ...]
    above: Sequence[str]
    below: Sequence[str] = ()


@dataclass(frozen=True)
class Mark:
    """A value with a name: a line across all bars, or, one for each bar, a short line over each."""

    name: str
    values: tuple[int | float, ...]


def draw_stacks(
    canvas: Canvas, title: str, parts: Sequence[Part], bars: Sequence[Bar], tick: Callable[[float], str],
    marks: Sequence[Mark] = (), chosen: int | None = None,
):  # fmt: skip
    """Draw the bars over a common axis, a title and a legend above them, a band behind the bar of `chosen` devices."""
    highest = [sum(bar.values) for bar in bars] + [value for mark in marks for value in mark.values]
    axis = axis_for(highest, HEIGHT, 0.0)
    right = len(bars) * (BAR + GAP)
    axis.draw_upright(canvas, 0.0, right, name=tick)
    lefts = [GAP / 2 + place * (BAR + GAP) for place in range(len(bars))]
    for mark in marks:
        _draw_mark(canvas, axis, mark, lefts, right)
    for bar, left in zip(bars, lefts, strict=True):
        if bar.n == chosen:
            canvas.rect(left - 9, 0, BAR + 18, HEIGHT + 20 + 12 * len(bar.below), fill=CHOSEN, radius=4, layer=BACK)
        _draw_bar(canvas, axis, parts, bar, left)
    _draw_legend(canvas, title, parts, marks, right)


def _draw_bar(canvas, axis, parts, bar: Bar, left: int | float):
    base = 0.0
    for part, value in zip(parts, bar.values, strict=True):
        low, high = axis.at(base), axis.at(base + value)
        if low - high > 0.3:
            canvas.rect(left, high, BAR, low - high, fill=part.fill, edge=INK, line=0.6)
        base += value
    middle = left + BAR / 2
    for line, text in enumerate(reversed(bar.above)):
        y, weight = axis.at(base) - 9 - 11 * line, "bold" if line else "normal"
        width = glyphs.width(text, 8.5, weight) + 4
        canvas.rect(middle - width / 2, y - 5.5, width, 11, fill=WHITE, layer=FRAME)  # a mark may run through it
        canvas.text(middle, y, text, size=8.5, weight=weight)
    for line, text in enumerate((plural(bar.n, "device"), *bar.below)):
        weight, colour = ("normal", SOFT_INK) if line else ("bold", INK)
        canvas.text(middle, HEIGHT + 12 + 12 * line, text, size=8.5, weight=weight, colour=colour)


def _draw_mark(canvas, axis, mark: Mark, lefts, right):
    if len(mark.values) == 1:
        spans = [((0, axis.at(mark.values[0])), (right, axis.at(mark.values[0])))]
    else:
        heights = map(axis.at, mark.values)
        spans = [((left - 6, y), (left + BAR + 6, y)) for left, y in zip(lefts, heights, strict=True)]
    canvas.lines(spans, colour=WHITE, line=2.4)  # so that it shows on a dark bar, too
    canvas.lines(spans, colour=INK, line=1.3, dash=(0, (4, 2)))


def _draw_legend(canvas, title, parts, marks, right):
    _, top, _, _ = canvas.bounds
    x, y = 0.0, top - 18
    for part in reversed(parts):
        canvas.rect(x, y - LEGEND / 2, LEGEND, LEGEND, fill=part.fill, edge=INK, line=0.6)
        x += LEGEND + 5
        x += canvas.text(x, y, part.name, size=8.5, align="left") + 16
    for mark in marks:
        canvas.lines([((x, y), (x + 16, y))], colour=INK, line=1.3, dash=(0, (4, 2)))
        x += 21
        x += canvas.text(x, y, mark.name, size=8.5, align="left") + 16
    for line in reversed(glyphs.wrap(title, 10, max(right, 300.0), "bold")):
        y -= 17
        canvas.text(0, y, line, size=10, weight="bold", align="left")
