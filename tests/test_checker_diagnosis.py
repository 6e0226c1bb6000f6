"""The diagnosis names what is wrong from numbers alone: here the numbers come from its own model, not from devices."""

from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np
import pytest

from tpmlp.checker import cases
from tpmlp.checker.diagnosis import diagnose
from tpmlp.checker.faults import FAULTS
from tpmlp.checker.hypotheses import ACTIVATIONS, SINGLE_MISTAKES, Steps, predict, run_steps
from tpmlp.checker.running import Outcome
from tpmlp.checker.values import read_answer

CASES = (cases.main_case(), cases.main_case(1), cases.second_case(), *cases.example_cases())
PAIRS = [
    pair
    for pair in combinations(SINGLE_MISTAKES, 2)
    if not {switch for switch, _ in pair[0].changes} & {switch for switch, _ in pair[1].changes}
]


def _answers(make):
    """What a candidate that returns `make(case)` answers, in float32 as from devices."""
    return [
        read_answer(case, Outcome(value=dict(zip(("out", "hidden"), map(np.float32, make(case)), strict=True))))
        for case in CASES
    ]


def _codes(make):
    return {code for code, _ in diagnose(_answers(make)).mistakes}


def test_the_model_without_a_mistake_is_the_reference():
    for case in CASES:
        out, hidden = run_steps(Steps(), case.inputs)
        np.testing.assert_allclose(out, case.out, atol=1e-6)
        np.testing.assert_allclose(hidden, case.hidden, atol=1e-6)


@pytest.mark.parametrize("mistake", SINGLE_MISTAKES, ids=lambda m: f"{m.code} {m.detail}")
def test_every_single_mistake_is_named_and_nothing_else(mistake):
    assert _codes(lambda case: predict([mistake], case)) == {mistake.code}


@pytest.mark.parametrize("pair", PAIRS[::23], ids=lambda pair: " and ".join(m.code for m in pair))
def test_two_mistakes_are_both_named_or_it_is_said_that_one_cannot_tell(pair):
    made = {mistake.code for mistake in pair}
    diagnosis = diagnose(_answers(lambda case: predict(pair, case)))
    named = {code for code, _ in diagnosis.mistakes}
    if diagnosis.sure:
        assert named == made or _same_numbers(pair, named), (named, made)
    else:
        assert "wrong-values" in named


def _same_numbers(pair, named):
    """Two mistakes can be one: no relu in hidden and none before W2 is simply no relu."""
    alone = [m for m in SINGLE_MISTAKES if {m.code} == named]
    expected = predict(pair, CASES[0])
    return any(
        all(np.allclose(a, b, atol=1e-5) for a, b in zip(predict([m], CASES[0]), expected, strict=True)) for m in alone
    )


def test_most_pairs_are_told_apart():
    sampled = PAIRS[::37]
    told = sum(_codes(lambda case, pair=pair: predict(pair, case)) == {m.code for m in pair} for pair in sampled)
    assert told / len(sampled) > 0.9


def test_three_mistakes_are_not_passed_off_as_others():
    steps = Steps(b1="missing", activation="silu", adds_up="psum, psum", returns="preactivation")
    diagnosis = diagnose(_answers(lambda case: run_steps(steps, case.inputs)))
    assert not diagnosis.sure
    assert "Ruled out" in diagnosis.mistakes[-1][1]


def test_a_known_sum_of_an_unknown_hidden_is_named():
    def make(case):
        hidden = case.hidden**2 + 1
        return 8 * (hidden @ case.inputs.w2) + case.inputs.b2, hidden

    assert _codes(make) == {"psum-twice", "wrong-values"}


def test_nan_is_no_explanation():
    assert _codes(lambda case: (case.out * np.nan, case.hidden)) == {"wrong-values"}


def test_the_cases_tell_mistakes_apart():
    for case in (cases.main_case(), cases.main_case(1), cases.second_case()):
        x, w1, b1, w2, b2 = case.inputs
        assert (x @ w1 + b1 < 0).any()
        assert all((array != 0).all() for array in case.inputs)
        assert len(set(case.sizes.values())) == 4
        sizes = [x.size, w1.size, w2.size, b2.size, case.hidden.size, case.out.size]
        assert len(set(sizes)) == len(sizes)


def test_every_code_has_its_words():
    assert {mistake.code for mistake in SINGLE_MISTAKES} <= set(FAULTS)
    assert {code for fault in FAULTS.values() for code in fault.explains} <= set(FAULTS)
    for code, fault in FAULTS.items():
        assert code == fault.code
        assert fault.says.endswith(".")
        assert fault.hint
        assert fault.lesson.partition("#")[0].endswith(".ipynb")


def test_every_activation_differs_from_relu():
    z = np.linspace(-8, 8, 33)
    for name, activation in ACTIVATIONS.items():
        assert (name == "relu") == np.allclose(activation(z), np.maximum(z, 0))


def test_every_lesson_that_is_named_has_the_heading():
    folder = Path(__file__).parent.parent / "notebooks"
    for fault in FAULTS.values():
        name, _, anchor = fault.lesson.partition("#")
        cells = nbformat.read(folder / name, as_version=4).cells
        headings = [line.lstrip("# ") for cell in cells for line in cell.source.splitlines() if line.startswith("#")]
        assert not anchor or anchor in [heading.replace(" ", "-") for heading in headings]
