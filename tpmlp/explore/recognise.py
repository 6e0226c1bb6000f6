"""Tell from the numbers alone what is wrong with an out: the mistakes that leave a whole multiple behind."""

import numpy as np

from ..plots.style import fmt
from ..tracing import Trace

_CLOSE = 1e-4  # of the largest number; float32 sums in another order differ by less


def what_is_off(right: Trace, outs: np.ndarray) -> str:
    """In a sentence or two, by how much `outs` are off, and how that hangs together with the right numbers.

    Args:
        right: the trace of the right forward.
        outs: (n, B, O), out as each device has it.
    """
    if not _same(outs, outs[:1]):
        return _disagreement(right, outs)
    out = outs[0]
    if _same(out, right.out):
        return "out is right, on every device."
    counts = times_counted(right, out)
    if counts is None:
        return f"{_most_off(right, out)} No whole multiple of hW2 and b2 explains it."
    return f"{_multiple(*counts)} {_most_off(right, out)}"


def times_counted(right: Trace, out: np.ndarray) -> tuple[int, int] | None:
    """Whole numbers (s, b) with out = s · hW2 + b · b2 in every entry; None if there are none."""
    terms = np.stack([right.psum.ravel(), np.broadcast_to(right.b2, out.shape).ravel()], axis=1).astype(np.float64)
    wanted = out.ravel().astype(np.float64)
    counts = np.rint(np.linalg.lstsq(terms, wanted, rcond=None)[0])
    return (int(counts[0]), int(counts[1])) if _same(terms @ counts, wanted) else None


def _multiple(sums: int, biases: int) -> str:
    if sums == 1:
        return f"out is off by exactly {biases - 1}·b2: b2 was counted {biases} times."
    if sums == biases:
        return f"out is exactly {sums}× what it should be."
    return f"hW2 was counted exactly {sums} times, b2 {biases} times."


def _disagreement(right: Trace, outs: np.ndarray) -> str:
    kinds = len({tuple(map(fmt, out.ravel())) for out in outs})
    own = np.stack([device.partial for device in right.devices]) + right.b2
    why = "each holds its own partial + b2" if _same(outs, own) else "nobody has the sum"
    return f"The {len(outs)} devices do not agree, there are {kinds} different outs: {why}."


def _most_off(right: Trace, out: np.ndarray) -> str:
    off = np.abs(out.astype(np.float64) - right.out)
    row, column = (int(i) for i in np.unravel_index(np.argmax(off), off.shape))
    return f"The worst entry, out[{row}, {column}], is off by {fmt(out[row, column] - right.out[row, column])}."


def _same(values: np.ndarray, others: np.ndarray) -> bool:
    scale = max(float(np.abs(others).max(initial=0.0)), 1.0)
    return bool(np.abs(values - others).max(initial=0.0) <= _CLOSE * scale)
