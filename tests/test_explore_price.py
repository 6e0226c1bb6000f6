"""The explorer of the price: every control, and that what it predicts is what the compiled program has."""

import random

import jax
import psutil
import pytest

import tpmlp
from tpmlp import cost
from tpmlp.explore.price import COUNTS, PICTURES, facts_of, price_sentence
from tpmlp.plots.units import told_bytes

H100 = cost.HARDWARE["H100"]


def test_it_starts_on_a_published_model():
    explorer = tpmlp.explore.price()
    assert explorer.view.sentence.startswith("One forward on 8 H100: each holds 403 MB of arguments")
    assert "B=4096, D=12288, H=49152, O=12288, bfloat16" in explorer.view.alt
    assert [explorer.controls[name].note for name in ("B", "D", "ratio", "O")] == [
        "B = 4,096",
        "D = 12,288",
        "H = 49,152",
        "O = 12,288",
    ]


@pytest.mark.parametrize(
    ("name", "value", "seen"),
    [
        ("B", 5, "B=32,"),
        ("D", 2, "D=2048, H=8192"),
        ("ratio", 1, "H=12288"),
        ("O", 1, "O=1024"),
        ("devices", 4, "own work"),
        ("dtype", "float32", "float32"),
        ("hardware", "TPU v5e", "on TPU v5e"),
    ],
)
def test_every_control_changes_the_picture_and_reset_brings_it_back(name, value, seen):
    explorer = tpmlp.explore.price()
    before = explorer.view.png, explorer.view.sentence
    explorer.controls[name].value = value
    assert seen in explorer.view.text
    assert explorer.view.png != before[0]
    assert not explorer.view.error
    explorer.reset()
    assert (explorer.view.png, explorer.view.sentence) == before


@pytest.mark.parametrize("picture", PICTURES)
def test_every_picture_for_every_number_of_devices(picture):
    explorer = tpmlp.explore.price()
    explorer.controls["B"].value = 0
    explorer.controls["picture"].value = picture
    for devices in COUNTS:
        explorer.controls["devices"].value = devices
        assert not explorer.view.error
        assert f"on {devices} H100" in explorer.view.sentence


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_the_counted_program_has_what_was_predicted(n, dtype):
    sizes = (16, 1024, 4096, 2048)
    facts = facts_of(*sizes, n, dtype)
    assert facts.argument_bytes_per_device == cost.argument_bytes(*sizes, n, dtype=dtype)
    assert facts.collectives == {"all-reduce": 1}
    # In bfloat16 some versions of XLA count the conversion of every weight, one FLOP beside its 2B.
    more = facts.flops_per_device / cost.forward_flops(*sizes, n) - 1
    assert 0 <= more < (0.01 if dtype == "float32" else 1.1 / (2 * 16) + 0.01)
    sentence = price_sentence(sizes, n, dtype, H100)
    assert "the same bytes of arguments, " in sentence
    assert f"more FLOPs, {told_bytes(facts.ring_bytes)} sent in 1 all-reduce." in sentence
    assert ("turned into float32" in sentence) == (dtype == "bfloat16" and facts.details[0].dtype == "f32")


def test_more_devices_than_there_are_here_are_predicted_only():
    sentence = price_sentence((16, 1024, 4096, 2048), 16, "bfloat16", H100)
    assert "Not counted" in sentence


def test_no_shape_is_compiled_twice_and_nothing_is_allocated():
    before = len(jax.live_arrays())
    assert facts_of(2, 1024, 1024, 1024, 8, "float32") is facts_of(2, 1024, 1024, 1024, 8, "float32")
    assert len(jax.live_arrays()) == before


def test_many_moves_take_little_memory_and_end_on_the_last():
    explorer = tpmlp.explore.price()
    process, rng = psutil.Process(), random.Random(0)

    def move():
        name = rng.choice(list(explorer.controls))
        control = explorer.controls[name]
        options = getattr(control, "options", None) or range(control.min, control.max + 1)
        control.value = rng.choice(list(options))

    for _ in range(5):
        move()
    before = process.memory_info().rss
    for _ in range(15):
        move()
    explorer.controls["devices"].value = 2
    explorer.controls["hardware"].value = "B200"
    assert explorer.view.sentence.startswith("One forward on 2 B200")
    assert process.memory_info().rss - before < 40e6
