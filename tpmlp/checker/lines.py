"""Which line of the learner's own code was running."""

import linecache
import sys
import threading
import traceback
from pathlib import Path
from types import CodeType, FrameType

import jax

_NOT_THE_LEARNERS = tuple(
    str(Path(module.__file__ or "").parent) for module in (jax, sys.modules["jaxlib"], threading, sys.modules[__name__])
)


def line_of_error(error: BaseException) -> str:
    """Where in the learner's code an error arose, as `line 7: h = x @ w1`; empty if nowhere."""
    if isinstance(error, SyntaxError) and error.lineno:
        return _say(error.lineno, error.text or "")
    found = [(frame.f_code, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    return next((_line(code, number) for code, number in reversed(found) if _is_learners(code)), "")


def line_of_call(frame: FrameType | None) -> str:
    """Where in the learner's code the call of `frame` was made."""
    while frame and not _is_learners(frame.f_code):
        frame = frame.f_back
    return _line(frame.f_code, frame.f_lineno) if frame else ""


def _is_learners(code: CodeType) -> bool:
    return not code.co_filename.startswith((*_NOT_THE_LEARNERS, "<frozen"))


def _line(code: CodeType, number: int) -> str:
    return _say(number, linecache.getline(code.co_filename, number))


def _say(number: int, text: str) -> str:
    # Without the file: a notebook's cells have names that change from run to run.
    return f"line {number}: {text.strip()}" if text.strip() else f"line {number}"
