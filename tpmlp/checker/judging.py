"""What holds for a program however it was read: its bytes, its collectives, its compilations."""

from dataclasses import dataclass

from ..layout import Inputs
from ..mesh import NUM_DEVICES
from .grading_values import Graded
from .sheet import Sheet

_SCATTERED = {"reduce-scatter": 1, "all-gather": 1}


@dataclass(frozen=True)
class Traffic:
    """The collectives of a compiled program: HLO name → how many, and the bytes that one device puts into them."""

    kinds: dict[str, int]
    bytes: int


def full_weights(arrays: Inputs) -> dict[int, str]:
    """The weights by their number of entries, as far as nothing else has as many."""
    batch, units, outputs = len(arrays.x), len(arrays.b1), len(arrays.b2)
    others = {arrays.x.size, units, outputs, batch * units, batch * outputs}
    return {array.size: name for array, name in ((arrays.w1, "W1"), (arrays.w2, "W2")) if array.size not in others}


def grade_bytes(sheet: Sheet, came: int, arrays: Inputs) -> None:
    whole, split = arrays.x.nbytes + arrays.b2.nbytes, arrays.w1.nbytes + arrays.b1.nbytes + arrays.w2.nbytes
    expected = whole + split // NUM_DEVICES
    detail = f"expected {expected}, came {came}"
    if came > expected:
        sheet.fails("bytes", "too-many-argument-bytes", detail)
    else:  # less where b2, say, is added outside of the body
        sheet.passes("bytes", detail if came < expected else f"{came} bytes")


def grade_traffic(sheet: Sheet, psums: int, traffic: Traffic | None, arrays: Inputs, right: bool) -> None:
    kinds = traffic.kinds if traffic else {}
    seen = ", ".join(f"{number} {kind}" for kind, number in sorted(kinds.items())) or "no collective"
    if kinds == _SCATTERED and not psums and right:
        sheet.remark("psum", "psum_scatter and all_gather, which add up as well, in two operations where one would do")
        sheet.remark("collectives", seen)
        return
    if psums == 1:
        sheet.passes("psum")
    else:
        sheet.fails("psum", "more-than-one-psum" if psums else "no-psum", f"{psums} psums, {seen}")
    if traffic is None:
        return
    needed = 4 * len(arrays.x) * len(arrays.b2)
    if kinds != {"all-reduce": 1}:
        sheet.fails("collectives", "extra-collectives" if kinds else "no-psum", seen)
    elif traffic.bytes > needed:
        sheet.fails("collectives", "extra-collectives", f"{traffic.bytes} bytes are added up; B×O floats are {needed}")
    else:
        sheet.passes("collectives", f"{traffic.bytes} bytes")


def grade_compilations(sheet: Sheet, jitted: bool, graded: Graded) -> None:
    if graded.again is None:
        return
    number = graded.again.outcome.compilations
    seen = f"a second call with the same shapes compiled {number} program{'s' if number > 1 else ''}"
    if not number:
        sheet.passes("compiles")
    elif not jitted:
        sheet.remark("compiles", f"not jitted, so JAX runs the body step by step: {seen}")
    else:
        sheet.fails("compiles", "recompiles-every-call", seen)


def grade_arrivals(sheet: Sheet, graded: Graded) -> None:
    """Full weights that were seen on one device, on their way to being split."""
    if seen := graded.watch.seen:
        told = "\n".join(f"{name} in full on one device, {line}" for name, line in seen.items())
        sheet.fails("weights", "full-weight-built-first", told)
    else:
        sheet.passes("weights")


def listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
