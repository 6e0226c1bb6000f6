"""Exercises that check themselves."""

from typing import Any

import numpy as np

_TOLERANCE = 5e-4  # the lessons print three decimals, so an answer read off the page must do


def check_answer(answer: Any, expected: Any, hint: str) -> None:
    """Print whether an exercise is answered rightly; a wrong answer gets the hint, never the solution.

    Words may be written with spaces, hyphens or capitals, and a set as a list; an answer of another kind, or of another
    shape, is told which kind is asked for.

    Args:
        answer: what the reader put in: a number, a (nested) list of numbers, a set or a word; None if nothing yet.
        expected: the right answer, of the same kind; the lesson reads it from a device or a program.
        hint: one sentence on how to find it.
    """
    if answer is None:
        print("Not yet: put your answer in place of None and run this cell again.")
    elif _is_right(answer, expected):
        print(f"Right: {answer}.")
    elif not _is_of_kind(answer, expected):
        print(f"Not yet: answer with {_asked(expected)}; this is {answer!r}. {hint}")
    else:
        print(f"Not yet: it is not {answer}. {hint}")


def _is_right(answer: Any, expected: Any) -> bool:
    if isinstance(expected, str):
        return isinstance(answer, str) and _plain(answer) == _plain(expected)
    if isinstance(expected, set):
        return _as_set(answer) == expected
    if isinstance(expected, bool):
        return answer == expected
    given, wanted = _numbers(answer), np.asarray(expected, float)
    return given is not None and given.shape == wanted.shape and np.allclose(given, wanted, rtol=0, atol=_TOLERANCE)


def _plain(words: str) -> str:
    """The same for "b1 after relu" and "B1-after-relu"."""
    return " ".join(words.lower().replace("-", " ").replace("_", " ").split())


def _as_set(answer: Any) -> set | None:
    try:
        return set(answer) if isinstance(answer, (set, list, tuple)) else None
    except TypeError:  # lists in the list
        return None


def _numbers(answer: Any) -> np.ndarray | None:
    try:
        return np.asarray(answer, float)
    except (TypeError, ValueError):  # a word where numbers belong, or rows of different lengths
        return None


def _is_of_kind(answer: Any, expected: Any) -> bool:
    if isinstance(expected, (str, bool)):
        return isinstance(answer, type(expected))
    if isinstance(expected, set):
        return _as_set(answer) is not None
    given = _numbers(answer)
    return not isinstance(answer, str) and given is not None and given.shape == np.shape(expected)


def _asked(expected: Any) -> str:
    """What kind of answer is asked for, in words."""
    if isinstance(expected, str):
        return "a word or a name in quotes"
    if isinstance(expected, bool):
        return "True or False"
    if isinstance(expected, set):
        return "a set, such as {1, 2}"
    shape = np.shape(expected)
    return "one number" if not shape else f"numbers of shape {shape}, in a list"
