"""Placement and structure: where the results lie, and what the traced and the compiled program do."""

import numpy as np
from jax.sharding import PartitionSpec as P

from ..compiled import compiled_facts
from ..layout import Inputs
from . import structure
from .errors import code_of_specs, name_error
from .grading_values import Graded
from .judging import Traffic, full_weights, grade_arrivals, grade_bytes, grade_compilations, grade_traffic, listed
from .observed import grade_observed, observe
from .placement import grade_placement
from .sheet import Sheet
from .structure import ShardMap
from .trial import Trial


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
        psums = sum(found.psums for found in maps)
        grade_traffic(trial.sheet, psums, _traffic(trial, arrays), arrays, graded.base.right)
    elif seen := observe(trial):
        grade_observed(trial.sheet, seen, graded)
    else:
        code, detail = name_error(traced.error) if traced.error else ("cannot-be-traced", "")
        trial.sheet.fails("shard_map", code if code == "numpy-in-the-body" else "cannot-be-traced", detail)
        return
    grade_compilations(trial.sheet, all(found.jitted for found in maps), graded)


def _grade_maps(sheet: Sheet, maps: list[ShardMap], arrays: Inputs, graded: Graded, numbers) -> None:
    if not maps:
        sheet.fails("shard_map", "no-shard-map")
        return
    sheet.passes("shard_map")
    _grade_specs(sheet, maps, arrays)
    _grade_weights(sheet, maps, arrays, graded, numbers)
    grade_bytes(sheet, max(found.local_bytes for found in maps), arrays)


def _traffic(trial: Trial, arrays: Inputs) -> Traffic | None:
    """Those of the compiled program, from the arguments' shapes or, where it wants numbers, from these."""
    for attempt in (
        lambda: compiled_facts(lambda *inputs: trial.candidate(*inputs), *arrays),
        lambda: compiled_facts(lambda: trial.candidate(*arrays)),
    ):
        if facts := trial.call(attempt).value:
            return Traffic(facts.collectives, facts.collective_bytes)
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
    full = full_weights(arrays)
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
        sheet.fails("weights", "weights-closed-over", f"closed over: {listed(closed or set(full.values()))}")
    elif held or inside:
        sheet.fails("weights", "full-weight-on-every-device", f"in full on every device: {listed(held | inside)}")
    else:
        grade_arrivals(sheet, graded)
