"""Every mistake does what is said of it: its numbers, who catches it, what the checker names."""

import jax
import numpy as np
import pytest

import tpmlp
from tpmlp.checker.faults import FAULTS
from tpmlp.mistakes.sharded import on_devices, right

CATCHERS = {"error", "check_vma", "Explicit mesh", "numeric test", "nobody"}
EACH = pytest.mark.parametrize("mistake", tpmlp.MISTAKES, ids=lambda mistake: mistake.code)


def test_the_course_misconceptions_that_are_forwards_are_all_there():
    there = {mistake.misconception for mistake in tpmlp.MISTAKES}
    assert there >= {"M1", "M2", "M3", "M4", "M5", "M8", "M9", "M10", "M11", "M13", "M14", "M16"}


def test_codes_are_unique_and_known():
    codes = [mistake.code for mistake in tpmlp.MISTAKES]
    assert len(set(codes)) == len(codes)
    assert set(codes) <= set(FAULTS)


@EACH
def test_the_symptom_is_exact(mistake):
    if mistake.raises:
        with pytest.raises(mistake.raises):
            mistake.forward(*mistake.inputs)
        return
    came = mistake.forward(*mistake.inputs)
    expected = mistake.symptom(*mistake.inputs)
    assert set(came) == set(expected) == {"out", "hidden"}
    for key in expected:
        np.testing.assert_allclose(came[key], expected[key], atol=2e-6 * np.abs(expected[key]).max() + 1e-6)


@EACH
def test_the_symptom_shows_unless_the_numbers_are_right(mistake):
    if mistake.symptom is None:
        return
    wrong, dense = mistake.symptom(*mistake.inputs), tpmlp.reference(*mistake.inputs)
    same = all(wrong[key].shape == dense[key].shape and np.allclose(wrong[key], dense[key]) for key in dense)
    assert same != ("numeric test" in mistake.caught_by)


@EACH
def test_who_catches_it_is_found_by_running(mistake):
    assert mistake.who_catches() == mistake.caught_by
    assert set(mistake.caught_by) <= CATCHERS


@EACH
def test_the_checker_names_it_and_only_it(mistake):
    report = tpmlp.check(mistake.forward)
    assert report.faults == (mistake.code,), report


@EACH
def test_what_is_told_about_it(mistake):
    assert mistake.name.replace(" ", "-") == mistake.code
    assert f"def {mistake.forward.__name__}(x, w1, b1, w2, b2" in mistake.source
    assert mistake.thread == "" or mistake.thread.startswith("https://")
    assert mistake.cure.endswith(".")
    assert mistake.code in repr(mistake)


def test_symptoms_do_not_come_from_jax(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a symptom must be a formula of its own")

    monkeypatch.setattr(jax, "device_put", refuse)
    monkeypatch.setattr(jax, "jit", refuse)
    for mistake in tpmlp.MISTAKES:
        if mistake.symptom:
            assert all(array.dtype == np.float64 for array in mistake.symptom(*mistake.inputs).values())


def test_the_right_forward_beside_them_is_right():
    for example in tpmlp.EXAMPLES:
        np.testing.assert_allclose(right(**example.inputs)["out"], example.out, atol=1e-6)
        arrays = (np.asarray(array, np.float32) for array in example.inputs.values())
        np.testing.assert_allclose(on_devices(tpmlp.make_mesh())(*arrays)["out"], example.out, atol=1e-6)
