import numpy as np
import pytest

from tpmlp import check_answer


def said(capsys, answer, expected):
    check_answer(answer, expected, hint="Look again.")
    return capsys.readouterr().out


def test_no_answer_yet(capsys):
    assert said(capsys, None, 2.39).startswith("Not yet: put your answer")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (2.39, np.float32(2.3899999)),
        ([1, 2], np.array([1.0, 2.0])),
        ({1, 6, 7}, {7, 6, 1}),
        ([6, 1, 7], {7, 6, 1}),
        ("psum", "psum"),
        ("B1 after_relu", "b1-after-relu"),
        (True, True),
        (0, np.float32(0)),
    ],
)
def test_right(capsys, answer, expected):
    assert said(capsys, answer, expected) == f"Right: {answer}.\n"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (2.4, 2.39),
        ([1, 3], [1.0, 2.0]),
        ([1, 6], {1, 6, 7}),
        ({1, 6}, {1, 6, 7}),
        ("relu", "psum"),
        (False, True),
    ],
)
def test_wrong_gets_the_hint_and_not_the_solution(capsys, answer, expected):
    assert said(capsys, answer, expected) == f"Not yet: it is not {answer}. Look again.\n"


@pytest.mark.parametrize(
    ("answer", "expected", "asked"),
    [
        ([1, 2], 1.0, "one number"),
        ("five", 5, "one number"),
        ([[6]], {6}, "a set, such as {1, 2}"),
        ([[1], [1, 2]], [1.0, 2.0], "numbers of shape (2,), in a list"),
        ([[1.215]], np.float32(1.215), "one number"),
        (6, {6}, "a set, such as {1, 2}"),
        ("True", True, "True or False"),
        (3, "psum", "a word or a name in quotes"),
    ],
)
def test_another_kind_is_told_what_is_asked_for(capsys, answer, expected, asked):
    assert said(capsys, answer, expected) == f"Not yet: answer with {asked}; this is {answer!r}. Look again.\n"
