"""The explorer of the price: time, bytes and break-even for any sizes, number of devices, dtype and hardware."""

from functools import lru_cache

import jax

from .. import cost
from ..compiled import CompiledFacts, compiled_facts
from ..layout import OUT_SPECS, in_shardings
from ..mesh import NUM_DEVICES, make_mesh
from ..mlp import body, compile_on
from ..plots import Picture, plot_break_even, plot_memory, plot_times
from ..plots.units import told_bytes, told_seconds, told_share
from ..plots.words import plural
from .controls import Slider, choice
from .shell import Explorer, Shown

COUNTS = (1, 2, 4, 8, 16, 32, 64)
PICTURES = (
    "time of the forward",
    "time of a training step",
    "bytes for the forward",
    "bytes for training",
    "break-even",
)


def price() -> Explorer:
    """Sliders for every size, and choices of devices, dtype and hardware; what it costs, predicted and counted.

    The predictions are `tpmlp.cost`'s. For up to eight devices the forward is compiled at every new size, from shapes
    alone, and the sentence says what its program has. It starts on OPT-175B's MLP with 4,096 tokens on 8 H100.
    """
    start = cost.MODELS["OPT-175B"]
    sizes = {
        "B": Slider(description="B, as a power of 2", min=0, max=16, value=12),
        "D": Slider(description="D, in 1024", min=1, max=16, value=start.D // 1024),
        "ratio": Slider(description="H, in D", min=1, max=8, value=start.H // start.D),
        "O": Slider(description="O, in 1024", min=1, max=16, value=start.D // 1024),
    }
    others = {
        "devices": choice("devices", COUNTS),
        "dtype": choice("dtype", ("bfloat16", "float32")),
        "hardware": choice("hardware", tuple(cost.HARDWARE)),
        "picture": choice("picture", PICTURES),
    }
    others["devices"].value = 8
    others["hardware"].value = "H100"

    def adapt(changed: str) -> None:
        del changed
        B, D, H, O = _sizes(**{name: slider.value for name, slider in sizes.items()})
        for name, size in zip(sizes, (B, D, H, O), strict=True):
            sizes[name].note = f"{'H' if name == 'ratio' else name} = {size:,}"

    return Explorer("price", sizes | others, show_price, adapt=adapt)


def show_price(B: int, D: int, ratio: int, O: int, devices: int, dtype: str, hardware: str, picture: str) -> Shown:
    """Predict the costs of these sizes; for as many devices as there are here, also compile and count."""
    sizes = _sizes(B, D, ratio, O)
    chip = cost.HARDWARE[hardware]
    return Shown(_picture(picture, sizes, devices, dtype, chip), price_sentence(sizes, devices, dtype, chip))


def price_sentence(sizes: tuple[int, int, int, int], devices: int, dtype: str, chip: cost.Hardware) -> str:
    """What one device holds, computes and sends, how long that takes, and whether the compiled program agrees."""
    B, _, _, O = sizes
    time = cost.forward_time(*sizes, devices, chip, dtype=dtype)
    held = cost.argument_bytes(*sizes, devices, dtype=dtype)
    flops = cost.forward_flops(*sizes, devices)
    sent = cost.all_reduce_bytes(B, O, devices, dtype=dtype)
    return (
        f"One forward on {devices} {chip.name}: each holds {told_bytes(held)} of arguments, does {flops:.3g} FLOPs of "
        f"matmuls and sends {told_bytes(sent)}. That is {told_seconds(time.total)}, "
        f"{told_share(time.all_reduce / time.total)} of it all-reduce; its own work is bound by {time.bound}. "
        f"{_counted(sizes, devices, dtype, held, flops)}"
    )


def _counted(sizes: tuple[int, int, int, int], devices: int, dtype: str, held: int, flops: int) -> str:
    if devices > NUM_DEVICES:
        return f"(Not counted: a program is compiled for {NUM_DEVICES} devices at most.)"
    facts = facts_of(*sizes, devices, dtype)
    counted = facts.argument_bytes_per_device
    agrees = "the same bytes" if counted == held else told_bytes(counted)
    sent = told_bytes(facts.ring_bytes)
    above = _more_flops(facts.flops_per_device, flops)
    collectives = ", ".join(f"{plural(count, kind)}" for kind, count in facts.collectives.items())
    widened = dtype == "bfloat16" and any(collective.dtype == "f32" for collective in facts.details)
    why = " (Here bfloat16 is turned into float32 first, as CPUs do.)" if widened else ""
    return f"Counted from the compiled program: {agrees} of arguments, {above}, {sent} sent in {collectives}.{why}"


def _more_flops(counted: int | None, predicted: int) -> str:
    """How many more were counted: biases, relu and the all-reduce's sums are not predicted."""
    if counted is None:
        return "FLOPs unknown"
    more = counted / predicted - 1
    return "under 1% more FLOPs" if more < 0.01 else f"{more:.0%} more FLOPs"


@lru_cache(maxsize=1024)
def facts_of(B: int, D: int, H: int, O: int, devices: int, dtype: str) -> CompiledFacts:
    """The facts of the forward compiled for these shapes; nothing is allocated, and no shape is compiled twice."""
    mesh = make_mesh(devices)
    # A function of its own for each shape, so that JAX keeps nothing of the program once its facts are read.
    program = compile_on(mesh, lambda *arrays: {"out": body(*arrays)["out"]}, {"out": OUT_SPECS["out"]})
    shapes = ((B, D), (D, H), (H,), (H, O), (O,))
    placed = zip(shapes, in_shardings(mesh), strict=True)
    return compiled_facts(program, *(jax.ShapeDtypeStruct(shape, dtype, sharding=s) for shape, s in placed))


def _sizes(B: int, D: int, ratio: int, O: int) -> tuple[int, int, int, int]:
    """B, D, H and O from where the sliders stand."""
    return 2**B, 1024 * D, 1024 * D * ratio, 1024 * O


def _picture(name: str, sizes: tuple[int, int, int, int], devices: int, dtype: str, chip: cost.Hardware) -> Picture:
    if name == "break-even":
        return plot_break_even(*sizes, dtype=dtype, counts=COUNTS, chosen=devices)
    training = "training" in name
    if name.startswith("time"):
        return plot_times(*sizes, chip, dtype=dtype, training=training, counts=COUNTS, chosen=devices)
    return plot_memory(*sizes, dtype=dtype, training=training, hardware=chip, counts=COUNTS, chosen=devices)
