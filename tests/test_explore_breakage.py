"""The explorer of mistakes: the wrong numbers of every combination, and what is told from them."""

from itertools import product

import numpy as np
import pytest

import tpmlp
from tpmlp.checks import Inputs
from tpmlp.explore.breakage import TITLES
from tpmlp.explore.broken import Switches, is_refused, run_broken
from tpmlp.explore.recognise import times_counted, what_is_off

COMBINATIONS = [Switches(*on) for on in product((False, True), repeat=len(Switches._fields))]


@pytest.fixture(scope="module")
def inputs():
    return Inputs(**{name: np.asarray(values, np.float32) for name, values in tpmlp.EXAMPLES[1].inputs.items()})


@pytest.fixture(scope="module")
def right(inputs):
    return tpmlp.trace(*inputs)


def by_hand(inputs: Inputs, switches: Switches, n: int) -> np.ndarray:
    """What n devices get with these mistakes, in NumPy and without any device: (n, B, O)."""
    x, w1, b1, w2, b2 = (np.asarray(array, np.float64) for array in inputs)
    units = w2.shape[0] // n
    rows = np.array_split(np.arange(-(-len(w1) // n) * n), n)  # of W1, with those that are only padding
    outs = []
    for d in range(n):
        own = slice(d * units, (d + 1) * units)
        held = [row for row in rows[d] if row < len(w1)] if switches.w1_by_rows else slice(None)
        hidden = x[:, held] @ w1[held][:, own] + b1[own]
        part = (hidden if switches.relu_late else np.maximum(hidden, 0)) @ w2[own]
        outs.append(part + b2 if switches.b2_everywhere else part)
    outs = np.stack(outs)
    if not switches.no_psum:
        outs = np.repeat(outs.sum(0)[None], n, 0)
    if switches.relu_late:
        outs = np.maximum(outs, 0)
    if not switches.b2_everywhere:
        outs = outs + b2
    return np.repeat(outs.sum(0)[None], n, 0) if switches.psum_twice else outs


@pytest.mark.parametrize("switches", COMBINATIONS, ids=lambda s: "-".join(n for n, on in s._asdict().items() if on))
def test_every_combination_runs_and_is_as_wrong_as_it_should_be(inputs, switches):
    outs = run_broken(inputs, switches, tpmlp.make_mesh())
    np.testing.assert_allclose(outs, by_hand(inputs, switches, 8), atol=1e-4)


def test_without_a_mistake_it_is_the_forward(inputs, right):
    outs = run_broken(inputs, Switches(), tpmlp.make_mesh())
    np.testing.assert_array_equal(outs, np.repeat(right.out[None], 8, 0))
    assert what_is_off(right, outs) == "out is right, on every device."


@pytest.mark.parametrize("n", [2, 4, 8])
def test_multiples_are_recognised_by_the_numbers(inputs, n):
    mesh = tpmlp.make_mesh(n)
    right = tpmlp.trace(*inputs, mesh=mesh)

    def told(**on: bool) -> str:
        return what_is_off(right, run_broken(inputs, Switches(**on), mesh))

    assert f"off by exactly {n - 1}·b2: b2 was counted {n} times" in told(b2_everywhere=True)
    assert f"exactly {n}× what it should be" in told(psum_twice=True)
    assert f"hW2 was counted exactly {n} times, b2 {n * n} times" in told(psum_twice=True, b2_everywhere=True)
    assert f"off by exactly {n - 1}·b2" in told(no_psum=True, psum_twice=True)
    assert f"The {n} devices do not agree" in told(no_psum=True)
    assert "its own partial + b2" in told(no_psum=True)
    assert "nobody has the sum" in told(no_psum=True, relu_late=True)
    for mistake in ("relu_late", "w1_by_rows"):
        assert "No whole multiple" in told(**{mistake: True})


def test_only_whole_multiples_count(right):
    assert times_counted(right, 3 * right.psum - 2 * right.b2) == (3, -2)
    assert times_counted(right, 1.5 * right.psum) is None
    nearly = 8 * right.out
    nearly[0, 0] += 0.01
    assert times_counted(right, nearly) is None


def test_the_worst_entry_is_named(right):
    wrong = right.out.copy()
    wrong[1, 0] += 0.25
    assert "out[1, 0], is off by 0.25" in what_is_off(right, np.repeat(wrong[None], 8, 0))


def test_check_vma_refuses_what_is_not_summed_and_nothing_else(inputs):
    for switches in COMBINATIONS:
        summed = switches.psum_twice or not switches.no_psum
        assert is_refused(inputs, switches, tpmlp.make_mesh()) == (not summed)


def test_the_explorer_starts_right_and_tells_each_mistake(right):
    explorer = tpmlp.explore.breakage()
    assert explorer.view.sentence == "out is right, on every device."
    assert "No entry is off." in explorer.view.text
    told = {}
    for name, title in TITLES.items():
        explorer.controls[name].value = True
        assert f"{title}: off, now on." in explorer.view.alt
        assert "4 of 4 entries off" in explorer.view.text
        told[name] = explorer.view.sentence
        explorer.controls[name].value = False
    assert len(set(told.values())) == len(TITLES)
    assert "check_vma refuses" in told["no_psum"]
    assert "one more all-reduce, of B × H = 16 numbers" in told["w1_by_rows"]
    explorer.controls["no_psum"].value = True
    explorer.controls["device"].value = 5
    assert f"{float(right.devices[5].partial[0, 0]) - 0.4:.2f}" in explorer.view.text
    explorer.reset()
    assert explorer.view.sentence == "out is right, on every device."
