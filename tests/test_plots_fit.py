"""Every picture fits at every size that the course uses: nothing too small, cut off or overlapping."""

import numpy as np
import pytest
from drawing import faults_of_layout, made_up_trace, printed_texts
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg

from tpmlp import plots
from tpmlp.plots.canvas import Canvas

# B, D, H, O, n
SHAPES = [
    (1, 2, 8, 1, 8),
    (2, 3, 8, 2, 8),
    (3, 2, 16, 2, 8),
    (1, 1, 1, 1, 1),
    (8, 12, 8, 10, 1),
    (8, 1, 32, 10, 4),
    (8, 12, 64, 10, 8),
    (64, 64, 64, 10, 8),
    (64, 256, 1024, 64, 8),
]


def all_pictures(trace):
    """Name and picture of everything there is to draw."""
    n, d = len(trace.devices), trace.x.shape[1]
    (b, o), h = trace.out.shape, trace.hidden.shape[1]
    yield "lanes", plots.plot_lanes(trace)
    for step in ("place", "relu", f"psum {n // 2}", "bias"):
        yield f"lanes, {step}", plots.plot_lanes(trace, step=step)
    yield "split", plots.plot_split(trace)
    yield "device", plots.plot_device(trace, n - 1)
    yield "psum", plots.plot_psum(trace, b - 1, o - 1)
    yield "entry", plots.plot_entry(trace, b - 1, o - 1)
    yield "entry of one device", plots.plot_entry(trace, 0, 0, n - 1)
    yield "units", plots.plot_units(trace, (1, d))
    yield "evidence", plots.plot_evidence(trace, 0)
    yield "difference", plots.plot_difference(trace.out, trace.psum)
    yield "bytes", plots.plot_bytes(b, d, h, o)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_picture_fits(shape):
    faults = {name: faults_of_layout(picture.figure) for name, picture in all_pictures(made_up_trace(*shape))}
    assert not {name: found for name, found in faults.items() if found}


@pytest.mark.parametrize(("decimals", "factor"), [(3, 1000.0), (1, 0.0)])
def test_long_and_short_numbers_fit(decimals, factor):
    trace = made_up_trace(3, 4, 16, 3, decimals=decimals, factor=factor)
    faults = {name: faults_of_layout(picture.figure) for name, picture in all_pictures(trace)}
    assert not {name: found for name, found in faults.items() if found}


def test_an_empty_batch_is_drawn_too():
    trace = made_up_trace(0, 3, 8, 2)
    for picture in (plots.plot_lanes(trace), plots.plot_split(trace), plots.plot_device(trace, 0)):
        assert not faults_of_layout(picture.figure)
    with pytest.raises(ValueError, match="row=0 does not exist: out has 0 rows; there is nothing to draw"):
        plots.plot_psum(trace, 0, 0)


@settings(max_examples=8)
@given(
    b=st.integers(1, 8),
    d=st.integers(1, 12),
    units=st.integers(1, 8),
    o=st.integers(1, 10),
    n=st.sampled_from([1, 2, 4, 8]),
    decimals=st.integers(0, 3),
)
def test_lanes_and_split_fit_between_the_extremes(b, d, units, o, n, decimals):
    trace = made_up_trace(b, d, n * units, o, n, decimals=decimals)
    for picture in (plots.plot_lanes(trace), plots.plot_device(trace, 0)):
        assert not faults_of_layout(picture.figure)


@pytest.mark.parametrize("example", [(1, 2, 8, 1), (2, 3, 8, 2), (3, 2, 16, 2)])
def test_sizes_of_the_examples_are_printed_not_painted(example):
    trace = made_up_trace(*example)
    printed = {text for text, _, _ in printed_texts(plots.plot_lanes(trace).figure)}
    for array in (trace.x, trace.out, trace.psum, *(device.partial for device in trace.devices)):
        assert {plots.style.fmt(value).replace("-", "−") for value in array.ravel()} <= printed


def test_the_steps_have_one_size_so_that_nothing_jumps():
    trace = made_up_trace(2, 3, 8, 2)
    sizes = {tuple(plots.plot_lanes(trace, step=s).figure.get_size_inches()) for s in plots.lane_steps(trace)}
    assert len(sizes) == 1


def test_nothing_is_drawn_over_the_edge():
    for name, picture in all_pictures(made_up_trace(3, 2, 16, 2)):
        agg = FigureCanvasAgg(picture.figure)
        agg.draw()
        pixels = np.asarray(agg.buffer_rgba())[..., :3]
        edges = (pixels[:4], pixels[-4:], pixels[:, :4], pixels[:, -4:])
        assert all((edge == 255).all() for edge in edges), name


def test_the_check_sees_what_is_wrong():
    canvas = Canvas()
    canvas.text(0, 0, "one")
    canvas.text(5, 2, "two", size=7.0)
    canvas.rect(0, 0, 1000, 1, fill="#000000")
    faults = faults_of_layout(canvas.figure())
    assert any("overlaps" in fault for fault in faults)
    assert any("7.0 points" in fault for fault in faults)
    assert any("pixels wide" in fault for fault in faults)
    canvas.rect(0, -100, 10, 200, fill="#000000")
    canvas.text(0, 99, "three")
    assert any("cut off" in fault for fault in faults_of_layout(canvas.figure(margin=-6.0)))
