"""What splitting costs: bytes per device and time over the number of devices, predicted by `tpmlp.cost`."""

from collections.abc import Sequence

from .. import cost
from ..cost.sizes import check_sizes
from .canvas import Canvas
from .picture import Picture
from .price_words import ALL_REDUCE, COUNTS, dividing, sizes_told
from .stacks import Bar, Mark, Part, draw_stacks
from .style import DARK, HYPHEN, SOFT_INK
from .units import told_bytes, told_seconds, told_share
from .words import plural

# None of these is a device's colour or the grey of what is replicated; the all-reduce is dark as the psum elsewhere.
_MEMORY = {"weights": "#4B3F72", "gradients": "#8475B3", "Adam": "#BDB2DA", "activations": "#DCC9A1"}
_OWN, _BACKWARD, _TALK = Part("own work", "#B7C6D8"), Part("own work, backward", "#7F97B5"), Part(ALL_REDUCE, DARK)


def plot_memory(
    B: int, D: int, H: int, O: int, *, dtype: str = "bfloat16", gated: bool = False, layers: int = 1,
    training: bool = True, hardware: cost.Hardware | None = None, counts: Sequence[int] = COUNTS,
    chosen: int | None = None,
) -> Picture:  # fmt: skip
    """Draw the bytes on one device over the number of devices.

    Args:
        B: samples, or tokens.
        D: size of the input.
        H: hidden units.
        O: size of the output.
        dtype: "float32" or "bfloat16".
        gated: the MLP has a second matrix of W1's shape.
        layers: how many such MLPs the device holds its part of.
        training: with gradients, Adam's state and the activations kept for the backward; else the weights and the
            activations of one layer at a time.
        hardware: draw its memory as a line.
        counts: numbers of devices; those that do not divide H are left out.
        chosen: one of them, to be set off.

    Returns:
        A `Picture`; its text gives every number.
    """
    check_sizes(layers=layers)
    parts = [Part(name, fill) for name, fill in _MEMORY.items() if training or name in ("weights", "activations")]
    bars, lines = [], []
    for n in dividing(H, counts):
        per_layer = cost.training_bytes(B, D, H, O, n, dtype=dtype, gated=gated)
        held = {part.name: per_layer[part.name] * layers for part in parts}
        if not training:
            held["activations"] = per_layer["activations"]
        total = sum(held.values())
        bars.append(Bar(n, tuple(held.values()), [told_bytes(total)], _fitting(total, hardware)))
        words = ", ".join(f"{name} {told_bytes(size)}" for name, size in held.items())
        lines.append(f"{plural(n, 'device')}: {told_bytes(total)} = {words}{_fits(total, hardware)}")
    what = "while training with Adam" if training else "for the forward"
    title = (
        f"Bytes per device {what}: {sizes_told(B, D, H, O, dtype, gated)}{f', {layers} layers' if layers > 1 else ''}"
    )
    canvas = Canvas()
    draw_stacks(canvas, title, parts, bars, told_bytes, _memory_line(hardware), chosen)
    return Picture(canvas.figure(), "\n".join([title, *lines]))


def plot_times(
    B: int, D: int, H: int, O: int, hardware: cost.Hardware, *, dtype: str = "bfloat16", gated: bool = False,
    training: bool = False, counts: Sequence[int] = COUNTS, chosen: int | None = None,
) -> Picture:  # fmt: skip
    """Draw the time of one forward, or of a training step, over the number of devices: own work and all-reduce.

    Args:
        B: samples, or tokens.
        D: size of the input.
        H: hidden units.
        O: size of the output.
        hardware: one of `tpmlp.cost.HARDWARE`.
        dtype: "float32" or "bfloat16".
        gated: the MLP has a second matrix of W1's shape.
        training: a forward and its backward, with the gradient of x; without the optimiser's step.
        counts: numbers of devices; those that do not divide H are left out.
        chosen: one of them, to be set off.

    Returns:
        A `Picture`; its text gives every number.
    """
    phases = [cost.forward_time, cost.backward_time] if training else [cost.forward_time]

    def times(n: int) -> list[cost.Time]:
        return [phase(B, D, H, O, n, hardware, dtype=dtype, gated=gated) for phase in phases]

    bars, lines, ideal = [], [], []
    alone = sum(time.total for time in times(1))
    for n in dividing(H, counts):
        steps = times(n)
        own, talk = [time.device for time in steps], sum(time.all_reduce for time in steps)
        total = sum(own) + talk
        share, faster = told_share(talk / total), f"speed-up {alone / total:.1f}"
        below = [faster.replace("-", HYPHEN), f"{share} talk"]
        bars.append(Bar(n, (*own, talk), [told_seconds(total)], below))
        ideal.append(alone / n)
        lines.append(
            f"{plural(n, 'device')}: {told_seconds(total)} = {_own_work(steps)} + all-reduce {told_seconds(talk)}; "
            f"{share} is all-reduce, {faster}"
        )
    what = "a training step, forward and backward," if training else "one forward"
    title = f"Time of {what} on {hardware.name}: {sizes_told(B, D, H, O, dtype, gated)}"
    parts = [Part("own work, forward", _OWN.fill), _BACKWARD, _TALK] if training else [_OWN, _TALK]
    canvas = Canvas()
    draw_stacks(canvas, title, parts, bars, told_seconds, [Mark("1/n of the time of one device", tuple(ideal))], chosen)
    left, _, right, low = canvas.bounds
    caption = "Predicted from the vendor's peaks."
    if bars[-1].n > hardware.link_reach:
        caption += f" Beyond {hardware.link_reach} devices the {ALL_REDUCE} also crosses the network."
    canvas.paragraph(left, low + 8, caption, right - left, size=8.5, colour=SOFT_INK)
    return Picture(canvas.figure(), "\n".join([title, *lines]))


def _own_work(times: Sequence[cost.Time]) -> str:
    """`own work 10 ms (compute-bound)`, or that of the forward and the backward."""
    names = ["own work"] if len(times) == 1 else ["forward", "backward"]
    told = [f"{name} {told_seconds(t.device)} ({t.bound}-bound)" for name, t in zip(names, times, strict=True)]
    return " + ".join(told)


def _memory_line(hardware: cost.Hardware | None) -> list[Mark]:
    if hardware is None:
        return []
    return [Mark(f"memory of {hardware.name}: {told_bytes(hardware.memory_bytes)}", (hardware.memory_bytes,))]


def _fitting(total: int | float, hardware: cost.Hardware | None) -> list[str]:
    return ["fits" if total <= hardware.memory_bytes else "too much"] if hardware else []


def _fits(total: int | float, hardware: cost.Hardware | None) -> str:
    if hardware is None:
        return ""
    return f"; {'fits in' if total <= hardware.memory_bytes else 'too much for'} one {hardware.name}"
