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
        ("psum", "psum"),
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
        ([1, 2], 1.0),
        ([[1], [1, 2]], [1.0, 2.0]),
        ("five", 5),
        ({1, 6}, {1, 6, 7}),
        ("relu", "psum"),
        (False, True),
    ],
)
def test_wrong_gets_the_hint_and_not_the_solution(capsys, answer, expected):
    assert said(capsys, answer, expected) == f"Not yet: it is not {answer}. Look again.\n"
