"""The explorers that take a trace: of steps, and of one entry."""

import numpy as np
import pytest

import tpmlp
from tpmlp.explore.entry import ALL


@pytest.fixture(scope="module")
def example():
    return tpmlp.trace(**tpmlp.EXAMPLES[1].inputs)


@pytest.fixture(scope="module")
def own():
    """A trace of the reader's own: three samples, four devices with two units each, one output."""
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-9, 10, shape) / 10 for shape in ((3, 2), (2, 8), 8, (8, 1), 1)]
    return tpmlp.trace(*arrays, mesh=tpmlp.make_mesh(4))


def test_steps_start_on_example_2(example):
    assert tpmlp.explore.steps().picture.text == tpmlp.plots.plot_lanes(example, step="place").text


def test_every_step_says_what_happened_and_whether_anything_was_communicated(own):
    explorer, names = tpmlp.explore.steps(own), tpmlp.plots.lane_steps(own)
    step = explorer.controls["step"]
    assert (step.min, step.max) == (1, len(names)) == (1, 4 + 4 + 1)
    for number, name in enumerate(names, start=1):
        step.value = number
        title = tpmlp.plots.step_title(name)
        assert explorer.picture.text == tpmlp.plots.plot_lanes(own, step=name).text
        assert explorer.view.sentence.startswith(f"Step {number} of 9, {title}. ")
        assert ("Devices talk" in explorer.view.sentence) == name.startswith("psum")
        assert step.note == title
    explorer.reset()
    assert step.value == 1


def test_an_entry_starts_on_example_2(example):
    assert tpmlp.explore.entry().picture.text == tpmlp.plots.plot_entry(example, 0, 0).text


def test_an_entry_tells_who_gave_what(own):
    explorer = tpmlp.explore.entry(own)
    assert (explorer.controls["row"].max, explorer.controls["column"].max) == (2, 0)
    explorer.controls["row"].value = 2
    assert explorer.picture.text == tpmlp.plots.plot_entry(own, 2, 0).text
    for device in own.devices:
        value = f"{float(device.partial[2, 0]):.3f}".rstrip("0").rstrip(".")
        assert value in ("0", "-0") or f"device {device.index} {value}" in explorer.view.sentence


def test_one_device_does_not_tell_what_it_cannot_know(own):
    explorer = tpmlp.explore.entry(own)
    explorer.controls["device"].value = 3
    assert explorer.picture.text == tpmlp.plots.plot_entry(own, 0, 0, device=3).text
    assert "device 0: unknown" in explorer.view.text
    assert "Device 3 gave" in explorer.view.sentence
    explorer.reset()
    assert explorer.controls["device"].value == ALL


def test_an_empty_batch_has_no_entry():
    empty = tpmlp.trace(**{**tpmlp.EXAMPLES[1].inputs, "x": np.zeros((0, 3))})
    with pytest.raises(ValueError, match="B=0"):
        tpmlp.explore.entry(empty)
