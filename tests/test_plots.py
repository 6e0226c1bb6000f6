"""The pictures say what the trace says, in the picture and in the text."""

import base64
import io
import re
import subprocess
import sys

import numpy as np
import pytest
from drawing import made_up_trace, printed_texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image
from test_plots_fit import all_pictures

import tpmlp
from tpmlp import plots
from tpmlp.cost.sizes import check_size
from tpmlp.plots.style import COLOURS, HATCHES, INK, NOT_FINITE, WHITE, contrast, device_style, fmt, ink_on


@pytest.fixture(scope="module")
def traces():
    return [tpmlp.trace(**example.inputs) for example in tpmlp.EXAMPLES]


def lines_of(picture, start):
    return [line for line in picture.text.splitlines() if line.startswith(start)]


def pixels_of(picture):
    return np.asarray(Image.open(io.BytesIO(picture.png())).convert("RGB"))


def has_colour(picture, colour):
    return (pixels_of(picture) == [int(colour[i : i + 2], 16) for i in (1, 3, 5)]).all(axis=-1).any()


# --- texts


def test_the_lanes_tell_every_number_of_example_1(traces):
    text = plots.plot_lanes(traces[0]).text
    assert "every device: x (1, 2) = [[0, 0.5]]; b2 (1,) = [0.6]" in text
    assert (
        "device 0: W1 block (2, 1) = [[-0.8], [1.3]]; b1 block (1,) = [-0.1]; x W1 + b1 (1, 1) = [[0.55]]; "
        "hidden (1, 1) = [[0.55]]; W2 block (1, 1) = [[1.1]]; partial (1, 1) = [[0.605]]" in text
    )
    assert "set to 0 by relu: device 1 hidden[0, 0], device 6 hidden[0, 0], device 7 hidden[0, 0]" in text
    assert "psum (1, 1) = [[1.79]]" in text
    assert "out (1, 1) = [[2.39]]" in text


def test_the_lanes_tell_what_the_devices_hold(traces):
    for trace in traces:
        picture = plots.plot_lanes(trace)
        for device in trace.devices:
            (line,) = lines_of(picture, f"device {device.index}:")
            for name in ("w1", "b1", "preactivation", "hidden", "w2", "partial"):
                assert plots.words.numbers(getattr(device, name)) in line


def test_the_picture_prints_what_the_text_says(traces):
    for trace in traces:
        printed = {text for text, _, _ in printed_texts(plots.plot_lanes(trace).figure)}
        for device in trace.devices:
            assert {fmt(value).replace("-", "−") for value in device.partial.ravel()} <= printed
            assert f"device {device.index}" in printed


def test_large_traces_are_told_by_range_and_mean():
    trace = made_up_trace(64, 64, 64, 10)
    text = plots.plot_lanes(trace).text
    w1 = trace.devices[2].w1
    told = f"W1 block (64, 8): min {fmt(w1.min())}, max {fmt(w1.max())}, mean {fmt(w1.mean(dtype=np.float64))}"
    assert told in text
    assert len(text) < 6000


def test_the_waterfall_tells_every_step(traces):
    text = plots.plot_psum(traces[0], 0, 0).text
    sums = ["0.605", "0.605", "1.095", "1.215", "1.79", "1.79", "1.79", "1.79"]
    assert re.findall(r"running sum (\S+)", text) == sums
    assert "device 4: +0.575" in text
    assert "b2[0]: +0.6, added once" in text
    assert text.endswith("out[0, 0] = 2.39")


def test_an_entry_is_taken_apart_into_products(traces):
    text = plots.plot_entry(traces[2], 0, 0).text
    assert "device 0: 0.94 * 0.2 + 2.86 * (-0.5) = -1.242, running sum -1.242" in text
    assert "psum[0, 0] = -3.334" in text
    assert "out[0, 0] = -3.534" in text


def test_one_device_knows_of_an_entry_only_its_part_and_the_sum(traces):
    text = plots.plot_entry(traces[2], 0, 0, device=0).text
    assert text.count("unknown") == 7
    assert "running sum" not in text
    assert "the 7 other devices together: -2.092" in text
    others = [fmt(d.partial[0, 0]).replace("-", "−") for d in traces[2].devices[5:]]
    printed = " ".join(t for t, _, _ in printed_texts(plots.plot_entry(traces[2], 0, 0, device=0).figure))
    assert not any(number in printed for number in others)


def test_a_device_knows_nothing_of_the_others(traces):
    device = traces[0].devices[3]
    picture = plots.plot_device(traces[0], 3)
    assert "its own: partial (1, 1) = [[0.12]]" in picture.text
    assert "from the psum: psum (1, 1) = [[1.79]]; out (1, 1) = [[2.39]]" in picture.text
    assert "unknown to it: W1, b1, W2, hidden and partial of device 0, 1, 2, 4, 5, 6, 7" in picture.text
    known = [*device.w1.flat, *device.b1, *device.hidden.flat, *device.w2.flat, *device.partial.flat]
    known += [*traces[0].x.flat, *traces[0].psum.flat, *traces[0].b2, *traces[0].out.flat]
    labels = {str(d) for d in range(8)}
    numbers = {text for text, _, _ in printed_texts(picture.figure) if re.fullmatch(r"−?[\d.]+", text)}
    assert numbers - labels == {fmt(value).replace("-", "−") for value in known} - labels


def test_the_split_tells_which_units_a_device_holds(traces):
    text = plots.plot_split(traces[2]).text
    assert "device 3, hidden units 6 to 7: W1 block (2, 2) = [[0.9, 1.2], [-0.3, 1.2]]" in text
    assert "Cut by columns: W1 (2, 16), b1 (16,) and hidden (3, 16). Cut by rows: W2 (16, 2)." in text


def test_the_bytes_are_those_of_the_trace(traces):
    trace = traces[2]
    (line,) = lines_of(plots.plot_bytes(3, 2, 16, 2), "8 devices")
    assert line.startswith(f"8 devices: {trace.devices[0].bytes} each")


def test_device_counts_that_do_not_divide_are_left_out():
    text = plots.plot_bytes(1, 1, 6, 1).text
    assert "H=6 cannot be split over 4, 8 devices." in text
    assert "2 devices:" in text


def test_the_evidence_names_favourites_and_winner():
    trace = made_up_trace(2, 3, 8, 3)
    picture = plots.plot_evidence(trace, 1, classes=["ant", "bee", "cat"])
    names = np.array(["ant", "bee", "cat"])
    assert picture.text.endswith(f"winner: {names[trace.out[1].argmax()]}")
    for device in trace.devices:
        (line,) = lines_of(picture, f"device {device.index}")
        favourite = names[device.partial[1].argmax()] if device.partial[1].any() else "none"
        assert line.endswith(f"favourite: {favourite}")


def test_units_tell_where_they_look_hardest():
    trace = made_up_trace(1, 6, 16, 1)
    image = trace.devices[1].w1[:, 1].reshape(2, 3)
    row, column = np.unravel_index(image.argmax(), (2, 3))
    assert f"  unit 3: largest {fmt(image.max())} at [{row}, {column}]" in plots.plot_units(trace, (2, 3)).text


def test_a_unit_without_weights_is_told_as_such():
    trace = made_up_trace(1, 6, 16, 1)
    trace.devices[1].w1[:, 1] = [1e-5, -1e-5, 0, 0, 0, 0]
    text = plots.plot_units(trace, (2, 3)).text
    assert "  unit 3: 0 everywhere, to three decimals\n" in text
    assert text.count("everywhere") == 1


def test_a_difference_tells_all_three():
    right = np.array([[1.0, 2.0]], np.float32)
    text = plots.plot_difference(right, right + np.array([0.0, 0.7]), note="Off by b2.").text
    assert text == (
        "1 of 2 entries off. Off by b2.\nwrong (1, 2) = [[1, 2.7]]\nright (1, 2) = [[1, 2]]\n"
        "wrong - right (1, 2) = [[0, 0.7]]"
    )
    alike = plots.plot_difference(right, right + 1e-6).text
    assert alike.startswith("No entry is off.\nresult (1, 2)")
    assert "wrong" not in alike


# --- steps


def test_each_step_adds_what_it_brings(traces):
    trace = traces[1]
    steps = plots.lane_steps(trace)
    assert steps == ("place", "matmul1", "relu", "matmul2", *(f"psum {d}" for d in range(8)), "bias")
    texts = {step: plots.plot_lanes(trace, step=step).text for step in steps}
    assert "hidden (" not in texts["matmul1"]
    assert "Still empty: hidden, partial, psum, out." in texts["matmul1"]
    assert "hidden (2, 1) = [[1.51], [0.29]]" in texts["relu"]
    assert all("Nothing was communicated." in texts[step] for step in ("matmul1", "relu", "matmul2", "bias"))
    partials = np.cumsum([device.partial for device in trace.devices], axis=0)
    for d in range(7):
        assert f"running sum (2, 2) = {plots.words.numbers(partials[d])}" in texts[f"psum {d}"]
    assert f"psum (2, 2) = {plots.words.numbers(trace.psum)}" in texts["psum 7"]
    assert "out (2, 2)" not in texts["psum 7"]
    assert f"out (2, 2) = {plots.words.numbers(trace.out)}" in texts["bias"]


def test_what_is_not_there_yet_is_not_printed(traces):
    trace = traces[1]
    counts = [len(printed_texts(plots.plot_lanes(trace, step=step).figure)) for step in ("place", "relu", "matmul2")]
    assert counts[0] + 2 * 8 * 2 == counts[1]  # preactivation and hidden, two numbers per device each
    assert counts[1] + 8 * 4 <= counts[2] + 5  # partials; the sentence below may break otherwise


# --- looks


def test_every_device_has_its_own_colour_hatch_and_label():
    assert len(set(COLOURS)) == len(set(HATCHES)) == 8
    assert len({device_style(d).label for d in range(16)}) == 16
    assert len({device_style(d).tint for d in range(8)}) == 8


@pytest.mark.parametrize("fill", [*COLOURS, *(device_style(d).tint for d in range(8)), NOT_FINITE, WHITE])
def test_numbers_stand_out_from_their_cells(fill):
    assert contrast(ink_on(fill), fill) >= 4.5
    assert ink_on(fill) in (INK, WHITE)


@pytest.mark.parametrize("d", range(8))
def test_colours_survive_the_palette(traces, d):
    picture = plots.plot_lanes(traces[2])
    assert has_colour(picture, device_style(d).colour)
    assert has_colour(picture, device_style(d).tint)
    assert has_colour(picture, device_style(d).wash)


@pytest.mark.parametrize("shape", [(3, 2, 16, 2), (64, 64, 64, 10)])
def test_the_png_is_what_matplotlib_drew(shape):
    picture = plots.plot_lanes(made_up_trace(*shape))
    agg = FigureCanvasAgg(picture.figure)
    agg.draw()
    off = np.abs(pixels_of(picture).astype(int) - np.asarray(agg.buffer_rgba())[..., :3])
    assert off.mean() < 0.8
    assert np.quantile(off, 0.999) <= 24


@pytest.mark.parametrize("shape", [(2, 3, 8, 2), (64, 64, 64, 10)])
def test_nan_and_infinity_are_marked(shape):
    trace = made_up_trace(*shape)
    assert not has_colour(plots.plot_lanes(trace), NOT_FINITE)
    trace.devices[1].partial[:] = np.inf
    trace.psum[:] = trace.out[:] = np.nan
    for name, picture in all_pictures(trace):
        if not name.startswith(("units", "bytes", "split", "device")) and "," not in name:
            assert re.search("NaN|inf", picture.text), name
            if name != "entry of one device":
                assert has_colour(picture, NOT_FINITE), name


def test_zeros_by_relu_are_marked_and_other_zeros_are_not():
    trace = made_up_trace(1, 1, 8, 1)
    for device in trace.devices:
        device.preactivation[:] = device.hidden[:] = 0.0
    assert "set to 0 by relu: nothing" in plots.plot_lanes(trace).text
    trace.devices[5].preactivation[:] = -1.0
    assert "set to 0 by relu: device 5 hidden[0, 0]" in plots.plot_lanes(trace).text


# --- numbers


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-0.0001, "0"),
        (np.float32(0.575), "0.575"),
        (2.0, "2"),
        (-1.5, "-1.5"),
        (10.0, "10"),
        (12345.6789, "12345.679"),
        (1e6, "1.00e+06"),
        (np.nan, "NaN"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
    ],
)
def test_numbers_are_told_shortly(value, told):
    assert fmt(value) == told


# --- pictures as objects


def test_a_notebook_gets_the_png_and_the_text(traces):
    picture = plots.plot_lanes(traces[0])
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"image/png", "text/plain"}
    assert bundle["text/plain"] == picture.text == str(picture)
    assert base64.b64decode(bundle["image/png"]) == picture.png()
    assert picture.png() is picture.png()
    assert picture.alt == picture.text.splitlines()[0]


def test_pictures_are_small_enough_for_notebooks(traces):
    assert all(len(plots.plot_lanes(trace).png()) < 100_000 for trace in traces)


def test_no_pyplot_and_no_jax():
    # Under a bare parent package, because the real one brings JAX in.
    code = (
        "import sys, types, importlib.util; package = types.ModuleType('tpmlp'); "
        "package.__path__ = importlib.util.find_spec('tpmlp').submodule_search_locations; "
        "sys.modules['tpmlp'] = package; import tpmlp.plots; "
        "assert 'jax' not in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_pyplot_figure_is_left_open(traces):
    for _, picture in all_pictures(traces[0]):
        picture.png()
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


# --- bad arguments


def test_sizes_and_places_are_whole_numbers():
    assert plots.checks.check_index("row", np.int64(2), 3, "out has") == 2
    with pytest.raises(TypeError, match=r"row=1.0 is not a whole number; use 0 to 2"):
        plots.checks.check_index("row", 1.0, 3, "out has")
    with pytest.raises(TypeError, match=r"H='8' is not a whole number"):
        check_size("H", "8")


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda t: plots.plot_device(t, 8), ValueError, r"device=8 does not exist: there are 8 devices; use 0 to 7"),
        (lambda t: plots.plot_device(t, -1), ValueError, r"device=-1 .* use 0 to 7"),
        (lambda t: plots.plot_device(t, 1.0), TypeError, r"1\.0"),
        (lambda t: plots.plot_psum(t, 1, 0), ValueError, r"row=1 does not exist: out has 1 row; use 0"),
        (lambda t: plots.plot_psum(t, 0, 3), ValueError, r"column=3 does not exist: out has 1 column; use 0"),
        (lambda t: plots.plot_entry(t, 0, 0, device=9), ValueError, r"device=9"),
        (lambda t: plots.plot_lanes(t, step="psum 8"), ValueError, r"step='psum 8' is not a step .* place, matmul1"),
        (lambda t: plots.plot_units(t, (3, 3)), ValueError, r"9 pixels, but x has D=2 columns"),
        (lambda t: plots.plot_evidence(t, 0, classes="ab"), ValueError, r"classes has 2 names, but out has O=1"),
        (lambda t: plots.plot_difference(t.out, t.x), ValueError, r"right has shape \(1, 1\) and wrong \(1, 2\)"),
        (lambda t: plots.plot_bytes(1, 0, 8, 1), ValueError, r"D=0 is too small; use 1 or more"),
        (lambda t: plots.plot_bytes(1, 2, 8.5, 1), TypeError, r"8\.5"),
    ],
)
def test_bad_arguments_are_refused_with_the_numbers(traces, draw, error, message):
    with pytest.raises(error, match=message):
        draw(traces[0])
