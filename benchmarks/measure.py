"""Two kinds of measurement: a pair of things timed in turn, and one quantity against its limit."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Pair:
    """Two ways to do the same, called in turn within one run, so that what else the machine does hits both.

    Attributes:
        name: what `ours` does, in a few words.
        against: what `other` does.
        ours, other: functions that return when the work is done (for JAX: after `block_until_ready`). What they return
            is ignored, unless `self_timed`.
        bound: the ratio ours / other that may not be exceeded; None if it is only of interest.
        rounds: how often each is timed, one right after the other.
        calls: how many calls make up one timing: enough for a millisecond or more.
        self_timed: the functions return the seconds that they took, because only they know when to start the clock.
    """

    name: str
    against: str
    ours: Callable[[], object]
    other: Callable[[], object]
    bound: float | None = None
    rounds: int = 21
    calls: int = 1
    self_timed: bool = False


@dataclass(frozen=True)
class Limit:
    """One quantity that has a limit of its own.

    Attributes:
        name: what is measured.
        unit: of the quantity and the limit, such as "s" or "MB".
        limit: what may not be exceeded.
        measure: a function that returns the quantity.
    """

    name: str
    unit: str
    limit: float
    measure: Callable[[], float]


@dataclass(frozen=True)
class Row:
    """One line of the table: a ratio and the bound that it must keep.

    Attributes:
        ours, other: for a pair the median times.
        ratio: for a pair the median of the rounds' own ratios, which is not always the ratio of the medians: what slows
            the machine down for a while slows both sides of a round.
    """

    name: str
    ours: float
    against: str
    other: float
    unit: str
    bound: float | None
    ratio: float

    @property
    def holds(self) -> bool | None:
        """Whether the ratio keeps its bound; None without a bound."""
        return None if self.bound is None else self.ratio <= self.bound


def measured(benchmark: Pair | Limit) -> Row:
    """Carry `benchmark` out."""
    if isinstance(benchmark, Limit):
        value = benchmark.measure()
        return Row(benchmark.name, value, "the limit", benchmark.limit, benchmark.unit, 1.0, value / benchmark.limit)
    ours, other = _in_turn(benchmark)
    ratio = median(a / b for a, b in zip(ours, other, strict=True))
    return Row(benchmark.name, median(ours), benchmark.against, median(other), "s", benchmark.bound, ratio)


def _in_turn(pair: Pair) -> tuple[list[float], list[float]]:
    sides = ((pair.ours, []), (pair.other, []))
    for function, _ in sides:  # compile, and fill caches
        _seconds(pair, function)
    for number in range(pair.rounds):
        # Each goes first as often as the other.
        for function, seconds in sides if number % 2 else reversed(sides):
            seconds.append(_seconds(pair, function))
    return sides[0][1], sides[1][1]


def _seconds(pair: Pair, function: Callable[[], object]) -> float:
    """The time of one call."""
    if pair.self_timed:
        return float(function())  # type: ignore[arg-type]
    start = time.perf_counter()
    for _ in range(pair.calls):
        function()
    return (time.perf_counter() - start) / pair.calls
