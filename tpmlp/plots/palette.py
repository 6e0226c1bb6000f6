"""A rendered picture as a small PNG: a palette of its most frequent colours instead of four bytes a pixel.

Pillow's own quantisers merge the pale backgrounds of neighbouring lanes; this one keeps every colour that fills an
area, and writing a palette PNG by hand takes a quarter of the time that Pillow does.
"""

import struct
import zlib

import numpy as np

from .style import NOT_FINITE, Real, rgb

COLOURS = 256
_BITS = (5, 6, 5)  # of red, green and blue in a key; with fewer of green the backgrounds of two devices would be one
_KEYS = 1 << sum(_BITS)
_ODD = sum(part >> 8 - bits << at for part, bits, at in zip(rgb(NOT_FINITE), _BITS, (0, 5, 11), strict=True))
_SHIFTS = (0, 8, 16)  # of red, green and blue in a pixel read as one number
_STRIP = 128  # rows
_ZLIB_LEVEL = 3  # the file is a tenth larger than at level 6 and takes half the time


def palette_png(rgba: np.ndarray, dpi: Real) -> bytes:
    """A PNG file of an opaque uint8 (height, width, 4) image."""
    pixels = np.ascontiguousarray(rgba).view("<u4")[..., 0]
    keys, counts = _keys(pixels)
    counts[_ODD] *= pixels.size  # in the palette however few they are
    used = np.flatnonzero(counts)
    used = used[np.argsort(-counts[used], kind="stable")]
    colours = _colours(pixels, keys, used)
    palette = colours[:COLOURS]
    entry = np.zeros(_KEYS, np.uint8)
    entry[used] = [*range(len(palette)), *_nearest(colours[COLOURS:], palette)]
    return _write(keys, entry, np.rint(palette).astype(np.uint8), dpi)


def _keys(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """uint16, the key of each pixel, and how often each key occurs."""
    keys, counts = np.empty(pixels.shape, np.uint16), np.zeros(_KEYS, np.int64)
    for rows in _strips(len(pixels)):
        part = pixels[rows]
        keys[rows] = (part >> 3 & 31) | (part >> 5 & (63 << 5)) | (part >> 8 & (31 << 11))
        counts += np.bincount(keys[rows].ravel(), minlength=_KEYS)
    return keys, counts


def _strips(height: int) -> list[slice]:
    """A few rows at a time stay in the processor's cache, which is faster than all at once."""
    return [slice(top, top + _STRIP) for top in range(0, height, _STRIP)]


def _colours(pixels: np.ndarray, keys: np.ndarray, used: np.ndarray) -> np.ndarray:
    """float32 (len(used), 3): the mean colour of each key, of every 16th pixel if one has it, or else its middle."""
    pixels, keys = pixels.ravel()[::16], keys.ravel()[::16]
    counts = np.bincount(keys, minlength=_KEYS)[used]
    sums = [np.bincount(keys, pixels >> shift & 255, minlength=_KEYS)[used] for shift in _SHIFTS]
    middles = [(used & 31) * 8 + 4, (used >> 5 & 63) * 4 + 2, (used >> 11) * 8 + 4]
    means = [np.where(counts, s / np.maximum(counts, 1), m) for s, m in zip(sums, middles, strict=True)]
    colours = np.stack(means, axis=1).astype(np.float32)
    colours[used == _ODD] = rgb(NOT_FINITE)
    return colours


def _nearest(colours: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """For each colour the place of the nearest one in the palette."""
    # |a - b|² without |a|², which does not change who is nearest.
    return np.argmin((palette**2).sum(1) - 2 * colours @ palette.T, axis=1)


def _write(keys: np.ndarray, entry: np.ndarray, palette: np.ndarray, dpi: Real) -> bytes:
    """A PNG file (https://www.w3.org/TR/png-3/): size, palette, resolution, and rows that each begin with filter 0."""
    height, width = keys.shape
    lines = np.zeros((height, width + 1), np.uint8)
    for rows in _strips(height):
        lines[rows, 1:] = entry[keys[rows]]
    per_metre = round(dpi / 0.0254)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _part(b"PLTE", palette.tobytes()),
            _part(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _part(b"IDAT", zlib.compress(lines.tobytes(), _ZLIB_LEVEL)),
            _part(b"IEND", b""),
        )
    )


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
