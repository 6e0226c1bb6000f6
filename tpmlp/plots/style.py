"""How every picture looks: one colour, one hatch and one label per device, grey for what is replicated."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import SupportsFloat

Real = int | float  # a size or a place, most often in points

# Okabe and Ito's eight colours, told apart also by readers with colour-blind eyes (https://jfly.uni-koeln.de/color/).
COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#000000")
HATCHES = ("/", "\\", ".", "x", "-", "|", "+", "o")  # drawn by hatch.py

INK = "#1A1A1A"
SOFT_INK = "#555555"
FAINT = "#8A8A8A"
WHITE = "#FFFFFF"
REPLICATED = "#E2E2E2"  # the grey of x, b2, psum and out
REPLICATED_EDGE = "#6E6E6E"
PANEL = "#F4F4F4"  # behind what is replicated
NOT_FINITE = "#FF4FD8"  # NaN and infinity: a colour that no device has
DARK = "#222222"  # the psum
HYPHEN = "\u2011"  # in pictures, where a plain hyphen would become a minus sign


@dataclass(frozen=True)
class DeviceStyle:
    """The looks of one device: pure colour, cell fill, lane background and line colour, hatch and label."""

    colour: str
    tint: str
    wash: str
    edge: str
    hatch: str
    label: str


@lru_cache
def device_style(d: int) -> DeviceStyle:
    """The looks of device d; beyond eight devices colours and hatches repeat and the label tells them apart."""
    colour = COLOURS[d % len(COLOURS)]
    black = colour == "#000000"  # its tints would be the grey that means replicated, so it stays dark
    return DeviceStyle(
        colour=colour,
        tint="#4A4A4A" if black else mix(colour, WHITE, 0.5),
        wash="#F4F4F4" if black else mix(colour, WHITE, 0.1),
        edge=colour if black else mix(colour, "#000000", 0.72),
        hatch=HATCHES[d % len(HATCHES)],
        label=f"device {d}",
    )


@lru_cache
def mix(colour: str, other: str, share: Real) -> str:
    """`share` of `colour` and the rest of `other`, both as #RRGGBB."""
    parts = (round(share * a + (1 - share) * b) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)


@lru_cache
def contrast(colour: str, other: str) -> Real:
    """The contrast ratio of two colours, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio)."""
    low, high = sorted((_luminance(colour), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache
def ink_on(fill: str) -> str:
    """Black or white, whichever reads better on `fill`."""
    return INK if contrast(fill, INK) >= contrast(fill, WHITE) else WHITE


def rgb(colour: str) -> tuple[int, ...]:
    """Red, green and blue of #RRGGBB, 0 to 255."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _luminance(colour: str) -> Real:
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour)))
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def fmt(value: SupportsFloat) -> str:
    """A number as every picture and text prints it: at most 3 decimals, no trailing zeros, never -0."""
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if abs(value) >= 99999.5:
        return f"{value:.2e}"
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def minus(text: str) -> str:
    """The same with a real minus sign, for pictures; texts keep the hyphen that Python prints."""
    return text.replace("-", "−")
