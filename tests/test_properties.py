"""Random shapes and values: the forward agrees with `reference`, and a trace with both."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support import NAMES, assert_equal, shapes

import tpmlp


@st.composite
def sizes(draw):
    """B, D, H, O and the number of devices, which divides H."""
    n = draw(st.sampled_from([1, 2, 4, 8]))
    H = n * draw(st.integers(1, 3))
    return draw(st.integers(0, 4)), draw(st.integers(1, 5)), H, draw(st.integers(1, 4)), n


def inputs_of(numbers):
    """Sizes, and inputs of these sizes whose entries are `numbers`."""

    def draw_inputs(drawn):
        *dimensions, n = drawn
        fields = {name: arrays(np.float32, shape, elements=numbers) for name, shape in shapes(*dimensions).items()}
        return st.tuples(st.fixed_dictionaries(fields), st.just(n))

    return sizes().flatmap(draw_inputs)


small_whole_numbers = st.integers(-8, 8).map(float)
fractions = st.floats(-4, 4, width=32)

# Every new shape is compiled, so a few examples with several numbers each must do. They shrink slowly for that reason.
few = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
ACCURACY = {"rtol": 1e-5, "atol": 1e-4}


@few
@given(inputs_of(small_whole_numbers))
def test_whole_numbers_agree_bit_for_bit(drawn):
    inputs, n = drawn
    mesh = tpmlp.make_mesh(n)
    assert_equal(tpmlp.forward(**inputs, mesh=mesh), inputs)
    assert_equal(tpmlp.forward(*tpmlp.shard_inputs(**inputs, mesh=mesh), mesh=mesh), inputs)


@few
@given(inputs_of(fractions))
def test_fractions_agree_closely(drawn):
    inputs, n = drawn
    result = tpmlp.forward(**inputs, mesh=tpmlp.make_mesh(n))
    for name, expected in tpmlp.reference(**inputs).items():
        np.testing.assert_allclose(result[name], expected, **ACCURACY)


@few
@given(inputs_of(fractions))
def test_a_trace_is_consistent(drawn):
    inputs, n = drawn
    mesh = tpmlp.make_mesh(n)
    trace = tpmlp.trace(**inputs, mesh=mesh)
    assert len(trace.devices) == n
    partials = np.sum([device.partial for device in trace.devices], axis=0, dtype=np.float64)
    np.testing.assert_allclose(partials, trace.psum, **ACCURACY)
    np.testing.assert_array_equal(trace.psum + trace.b2, trace.out)  # one float32 addition
    for device in trace.devices:
        np.testing.assert_array_equal(np.maximum(device.preactivation, 0), device.hidden)
    np.testing.assert_array_equal(np.concatenate([device.hidden for device in trace.devices], axis=1), trace.hidden)
    for name, expected in tpmlp.reference(**inputs).items():
        np.testing.assert_allclose(getattr(trace, name), expected, **ACCURACY)
    result = tpmlp.forward(**inputs, mesh=mesh)
    for name in ("out", "hidden"):
        np.testing.assert_array_equal(result[name], getattr(trace, name))


ANYTHING = st.floats(width=32, allow_nan=True, allow_infinity=True, allow_subnormal=False)


@settings(max_examples=100)
@given(
    st.fixed_dictionaries({name: arrays(np.float32, s, elements=ANYTHING) for name, s in shapes(2, 2, 8, 1).items()})
)
def test_placement_keeps_every_bit(inputs):
    placed = tpmlp.shard_inputs(**inputs)
    for name in NAMES:
        assert np.asarray(getattr(placed, name)).tobytes() == inputs[name].tobytes()


@settings(max_examples=100)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float64_is_refused_exactly_where_float32_has_no_room_for_it(value):
    inputs = {name: np.zeros(shape) for name, shape in shapes(1, 1, 8, 1).items()} | {"b2": np.array([value])}
    with np.errstate(over="ignore"):
        fits = np.isfinite(np.float32(value))
    if fits:
        assert np.asarray(tpmlp.shard_inputs(**inputs).b2)[0] == np.float32(value)
    else:
        with pytest.raises(ValueError, match=r"b2\[0\] = .* does not fit in float32"):
            tpmlp.shard_inputs(**inputs)


@settings(max_examples=200)
@given(st.integers(1, 1000), st.sampled_from([1, 2, 4, 8]))
def test_the_remedy_for_an_odd_hidden_size_works(hidden_size, n):
    inputs = {name: np.zeros(shape) for name, shape in shapes(1, 1, hidden_size, 1).items()}
    check = lambda inputs: tpmlp.layout.check_inputs(tpmlp.checks.Inputs(**inputs), tpmlp.make_mesh(n))  # noqa: E731
    if hidden_size % n == 0:
        check(inputs)
        return
    with pytest.raises(ValueError, match=f"H={hidden_size} cannot be split over {n} devices; use ") as caught:
        check(inputs)
    remedies = [int(word) for word in str(caught.value).split("; use ")[1].split(" or ")]
    assert remedies == [size for size in range(hidden_size - n + 1, hidden_size + n) if size > 0 and size % n == 0]
    for size in remedies:
        check({name: np.zeros(shape) for name, shape in shapes(1, 1, size, 1).items()})
