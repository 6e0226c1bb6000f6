"""What the formulas accept, and in which words they refuse the rest."""

import operator

BYTES = {"float32": 4, "bfloat16": 2}  # of one number, by dtype


def check_size(name: str, value) -> int:
    """`value` as an int that can be a size: 1 or more, and for B, the number of samples, also 0.

    Raises:
        TypeError: it is not a whole number.
        ValueError: it is too small.
    """
    smallest = 0 if name == "B" else 1
    try:
        size = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is not a whole number; use {smallest} or more") from None
    if size < smallest:
        raise ValueError(f"{name}={size} is too small; use {smallest} or more")
    return size


def check_sizes(**sizes) -> None:
    """`check_size` for several, by name."""
    for name, value in sizes.items():
        check_size(name, value)


def check_divisible(H: int, n: int) -> None:
    """Refuse hidden units that n devices cannot share evenly, with the nearest numbers that they can.

    Raises:
        ValueError: H is not divisible by n.
    """
    if H % n:
        lower = H // n * n
        remedy = f"{lower} or {lower + n}" if lower else str(n)
        raise ValueError(f"H={H} cannot be split over {n} devices; use {remedy}")


def bytes_of(dtype: str) -> int:
    """The bytes of one number.

    Raises:
        ValueError: the dtype is none of those that the formulas know.
    """
    if not isinstance(dtype, str) or dtype not in BYTES:
        raise ValueError(f"dtype={dtype!r} is not known here; use {' or '.join(map(repr, BYTES))}")
    return BYTES[dtype]
