"""The pictures of costs: their texts give the numbers of `tpmlp.cost`, and they fit on a page."""

import pytest

from tpmlp import cost
from tpmlp.plots import plot_break_even, plot_memory, plot_roofline, plot_times
from tpmlp.plots.canvas import DPI, MAX_WIDTH, MIN_SIZE
from tpmlp.plots.units import told_bytes, told_seconds, told_share

OPT, LLAMA = cost.MODELS["OPT-175B"].sizes, cost.MODELS["Llama-3-70B"].sizes
H100 = cost.HARDWARE["H100"]
SMALL = {"B": 2, "D": 3, "H": 8, "O": 2}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0"),
        (1, "1 bytes"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (999_999, "1 MB"),
        (29.04e9, "29 GB"),
        (1.5e15, "1,500 TB"),
    ],
)
def test_bytes_are_told_to_three_digits(value, told):
    assert told_bytes(value) == told


@pytest.mark.parametrize(("value", "told"), [(0, "0"), (1e-10, "0.1 ns"), (8.02e-4, "802 µs"), (0.0016449, "1.64 ms")])
def test_seconds_are_told_to_three_digits(value, told):
    assert told_seconds(value) == told


def test_a_small_share_is_not_told_as_none():
    assert [told_share(share) for share in (0, 0.001, 0.27, 1)] == ["0%", "<1%", "27%", "100%"]


@pytest.mark.parametrize("training", [True, False])
def test_the_memory_picture_tells_every_part(training):
    picture = plot_memory(4096, **OPT, layers=96, training=training, hardware=H100)
    parts = cost.training_bytes(4096, **OPT, n=8, dtype="bfloat16")
    (line,) = (line for line in picture.text.splitlines() if line.startswith("8 devices"))
    assert f"weights {told_bytes(96 * parts['weights'])}" in line
    assert f"activations {told_bytes((96 if training else 1) * parts['activations'])}" in line
    assert ("Adam" in line) == training
    assert line.endswith("too much for one H100" if training else "fits in one H100")


def test_the_time_picture_tells_both_halves():
    picture = plot_times(4096, **LLAMA, hardware=H100, gated=True)
    time = cost.forward_time(4096, **LLAMA, n=16, hardware=H100, gated=True)
    (line,) = (line for line in picture.text.splitlines() if line.startswith("16 devices"))
    assert f"own work {told_seconds(time.device)} (compute-bound)" in line
    assert f"all-reduce {told_seconds(time.all_reduce)}" in line


def test_a_training_step_is_a_forward_and_a_backward():
    picture = plot_times(4096, **OPT, hardware=H100, training=True)
    forward, backward = (time(4096, **OPT, n=8, hardware=H100) for time in (cost.forward_time, cost.backward_time))
    (line,) = (line for line in picture.text.splitlines() if line.startswith("8 devices"))
    talk = forward.all_reduce + backward.all_reduce
    assert line.startswith(f"8 devices: {told_seconds(forward.total + backward.total)} = forward ")
    assert f"backward {told_seconds(backward.device)} (compute-bound) + all-reduce {told_seconds(talk)}" in line
    assert picture.alt.startswith("Time of a training step")


def test_the_break_even_picture_tells_every_hardware():
    picture = plot_break_even(4096, **OPT)
    for line, hardware in zip(picture.text.splitlines()[1:], cost.HARDWARE.values(), strict=True):
        assert line.startswith(f"{hardware.name}: n=1 0%")
        assert line.endswith(f"more than half at n={cost.break_even(4096, **OPT, hardware=hardware)}")


def test_the_roofline_tells_every_time_and_where_it_bends():
    *lines, last = plot_roofline(**OPT, n=8, hardware=H100, batches=(1, 4096)).text.splitlines()[1:]
    for B, line in zip((1, 4096), lines, strict=True):
        time = cost.forward_time(B, **OPT, n=8, hardware=H100)
        parts = f"compute {told_seconds(time.compute)}, memory {told_seconds(time.memory)}"
        assert line == f"B={B}: {parts}, all-reduce {told_seconds(time.all_reduce)}; {time.bound}-bound"
    assert last == f"compute-bound from B={cost.critical_batch(**OPT, n=8, hardware=H100)} on"
    assert plot_roofline(2, 16, 2, 8, H100).text.endswith("memory-bound for every B")


@pytest.mark.parametrize("batches", [(), (4,), (4, 1), (4, 4), (0, 4)])
def test_a_roofline_needs_two_growing_batches(batches):
    with pytest.raises(ValueError, match="give at least two sizes of 1 or more, each larger than the last"):
        plot_roofline(**OPT, n=8, hardware=H100, batches=batches)


def test_counts_that_do_not_divide_are_left_out_and_none_is_refused():
    assert "8 devices" in plot_times(**SMALL, hardware=H100).text
    assert "16 devices" not in plot_times(**SMALL, hardware=H100).text
    with pytest.raises(ValueError, match=r"H=8 cannot be split over any of \(3, 5\) devices"):
        plot_memory(**SMALL, counts=(3, 5))


PICTURES = {
    "memory": lambda: plot_memory(65536, **OPT, layers=96, hardware=H100),
    "small memory": lambda: plot_memory(**SMALL, dtype="float32", counts=(1, 2)),
    "times": lambda: plot_times(
        1, **LLAMA, hardware=cost.HARDWARE["TPU v5e"], gated=True, counts=[2**k for k in range(9)]
    ),
    "training times": lambda: plot_times(1, **LLAMA, hardware=H100, gated=True, training=True, counts=(1, 2, 4, 8)),
    "small times": lambda: plot_times(**SMALL, hardware=H100, dtype="float32", counts=(1,)),
    "break-even": lambda: plot_break_even(1, **LLAMA, gated=True),
    "roofline": lambda: plot_roofline(**LLAMA, n=8, hardware=cost.HARDWARE["TPU v5e"], gated=True, dtype="float32"),
    "small roofline": lambda: plot_roofline(2, 16, 2, 1, H100, batches=(1, 2)),
    "small break-even": lambda: plot_break_even(**SMALL, hardware=[H100], counts=(1,)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_it_fits_on_a_page_in_readable_letters(name):
    picture = PICTURES[name]()
    width, height = picture.figure.get_size_inches()
    assert width * 72 <= MAX_WIDTH + 1
    placed = [each for artist in picture.figure.findobj() for each in getattr(artist, "placed", [])]
    assert placed
    assert min(each.size for each in placed) >= MIN_SIZE
    assert picture.png().startswith(b"\x89PNG")
    assert height * DPI < 800


@pytest.mark.parametrize(
    ("draw", "error", "says"),
    [
        (lambda: plot_times(**SMALL, hardware=H100, counts=()), ValueError, "counts is empty"),
        (lambda: plot_times(**SMALL, hardware=H100, counts=(0, 1)), ValueError, "devices=0 is too small"),
        (lambda: plot_times(**(SMALL | {"B": -4}), hardware=H100), ValueError, "B=-4 is too small"),
        (lambda: plot_memory(**SMALL, layers=0), ValueError, "layers=0 is too small"),
        (lambda: plot_break_even(**SMALL, hardware=[]), TypeError, "give a list of Hardware"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, error, says):
    with pytest.raises(error, match=says):
        draw()


def test_counts_are_drawn_in_order():
    assert plot_break_even(**SMALL, counts=(8, 1, 2)).text == plot_break_even(**SMALL, counts=(1, 2, 8)).text
