"""A trace holds what lies on the devices: every block and every value between, and they fit together."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh
from support import run_python, whole_numbers

import tpmlp

SIZES = (2, 3, 16, 2)

# What the specification explains of its first example.
PREACTIVATIONS = [0.55, -0.3, 0.35, 0.6, 1.15, 0.7, -0.6, -0.35]
PARTIALS = [0.605, 0, 0.49, 0.12, 0.575, 0, 0, 0]


def test_the_first_example_as_the_specification_explains_it():
    example = tpmlp.EXAMPLES[0]
    trace = tpmlp.trace(**example.inputs)
    assert len(trace.devices) == 8
    for d, device in enumerate(trace.devices):
        assert device.index == d
        assert device.w1 == pytest.approx(np.array(example.inputs["w1"])[:, [d]])
        assert device.b1 == pytest.approx(example.inputs["b1"][d])
        assert device.w2 == pytest.approx(np.array(example.inputs["w2"])[[d]])
        assert device.preactivation == pytest.approx(PREACTIVATIONS[d], abs=1e-6)
        assert device.hidden == pytest.approx(max(PREACTIVATIONS[d], 0), abs=1e-6)
        assert device.partial == pytest.approx(PARTIALS[d], abs=1e-6)
    assert trace.psum == pytest.approx(1.79, abs=1e-6)
    assert trace.b2 == pytest.approx(0.6)
    assert trace.out == pytest.approx(2.39, abs=1e-6)


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_examples(example):
    trace = tpmlp.trace(**example.inputs)
    np.testing.assert_allclose(trace.out, example.out, rtol=0, atol=1e-6)
    np.testing.assert_allclose(trace.hidden, example.hidden, rtol=0, atol=1e-6)


@pytest.mark.parametrize("example", tpmlp.EXAMPLES)
def test_it_is_the_forward_s_own_result(example):
    trace, result = tpmlp.trace(**example.inputs), tpmlp.forward(**example.inputs)
    np.testing.assert_array_equal(trace.out, result["out"])
    np.testing.assert_array_equal(trace.hidden, result["hidden"])


def test_shapes_and_dtypes():
    B, D, H, O = SIZES
    trace = tpmlp.trace(**whole_numbers(*SIZES))
    units = H // 8
    whole = {"x": (B, D), "psum": (B, O), "b2": (O,), "out": (B, O), "hidden": (B, H)}
    own = {"w1": (D, units), "b1": (units,), "w2": (units, O), "preactivation": (B, units), "hidden": (B, units)}
    own |= {"partial": (B, O)}
    assert {field.name for field in dataclasses.fields(trace)} == {*whole, "devices"}
    assert {field.name for field in dataclasses.fields(trace.devices[0])} == {*own, "index", "device", "bytes"}
    for thing, shapes in [(trace, whole), *((device, own) for device in trace.devices)]:
        for name, shape in shapes.items():
            value = getattr(thing, name)
            assert type(value) is np.ndarray
            assert value.dtype == np.float32
            assert value.shape == shape


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_bytes_are_those_of_the_five_blocks(n):
    B, D, H, O = SIZES
    trace = tpmlp.trace(**whole_numbers(*SIZES), mesh=tpmlp.make_mesh(n))
    assert len(trace.devices) == n
    for device in trace.devices:
        assert device.bytes == 4 * (B * D + (D * H + H + H * O) // n + O)


def meshes():
    devices = np.array(jax.devices()[:8])
    explicit = (AxisType.Explicit,) * 2
    return {
        "one device": tpmlp.make_mesh(1),
        "four devices": tpmlp.make_mesh(4),
        "other order": Mesh(devices[[3, 1, 0, 2, 7, 6, 5, 4]], ("model",)),
        "data, model": Mesh(devices.reshape(2, 4), ("data", "model")),
        "model, data": Mesh(devices.reshape(4, 2), ("model", "data")),
        "Explicit": Mesh(devices, ("model",), axis_types=explicit[:1]),
        "Explicit, two axes": Mesh(devices.reshape(2, 4), ("data", "model"), axis_types=explicit),
    }


@pytest.mark.parametrize("kind", meshes())
def test_every_value_follows_from_the_device_s_own_blocks(kind):
    mesh = meshes()[kind]
    inputs = whole_numbers(*SIZES)
    trace = tpmlp.trace(**inputs, mesh=mesh)
    along_model = np.moveaxis(mesh.devices, mesh.axis_names.index("model"), 0).reshape(mesh.shape["model"], -1)[:, 0]
    assert [device.device for device in trace.devices] == [f"{d.platform}:{d.id}" for d in along_model]
    for device in trace.devices:  # whole numbers, so everything is exact
        np.testing.assert_array_equal(device.preactivation, trace.x @ device.w1 + device.b1)
        np.testing.assert_array_equal(device.hidden, np.maximum(device.preactivation, 0))
        np.testing.assert_array_equal(device.partial, device.hidden @ device.w2)
    for name, axis in (("w1", 1), ("b1", 0), ("w2", 0)):
        whole = np.concatenate([getattr(device, name) for device in trace.devices], axis)
        np.testing.assert_array_equal(whole, inputs[name])
    np.testing.assert_array_equal(trace.x, inputs["x"])
    np.testing.assert_array_equal(trace.b2, inputs["b2"])
    np.testing.assert_array_equal(trace.hidden, np.concatenate([device.hidden for device in trace.devices], axis=1))
    np.testing.assert_array_equal(trace.psum, sum(device.partial for device in trace.devices))
    np.testing.assert_array_equal(trace.out, trace.psum + trace.b2)
    np.testing.assert_array_equal(trace.out, tpmlp.reference(**inputs)["out"])


def test_placed_inputs_and_no_samples_and_nan():
    inputs = whole_numbers(*SIZES)
    np.testing.assert_array_equal(tpmlp.trace(*tpmlp.shard_inputs(**inputs)).out, tpmlp.trace(**inputs).out)
    empty = tpmlp.trace(**whole_numbers(0, 3, 16, 2))
    assert empty.out.shape == (0, 2)
    assert {device.hidden.shape for device in empty.devices} == {(0, 2)}
    inputs["w1"][0, 5] = np.nan
    trace = tpmlp.trace(**inputs)
    assert [bool(np.isnan(device.partial).any()) for device in trace.devices] == [d == 2 for d in range(8)]
    assert np.isnan(trace.out).all()


def test_the_caller_may_change_what_was_read():
    trace = tpmlp.trace(**whole_numbers(*SIZES))
    trace.devices[0].w1[...] = 99
    trace.out[...] = 99
    assert not (tpmlp.trace(**whole_numbers(*SIZES)).out == 99).any()


@pytest.mark.parametrize("transformed", [jax.jit, jax.grad, lambda f: lambda b2: jax.vmap(f)(b2[None])])
def test_where_there_are_no_numbers_yet(transformed):
    inputs = whole_numbers(*SIZES)
    with pytest.raises(TypeError, match="which jit, grad and vmap do not have yet; call it outside"):
        transformed(lambda b2: tpmlp.trace(**(inputs | {"b2": b2})).out[0, 0])(jnp.zeros(2))


def test_bad_input_and_a_mesh_without_model_are_refused():
    with pytest.raises(ValueError, match="H=18 cannot be split over 8 devices; use 16 or 24"):
        tpmlp.trace(**whole_numbers(2, 3, 18, 2))
    with pytest.raises(ValueError, match='one of them must be named "model"'):
        tpmlp.trace(**whole_numbers(*SIZES), mesh=jax.make_mesh((8,), ("data",)))


def test_a_late_import_with_one_device_traces_one_device():
    program = """
import jax
jax.numpy.ones(1)
import tpmlp
print(len(tpmlp.trace(**tpmlp.EXAMPLES[0].inputs, mesh=tpmlp.make_mesh(1)).devices))
"""
    assert run_python(program) == "1\n"
