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
_SHIFTS = (0, 8, 16)  # of red, green and blue in a pixel read as one number
_ZLIB_LEVEL = 3  # the file is a tenth larger than at level 6 and takes half the time


def palette_png(rgba: np.ndarray, dpi: Real) -> bytes:
    """A PNG file of an opaque uint8 (height, width, 4) image."""
    pixels = np.ascontiguousarray(rgba).view("<u4")[..., 0]
    keys = (pixels >> 3 & 31) | (pixels >> 5 & (63 << 5)) | (pixels >> 8 & (31 << 11))
    counts = np.bincount(keys.ravel(), minlength=_KEYS)
    odd = sum(part >> 8 - bits << at for part, bits, at in zip(rgb(NOT_FINITE), _BITS, (0, 5, 11), strict=True))
    counts[odd] *= pixels.size  # in the palette however few they are
    used = np.flatnonzero(counts)
    order = used[np.argsort(-counts[used], kind="stable")]
    colours = _colours(pixels, keys)
    colours[odd] = rgb(NOT_FINITE)
    colours = colours[order]
    palette = colours[:COLOURS]
    entry = np.zeros(_KEYS, np.uint8)
    entry[order] = [*range(len(palette)), *_nearest(colours[COLOURS:], palette)]
    return _write(entry.take(keys), np.rint(palette).astype(np.uint8), dpi)


def _colours(pixels: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """float32 (65536, 3): for each key the mean colour of every 16th pixel, if that has it, or else its middle."""
    pixels, keys = (np.ascontiguousarray(array.ravel()[::16]) for array in (pixels, keys))
    counts = np.bincount(keys, minlength=_KEYS)
    sums = [np.bincount(keys, pixels >> shift & 255, minlength=_KEYS) for shift in _SHIFTS]
    keys = np.arange(_KEYS)
    middles = [(keys & 31) * 8 + 4, (keys >> 5 & 63) * 4 + 2, (keys >> 11) * 8 + 4]
    means = [np.where(counts, s / np.maximum(counts, 1), m) for s, m in zip(sums, middles, strict=True)]
    return np.stack(means, axis=1).astype(np.float32)


def _nearest(colours: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """For each colour the place of the nearest one in the palette."""
    # |a - b|² without |a|², which does not change who is nearest.
    return np.argmin((palette**2).sum(1) - 2 * colours @ palette.T, axis=1)


def _write(entries: np.ndarray, palette: np.ndarray, dpi: Real) -> bytes:
    """A PNG file (https://www.w3.org/TR/png-3/): size, palette, resolution, and rows that each begin with filter 0."""
    height, width = entries.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = entries
    per_metre = round(dpi / 0.0254)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _part(b"PLTE", palette.tobytes()),
            _part(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _part(b"IDAT", zlib.compress(rows.tobytes(), _ZLIB_LEVEL)),
            _part(b"IEND", b""),
        )
    )


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
