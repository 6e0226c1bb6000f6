"""Arguments that cannot be drawn are refused with the numbers."""

import operator

from .words import plural


def check_index(name: str, value, count: int, where: str) -> int:
    """`value` as an int from 0 to count - 1; `where` begins the sentence that says how many there are."""
    rule = "use 0" if count == 1 else f"use 0 to {count - 1}" if count else "there is nothing to draw"
    try:
        index = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is not a whole number; {rule}") from None
    if not 0 <= index < count:
        raise ValueError(f"{name}={index} does not exist: {where} {plural(count, name)}; {rule}")
    return index
