"""`forward` gives the specification's answers, laid out as it asks, from anything that is an array of real numbers."""

import warnings

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from support import NAMES, assert_equal, run_python, shapes, shards, whole_numbers

import tpmlp

SIZES = (2, 3, 16, 2)


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_examples(example):
    result = tpmlp.forward(**example.inputs)
    assert set(result) == {"out", "hidden"}
    dense = tpmlp.reference(**example.inputs)
    for name, expected in (("out", example.out), ("hidden", example.hidden)):
        value = result[name]
        assert isinstance(value, jax.Array)
        assert value.dtype == jnp.float32
        assert value.shape == np.shape(expected)
        np.testing.assert_allclose(value, expected, rtol=0, atol=1e-6)
        np.testing.assert_allclose(value, dense[name], rtol=0, atol=1e-6)


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_out_is_whole_on_every_device(example):
    out = tpmlp.forward(**example.inputs)["out"]
    assert out.sharding == NamedSharding(tpmlp.make_mesh(), P())
    assert out.is_fully_replicated
    blocks = shards(out)
    assert set(blocks) == set(tpmlp.make_mesh().devices)
    for block in blocks.values():
        assert block.shape == np.shape(example.out)
        np.testing.assert_allclose(block, example.out, rtol=0, atol=1e-6)
        np.testing.assert_array_equal(block, np.asarray(out))


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_device_d_holds_its_own_hidden_units(example):
    hidden = tpmlp.forward(**example.inputs)["hidden"]
    assert hidden.sharding == NamedSharding(tpmlp.make_mesh(), P(None, "model"))
    blocks = shards(hidden)
    expected = np.array(example.hidden)
    units = expected.shape[1] // 8
    for d, device in enumerate(tpmlp.make_mesh().devices):
        np.testing.assert_allclose(blocks[device], expected[:, d * units : (d + 1) * units], rtol=0, atol=1e-6)


def place(*sharding):
    """Put every input somewhere: on a device, or along a sharding."""
    return lambda name, value: jax.device_put(value, *sharding)


def otherwise(name, value):
    """Split along the other dimension than the forward wants it."""
    spec = P(None, "model") if name == "w2" else P("model", None) if value.ndim == 2 else P()
    mesh = tpmlp.make_mesh(2)
    even = all(size % 2 == 0 for size, axis in zip(value.shape, spec, strict=False) if axis)
    return jax.device_put(value, NamedSharding(mesh, spec if even else P()))


def reversed_strides(name, value):
    return np.ascontiguousarray(value[::-1])[::-1]


def read_only(name, value):
    value.flags.writeable = False
    return value


def unaligned(name, value):
    memory = np.empty(value.nbytes + 1, np.uint8)
    result = memory[1:].view(np.float32).reshape(value.shape)
    result[...] = value
    assert not result.flags.aligned
    return result


def every_other(name, value):
    wide = np.zeros((*value.shape[:-1], 2 * value.shape[-1]), np.float32)
    wide[..., ::2] = value
    return wide[..., ::2]


def scalars(kind):
    return lambda name, value: [
        [kind(entry) for entry in row] if isinstance(row, np.ndarray) else kind(row) for row in value
    ]


KINDS = {
    "nested lists": lambda name, value: value.tolist(),
    "lists of ints": lambda name, value: value.astype(int).tolist(),
    "tuples": lambda name, value: tuple(map(tuple, value)) if value.ndim == 2 else tuple(value),
    "list of NumPy rows": lambda name, value: list(value),
    "list of JAX rows": lambda name, value: [jnp.asarray(row) for row in value],
    "lists of JAX scalars": scalars(jnp.float32),
    "lists of bfloat16 JAX scalars": scalars(jnp.bfloat16),
    "lists of NumPy scalars": scalars(np.int16),
    "Fortran order": lambda name, value: np.asfortranarray(value),
    "negative strides": reversed_strides,
    "every other entry": every_other,
    "read-only": read_only,
    "unaligned": unaligned,
    "JAX, not committed": lambda name, value: jnp.asarray(value),
    "JAX, split otherwise": otherwise,
}
DTYPES = ["bool", "i1", "u1", "i2", "i4", "i8", "u8", "f2", "f4", "f8", "g", ">i4", ">f2", ">f4", ">f8"]
DTYPES += [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4]


@pytest.mark.parametrize("kind", KINDS)
def test_array_kinds(kind):
    inputs = whole_numbers(*SIZES)
    result = tpmlp.forward(**{name: KINDS[kind](name, value.copy()) for name, value in inputs.items()})
    assert_equal(result, inputs)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).str + np.dtype(dtype).name)
@pytest.mark.parametrize("sizes", [SIZES, (1, 512, 1024, 1)], ids=["small", "large"])
def test_numpy_dtypes(dtype, sizes):
    inputs = {name: value.astype(dtype) for name, value in whole_numbers(*sizes, seed=1).items()}
    if np.dtype(dtype).kind == "u":
        inputs = {name: value % 4 for name, value in inputs.items()}
    as_float = {name: value.astype(np.float32) for name, value in inputs.items()}
    assert_equal(tpmlp.forward(**inputs), as_float)


@pytest.mark.parametrize("dtype", [jnp.bool_, jnp.int8, jnp.int32, jnp.float16, jnp.bfloat16, jnp.float8_e4m3fn])
@pytest.mark.parametrize("placed", [False, True])
def test_jax_dtypes(dtype, placed):
    inputs = {name: jnp.asarray(value).astype(dtype) for name, value in whole_numbers(*SIZES).items()}
    as_float = {name: np.asarray(value).astype(np.float32) for name, value in inputs.items()}
    if placed:  # where float32 would lie already
        shardings = tpmlp.layout.in_shardings(tpmlp.make_mesh())
        inputs = {name: jax.device_put(inputs[name], getattr(shardings, name)) for name in NAMES}
    assert_equal(tpmlp.forward(**inputs), as_float)


@pytest.mark.parametrize("d", [0, 3, 7])
def test_jax_arrays_committed_to_a_device(d):
    inputs = whole_numbers(*SIZES)
    device = jax.devices()[d]
    assert_equal(tpmlp.forward(**{name: jax.device_put(value, device) for name, value in inputs.items()}), inputs)


@pytest.mark.parametrize("spec", [P(), P(None), P("model"), P(None, None)])
def test_jax_arrays_on_the_mesh_already(spec):
    inputs = whole_numbers(8, 8, 16, 8)  # so that the axis divides every first dimension
    sharding = NamedSharding(tpmlp.make_mesh(), spec)
    given = {
        name: jax.device_put(value, sharding) if value.ndim >= len(spec) else value for name, value in inputs.items()
    }
    assert_equal(tpmlp.forward(**given), inputs)


def test_a_mixture_of_kinds():
    inputs = whole_numbers(*SIZES)
    placed = tpmlp.shard_inputs(**inputs)
    mixture = {
        "x": inputs["x"].tolist(),
        "w1": jax.device_put(inputs["w1"], jax.devices()[5]),
        "b1": inputs["b1"].astype(np.int16),
        "w2": placed.w2,
        "b2": jnp.asarray(inputs["b2"], jnp.bfloat16),
    }
    assert_equal(tpmlp.forward(**mixture), inputs)


def test_placed_inputs_by_position_and_by_name():
    inputs = whole_numbers(*SIZES)
    placed = tpmlp.shard_inputs(**inputs)
    assert_equal(tpmlp.forward(*placed), inputs)
    assert_equal(tpmlp.forward(**placed._asdict()), inputs)


def test_views_that_repeat_one_number():
    inputs = {name: np.broadcast_to(np.float32(2), shape) for name, shape in shapes(*SIZES).items()}
    assert all(0 in value.strides for value in inputs.values())
    assert_equal(tpmlp.forward(**inputs), inputs)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_files_mapped_to_memory(tmp_path, dtype):
    inputs = whole_numbers(*SIZES)
    for name, value in inputs.items():
        np.save(tmp_path / f"{name}.npy", value.astype(dtype))
    mapped = {name: np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in NAMES}
    assert all(isinstance(value, np.memmap) for value in mapped.values())
    assert_equal(tpmlp.forward(**mapped), inputs)


def test_numpy_matrices():
    inputs = whole_numbers(*SIZES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        given = {name: np.matrix(value) if value.ndim == 2 else value for name, value in inputs.items()}
    assert_equal(tpmlp.forward(**given), inputs)


def test_whole_numbers_beyond_64_bits():
    inputs = whole_numbers(*SIZES) | {"b2": [10**30, -(2**64)]}
    expected = tpmlp.reference(**inputs)["out"].astype(np.float32)
    np.testing.assert_array_equal(tpmlp.forward(**inputs)["out"], expected)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", NAMES)
def test_nan_and_infinity_pass_through(name, dtype, value):
    inputs = {k: v.astype(dtype) for k, v in whole_numbers(*SIZES, seed=3).items()}
    inputs[name].flat[1] = value
    assert_equal(tpmlp.forward(**inputs), inputs)


def test_no_samples():
    inputs = whole_numbers(0, 3, 16, 2)
    for given in (inputs, tpmlp.shard_inputs(**inputs)._asdict()):
        result = tpmlp.forward(**given)
        assert result["out"].shape == (0, 2)
        assert result["hidden"].shape == (0, 16)
        assert {block.shape for block in shards(result["hidden"]).values()} == {(0, 2)}
        assert_equal(result, inputs)


def test_subnormal_and_tiny_numbers_do_not_overflow_or_warn():
    inputs = whole_numbers(*SIZES) | {"x": np.full((2, 3), 1e-300)}
    assert_equal(tpmlp.forward(**inputs), inputs | {"x": np.zeros((2, 3))})


def test_full_precision_is_asked_of_every_matmul():
    inputs = tpmlp.shard_inputs(**whole_numbers(*SIZES))
    jaxpr = str(jax.make_jaxpr(tpmlp.forward)(*inputs))
    assert jaxpr.count("dot_general[") == 2
    assert jaxpr.count("precision=(Precision.HIGHEST, Precision.HIGHEST)") == 2


def test_float32_also_where_jax_computes_in_float64():
    program = """
import jax, jax.numpy as jnp, numpy as np, tpmlp
assert jnp.ones(1).dtype == "float64"
example = tpmlp.EXAMPLES[1]
wide = {k: jnp.asarray(v) for k, v in example.inputs.items()}
assert wide["x"].dtype == "float64"
placed = tpmlp.shard_inputs(**wide)
on_device = {k: jax.device_put(v, jax.devices()[3]) for k, v in wide.items()}
for result in (
    tpmlp.forward(**example.inputs),
    tpmlp.forward(**{k: np.asarray(v) for k, v in example.inputs.items()}),
    tpmlp.forward(**wide),
    tpmlp.forward(*placed),
    tpmlp.forward(**on_device),
    jax.jit(tpmlp.forward)(**wide),
    jax.vmap(lambda x: tpmlp.forward(**{**wide, "x": x}))(wide["x"][None]),
):
    assert {v.dtype.name for v in result.values()} == {"float32"}, result
    assert np.abs(np.asarray(result["out"]) - example.out).max() <= 1e-6
    assert np.abs(np.asarray(result["hidden"]) - example.hidden).max() <= 1e-6
assert {v.dtype.name for v in placed} == {"float32"}
assert tpmlp.trace(**wide).out.dtype == "float32"
gradient = jax.grad(lambda w1: tpmlp.forward(**{**wide, "w1": w1})["out"].sum())(wide["w1"])
assert gradient.dtype == "float64"  # as the weights it belongs to
for name, bad in (("x", wide["x"].at[1, 2].set(1e39)), ("w1", wide["w1"].at[2, 7].set(-1e39))):
    for given in (bad, jax.device_put(bad, placed.w1.sharding) if name == "w1" else bad):
        try:
            tpmlp.forward(**{**wide, name: given})
        except ValueError as error:
            print(error)
"""
    rule = "does not fit in float32"
    lines = run_python(program, JAX_ENABLE_X64="1").splitlines()
    assert [line.split(", whose")[0] for line in lines] == [
        *[f"x[1, 2] = 1e+39 {rule}"] * 2,
        *[f"w1[2, 7] = -1e+39 {rule}"] * 2,
    ]
