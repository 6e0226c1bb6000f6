"""The words and numbers of a picture's text, rounded so that every machine writes the same."""

import numpy as np
from numpy.typing import ArrayLike

from .style import fmt

MAX_PRINTED = 64  # entries; larger arrays are told by their range and mean


def shape(values: ArrayLike) -> str:
    """`(2, 3)`, as Python prints a shape."""
    return str(tuple(int(size) for size in np.shape(values)))


def numbers(values: ArrayLike) -> str:
    """`[[1, 2], [3, 4]]`, as nested lists of rounded numbers."""
    values = np.asarray(values)
    return "[" + ", ".join(map(numbers, values)) + "]" if values.ndim else fmt(values)


def told(values: ArrayLike) -> str:
    """All entries of a small array; range and mean of a large one."""
    values = np.asarray(values)
    if values.size <= MAX_PRINTED:
        return numbers(values)
    finite = values[np.isfinite(values)].astype(np.float64)
    words = f"min {fmt(finite.min())}, max {fmt(finite.max())}, mean {fmt(finite.mean())}" if finite.size else ""
    odd = values.size - finite.size
    return words + (f"{', ' if words else ''}{odd} NaN or infinite" if odd else "")


def named(name: str, values: ArrayLike) -> str:
    """`hidden (1, 1) = [[0.55]]`, or `hidden (64, 8): min …`."""
    values = np.asarray(values)
    return f"{name} {shape(values)}{' = ' if values.size <= MAX_PRINTED else ': '}{told(values)}"


def plural(count: int, noun: str) -> str:
    """`1 device`, `8 devices`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
