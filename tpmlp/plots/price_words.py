"""What the pictures of costs have in common: which numbers of devices, and how sizes are told."""

from collections.abc import Sequence

from ..cost.sizes import check_sizes
from .style import HYPHEN

COUNTS = (1, 2, 4, 8, 16, 32)
ALL_REDUCE = f"all{HYPHEN}reduce"


def dividing(H: int, counts: Sequence[int]) -> list[int]:
    """Those numbers of devices over which H hidden units can be split, growing.

    Raises:
        TypeError: H or a number of devices is not a whole number.
        ValueError: one is below 1, or there is none that divides H.
    """
    check_sizes(H=H)
    for n in counts:
        check_sizes(devices=n)
    fitting = sorted({n for n in counts if H % n == 0})
    if not len(counts):
        raise ValueError("counts is empty; give some numbers of devices, such as (1, 2, 4, 8)")
    if not fitting:
        raise ValueError(f"H={H} cannot be split over any of {tuple(counts)} devices")
    return fitting


def sizes_told(B: int, D: int, H: int, O: int, dtype: str, gated: bool) -> str:
    """`B=4096, D=8192, H=28672, O=8192, bfloat16, gated`."""
    return f"B={B}, D={D}, H={H}, O={O}, {dtype}{', gated' if gated else ''}"
