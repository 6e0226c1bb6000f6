"""`forward` inside JAX's transformations, and how often it compiles."""

import logging

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from support import NAMES, assert_equal, whole_numbers

import tpmlp

SIZES = (2, 3, 16, 2)


def as_jax(inputs):
    return {name: jnp.asarray(value) for name, value in inputs.items()}


def on_one_device(inputs):
    """A dense forward in JAX, to compare gradients with."""
    hidden = jax.nn.relu(inputs["x"] @ inputs["w1"] + inputs["b1"])
    return {"out": hidden @ inputs["w2"] + inputs["b2"], "hidden": hidden}


def loss(run):
    """A number in which every entry of both results counts, each differently."""

    def of_inputs(inputs):
        result = run(inputs)
        return sum((value * jnp.cos(jnp.arange(value.size, dtype=jnp.float32)).reshape(value.shape)).sum()
                   for value in result.values())  # fmt: skip

    return of_inputs


sharded_loss = loss(lambda inputs: tpmlp.forward(**inputs))
dense_loss = loss(on_one_device)


# --- jit and eval_shape --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [as_jax, dict, lambda inputs: tpmlp.shard_inputs(**inputs)._asdict()])
def test_inside_jit(kind):
    inputs = whole_numbers(*SIZES)
    result = jax.jit(tpmlp.forward)(**kind(inputs))
    assert_equal(result, inputs)
    mesh = tpmlp.make_mesh()
    assert result["out"].sharding == NamedSharding(mesh, P())
    assert result["hidden"].sharding == NamedSharding(mesh, P(None, "model"))


@pytest.mark.parametrize("kind", [as_jax, dict, lambda inputs: tpmlp.shard_inputs(**inputs)._asdict()])
def test_inside_jit_with_weights_from_outside(kind):
    inputs = whole_numbers(*SIZES)
    weights = {name: value for name, value in kind(inputs).items() if name != "x"}
    assert_equal(jax.jit(lambda x: tpmlp.forward(x, **weights))(inputs["x"]), inputs)


def test_inside_jit_of_lists_alone():
    example = tpmlp.EXAMPLES[1]
    result = jax.jit(lambda: tpmlp.forward(**example.inputs))()
    np.testing.assert_allclose(result["out"], example.out, rtol=0, atol=1e-6)


def test_jit_with_other_dtypes():
    inputs = whole_numbers(*SIZES)
    given = {name: jnp.asarray(value).astype(jnp.int32) for name, value in inputs.items()}
    assert_equal(jax.jit(tpmlp.forward)(**given), inputs)


def test_bad_input_is_refused_while_tracing():
    inputs = as_jax(whole_numbers(2, 3, 18, 2))
    with pytest.raises(ValueError, match="H=18 cannot be split over 8 devices; use 16 or 24"):
        jax.jit(tpmlp.forward)(**inputs)
    with pytest.raises(ValueError, match=r"b1 has shape \(8,\); expected \(H,\) = \(16,\)"):
        jax.eval_shape(tpmlp.forward, **(as_jax(whole_numbers(*SIZES)) | {"b1": jnp.ones(8)}))


def test_eval_shape_allocates_nothing():
    big = {"x": (8, 12288), "w1": (12288, 49152), "b1": (49152,), "w2": (49152, 12288), "b2": (12288,)}
    shapes = {name: jax.ShapeDtypeStruct(shape, jnp.float32) for name, shape in big.items()}
    result = jax.eval_shape(tpmlp.forward, **shapes)
    assert {name: (value.shape, value.dtype) for name, value in result.items()} == {
        "out": ((8, 12288), jnp.float32),
        "hidden": ((8, 49152), jnp.float32),
    }


# --- grad and vmap -------------------------------------------------------------------------------------------------

PLACES = {
    "anywhere": as_jax,
    "committed": lambda inputs: {name: jax.device_put(value, jax.devices()[3]) for name, value in inputs.items()},
    "placed": lambda inputs: tpmlp.shard_inputs(**inputs)._asdict(),
}


# (A caller's own jit takes no array that is committed to a device other than those it runs on: JAX's rule.)
@pytest.mark.parametrize(
    ("place", "jitted"),
    [("anywhere", False), ("anywhere", True), ("committed", False), ("placed", False), ("placed", True)],
)
def test_gradients_equal_the_dense_ones(place, jitted):
    inputs = whole_numbers(*SIZES)
    gradient = jax.grad(sharded_loss)
    gradients = (jax.jit(gradient) if jitted else gradient)(PLACES[place](inputs))
    expected = jax.grad(dense_loss)(as_jax(inputs))
    for name in NAMES:
        assert gradients[name].dtype == jnp.float32
        np.testing.assert_allclose(gradients[name], expected[name], rtol=1e-5, atol=1e-4)


def test_gradients_of_placed_weights_lie_where_the_weights_lie():
    placed = tpmlp.shard_inputs(**whole_numbers(*SIZES))
    gradients = jax.grad(sharded_loss)(placed._asdict())
    for name in NAMES:
        array = getattr(placed, name)
        assert gradients[name].sharding.is_equivalent_to(array.sharding, array.ndim)


def test_gradients_equal_finite_differences():
    draw = np.random.default_rng(0)
    inputs = {name: draw.normal(size=value.shape) for name, value in whole_numbers(*SIZES).items()}
    gradients = jax.grad(sharded_loss)(as_jax({name: value.astype(np.float32) for name, value in inputs.items()}))

    def reference_loss(inputs):
        result = tpmlp.reference(**inputs)
        return sum((value * np.cos(np.arange(value.size)).reshape(value.shape)).sum() for value in result.values())

    step = 1e-6
    for name in NAMES:
        for index in np.ndindex(inputs[name].shape):
            shift = np.zeros(inputs[name].shape)
            shift[index] = step
            up = reference_loss(inputs | {name: inputs[name] + shift})
            down = reference_loss(inputs | {name: inputs[name] - shift})
            assert gradients[name][index] == pytest.approx((up - down) / (2 * step), rel=1e-4, abs=1e-4)


def test_gradient_of_some_numpy_inputs():
    inputs = whole_numbers(*SIZES)
    gradient = jax.grad(lambda w1: sharded_loss(inputs | {"w1": w1}))(jnp.asarray(inputs["w1"]))
    expected = jax.grad(dense_loss)(as_jax(inputs))["w1"]
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-4)


def test_jacobians_forwards_and_backwards():
    inputs = as_jax(whole_numbers(1, 2, 8, 2))
    out = lambda run: lambda x: run(inputs | {"x": x})["out"]  # noqa: E731
    expected = jax.jacrev(out(on_one_device))(inputs["x"])
    for jacobian in (jax.jacrev, jax.jacfwd):
        result = jacobian(out(lambda given: tpmlp.forward(**given)))(inputs["x"])
        np.testing.assert_allclose(result, expected, atol=1e-5)


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("place", PLACES)
def test_vmap_over_x(count, place):
    inputs = whole_numbers(*SIZES)
    weights = {name: value for name, value in PLACES[place](inputs).items() if name != "x"}
    many = np.stack([inputs["x"] + i for i in range(count)])
    result = jax.vmap(lambda x: tpmlp.forward(x, **weights))(many)
    for i in range(count):
        assert_equal({name: value[i] for name, value in result.items()}, inputs | {"x": many[i]})


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("jitted", [False, True])
def test_vmap_over_everything(count, axis, jitted):
    several = [whole_numbers(*SIZES, seed=seed) for seed in range(count)]
    stacked = [np.stack([inputs[name] for inputs in several], axis) for name in NAMES]
    mapped = jax.vmap(tpmlp.forward, in_axes=axis)
    result = (jax.jit(mapped) if jitted else mapped)(*stacked)
    for i, inputs in enumerate(several):
        assert_equal({name: value[i] for name, value in result.items()}, inputs)


def test_jit_of_vmap_of_grad():
    several = [whole_numbers(*SIZES, seed=seed) for seed in range(3)]
    stacked = {name: jnp.stack([inputs[name] for inputs in several]) for name in NAMES}
    gradients = jax.jit(jax.vmap(jax.grad(sharded_loss)))(stacked)
    for i, inputs in enumerate(several):
        expected = jax.grad(dense_loss)(as_jax(inputs))
        for name in NAMES:
            np.testing.assert_allclose(gradients[name][i], expected[name], rtol=1e-5, atol=1e-4)


# --- one compile per shape and mesh --------------------------------------------------------------------------------


@pytest.fixture
def compiled(caplog):
    """How many times a call makes JAX compile the forward (and not some step of placing its inputs)."""

    def count(call):
        caplog.clear()
        with jax.log_compiles(), caplog.at_level(logging.WARNING, logger="jax"):
            jax.block_until_ready(call())
        return sum(message.startswith("Compiling jit(run)") for message in caplog.messages)

    return count


KINDS = {
    "lists": lambda name, value: value.tolist(),
    "NumPy float32": lambda name, value: value,
    "NumPy float64": lambda name, value: value.astype(np.float64),
    "NumPy int": lambda name, value: value.astype(int),
    "JAX": lambda name, value: jnp.asarray(value),
    "JAX bfloat16": lambda name, value: jnp.asarray(value, jnp.bfloat16),
    "committed": lambda name, value: jax.device_put(value, jax.devices()[3]),
    "replicated": lambda name, value: jax.device_put(value, NamedSharding(tpmlp.make_mesh(), P())),
    "on two devices": lambda name, value: jax.device_put(value, NamedSharding(tpmlp.make_mesh(2), P())),
}


def test_one_program_for_every_kind_of_input(compiled):
    inputs = whole_numbers(3, 4, 24, 5)  # a shape that no other test uses
    placed = tpmlp.shard_inputs(**inputs)
    assert compiled(lambda: tpmlp.forward(*placed)) == 1
    for kind in KINDS.values():
        given = {name: kind(name, value) for name, value in inputs.items()}
        assert compiled(lambda given=given: tpmlp.forward(**given)) == 0
    assert compiled(lambda: tpmlp.forward(*placed, mesh=tpmlp.make_mesh(8))) == 0
    with jax.set_mesh(tpmlp.make_mesh()):
        assert compiled(lambda: tpmlp.forward(*placed)) == 0


def test_a_program_for_every_shape_and_mesh(compiled):
    for B in (5, 6):
        inputs = whole_numbers(B, 4, 24, 5)
        for mesh in (tpmlp.make_mesh(4), tpmlp.make_mesh()):
            assert [compiled(lambda i=inputs, m=mesh: tpmlp.forward(**i, mesh=m)) for _ in range(3)] == [1, 0, 0]


def test_transformations_compile_once_too(compiled):
    inputs = as_jax(whole_numbers(7, 4, 24, 5))
    for call in (
        lambda: jax.grad(lambda given: sharded_loss(given))(inputs),  # a new function every time
        lambda: jax.vmap(lambda x: tpmlp.forward(**(inputs | {"x": x})))(jnp.stack([inputs["x"]] * 2)),
    ):
        assert compiled(call) > 0
        assert compiled(call) == 0
