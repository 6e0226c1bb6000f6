"""The reference is checked against the formula written out in exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from support import whole_numbers

import tpmlp


def exactly(x, w1, b1, w2, b2):
    """The MLP entry by entry in fractions, as the specification's formula reads."""

    def times(a, b):
        return [[sum(u * v for u, v in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]

    def plus(a, bias):
        return [[u + v for u, v in zip(row, bias, strict=True)] for row in a]

    hidden = [[max(value, Fraction(0)) for value in row] for row in plus(times(x, w1), b1)]
    return {"out": plus(times(hidden, w2), b2), "hidden": hidden}


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_equals_the_formula_in_exact_fractions(example):
    matrix = {k: [[Fraction(str(v)) for v in row] for row in example.inputs[k]] for k in ("x", "w1", "w2")}
    vector = {k: [Fraction(str(v)) for v in example.inputs[k]] for k in ("b1", "b2")}
    expected = exactly(**matrix, **vector)
    result = tpmlp.reference(**example.inputs)
    for name in ("out", "hidden"):
        np.testing.assert_allclose(result[name], np.array(expected[name], np.float64), rtol=0, atol=1e-14)


def test_returns_numpy_float64_whatever_it_is_given():
    inputs = whole_numbers(2, 3, 5, 4)
    expected = tpmlp.reference(**inputs)
    assert list(expected) == ["out", "hidden"]
    assert expected["out"].shape == (2, 4)
    assert expected["hidden"].shape == (2, 5)
    for kind in (np.float16, np.int8, np.float64, list):
        given = {k: v.tolist() if kind is list else v.astype(kind) for k, v in inputs.items()}
        for name, value in tpmlp.reference(**given).items():
            assert type(value) is np.ndarray
            assert value.dtype == np.float64
            np.testing.assert_array_equal(value, expected[name])


def test_keeps_digits_that_float32_loses():
    assert tpmlp.reference([[1.0]], [[1.0]], [1e-12], [[1.0]], [0.0])["out"][0, 0] == 1.0 + 1e-12


def test_knows_nothing_of_jax_and_leaves_its_inputs_alone():
    assert "jax" not in vars(tpmlp.dense)
    inputs = {k: v.astype(np.float64) for k, v in whole_numbers(2, 3, 5, 4).items()}
    before = {k: v.copy() for k, v in inputs.items()}
    tpmlp.reference(**inputs)
    for name in inputs:
        np.testing.assert_array_equal(inputs[name], before[name])


def test_relu_of_nan_is_nan_and_of_minus_infinity_is_zero():
    result = tpmlp.reference([[1.0]], [[np.nan, -np.inf, np.inf]], [0, 0, 0], [[1], [1], [1]], [0])
    np.testing.assert_array_equal(result["hidden"], [[np.nan, 0, np.inf]])


def test_nan_and_infinity_are_no_reason_to_warn():
    result = tpmlp.reference([[np.inf, 0.0]], [[0.0, 1.0], [1.0, 1.0]], [0, 0], [[1e300], [1.0]], [0])
    np.testing.assert_array_equal(result["hidden"], [[np.nan, np.inf]])
    np.testing.assert_array_equal(result["out"], [[np.nan]])
