"""The explorer of mistakes: switch one on, and the wrong program runs."""

from functools import partial

import numpy as np

from ..examples import EXAMPLES
from ..layout import Inputs
from ..mesh import make_mesh
from ..plots import plot_difference
from ..tracing import Trace, trace
from .broken import Switches, is_refused, run_broken
from .controls import choice, switch
from .recognise import what_is_off
from .shell import Explorer, Shown

TITLES = {
    "no_psum": "leave the psum out",
    "b2_everywhere": "add b2 on every device",
    "psum_twice": "psum twice",
    "relu_late": "relu after the sum",
    "w1_by_rows": "split W1 by rows",
}


def breakage() -> Explorer:
    """Switch mistakes on, alone or together, and see by how much the out of each device is off, and where.

    The mistakes are made in a forward that runs on the specification's example 2.
    """
    inputs = Inputs(**{name: np.asarray(values, np.float32) for name, values in EXAMPLES[1].inputs.items()})
    right = trace(*inputs)
    switches = {name: switch(title) for name, title in TITLES.items()}
    device = choice("out of", [(f"device {each.index}", each.index) for each in right.devices])
    return Explorer("mistakes", switches | {"device": device}, partial(show_breakage, inputs, right))


def show_breakage(inputs: Inputs, right: Trace, device: int, **switches: bool) -> Shown:
    """Run the forward with these mistakes and compare what `device` has in the end with the right out."""
    chosen, mesh = Switches(**switches), make_mesh(len(right.devices))
    outs = run_broken(inputs, chosen, mesh)
    off = what_is_off(right, outs)
    parts = [off, *(_why(name, right) for name, on in switches.items() if on), _noticed(inputs, chosen, mesh)]
    picture = plot_difference(right.out, outs[device], note=f"This is what device {device} has. {off}")
    return Shown(picture, " ".join(part for part in parts if part))


def _why(name: str, right: Trace) -> str:
    """What a mistake does that its numbers do not tell."""
    if name == "relu_late":
        return "Negative hidden units went into the sum, and relu of a sum is not the sum of relus."
    if name == "w1_by_rows":
        return (
            "Each device applied relu to its own part of x W1; the parts would have to be added first, by one more "
            f"all-reduce, of B × H = {right.hidden.size} numbers."
        )
    return ""


def _noticed(inputs: Inputs, switches: Switches, mesh) -> str:
    if not any(switches):
        return ""
    if is_refused(inputs, switches, mesh):
        return "JAX's check_vma refuses this program; here it was switched off."
    return "JAX runs this program without a word; only a number shows the mistake."
