"""Structure: what the traced and the compiled program do."""

from collections import Counter

import numpy as np
from jax.sharding import PartitionSpec as P

from ..compiled import compiled_facts
from ..layout import Inputs
from ..mesh import NUM_DEVICES
from . import structure
from .errors import code_of_specs, name_error
from .grading_values import Graded
from .observed import Observed, observe
from .placement import grade_placement
from .sheet import Sheet
from .structure import ShardMap
from .trial import Trial

_SCATTERED = {"reduce-scatter": 1, "all-gather": 1}


def grade_program(trial: Trial, graded: Graded) -> None:
    """Fill in the parts on placement and structure."""
    if graded.base is None or trial.over:
        return
    arrays = graded.base.case.arrays()
    traced = trial.call(lambda: structure.trace_arguments(trial.candidate, arrays))
    numbers = trial.call(lambda: structure.trace_numbers(trial.candidate, arrays))
    program = traced.value or numbers.value
    maps = structure.shard_maps(program) if program else []
    grade_placement(trial.sheet, graded.base, [found.mesh for found in maps])
    if trial.over:
        return
    if program:
        _grade_maps(trial.sheet, maps, arrays, graded, numbers.value)
        _grade_communication(trial.sheet, sum(found.psums for found in maps), _collectives(trial, arrays), graded)
    elif seen := observe(trial):
        _grade_observed(trial.sheet, seen, graded)
    else:
        code, detail = name_error(traced.error) if traced.error else ("cannot-be-traced", "")
        trial.sheet.fails("shard_map", code if code == "numpy-in-the-body" else "cannot-be-traced", detail)
        return
    _grade_compilations(trial.sheet, all(found.jitted for found in maps), graded)


# --- a traced program ----------------------------------------------------------------------------------------------


def _grade_maps(sheet: Sheet, maps: list[ShardMap], arrays: Inputs, graded: Graded, numbers) -> None:
    if not maps:
        sheet.fails("shard_map", "no-shard-map")
        return
    sheet.passes("shard_map")
    _grade_specs(sheet, maps, arrays)
    _grade_weights(sheet, maps, arrays, graded, numbers)
    _grade_bytes(sheet, max(found.local_bytes for found in maps), arrays)


def _collectives(trial: Trial, arrays: Inputs) -> dict[str, int] | None:
    """Those of the compiled program, from the arguments' shapes or, where it wants numbers, from these."""
    for attempt in (
        lambda: compiled_facts(lambda *inputs: trial.candidate(*inputs), *arrays),
        lambda: compiled_facts(lambda: trial.candidate(*arrays)),
    ):
        if facts := trial.call(attempt).value:
            return facts.collectives
    return None


def _grade_specs(sheet: Sheet, maps: list[ShardMap], arrays: Inputs) -> None:
    """Inputs are known by their shapes, which all differ; one that was reshaped first is judged by its bytes."""
    names = {array.shape: name for name, array in arrays._asdict().items()}
    entries = [entry for found in maps for entry in zip(found.shapes, found.in_specs, strict=True)]
    specs: dict[str, P] = {names[shape]: spec for shape, spec in entries if shape in names}
    if code := code_of_specs(specs):
        seen = ", ".join(f"{name} P({', '.join(map(repr, spec))})" for name, spec in specs.items())
        sheet.fails("specs", code, seen)
    else:
        sheet.passes("specs")


def _grade_weights(sheet: Sheet, maps: list[ShardMap], arrays: Inputs, graded: Graded, numbers) -> None:
    full = {arrays.w1.size: "W1", arrays.w2.size: "W2"}
    # An array without a name among the body's parameters is one that the body closes over.
    closed = {
        full[int(np.prod(shape))]
        for found in maps
        for name, shape in zip(found.names, found.shapes, strict=False)
        if not name and int(np.prod(shape)) in full
    }
    inside = {full[size] for found in maps for size in found.sizes & set(full)}
    held = {full[size] for found in maps for shape in found.local_shapes if (size := int(np.prod(shape))) in full}
    if closed or (numbers and structure.bakes_in(numbers, set(full))):
        sheet.fails("weights", "weights-closed-over", f"closed over: {_list(closed or set(full.values()))}")
    elif held or inside:
        sheet.fails("weights", "full-weight-on-every-device", f"in full on every device: {_list(held | inside)}")
    else:
        _grade_arrivals(sheet, graded)


def _grade_arrivals(sheet: Sheet, graded: Graded) -> None:
    if seen := graded.watch.seen:
        told = "\n".join(f"{name} in full on one device, {line}" for name, line in seen.items())
        sheet.fails("weights", "full-weight-built-first", told)
    else:
        sheet.passes("weights")


# --- programs that were seen running -------------------------------------------------------------------------------


def _grade_observed(sheet: Sheet, seen: Observed, graded: Graded) -> None:
    if not seen.in_shard_map:
        sheet.fails("shard_map", "no-shard-map")
        return
    sheet.passes("shard_map")
    full = {seen.inputs.w1.size: "W1", seen.inputs.w2.size: "W2"}
    buffers = [buffer for program in seen.programs for _, buffer in program.parameters]
    constants = [buffer for program in seen.programs for buffer in program.constants]
    if baked := {full[size] for buffer in constants if (size := int(np.prod(buffer.shape))) in full}:
        sheet.fails("weights", "weights-closed-over", f"closed over: {_list(baked)}")
    elif held := {full[size] for buffer in buffers if (size := int(np.prod(buffer.shape))) in full}:
        sheet.fails("weights", "full-weight-on-every-device", f"in full on every device: {_list(held)}")
    else:
        _grade_arrivals(sheet, graded)
        _grade_bytes(sheet, max(sum(b.bytes for _, b in program.parameters) for program in seen.programs), seen.inputs)
    found = [collective for program in seen.programs for collective in program.collectives]
    kinds = dict(Counter(collective.kind for collective in found))
    _grade_communication(sheet, kinds.get("all-reduce", 0), kinds, graded)


# --- both ----------------------------------------------------------------------------------------------------------


def _grade_bytes(sheet: Sheet, came: int, arrays: Inputs) -> None:
    whole, split = arrays.x.nbytes + arrays.b2.nbytes, arrays.w1.nbytes + arrays.b1.nbytes + arrays.w2.nbytes
    expected = whole + split // NUM_DEVICES
    detail = f"expected {expected}, came {came}"
    if came > expected:
        sheet.fails("bytes", "too-many-argument-bytes", detail)
    else:
        sheet.passes("bytes", detail if came < expected else f"{came} bytes")


def _grade_communication(sheet: Sheet, psums: int, kinds: dict[str, int] | None, graded: Graded) -> None:
    seen = ", ".join(f"{number} {kind}" for kind, number in sorted((kinds or {}).items())) or "no collective"
    if kinds == _SCATTERED and not psums and graded.base and graded.base.right:
        sheet.remark("psum", "psum_scatter and all_gather, which add up as well, in two operations where one would do")
        sheet.remark("collectives", seen)
        return
    if psums == 1:
        sheet.passes("psum")
    else:
        sheet.fails("psum", "more-than-one-psum" if psums else "no-psum", f"{psums} psums, {seen}")
    if kinds == {"all-reduce": 1}:
        sheet.passes("collectives")
    elif kinds is not None:
        sheet.fails("collectives", "extra-collectives" if kinds else "no-psum", seen)


def _grade_compilations(sheet: Sheet, jitted: bool, graded: Graded) -> None:
    if graded.again is None:
        return
    number = graded.again.outcome.compilations
    seen = f"a second call with the same shapes compiled {number} program{'s' if number > 1 else ''}"
    if not number:
        sheet.passes("compiles")
    elif not jitted:
        sheet.remark("compiles", f"not jitted, so JAX runs the body step by step: {seen}")
    else:
        sheet.fails("compiles", "recompiles-every-call", seen)


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))
