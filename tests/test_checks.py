"""Every kind of bad input is refused before any device works, with what was given, the rule and the remedy."""

import re
from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support import run_python, whole_numbers

import tpmlp
from tpmlp import layout, mlp

B, D, H, O = 2, 3, 16, 2
LARGEST = float(np.finfo(np.float32).max)
TOO_LARGE = (
    "does not fit in float32, whose largest number is 3.403e+38; scale it down, or give inf if you mean infinity"
)
REAL = "give real numbers (bool, int or float)"


@pytest.fixture(params=["forward", "shard_inputs", "trace"])
def refuse(request, monkeypatch):
    """Call a public function with some inputs replaced; no device may be given anything to do."""

    def work(*_, **__):
        raise AssertionError("a device was asked to work")

    monkeypatch.setattr(layout, "place", work)
    monkeypatch.setattr(mlp, "place", work)
    monkeypatch.setattr(tpmlp.tracing, "place", work)
    monkeypatch.setattr(jax, "device_put", work)

    def call(error, message, **changed):
        with pytest.raises(error, match=f"^{re.escape(message)}"):
            getattr(tpmlp, request.param)(**(whole_numbers(B, D, H, O) | changed))

    return call


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        # Every argument with the wrong number of dimensions …
        ({"x": [1, 2, 3]}, "x has shape (3,); expected 2 dimensions, (B, D); for a single sample give x[None, :]"),
        ({"x": 1.0}, "x has shape (); expected 2 dimensions, (B, D)"),
        ({"x": np.ones((1, 2, 3))}, "x has shape (1, 2, 3); expected 2 dimensions, (B, D)"),
        ({"w1": np.ones(16)}, "w1 has shape (16,); expected 2 dimensions, (D, H)"),
        ({"b1": np.ones((1, 16))}, "b1 has shape (1, 16); expected 1 dimension, (H,)"),
        ({"w2": np.ones(16)}, "w2 has shape (16,); expected 2 dimensions, (H, O)"),
        ({"b2": 0.0}, "b2 has shape (); expected 1 dimension, (O,)"),
        # … and with the wrong size.
        (
            {"x": np.ones((2, 5))},
            "w1 has shape (3, 16); expected (D, H) = (5, H), because x has shape (2, 5)",
        ),
        (
            {"w1": np.ones((16, 3))},
            "w1 has shape (16, 3); expected (D, H) = (3, H), because x has shape (2, 3)",
        ),
        ({"b1": np.ones(15)}, "b1 has shape (15,); expected (H,) = (16,), because w1 has shape (3, 16)"),
        (
            {"w2": np.ones((2, 16))},
            "w2 has shape (2, 16); expected (H, O) = (16, O), because w1 has shape (3, 16)",
        ),
        ({"b2": [1, 2, 3]}, "b2 has shape (3,); expected (O,) = (2,), because w2 has shape (16, 2)"),
    ],
)
def test_shapes_that_do_not_fit(refuse, changed, message):
    refuse(ValueError, message, **changed)


@pytest.mark.parametrize("kind", [np.asarray, jnp.asarray, np.ndarray.tolist])
def test_hidden_size_that_the_devices_do_not_divide(refuse, kind):
    changed = {k: kind(v) for k, v in whole_numbers(B, D, 18, O).items()}
    refuse(ValueError, "H=18 cannot be split over 8 devices; use 16 or 24", **changed)


def test_hidden_size_below_the_number_of_devices(refuse):
    refuse(ValueError, "H=4 cannot be split over 8 devices; use 8", **whole_numbers(B, D, 4, O))


def test_hidden_size_is_counted_against_the_mesh_in_use(refuse):
    mesh = jax.make_mesh((2, 4), ("data", "model"))
    refuse(ValueError, "H=18 cannot be split over 4 devices; use 16 or 20", **whole_numbers(B, D, 18, O), mesh=mesh)


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((2, 0, 16, 2), "x has shape (2, 0), so D=0; only B, the number of samples, may be 0"),
        ((2, 3, 0, 2), "w1 has shape (3, 0), so H=0; only B, the number of samples, may be 0"),
        ((2, 3, 16, 0), "w2 has shape (16, 0), so O=0; only B, the number of samples, may be 0"),
    ],
)
def test_sizes_of_zero(refuse, sizes, message):
    refuse(ValueError, message, **whole_numbers(*sizes))


@pytest.mark.parametrize("ragged", [[[1, 2, 3], [1, 2]], [[1, 2, 3], 4], [[[1], 2, 3]], [np.ones(3), np.ones(2)]])
def test_ragged_lists(refuse, ragged):
    refuse(ValueError, "x is not a rectangular array; give rows of equal length", x=ragged)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([["a", "b", "c"]], "<U1"),
        ([["1", "2", "3"]], "<U1"),
        ([["a", 1.0, 2.0]], "<U32"),
        ([[b"a", b"b", b"c"]], "|S1"),
        (np.full((2, 3), None), "object"),
        (np.full((2, 3), 1.0, dtype=object), "object"),
        ([[1j, 0, 0]], "complex128"),
        (np.ones((2, 3), np.complex64), "complex64"),
        (np.zeros((2, 3), "datetime64[s]"), "datetime64[s]"),
        (np.zeros((2, 3), "timedelta64[s]"), "timedelta64[s]"),
        (np.zeros((2, 3), [("a", "<f4")]), "[('a', '<f4')]"),
        (np.zeros((2, 3), np.void), "|V"),
    ],
)
def test_dtypes_that_are_no_real_numbers(refuse, value, kind):
    refuse(TypeError, f"x has dtype {kind}", x=value)
    with pytest.raises(TypeError, match=re.escape(f"; {REAL}")):
        tpmlp.forward(**(whole_numbers(B, D, H, O) | {"x": value}))


def test_jax_arrays_that_are_no_real_numbers(refuse):
    refuse(TypeError, f"x has dtype complex64; {REAL}", x=jnp.ones((2, 3), jnp.complex64))
    refuse(TypeError, f"x has dtype key<fry>; {REAL}", x=jax.random.split(jax.random.key(0), (2, 3)))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "x is of type NoneType"),
        ({"a": 1}, "x is of type dict"),
        ({1, 2}, "x is of type set"),
        (object(), "x is of type object"),
        (jax.ShapeDtypeStruct((2, 3), jnp.float32), "x is of type ShapeDtypeStruct"),
        ([[1, None, 2]], "x[0, 1] is of type NoneType"),
        ([[1, 2, 3], [4, 5, Fraction(1, 2)]], "x[1, 2] is of type Fraction"),
        ([[10**30, "a", 1]], "x[0, 1] is of type str"),
    ],
)
def test_objects_that_are_no_real_numbers(refuse, value, what):
    refuse(TypeError, f"{what}; {REAL}", x=value)


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"x": [[1, 2, 3], [4, 5, 1e39]]}, "x[1, 2] = 1e+39"),
        ({"x": [[1, -1e39, 3], [4, 5, 1e39]]}, "x[0, 1] = -1e+39"),
        ({"x": [[np.nan, np.inf, 1e300]] * 2}, "x[0, 2] = 1e+300"),
        ({"b1": [0.0] * 15 + [-1e50]}, "b1[15] = -1e+50"),
        ({"b2": np.array([1e50, 0])}, "b2[0] = 1e+50"),
        ({"w1": np.where(np.arange(48).reshape(3, 16) == 37, 1e40, 0.0)}, "w1[2, 5] = 1e+40"),
        ({"w2": np.asfortranarray(np.where(np.arange(32).reshape(16, 2) == 31, 1e40, 0.0))}, "w2[15, 1] = 1e+40"),
        ({"x": np.full((2, 3), 1e39, ">f8")}, "x[0, 0] = 1e+39"),
        ({"x": [[1, 2, 10**39], [0, 0, 0]]}, "x[0, 2] = 1e+39"),
        ({"x": [[1, 2, 3], [0, 10**400, 0]]}, "x[1, 1], a whole number of 1329 bits,"),
    ],
)
def test_finite_numbers_beyond_float32(refuse, changed, what):
    refuse(ValueError, f"{what} {TOO_LARGE}", **changed)


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(np.float64).max, reason="no long double on this machine")
def test_long_doubles_beyond_float64(refuse):
    refuse(ValueError, f"x[0, 0] = 1e+500 {TOO_LARGE}", x=np.full((2, 3), np.longdouble(10) ** 500))


def test_a_number_beyond_float32_deep_in_a_large_array_is_found(refuse):
    large = whole_numbers(1, 400, 1024, 1)
    large["w1"] = large["w1"].astype(np.float64)  # 3 MiB, looked through in several pieces
    large["w1"][391, 1001] = 1e39
    refuse(ValueError, f"w1[391, 1001] = 1e+39 {TOO_LARGE}", **large)


@pytest.mark.parametrize("value", [LARGEST, -LARGEST, LARGEST * (1 + 2.0**-26), np.nextafter(LARGEST, np.inf)])
def test_float64_that_rounds_to_the_largest_float32_is_legal(value):
    placed = tpmlp.shard_inputs(**(whole_numbers(B, D, H, O) | {"b2": [value, 0.0]}))
    np.testing.assert_array_equal(placed.b2, np.array([np.sign(value) * LARGEST, 0], np.float32))


def test_the_first_number_that_rounds_to_infinity_is_not_legal(refuse):
    value = LARGEST + 2.0**103  # half way between the largest float32 and what would be the next
    refuse(ValueError, f"x[0, 0] = {value} {TOO_LARGE}", x=np.full((2, 3), value))


@pytest.mark.parametrize("axes", [("data",), ("x", "y")])
def test_a_mesh_without_the_axis_model(refuse, axes):
    mesh = jax.make_mesh((8, 1)[: len(axes)], axes)
    refuse(ValueError, f'mesh has the axes {axes}; one of them must be named "model"', mesh=mesh)


def test_a_mesh_that_is_none():
    # In a process of its own, because here the annotations are enforced and refuse it first.
    program = """
import tpmlp
for call in (tpmlp.forward, tpmlp.shard_inputs, tpmlp.trace):
    for mesh in (8, tpmlp.make_mesh().abstract_mesh, "model"):
        try:
            call(**tpmlp.EXAMPLES[0].inputs, mesh=mesh)
        except TypeError as error:
            print(error)
"""
    remedy = "give a jax.sharding.Mesh, such as tpmlp.make_mesh()"
    expected = [f"mesh is of type {kind}; {remedy}" for kind in ("int", "AbstractMesh", "str")]
    assert run_python(program).splitlines() == expected * 3


def test_bad_input_is_refused_where_there_are_no_devices_yet():
    program = """
import jax, numpy as np, tpmlp
from tpmlp.checks import Inputs, as_arrays, check_shapes
from jax._src.xla_bridge import backends_are_initialized
arrays = as_arrays(Inputs(np.ones((2, 3)), np.ones((3, 18)), np.ones(18), np.ones((18, 2)), [1, 10**30]))
try:
    check_shapes(Inputs(*(array.shape for array in arrays)), 8)
except ValueError as error:
    print(error)
print(backends_are_initialized())
"""
    assert run_python(program) == "H=18 cannot be split over 8 devices; use 16 or 24\nFalse\n"


def test_the_same_shapes_are_refused_again():
    for _ in range(2):
        with pytest.raises(ValueError, match="H=18 cannot be split over 8 devices"):
            tpmlp.forward(**whole_numbers(B, D, 18, O))
