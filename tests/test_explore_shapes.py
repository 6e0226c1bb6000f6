"""The explorer of shapes: what it says about bytes is what the compiled program says."""

from itertools import product

import jax
import numpy as np
import pytest

import tpmlp
from tpmlp.explore.inputs import numbers
from tpmlp.explore.shapes import LARGE, SMALL, START_LARGE, START_SMALL, show_shapes
from tpmlp.plots.heat import Heat
from tpmlp.plots.lane_layout import lay_out

START = START_SMALL | {"devices": 8, "seed": 0, "larger": False}


@pytest.fixture
def explorer():
    return tpmlp.explore.shapes()


def traced(B: int, D: int, units: int, O: int, devices: int, seed: int) -> tpmlp.Trace:
    return tpmlp.trace(*numbers(B, D, units * devices, O, seed), mesh=tpmlp.make_mesh(devices))


def test_it_starts_on_example_2(explorer):
    example = tpmlp.trace(**tpmlp.EXAMPLES[1].inputs)
    assert explorer.picture.text == tpmlp.plots.plot_lanes(example).text
    assert explorer.values == START


@pytest.mark.parametrize("devices", [1, 2, 4, 8])
def test_shapes_and_bytes_are_those_of_the_compiled_program(devices):
    B, D, units, O = 3, 4, 2, 2
    mesh = tpmlp.make_mesh(devices)
    placed = tpmlp.shard_inputs(*numbers(B, D, units * devices, O, 0), mesh=mesh)
    facts = tpmlp.compiled_facts(lambda *arrays: tpmlp.forward(*arrays, mesh=mesh), *placed)
    sentence = show_shapes(B, D, units, O, devices, 0, False).sentence
    names = ("x", "W1", "b1", "W2", "b2")
    held = ", ".join(f"{name} {shape}" for name, shape in zip(names, facts.parameter_shapes, strict=True))
    assert f"holds {held}: {facts.argument_bytes_per_device} bytes." in sentence
    if devices == 1:
        assert facts.ring_bytes == 0
        assert "nothing is sent" in sentence
    else:
        assert f"one all-reduce of {facts.collective_bytes} bytes per device" in sentence


def test_every_small_size_is_printed_and_every_large_one_is_a_heat_map():
    for devices, seed in product((1, 2, 4, 8), (0, 7)):
        largest = {name: sizes[-1] for name, sizes in SMALL.items()}
        cells = lay_out(traced(**largest, devices=devices, seed=seed)).cells
        assert not any(isinstance(each, Heat) for each in cells.values())
    smallest = {name: sizes[0] for name, sizes in LARGE.items()}
    assert isinstance(lay_out(traced(**smallest, devices=8, seed=0)).cells["w1"], Heat)


def test_numbers_are_exact_to_three_decimals():
    largest = {name: sizes[-1] for name, sizes in SMALL.items()}
    for seed in range(10):
        out = traced(**largest, devices=8, seed=seed).out.astype(np.float64)
        np.testing.assert_allclose(out * 1000, np.rint(out * 1000), atol=0.02)


def test_where_one_size_changes_the_other_numbers_stay():
    small, large = numbers(2, 3, 8, 2, seed=4), numbers(4, 4, 16, 2, seed=4)
    for few, many in zip(small, large, strict=True):
        np.testing.assert_array_equal(few, many[tuple(map(slice, few.shape))])
    assert not np.array_equal(small.x, numbers(2, 3, 8, 2, seed=5).x)


def test_h_is_shown_as_devices_times_units(explorer):
    explorer.controls["units"].value = 2
    assert explorer.controls["units"].note == "H = 8 × 2 = 16"
    explorer.controls["devices"].value = 4
    assert explorer.controls["units"].note == "H = 4 × 2 = 8"


def test_the_switch_to_larger_shapes_and_back(explorer):
    explorer.controls["larger"].value = True
    assert explorer.values == START | START_LARGE | {"larger": True}
    assert "B=32, D=48, H=128, O=32 on 8 devices" in explorer.view.alt
    explorer.controls["units"].value = 32
    explorer.controls["larger"].value = False
    assert explorer.values == START
    explorer.controls["larger"].value = True
    explorer.reset()
    assert explorer.values == START
    assert explorer.controls["D"].max == SMALL["D"][-1]


def test_a_shape_seen_before_is_not_compiled_again(explorer):
    compilations = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, _seconds, **_: compilations.append(event) if "backend_compile" in event else None
    )
    explorer.controls["B"].value = 4
    explorer.controls["devices"].value = 2
    assert compilations
    compilations.clear()
    for name, value in (("B", 2), ("B", 4), ("seed", 3), ("devices", 8), ("seed", 0), ("devices", 2), ("B", 2)):
        explorer.controls[name].value = value
        if name == "B" and value == 2:  # two devices and B=2 is new, once
            compilations.clear()
    assert compilations == []
