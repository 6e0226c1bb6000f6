"""The worked examples are the specification's, and agree with themselves."""

import dataclasses

import numpy as np
import pytest
from support import NAMES, shapes

import tpmlp

SIZES = [(1, 2, 8, 1), (2, 3, 8, 2), (3, 2, 16, 2)]  # B, D, H, O


def test_there_are_three():
    assert len(tpmlp.EXAMPLES) == 3
    assert all(isinstance(example, tpmlp.Example) for example in tpmlp.EXAMPLES)


@pytest.mark.parametrize(("example", "sizes"), list(zip(tpmlp.EXAMPLES, SIZES, strict=True)))
def test_shapes(example, sizes):
    assert tuple(example.inputs) == NAMES
    assert {name: np.shape(value) for name, value in example.inputs.items()} == shapes(*sizes)
    B, _, H, O = sizes
    assert np.shape(example.out) == (B, O)
    assert np.shape(example.hidden) == (B, H)


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_expected_values_follow_from_the_inputs(example):
    result = tpmlp.reference(**example.inputs)
    # The specification prints every digit, so nothing but double precision's rounding is left.
    np.testing.assert_allclose(result["out"], example.out, rtol=0, atol=1e-12)
    np.testing.assert_allclose(result["hidden"], example.hidden, rtol=0, atol=1e-12)


def test_an_example_cannot_be_changed_by_accident():
    with pytest.raises(dataclasses.FrozenInstanceError):
        tpmlp.EXAMPLES[0].out = [[0.0]]
    assert isinstance(tpmlp.EXAMPLES, tuple)
