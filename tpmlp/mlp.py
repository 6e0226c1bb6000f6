"""The forward: what every device computes on its own blocks, and the one psum that adds the results."""

from functools import lru_cache

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxtyping import Array, Float

from . import mesh as _mesh
from .checks import Inputs
from .layout import IN_SPECS, OUT_SPECS, check_inputs, check_mesh, in_shardings, place
from .mesh import AXIS


def body(
    x: Float[Array, "B D"],
    w1: Float[Array, "D units"],
    b1: Float[Array, " units"],
    w2: Float[Array, "units O"],
    b2: Float[Array, " O"],
) -> dict[str, jax.Array]:
    """What each device runs, with every step named; the only line where devices talk is the psum.

    W1 is split by columns and W2 by rows (Megatron-LM's column-parallel and row-parallel layers, Shoeybi et al. 2019,
    arXiv:1909.08053), so each device needs nothing but its own hidden units between the two matmuls.
    """
    # TPUs, and GPUs with TF32, round the operands of a float32 matmul unless asked not to.
    with jax.default_matmul_precision("highest"):
        preactivation = x @ w1 + b1  # f32[B, H/n]
        hidden = jax.nn.relu(preactivation)  # f32[B, H/n]
        partial = hidden @ w2  # f32[B, O], this device's part of the sum
    psum = jax.lax.psum(partial, AXIS)  # f32[B, O], now the same on every device
    out = psum + b2  # f32[B, O], the bias once, after the sum
    return {"preactivation": preactivation, "hidden": hidden, "partial": partial, "psum": psum, "out": out}


def forward(x, w1, b1, w2, b2, *, mesh: Mesh | None = None) -> dict[str, jax.Array]:
    """Run the MLP `out = relu(x W1 + b1) W2 + b2` with its weights split over the devices of a mesh.

    Works inside `jax.jit`, `jax.grad`, `jax.vmap` and `jax.eval_shape`; compiles once per shape and mesh. With inputs
    that are placed already (`shard_inputs`) it returns at once, as JAX's functions do; with host arrays it waits for
    the result, so that those may be changed again right afterwards.

    Args:
        x: (B, D), any array-like of real numbers: lists, NumPy, a file mapped to memory, JAX arrays placed anywhere.
        w1: (D, H).
        b1: (H,).
        w2: (H, O).
        b2: (O,).
        mesh: a mesh with an axis "model" of n devices, n dividing H; eight devices if None.

    Returns:
        `{"out": float32 (B, O), replicated, "hidden": float32 (B, H), split by columns}`: device d holds hidden units
        dH/n up to (d + 1)H/n - 1.

    Raises:
        TypeError: an input is not an array of real numbers, or `mesh` is not a mesh.
        ValueError: shapes do not fit, H is not divisible by n, or a value does not fit in float32.
        RuntimeError: there are fewer than eight devices and no mesh was given.
    """
    mesh = check_mesh(mesh)
    arrays = check_inputs(Inputs(x, w1, b1, w2, b2), mesh)
    # The derivative of a call may use its inputs long after it, so it needs copies of them.
    is_traced = any(isinstance(array, Tracer) for array in arrays)
    result = _compiled(mesh)(*place(arrays, mesh, borrow=not is_traced))
    if _mesh.MUST_WAIT or any(isinstance(array, np.ndarray) for array in arrays):
        jax.block_until_ready(result)
    return result


@lru_cache
def _compiled(mesh: Mesh):
    def forward(x, w1, b1, w2, b2):
        steps = body(x, w1, b1, w2, b2)
        return {name: steps[name] for name in OUT_SPECS}

    return compile_on(mesh, forward, OUT_SPECS)


def compile_on(mesh: Mesh, body, out_specs):
    """`jax.jit(jax.shard_map(body))` over `mesh` for the five inputs, whatever the types of the mesh's axes."""
    sharded = jax.shard_map(body, mesh=mesh, in_specs=tuple(IN_SPECS), out_specs=out_specs)
    # Only Explicit axes may be named in a reshard; along the others of the same mesh JAX moves the blocks by itself.
    is_explicit = mesh.axis_types[mesh.axis_names.index(AXIS)] == AxisType.Explicit
    explicit_specs = IN_SPECS if is_explicit else [P()] * len(IN_SPECS)

    def run(*arrays):
        if AxisType.Explicit in mesh.axis_types:  # there, shard_map takes only arrays that lie right already
            arrays = map(jax.sharding.reshard, arrays, explicit_specs)
        return sharded(*arrays)

    # shard_map's out_specs say the same, but XLA forgets them where an array has no entries (B = 0).
    out_shardings = {name: NamedSharding(mesh, spec) for name, spec in out_specs.items()}
    jitted = jax.jit(run, out_shardings=out_shardings)

    def call(*arrays):
        # This mesh counts, not one that the caller may have chosen with jax.set_mesh.
        with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
            try:
                return jitted(*arrays)
            except ValueError:
                if not any(isinstance(array, Tracer) for array in arrays):
                    raise
            # Under grad and vmap an array that is committed to another device shows it only when it is used.
            return jitted(*map(jax.device_put, arrays, in_shardings(mesh)))

    return call
