"""The explorer of shapes: what each device holds for any B, D, H, O and number of devices."""

from ..mesh import make_mesh
from ..plots import plot_lanes
from ..plots.words import plural, shape
from ..tracing import Trace, trace
from .controls import Slider, choice, switch
from .inputs import numbers
from .shell import Explorer, Shown

# The largest of the small sizes are the largest whose numbers all fit on a page of 1280 pixels.
SMALL = {"B": range(1, 5), "D": range(1, 5), "units": range(1, 3), "O": range(1, 3)}
LARGE = {"B": range(16, 65, 16), "D": range(16, 65, 16), "units": range(8, 33, 8), "O": range(16, 65, 16)}
START_SMALL = {"B": 2, "D": 3, "units": 1, "O": 2}  # example 2
START_LARGE = {name: 16 * size for name, size in START_SMALL.items()}


def shapes() -> Explorer:
    """Sliders for every size, the number of devices and a seed; the lanes, and what every device holds in bytes.

    It starts on the specification's example 2. The small sizes are printed as numbers; "larger shapes" goes to sizes
    sixteen times as large, where heat maps take over. Every move runs the sharded forward.
    """
    titles = {"B": "B", "D": "D", "units": "units per device", "O": "O"}
    sizes = {name: Slider(description=title) for name, title in titles.items()}
    _set_ranges(sizes, larger=False)
    others = {
        "devices": choice("devices", (1, 2, 4, 8), 8),
        "seed": Slider(description="seed", min=0, max=9, value=0),
        "larger": switch("larger shapes"),
    }

    def adapt(changed: str) -> None:
        if changed == "larger":
            _set_ranges(sizes, others["larger"].value)
        units, devices = sizes["units"].value, others["devices"].value
        sizes["units"].note = f"H = {devices} × {units} = {devices * units}"

    return Explorer("shapes", sizes | others, show_shapes, adapt=adapt)


def show_shapes(B: int, D: int, units: int, O: int, devices: int, seed: int, larger: bool) -> Shown:
    """Run the sharded forward with these sizes and tell what every device held."""
    del larger  # which sizes the sliders offer; the sizes tell the rest
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
        else "With one device the psum has nobody to talk to: nothing is sent."
    )
    return f"Each device holds {holds}: {plural(one.bytes, 'byte')}. It makes {makes}. {talk}"


def _set_ranges(sizes: dict[str, Slider], larger: bool) -> None:
    ranges, start = (LARGE, START_LARGE) if larger else (SMALL, START_SMALL)
    for name, slider in sizes.items():
        values = ranges[name]
        with slider.hold_trait_notifications():  # the old value may lie outside of the new range
            slider.min, slider.max, slider.step, slider.value = values[0], values[-1], values.step, start[name]
