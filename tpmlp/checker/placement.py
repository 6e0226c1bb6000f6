"""Which device holds which part of the results."""

import jax
import numpy as np
from jax.sharding import NamedSharding

from ..mesh import AXIS, NUM_DEVICES, make_mesh
from .sheet import Sheet
from .values import Answer


def grade_placement(sheet: Sheet, answer: Answer, meshes: list) -> None:
    """Judge the shards of one answer's out and hidden, and the mesh they lie on."""
    value = answer.outcome.value
    arrays = {key: value[key] for key in ("out", "hidden") if isinstance(value.get(key), jax.Array)}
    shardings = [array.sharding for array in arrays.values()]
    _grade_mesh(sheet, meshes + [sharding.mesh for sharding in shardings if isinstance(sharding, NamedSharding)])
    if "out" in arrays:
        _grade_out(sheet, arrays["out"])
    if "hidden" in arrays and arrays["hidden"].ndim == 2:
        _grade_hidden(sheet, arrays["hidden"])


def _grade_mesh(sheet: Sheet, meshes: list) -> None:
    if not meshes:
        sheet.fails("mesh", "mesh-not-model", "no mesh is used")
        return
    odd = [mesh for mesh in meshes if mesh.axis_names != (AXIS,) or mesh.size != NUM_DEVICES]
    if odd:
        seen = ", ".join(f'"{name}": {size}' for name, size in odd[0].shape.items())
        sheet.fails("mesh", "mesh-not-model", f'expected "{AXIS}": {NUM_DEVICES}; came {seen}')
    else:
        sheet.passes("mesh")


def _grade_out(sheet: Sheet, out: jax.Array) -> None:
    shards = out.addressable_shards
    if not out.sharding.is_fully_replicated:
        sheet.fails("replicated", "out-not-replicated", f"device 0 holds {shards[0].data.shape} of {out.shape}")
    elif len(shards) < NUM_DEVICES:
        held = f"{len(shards)} device{'s' if len(shards) > 1 else ''}"
        sheet.fails("replicated", "out-not-replicated", f"only {held} of {NUM_DEVICES} hold it")
    else:
        blocks = [np.asarray(shard.data) for shard in shards]
        odd = [number for number, block in enumerate(blocks) if not np.array_equal(block, blocks[0], equal_nan=True)]
        if odd:
            first, other = blocks[0].flat[0], blocks[odd[0]].flat[0]
            seen = f"its first entry is {first:.4g} on device 0 and {other:.4g} on device {odd[0]}"
            sheet.fails("replicated", "out-differs-between-devices", seen)
        else:
            sheet.passes("replicated")


def _grade_hidden(sheet: Sheet, hidden: jax.Array) -> None:
    rows, columns = hidden.shape
    held = {shard.device: _columns(shard, rows, columns) for shard in hidden.addressable_shards}
    width = columns // NUM_DEVICES
    blocks = [(d * width, (d + 1) * width) for d in range(NUM_DEVICES)]
    if any(held == dict(zip(order, blocks, strict=True)) for order in _orders()):
        sheet.passes("split")
    elif sorted(map(str, held.values())) == sorted(map(str, blocks)):
        start, stop = held[_orders()[0][0]] or (0, 0)
        sheet.fails("split", "blocks-in-wrong-order", f"device 0 holds units {start} to {stop - 1} of hidden")
    else:
        shape = hidden.sharding.shard_shape(hidden.shape)
        seen = f"{len(held)} device{'s hold' if len(held) > 1 else ' holds'} {shape} of {hidden.shape} each"
        sheet.fails("split", "hidden-not-split", seen)


def _orders() -> list[list[jax.Device]]:
    """The orders of the devices along "model": the one that JAX chooses for a mesh, and that of their ids."""
    chosen = list(make_mesh().devices.flat)
    return [chosen, sorted(chosen, key=lambda device: device.id)]


def _columns(shard, rows: int, columns: int) -> tuple[int, int] | None:
    """The columns that a shard holds, or None if it does not hold all rows of them."""
    start, stop, _ = shard.index[1].indices(columns)
    return (start, stop) if shard.index[0].indices(rows)[:2] == (0, rows) else None
