"""Every device gets its own block and no more, straight from where the input lies, and never the caller's memory."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from support import NAMES, assert_equal, pointers, shards, whole_numbers

import tpmlp

SIZES = (2, 3, 16, 2)


def test_the_specs_are_the_specification_s():
    assert tpmlp.IN_SPECS._asdict() == {
        "x": P(),
        "w1": P(None, "model"),
        "b1": P("model"),
        "w2": P("model", None),
        "b2": P(),
    }
    assert dict(tpmlp.OUT_SPECS) == {"out": P(), "hidden": P(None, "model")}


def blocks_of_device(d, n, inputs):
    units = inputs["b1"].size // n
    own = slice(d * units, (d + 1) * units)
    return inputs | {"w1": inputs["w1"][:, own], "b1": inputs["b1"][own], "w2": inputs["w2"][own]}


@pytest.mark.parametrize("n", [1, 2, 4, 8])
@pytest.mark.parametrize("kind", [np.asarray, np.ndarray.tolist, jnp.asarray, lambda v: v.astype(np.float64)])
def test_device_d_holds_its_own_blocks(n, kind):
    inputs = whole_numbers(*SIZES)
    mesh = tpmlp.make_mesh(n)
    placed = tpmlp.shard_inputs(**{k: kind(v) for k, v in inputs.items()}, mesh=mesh)
    assert placed._fields == NAMES
    for name in NAMES:
        array = getattr(placed, name)
        assert isinstance(array, jax.Array)
        assert array.dtype == jnp.float32
        assert array.shape == inputs[name].shape
        assert array.sharding == NamedSharding(mesh, getattr(tpmlp.IN_SPECS, name))
        blocks = shards(array)
        assert len(blocks) == n
        for d, device in enumerate(mesh.devices):
            np.testing.assert_array_equal(blocks[device], blocks_of_device(d, n, inputs)[name])


@pytest.mark.parametrize("axes", [("data", "model"), ("model", "data")])
def test_other_axes_of_the_mesh_hold_the_same_blocks(axes):
    inputs = whole_numbers(*SIZES)
    mesh = jax.make_mesh((4, 2) if axes[0] == "model" else (2, 4), axes)
    placed = tpmlp.shard_inputs(**inputs, mesh=mesh)
    for index, device in np.ndenumerate(mesh.devices):
        d = index[axes.index("model")]
        for name, expected in blocks_of_device(d, 4, inputs).items():
            np.testing.assert_array_equal(shards(getattr(placed, name))[device], expected)


def test_placed_arrays_come_back_as_they_are():
    placed = tpmlp.shard_inputs(**whole_numbers(*SIZES))
    again = tpmlp.shard_inputs(*placed)
    for before, after in zip(placed, again, strict=True):
        assert after is before


def test_shardings_that_mean_the_same_are_not_copied():
    inputs = whole_numbers(*SIZES)
    specs = {"x": P(None, None), "w1": P(None, ("model",)), "b1": P(("model",)), "w2": P("model"), "b2": P(None)}
    mesh = tpmlp.make_mesh()
    given = {name: jax.device_put(value, NamedSharding(mesh, specs[name])) for name, value in inputs.items()}
    placed = tpmlp.shard_inputs(**given)
    for name in NAMES:
        assert pointers(getattr(placed, name)) == pointers(given[name])
        assert getattr(placed, name).sharding == NamedSharding(mesh, getattr(tpmlp.IN_SPECS, name))


@pytest.mark.parametrize("dtype", [jnp.int32, jnp.bfloat16])
def test_placed_arrays_of_another_dtype_become_float32_where_they_are(dtype):
    inputs = whole_numbers(*SIZES)
    placed = tpmlp.shard_inputs(*(array.astype(dtype) for array in tpmlp.shard_inputs(**inputs)))
    for name in NAMES:
        assert getattr(placed, name).dtype == jnp.float32
        np.testing.assert_array_equal(getattr(placed, name), inputs[name])


def aligned(value, offset):
    """A copy that starts `offset` bytes after a multiple of 64; at 0 the CPU backend would use it without copying."""
    memory = np.zeros(value.nbytes + 128, np.uint8)
    start = -memory.ctypes.data % 64 + offset
    result = memory[start : start + value.nbytes].view(value.dtype).reshape(value.shape)
    result[...] = value
    return result


@pytest.mark.parametrize("sizes", [SIZES, (64, 16, 128, 64), (1024, 512, 1024, 512)])
@pytest.mark.parametrize("offset", [0, 4, 16])
def test_placed_arrays_do_not_follow_later_changes(sizes, offset):
    inputs = whole_numbers(*sizes)
    mine = {name: aligned(value, offset) for name, value in inputs.items()}
    placed = tpmlp.shard_inputs(**mine)
    for value in mine.values():
        value[...] = 99
    for name in NAMES:
        np.testing.assert_array_equal(getattr(placed, name), inputs[name])


@pytest.mark.parametrize("offset", [0, 4, 16])
def test_a_result_does_not_follow_later_changes(offset):
    inputs = whole_numbers(64, 512, 2048, 256)
    mine = {name: aligned(value, offset) for name, value in inputs.items()}
    result = tpmlp.forward(**mine)
    for value in mine.values():
        value[...] = 99
    assert_equal(result, inputs)


def test_a_derivative_does_not_follow_later_changes():
    mine = {name: aligned(value, 0) for name, value in whole_numbers(64, 512, 2048, 256).items()}
    x = jnp.asarray(mine.pop("x").copy())
    out, pull_back = jax.vjp(lambda x: tpmlp.forward(x, **mine)["out"], x)
    before = pull_back(jnp.ones_like(out))[0]
    for value in mine.values():
        value[...] = 99
    np.testing.assert_array_equal(pull_back(jnp.ones_like(out))[0], before)


def test_jax_does_use_memory_without_copying():
    # The reason for the tests above; where this no longer holds, they prove nothing.
    mine = aligned(np.zeros((64, 16), np.float32), 0)
    on_device = jax.block_until_ready(jax.device_put(mine, jax.devices("cpu")[0]))
    mine[...] = 1
    assert np.asarray(on_device).all()


def test_inputs_are_left_as_they_were():
    inputs = whole_numbers(*SIZES)
    before = {name: value.copy() for name, value in inputs.items()}
    tpmlp.forward(**inputs)
    tpmlp.shard_inputs(**inputs)
    for name in NAMES:
        np.testing.assert_array_equal(inputs[name], before[name])
    placed = tpmlp.shard_inputs(**inputs)
    tpmlp.forward(*placed)
    assert not any(array.is_deleted() for array in placed)
