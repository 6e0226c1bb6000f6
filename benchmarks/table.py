"""The table that `make bench` prints, line by line as the measurements come in."""

from .measure import Row

_MARKS = {True: "holds", False: "BROKEN", None: ""}


def heading() -> str:
    return f"\n{'what':<58} {'ours':>9}   {'against':<43} {'other':>9}  {'ratio':>6}  {'bound':>6}\n" + "-" * 145


def line(row: Row) -> str:
    bound = "" if row.bound is None else f"{row.bound:.2f}"
    quantities = (_quantity(value, row.unit) for value in (row.ours, row.other))
    ours, other = quantities
    return f"{row.name:<58} {ours:>9}   {row.against:<43} {other:>9}  {row.ratio:6.3f}  {bound:>6}  {_MARKS[row.holds]}"


def _quantity(value: float, unit: str) -> str:
    """`value` with three digits: "12.3 ms"."""
    if unit == "s" and value < 1:
        scale, unit = (1e3, "ms") if value >= 1e-3 else (1e6, "µs")
        value *= scale
    digits = 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{digits}f} {unit}"
