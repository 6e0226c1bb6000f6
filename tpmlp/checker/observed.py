"""The programs that really ran, for candidates that JAX cannot trace from outside.

Such are those that look at their results, as in `print(out.sharding)`, or that choose the mesh with `jax.set_mesh`.
"""

from dataclasses import dataclass
from itertools import count

import jax

from .. import hlo
from ..layout import Inputs
from ..mesh import NUM_DEVICES
from . import cases
from .trial import Trial

# JAX compiles a shape once, so a shape is needed that this process has not run yet.
_new_sizes = count(6)


@dataclass(frozen=True)
class Observed:
    """What XLA compiled for one call, on more than one device.

    Attributes:
        inputs: what the candidate was called with.
        programs: what was compiled.
        in_shard_map: whether any of it stands in a `shard_map`.
    """

    inputs: Inputs
    programs: list[hlo.Program]
    in_shard_map: bool


def observe(trial: Trial) -> Observed | None:
    """Call the candidate in a new shape and read what was compiled for it; None if that is nothing."""
    case = cases.made_case(3, next(_new_sizes) * NUM_DEVICES + 5, 16, 4)
    client = jax.devices()[0].client
    before = client.live_executables()
    trial.answer(case)
    texts = [p.hlo_modules()[0].to_string() for p in client.live_executables() if p not in before]
    pairs = [(text, program) for text in texts if (program := hlo.read(text)).devices == NUM_DEVICES]
    if not pairs:
        return None
    in_shard_map = any("/shard_map" in text for text, _ in pairs)
    return Observed(case.inputs, [program for _, program in pairs], in_shard_map)
