"""The programs that really ran, for candidates that JAX cannot trace from outside.

Such are those that look at their results, as in `print(out.sharding)`, or that choose the mesh with `jax.set_mesh`.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import count

import jax
import numpy as np

from .. import hlo
from ..layout import Inputs
from ..mesh import NUM_DEVICES
from . import cases
from .grading_values import Graded
from .judging import Traffic, full_weights, grade_arrivals, grade_bytes, grade_traffic, listed
from .sheet import Sheet
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


def grade_observed(sheet: Sheet, seen: Observed, graded: Graded) -> None:
    """Judge the programs as a traced one is judged."""
    if not seen.in_shard_map:
        sheet.fails("shard_map", "no-shard-map")
        return
    sheet.passes("shard_map")
    full = full_weights(seen.inputs)
    buffers = [buffer for program in seen.programs for _, buffer in program.parameters]
    constants = [buffer for program in seen.programs for buffer in program.constants]
    if baked := {full[size] for buffer in constants if (size := int(np.prod(buffer.shape))) in full}:
        sheet.fails("weights", "weights-closed-over", f"closed over: {listed(baked)}")
    elif held := {full[size] for buffer in buffers if (size := int(np.prod(buffer.shape))) in full}:
        sheet.fails("weights", "full-weight-on-every-device", f"in full on every device: {listed(held)}")
    else:
        grade_arrivals(sheet, graded)
        grade_bytes(sheet, max(sum(b.bytes for _, b in program.parameters) for program in seen.programs), seen.inputs)
    found = [collective for program in seen.programs for collective in program.collectives]
    kinds = dict(Counter(collective.kind for collective in found))
    traffic = Traffic(kinds, sum(collective.bytes for collective in found))
    right = graded.base is not None and graded.base.right
    grade_traffic(sheet, kinds.get("all-reduce", 0), traffic, seen.inputs, right)
