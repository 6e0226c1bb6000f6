"""The formulas of `tpmlp.cost` against compiled programs, and its hardware against its own rules."""

import re
import subprocess
import sys
from functools import partial

import jax
import jax.numpy as jnp
import pytest
from jax.sharding import NamedSharding

import tpmlp
from tpmlp import cost

SIZES = [{"B": 3, "D": 5, "H": 16, "O": 2}, {"B": 64, "D": 32, "H": 128, "O": 48}, {"B": 2, "D": 300, "H": 48, "O": 7}]
H100 = cost.HARDWARE["H100"]


def shapes(B, D, H, O, mesh, dtype=jnp.float32):
    """The five inputs as shapes alone, placed as the forward wants them."""
    dimensions = ((B, D), (D, H), (H,), (H, O), (O,))
    return [
        jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec))
        for shape, spec in zip(dimensions, tpmlp.IN_SPECS, strict=True)
    ]


def forward_and_backward(mesh, dx):
    """(out, gradients) of the forward for a given gradient of out."""

    def run(g, *inputs):
        def out(*differentiated):
            return tpmlp.forward(*(inputs[: 1 - dx] + differentiated), mesh=mesh)["out"]

        value, vjp = jax.vjp(out, *inputs[1 - dx :])
        return value, vjp(g)

    return run


# --- counted ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 4, 8])
@pytest.mark.parametrize("sizes", SIZES)
def test_the_forward_s_formulas_are_what_the_compiled_program_says(sizes, n):
    B, H, O = sizes["B"], sizes["H"], sizes["O"]
    mesh = tpmlp.make_mesh(n)
    facts = tpmlp.compiled_facts(partial(tpmlp.forward, mesh=mesh), *shapes(**sizes, mesh=mesh))
    assert cost.argument_bytes(**sizes, n=n) == facts.argument_bytes_per_device
    one_each = 2 * B * H // n + 2 * B * O  # b1 and relu; the all-reduce's addition and b2
    assert cost.forward_flops(**sizes, n=n) + one_each == facts.flops_per_device
    assert cost.all_reduce_bytes(B, O, n) == facts.ring_bytes == 2 * (n - 1) / n * facts.collective_bytes


@pytest.mark.parametrize("dx", [True, False])
@pytest.mark.parametrize("n", [1, 8])
def test_the_backward_s_flops_are_the_compiled_matmuls_and_little_more(n, dx):
    sizes = SIZES[1]
    B, D, H, O = sizes.values()
    mesh = tpmlp.make_mesh(n)
    g = jax.ShapeDtypeStruct((B, O), jnp.float32, sharding=NamedSharding(mesh, jax.P()))
    facts = tpmlp.compiled_facts(forward_and_backward(mesh, dx), g, *shapes(**sizes, mesh=mesh))
    matmuls = cost.forward_flops(**sizes, n=n) + cost.backward_flops(**sizes, n=n, dx=dx)
    assert matmuls <= facts.flops_per_device <= matmuls + 6 * (B * D + B * H // n + B * O)
    sent = 4 * (B * O + (B * D if dx else 0))
    assert facts.collective_bytes == sent


def test_the_bytes_of_weights_are_counted_in_the_dtype_asked_for():
    mesh = tpmlp.make_mesh()
    placed = shapes(**SIZES[1], mesh=mesh, dtype=jnp.bfloat16)
    facts = tpmlp.compiled_facts(lambda *inputs: inputs, *placed)
    assert cost.argument_bytes(**SIZES[1], n=8, dtype="bfloat16") == facts.argument_bytes_per_device


# --- formulas ---------------------------------------------------------------------------------------------------------


def test_a_gated_mlp_has_a_third_matrix_and_the_same_all_reduce():
    plain, gated = ({"D": 8, "H": 16, "O": 8, "n": 2, "gated": gated} for gated in (False, True))
    assert cost.forward_flops(B=4, **gated) * 2 == cost.forward_flops(B=4, **plain) * 3
    assert cost.weight_bytes(**gated) - cost.weight_bytes(**plain) == 4 * (8 + 1) * 8
    assert (
        cost.forward_time(B=4, **gated, hardware=H100).all_reduce
        == cost.forward_time(B=4, **plain, hardware=H100).all_reduce
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_training_with_adam_takes_sixteen_bytes_a_weight(dtype):
    D, H, O, n = 8, 32, 4, 4
    weights = D * H // n + H // n + H * O // n + O
    parts = cost.training_bytes(10, D, H, O, n, dtype=dtype)
    assert parts["weights"] + parts["gradients"] + parts["Adam"] == 16 * weights
    assert parts["activations"] == cost.BYTES[dtype] * (10 * D + 10 * H // n)


def test_the_backward_is_twice_the_forward_and_less_without_dx():
    sizes = {"B": 4, "D": 8, "H": 16, "O": 8, "n": 2}
    assert cost.backward_flops(**sizes) == 2 * cost.forward_flops(**sizes)
    assert cost.backward_flops(**sizes, dx=False) == cost.backward_flops(**sizes) - 2 * 4 * 8 * 8


@pytest.mark.parametrize(
    ("sizes", "error", "says"),
    [
        ({"n": 3}, ValueError, "H=16 cannot be split over 3 devices; use 15 or 18"),
        ({"n": 32}, ValueError, "H=16 cannot be split over 32 devices; use 32"),
        ({"n": 0}, ValueError, "n=0 is too small; use 1 or more"),
        ({"H": -16}, ValueError, "H=-16 is too small"),
        ({"B": -1}, ValueError, "B=-1 is too small; use 0 or more"),
        ({"O": 0}, ValueError, "O=0 is too small"),
        ({"dtype": "float16"}, ValueError, "dtype='float16' is not known here; use 'float32' or 'bfloat16'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_rule(sizes, error, says):
    known = {"B": 1, "D": 2, "H": 16, "O": 2, "n": 2, "dtype": "float32", "hardware": H100} | sizes
    for time in (cost.forward_time, cost.backward_time):
        with pytest.raises(error, match=re.escape(says)):
            time(**known)


def test_arguments_of_another_type_are_refused_with_the_rule():
    """In a Python of its own, because here the annotations are enforced before the function sees its arguments."""
    program = """
from tpmlp import cost, plots
for wrong in ({"n": 2.5}, {"D": "2"}, {"dtype": 32}, {"hardware": "H100"}):
    known = {"B": 1, "D": 2, "H": 16, "O": 2, "n": 2, "dtype": "float32", "hardware": cost.HARDWARE["H100"]} | wrong
    try:
        cost.forward_time(**known)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    plots.plot_break_even(1, 2, 16, 2, hardware=cost.HARDWARE["H100"])
except TypeError as error:
    print(type(error).__name__, error)
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [
        "TypeError n=2.5 is not a whole number; use 1 or more",
        "TypeError D='2' is not a whole number; use 1 or more",
        "ValueError dtype=32 is not known here; use 'float32' or 'bfloat16'",
        "TypeError hardware='H100' is not a Hardware; use cost.HARDWARE[name] with one of 'TPU v5e', 'TPU v5p', "
        "'TPU v6e', 'H100', 'H200', 'B200'",
        "TypeError hardware: give a list of Hardware, such as [cost.HARDWARE['H100']]",
    ]


@pytest.mark.parametrize("function", [cost.all_reduce_time, lambda size, n, hardware: cost.all_reduce_bytes(4, 4, n)])
def test_an_all_reduce_needs_devices(function):
    for n in (0, -1):
        with pytest.raises(ValueError, match=f"n={n} is too small"):
            function(100, n, H100)


def test_the_groups_beyond_the_links_are_as_even_as_can_be():
    size, link, network = 100e6, H100.link_bytes_per_second, H100.network_bytes_per_second
    five_and_four = 2 * 4 * (H100.hop_seconds + size / 5 / link) + size / 4 / network
    assert cost.all_reduce_time(size, 9, H100) == pytest.approx(five_and_four)
    eight_and_eight = 2 * 7 * (H100.hop_seconds + size / 8 / link) + size / 8 / network
    assert cost.all_reduce_time(size, 16, H100) == pytest.approx(eight_and_eight)


def test_without_dx_the_backward_does_not_read_w1():
    sizes = {"B": 1, "D": 64, "H": 256, "O": 32, "n": 4, "hardware": H100, "dtype": "float32"}
    difference = cost.backward_time(**sizes).memory - cost.backward_time(**sizes, dx=False).memory
    not_read = 64 * 64 + 64 + 32  # W1, and the biases, of which neither is needed for anything else
    written = 1 * 64  # the gradient of x
    assert difference == pytest.approx(4 * (not_read + written) / H100.memory_bytes_per_second)


def test_one_device_sends_nothing_and_many_send_nearly_twice():
    assert cost.all_reduce_bytes(4, 8, 1) == 0
    assert cost.all_reduce_bytes(4, 8, 1024) == pytest.approx(2 * 4 * 4 * 8, rel=1e-2)


# --- times ------------------------------------------------------------------------------------------------------------


def test_a_large_batch_is_bound_by_compute_and_a_single_token_by_memory():
    opt = cost.MODELS["OPT-175B"].sizes
    for hardware in cost.HARDWARE.values():
        assert cost.forward_time(4096, **opt, n=8, hardware=hardware).bound == "compute"
        assert cost.forward_time(1, **opt, n=8, hardware=hardware).bound == "memory"


def test_the_time_adds_up():
    time = cost.forward_time(4096, 12288, 49152, 12288, 8, H100)
    assert time.compute == pytest.approx(2 * 4096 * (12288 + 12288) * 49152 / 8 / 989.5e12)
    assert time.all_reduce == pytest.approx(2 * 7 * (0.6e-6 + 4096 * 12288 * 2 / 8 / 450e9))
    assert time.total == time.device + time.all_reduce == max(time.compute, time.memory) + time.all_reduce


def test_beyond_the_links_the_network_takes_its_share():
    size = 1e6
    within = 2 * 7 * (0.6e-6 + size / 8 / 450e9)
    assert cost.all_reduce_time(size, 1, H100) == cost.all_reduce_time(0, 8, H100) == 0
    assert cost.all_reduce_time(size, 8, H100) == pytest.approx(within)
    assert cost.all_reduce_time(size, 16, H100) == pytest.approx(within + 2 * 1 / 2 * size / 8 / 50e9)


@pytest.mark.parametrize("hardware", cost.HARDWARE.values(), ids=lambda hardware: hardware.name)
@pytest.mark.parametrize("B", [1, 512, 65536])
def test_break_even_is_where_the_all_reduce_overtakes(hardware, B):
    opt = cost.MODELS["OPT-175B"].sizes
    n = cost.break_even(B, **opt, hardware=hardware)
    time = cost.forward_time(B, **opt, n=n, hardware=hardware)
    before = max(m for m in range(1, n) if opt["H"] % m == 0)
    assert time.all_reduce > time.device
    assert not (earlier := cost.forward_time(B, **opt, n=before, hardware=hardware)).all_reduce > earlier.device


def test_break_even_within_the_links_does_not_depend_on_the_batch():
    """Compute-bound, both times grow with B: n = 1 + (D + O) H W / (O P bytes), here about 26."""
    v5e, opt = cost.HARDWARE["TPU v5e"], cost.MODELS["OPT-175B"].sizes
    assert cost.break_even(8192, **opt, hardware=v5e) == cost.break_even(65536, **opt, hardware=v5e) == 32
    exact = 1 + 2 * opt["H"] * v5e.link_bytes_per_second / (2 * v5e.flops_per_second["bfloat16"])
    assert 24 < exact < 32  # 24 and 32 divide H, nothing in between does


def test_a_single_token_meets_the_latency():
    """Memory-bound: D H + H O weights to read, against 2(n - 1) hops; long before the bytes of one token matter."""
    opt = cost.MODELS["OPT-175B"].sizes
    assert cost.break_even(1, **opt, hardware=cost.HARDWARE["TPU v5e"]) == 64
    tiny = cost.all_reduce_time(2 * opt["O"], 8, H100)
    assert tiny == pytest.approx(14 * H100.hop_seconds, rel=0.02)


def test_there_may_be_no_break_even():
    assert cost.break_even(1 << 20, 1 << 14, 8, 1, H100) is None


# --- data -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hardware", cost.HARDWARE.values(), ids=lambda hardware: hardware.name)
def test_every_constant_has_a_source_and_makes_sense(hardware):
    constants = set(vars(hardware)) - {"name", "sources"}
    assert set(hardware.sources) == constants
    assert all("https://" in source for source in hardware.sources.values())
    assert set(hardware.flops_per_second) == set(cost.BYTES)
    assert hardware.flops_per_second["float32"] < hardware.flops_per_second["bfloat16"]
    assert hardware.network_bytes_per_second < hardware.link_bytes_per_second < hardware.memory_bytes_per_second
    assert 1e14 < hardware.flops_per_second["bfloat16"] < 1e16
    assert 10e9 < hardware.memory_bytes < 1e12


def test_the_hardware_asked_for_is_there():
    assert set(cost.HARDWARE) == {"TPU v5e", "TPU v5p", "TPU v6e", "H100", "H200", "B200"}


@pytest.mark.parametrize(("name", "billions"), [("OPT-175B", 175), ("Llama-3-70B", 70)])
def test_the_models_mlps_are_most_of_their_weights(name, billions):
    model = cost.MODELS[name]
    weights = model.layers * cost.weight_bytes(**model.sizes, n=1, gated=model.gated) / 4
    assert 0.6 < weights / (billions * 1e9) < 0.85
    assert "arXiv:" in model.source


# --- the update, and the smallest batch that keeps a device busy


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_an_update_reads_and_writes_28_bytes_a_weight(dtype):
    seconds = cost.update_time(D=8, H=64, O=4, n=8, hardware=H100, dtype=dtype)
    weights = 8 * 8 + 8 + 8 * 4 + 4
    assert seconds == pytest.approx(28 * weights / H100.memory_bytes_per_second)
    # By what is kept while training: Adam's part is read and written, the gradient read, the weight written, and read
    # too where it is its own float32 copy.
    per_weight = {name: size / weights for name, size in cost.training_bytes(1, 8, 64, 4, 8, dtype=dtype).items()}
    reads = per_weight["weights"] if dtype == "float32" else 0
    assert 2 * per_weight["Adam"] + per_weight["gradients"] + per_weight["weights"] + reads == 28


@pytest.mark.parametrize("hardware", cost.HARDWARE.values(), ids=lambda hardware: hardware.name)
@pytest.mark.parametrize("gated", [False, True])
def test_the_critical_batch_is_the_first_that_is_bound_by_compute(hardware, gated):
    sizes = {"D": 8192, "H": 28672, "O": 8192, "n": 8, "hardware": hardware, "gated": gated}
    critical = cost.critical_batch(**sizes)
    assert critical > 1
    assert cost.forward_time(critical - 1, **sizes).bound == "memory"
    assert cost.forward_time(critical, **sizes).bound == "compute"


def test_tiny_layers_are_bound_by_memory_whatever_the_batch():
    assert cost.critical_batch(D=2, H=16, O=2, n=8, hardware=H100) is None
    assert cost.forward_time(1 << 40, D=2, H=16, O=2, n=8, hardware=H100).bound == "memory"
