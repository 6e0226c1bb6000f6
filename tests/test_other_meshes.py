"""`forward` on meshes of the caller's: fewer devices, more axes, Auto and Explicit, other orders, other contexts."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from support import NAMES, assert_equal, shards, whole_numbers

import tpmlp

SIZES = (2, 3, 16, 2)
AUTO, EXPLICIT = AxisType.Auto, AxisType.Explicit
DEVICES = np.array(tpmlp.make_mesh().devices)

MESHES = {
    "one device": Mesh(DEVICES[-1:], ("model",)),
    "two devices": tpmlp.make_mesh(2),
    "four devices": tpmlp.make_mesh(4),
    "other order": Mesh(DEVICES[[3, 1, 0, 2, 7, 6, 5, 4]], ("model",)),
    "data, model": Mesh(DEVICES.reshape(2, 4), ("data", "model")),
    "model, data": Mesh(DEVICES.reshape(4, 2), ("model", "data")),
    "three axes": Mesh(DEVICES.reshape(2, 2, 2), ("data", "model", "stage")),
    "Explicit": jax.make_mesh((8,), ("model",), axis_types=(EXPLICIT,)),
    "Explicit data, model": jax.make_mesh((2, 4), ("data", "model"), axis_types=(EXPLICIT, EXPLICIT)),
    "Explicit model, data": jax.make_mesh((4, 2), ("model", "data"), axis_types=(EXPLICIT, EXPLICIT)),
    "Explicit data, Auto model": jax.make_mesh((2, 4), ("data", "model"), axis_types=(EXPLICIT, AUTO)),
    "Auto data, Explicit model": jax.make_mesh((2, 4), ("data", "model"), axis_types=(AUTO, EXPLICIT)),
}
KINDS = {
    "lists": lambda inputs, mesh: {name: value.tolist() for name, value in inputs.items()},
    "NumPy float64": lambda inputs, mesh: {name: value.astype(np.float64) for name, value in inputs.items()},
    "JAX": lambda inputs, mesh: {name: jnp.asarray(value) for name, value in inputs.items()},
    "committed": lambda inputs, mesh: {name: jax.device_put(value, DEVICES[3]) for name, value in inputs.items()},
    "placed": lambda inputs, mesh: tpmlp.shard_inputs(**inputs, mesh=mesh)._asdict(),
    "placed bfloat16": lambda inputs, mesh: {
        name: array.astype(jnp.bfloat16) for name, array in tpmlp.shard_inputs(**inputs, mesh=mesh)._asdict().items()
    },
    "on eight devices": lambda inputs, mesh: tpmlp.shard_inputs(**inputs)._asdict(),
    "on an Explicit mesh": lambda inputs, mesh: tpmlp.shard_inputs(**inputs, mesh=MESHES["Explicit"])._asdict(),
}


@pytest.fixture(params=MESHES)
def mesh(request):
    return MESHES[request.param]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_input(mesh, kind):
    inputs = whole_numbers(*SIZES)
    assert_equal(tpmlp.forward(**KINDS[kind](inputs, mesh), mesh=mesh), inputs)


def test_results_lie_as_they_should(mesh):
    inputs = whole_numbers(*SIZES)
    result = tpmlp.forward(**inputs, mesh=mesh)
    assert result["out"].sharding == NamedSharding(mesh, P())
    assert result["hidden"].sharding == NamedSharding(mesh, P(None, "model"))
    expected = tpmlp.reference(**inputs)
    units = SIZES[2] // mesh.shape["model"]
    for index, device in np.ndenumerate(mesh.devices):
        d = index[mesh.axis_names.index("model")]
        np.testing.assert_array_equal(shards(result["out"])[device], expected["out"])
        own = expected["hidden"][:, d * units : (d + 1) * units]
        np.testing.assert_array_equal(shards(result["hidden"])[device], own)


def test_inside_jit(mesh):
    inputs = whole_numbers(*SIZES)
    run = jax.jit(lambda given: tpmlp.forward(**given, mesh=mesh))
    assert_equal(run(KINDS["JAX"](inputs, mesh)), inputs)
    assert_equal(run(KINDS["placed"](inputs, mesh)), inputs)


def test_inside_vmap(mesh):
    several = [whole_numbers(*SIZES, seed=seed) for seed in range(8)]
    stacked = {name: np.stack([inputs[name] for inputs in several]) for name in NAMES}
    result = jax.vmap(lambda given: tpmlp.forward(**given, mesh=mesh))(stacked)
    for i, inputs in enumerate(several):
        assert_equal({name: value[i] for name, value in jax.device_get(result).items()}, inputs)


def gradients(inputs, mesh):
    return jax.grad(lambda given: tpmlp.forward(**given, mesh=mesh)["out"].sum())(inputs)


def dense_gradients(inputs):
    def out(given):
        return (jax.nn.relu(given["x"] @ given["w1"] + given["b1"]) @ given["w2"] + given["b2"]).sum()

    return jax.grad(out)({name: jnp.asarray(value) for name, value in inputs.items()})


def assert_gradients(result, inputs):
    expected = dense_gradients(inputs)
    for name in NAMES:
        np.testing.assert_allclose(result[name], expected[name], rtol=1e-5, atol=1e-5)


def test_inside_grad_where_the_mesh_is_set(mesh):
    inputs = whole_numbers(*SIZES)
    with jax.set_mesh(mesh):
        assert_gradients(gradients(KINDS["JAX"](inputs, mesh), mesh), inputs)


@pytest.mark.parametrize("kind", ["committed", "placed"])
def test_inside_grad_where_it_is_not(mesh, kind):
    inputs = whole_numbers(*SIZES)
    given = KINDS[kind](inputs, mesh)
    if EXPLICIT not in mesh.axis_types:
        assert_gradients(gradients(given, mesh), inputs)
        return
    # JAX's own rule for Explicit meshes: what happens to the results must know the mesh.
    with pytest.raises(ValueError, match=r"jax\.set_mesh|cannot reshape array of size 1"):
        gradients(given, mesh)
    if kind != "committed":
        assert_gradients(jax.jit(lambda given: gradients(given, mesh))(given), inputs)


@pytest.mark.parametrize("other", ["Explicit", "data, model", "Explicit model, data"])
@pytest.mark.parametrize("kind", ["NumPy float64", "JAX", "placed"])
def test_another_mesh_of_the_same_devices_may_be_set(kind, other):
    inputs = whole_numbers(*SIZES)
    given = KINDS[kind](inputs, None)
    with jax.set_mesh(MESHES[other]):
        assert_equal(tpmlp.forward(**given), inputs)
        assert_equal(tpmlp.forward(**inputs, mesh=MESHES["Explicit data, model"]), inputs)
        np.testing.assert_array_equal(tpmlp.trace(**inputs).out, tpmlp.reference(**inputs)["out"])


@pytest.mark.parametrize("other", ["two devices", "other order"])
def test_a_set_mesh_of_other_devices_is_an_error_of_jax(other):
    with jax.set_mesh(MESHES[other]), pytest.raises(ValueError, match=r"size of the mesh|incompatible devices"):
        tpmlp.forward(**whole_numbers(*SIZES))
    assert_equal(tpmlp.forward(**whole_numbers(*SIZES)), whole_numbers(*SIZES))
