"""What all drawings of a matrix block share: whose it is, and how it lies."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from .style import REPLICATED, REPLICATED_EDGE, device_style

DASHES = (0, (3, 2))  # the outline of what is not there


@dataclass(frozen=True)
class Look:
    """Fill and line colour of a block."""

    fill: str
    edge: str


GREY = Look(REPLICATED, REPLICATED_EDGE)


@lru_cache
def held_by(d: int, strong: bool = False) -> Look:
    """The look of a block on device d; `strong` for what it gives away."""
    style = device_style(d)
    return Look(style.colour if strong else style.tint, style.edge)


def as_matrix(values) -> np.ndarray:
    """(rows, columns); a vector becomes one row."""
    values = np.asarray(values)
    return values[None] if values.ndim == 1 else values
