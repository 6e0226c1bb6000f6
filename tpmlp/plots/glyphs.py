"""Strings as outlines, fast: a glyph is read from the font once and then only moved and scaled.

A matplotlib `Text` costs milliseconds, and a picture of the course has hundreds of numbers; as outlines all of them
together are one patch.
"""

from functools import cache, lru_cache

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath, text_to_path

from .style import Real

CAP_HEIGHT = 0.729  # DejaVu Sans: height of capitals and digits, in units of the font size
DESCENT = 0.236
_EM = 100.0


@lru_cache
def _font(weight: str) -> FontProperties:
    return FontProperties(family="DejaVu Sans", weight=weight)  # comes with matplotlib, so looks the same everywhere


@cache
def _glyph(character: str, weight: str) -> tuple[np.ndarray, np.ndarray, Real]:
    """Vertices and codes of one character at font size 1, and how far it moves the pen."""
    # Between two bars, because a lone space has no width of its own.
    width, bars = (text_to_path.get_text_width_height_descent(s, _font(weight), False)[0] for s in _probe(character))
    advance = (width - bars) / _font(weight).get_size_in_points()
    if character.isspace():
        return np.zeros((0, 2)), np.zeros(0, Path.code_type), advance
    path = TextPath((0, 0), character, size=_EM, prop=_font(weight))
    return path.vertices / _EM, path.codes, advance


def _probe(character: str) -> tuple[str, str]:
    return f"|{character}|", "||"


@lru_cache(maxsize=20_000)
def outline(text: str, weight: str = "normal") -> tuple[np.ndarray, np.ndarray, Real]:
    """Vertices (y upwards, pen at the origin) and path codes of `text` at font size 1, and its width."""
    vertices, codes, pen = [np.zeros((0, 2))], [np.zeros(0, Path.code_type)], 0.0
    for character in text:
        glyph, glyph_codes, advance = _glyph(character, weight)
        vertices.append(glyph + np.array([pen, 0.0]))
        codes.append(glyph_codes)
        pen += advance
    return np.concatenate(vertices), np.concatenate(codes), pen


def width(text: str, size: Real, weight: str = "normal") -> Real:
    """Width of `text` in points when printed at `size` points."""
    return outline(text, weight)[2] * size


def wrap(text: str, size: Real, limit: Real, weight: str = "normal") -> list[str]:
    """The words of `text` in lines no wider than `limit` points (one long word may stand out)."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width(longer, size, weight) > limit:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
