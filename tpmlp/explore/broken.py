"""The forward with mistakes to switch on, alone or together: real programs that run and give wrong numbers."""

from functools import lru_cache
from typing import NamedTuple

import jax
import numpy as np
from jax.sharding import Mesh
from jax.sharding import PartitionSpec as P

from ..layout import IN_SPECS, Inputs
from ..mesh import AXIS


class Switches(NamedTuple):
    """Which mistakes the program makes."""

    no_psum: bool = False
    b2_everywhere: bool = False
    psum_twice: bool = False
    relu_late: bool = False
    w1_by_rows: bool = False


def run_broken(inputs: Inputs, switches: Switches, mesh: Mesh) -> np.ndarray:
    """Run the forward with these mistakes.

    Args:
        inputs: x, w1, b1, w2, b2, float32 NumPy arrays.
        switches: the mistakes.
        mesh: from `tpmlp.make_mesh`.

    Returns:
        float32 (n, B, O): out as each device has it in the end, read from its shard.
    """
    if switches.w1_by_rows:
        inputs = _with_divisible_rows(inputs, mesh.size)
    out = jax.block_until_ready(_compiled(mesh, switches)(*inputs))
    shards = sorted(out.addressable_shards, key=lambda shard: shard.index[0].start or 0)
    return np.concatenate([np.asarray(shard.data) for shard in shards])


def is_refused(inputs: Inputs, switches: Switches, mesh: Mesh) -> bool:
    """Whether JAX's `check_vma`, which is on unless switched off, refuses a program that calls its out replicated."""
    if switches.w1_by_rows:
        inputs = _with_divisible_rows(inputs, mesh.size)
    shapes = tuple(array.shape for array in inputs)
    return _is_refused(mesh, switches, shapes)


def body(switches: Switches, x, w1, b1, w2, b2) -> jax.Array:
    """What each device runs: `tpmlp.forward`'s body, with the mistakes where they are switched on."""
    with jax.default_matmul_precision("highest"):
        hidden = x @ w1 + b1
        if not switches.relu_late:
            hidden = jax.nn.relu(hidden)
        if switches.w1_by_rows:  # all H units are here, each with only this device's part of its sum
            hidden = _own_columns(hidden, len(w2))
        out = hidden @ w2
    if switches.b2_everywhere:
        out = out + b2
    if not switches.no_psum:
        out = jax.lax.psum(out, AXIS)
    if switches.relu_late:
        out = jax.nn.relu(out)
    if not switches.b2_everywhere:
        out = out + b2
    if switches.psum_twice:
        out = jax.lax.psum(out, AXIS)
    return out


@lru_cache
def _compiled(mesh: Mesh, switches: Switches):
    """Out gets a new first dimension, one entry per device, because with some mistakes each device has another."""

    def one_per_device(*arrays):
        return body(switches, *arrays)[None]

    sharded = jax.shard_map(one_per_device, mesh=mesh, in_specs=_in_specs(switches), out_specs=P(AXIS), check_vma=False)
    return jax.jit(sharded)


@lru_cache
def _is_refused(mesh: Mesh, switches: Switches, shapes: tuple) -> bool:
    def replicated(*arrays):
        return body(switches, *arrays)

    checked = jax.shard_map(replicated, mesh=mesh, in_specs=_in_specs(switches), out_specs=P())
    try:
        jax.eval_shape(checked, *(jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes))
    except ValueError:
        return True
    return False


def _in_specs(switches: Switches) -> tuple[P, ...]:
    if not switches.w1_by_rows:
        return tuple(IN_SPECS)
    # A row of W1 meets one column of x, and every device needs all of b1, for it has a part of every unit.
    return tuple(IN_SPECS._replace(x=P(None, AXIS), w1=P(AXIS, None), b1=P()))


def _own_columns(hidden: jax.Array, count: int) -> jax.Array:
    return jax.lax.dynamic_slice_in_dim(hidden, jax.lax.axis_index(AXIS) * count, count, axis=1)


def _with_divisible_rows(inputs: Inputs, num_devices: int) -> Inputs:
    """Rows of zeros below W1, and columns of zeros beside x, which change no product."""
    missing = -len(inputs.w1) % num_devices
    return inputs._replace(
        x=np.pad(inputs.x, ((0, 0), (0, missing))),
        w1=np.pad(inputs.w1, ((0, missing), (0, 0))),
    )
