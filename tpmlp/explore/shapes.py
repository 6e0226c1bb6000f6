"""The explorer of shapes: what each device holds for any B, D, H, O and number of devices."""

from ..mesh import make_mesh
from ..plots import plot_lanes
from ..plots.words import plural, shape
from ..tracing import Trace, trace
from .controls import Slider, choice, switch
from .inputs import numbers
from .shell import Explorer, Shown

LARGER = 16  # times the small sizes


def shapes() -> Explorer:
    """Sliders for every size, the number of devices and a seed; the lanes, and what every device holds in bytes.

    It starts on the specification's example 2. The small sizes are printed as numbers; "larger shapes" makes them
    sixteen times as large, where heat maps take over. Every move runs the sharded forward.
    """
    sizes = {
        "B": Slider(description="B", min=1, max=3, value=2),
        "D": Slider(description="D", min=1, max=4, value=3),
        "units": Slider(description="units per device", min=1, max=3, value=1),
        "O": Slider(description="O", min=1, max=3, value=2),
    }
    others = {
        "devices": choice("devices", (1, 2, 4, 8)),
        "seed": Slider(description="seed", min=0, max=9, value=0),
        "larger": switch("larger shapes"),
    }
    others["devices"].value = 8

    def adapt(changed: str) -> None:
        if changed == "larger":
            for slider in sizes.values():
                _scale(slider, others["larger"].value)
        units, devices = sizes["units"].value, others["devices"].value
        sizes["units"].note = f"H = {devices} × {units} = {devices * units}"

    return Explorer("shapes", sizes | others, show_shapes, adapt=adapt)


def show_shapes(B: int, D: int, units: int, O: int, devices: int, seed: int, larger: bool) -> Shown:
    """Run the sharded forward with these sizes and tell what every device held."""
    del larger  # it is in the sizes already
    inputs = numbers(B, D, units * devices, O, seed)
    seen = trace(*inputs, mesh=make_mesh(devices))
    return Shown(plot_lanes(seen), shapes_sentence(seen))


def shapes_sentence(seen: Trace) -> str:
    """Every local shape, the bytes per device and the all-reduce's bytes, read from the blocks of the devices."""
    one, n = seen.devices[0], len(seen.devices)
    held = (("x", seen.x), ("W1", one.w1), ("b1", one.b1), ("W2", one.w2), ("b2", seen.b2))
    made = (("hidden", one.hidden), ("partial", one.partial))
    holds = ", ".join(f"{name} {shape(block)}" for name, block in held)
    makes = ", ".join(f"{name} {shape(block)}" for name, block in made)
    talk = (
        f"The psum is one all-reduce of {plural(one.partial.nbytes, 'byte')} per device, 4 times B × O."
        if n > 1
        else "With one device there is nobody to talk to: no all-reduce."
    )
    return f"Each device holds {holds}: {plural(one.bytes, 'byte')}. It makes {makes}. {talk}"


def _scale(slider: Slider, larger: bool) -> None:
    """The same place in the other range: sixteen times as large, or back."""
    factor = LARGER if larger else 1
    place, places = slider.value // slider.step, slider.max // slider.step
    with slider.hold_trait_notifications():
        slider.min, slider.max, slider.step = factor, places * factor, factor
        slider.value = place * factor
