"""Grade a learner's forward and name the mistake."""

from typing import Any

from .grading_program import grade_program
from .grading_values import grade_values
from .report import Report as Report
from .sheet import Sheet
from .trial import Trial


def check(candidate: Any, *, seconds: float | int = 20.0) -> Report:
    """Run a forward of the reader's own on made and given numbers, read its program, and say what is wrong.

    Whatever the candidate does, the report comes back: errors, prints, changed inputs and calls that do not return are
    all told. Code that waits inside C (a sleep, a compiled endless loop) is left running in a thread of its own.

    Args:
        candidate: a function with the signature and the result of `tpmlp.forward`; it is called with x (B, D),
            w1 (D, H), b1 (H,), w2 (H, O), b2 (O,) as lists and as NumPy float32 arrays.
        seconds: how long one call may take. After the first that takes longer, no more are made.

    Returns:
        A `Report`: `.passed`, `.faults` (stable short codes), and a table when it is printed or shown.
    """
    sheet = Sheet(_name(candidate))
    if not callable(candidate):
        sheet.fails("runs", "not-callable", f"it is of type {type(candidate).__name__}")
        return sheet.report()
    try:
        trial = Trial(candidate, seconds, sheet)
        grade_program(trial, grade_values(trial))
    except Exception as error:  # results that are no real arrays can raise wherever they are looked at
        sheet.fails("runs", "raises", f"while its results were read: {type(error).__name__}: {error}")
    return sheet.report()


def _name(candidate) -> str:
    return getattr(candidate, "__name__", None) or type(candidate).__name__
