"""Exercises that check themselves."""

from typing import Any

import numpy as np

_TOLERANCE = 5e-4  # the lessons print three decimals, so an answer read off the page must do


def check_answer(answer: Any, expected: Any, hint: str) -> None:
    """Print whether an exercise is answered rightly; a wrong answer gets the hint, never the solution.

    Args:
        answer: what the reader put in: a number, a (nested) list of numbers, a set or a word; None if nothing yet.
        expected: the right answer, of the same kind; the lesson reads it from a device or a program.
        hint: one sentence on how to find it.
    """
    if answer is None:
        print("Not yet: put your answer in place of None and run this cell again.")
    elif _is_right(answer, expected):
        print(f"Right: {answer}.")
    else:
        print(f"Not yet: it is not {answer}. {hint}")


def _is_right(answer: Any, expected: Any) -> bool:
    if isinstance(expected, (str, set, bool)):
        return answer == expected
    try:
        given, wanted = np.asarray(answer, float), np.asarray(expected, float)
    except (TypeError, ValueError):  # a word where numbers belong, or rows of different lengths
        return False
    return given.shape == wanted.shape and np.allclose(given, wanted, rtol=0, atol=_TOLERANCE)
