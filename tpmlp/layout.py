"""Who holds what: the partition specs, and the placement of checked inputs on the devices, block by block."""

from collections.abc import Iterator
from functools import lru_cache

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from .checks import FLOAT32, Block, Inputs, as_arrays, check_shapes, check_values, is_wider_than_float32
from .mesh import AXIS, make_mesh

# W1 and b1 are split along the hidden dimension (column-parallel), W2 along its rows (row-parallel), so device d
# holds hidden units dH/n up to (d + 1)H/n - 1 from beginning to end. Every device receives all of x and b2.
IN_SPECS = Inputs(x=P(), w1=P(None, AXIS), b1=P(AXIS), w2=P(AXIS, None), b2=P())
OUT_SPECS = {"out": P(), "hidden": P(None, AXIS)}

_SMALL_BYTES = 1 << 20
_ALIGNMENT = 64


@lru_cache
def default_mesh() -> Mesh:
    """The mesh that everything uses when the caller gives none: eight devices."""
    return make_mesh()


@lru_cache
def in_shardings(mesh: Mesh) -> Inputs:
    """One `NamedSharding` per input."""
    return Inputs(*(NamedSharding(mesh, spec) for spec in IN_SPECS))


def shard_inputs(x, w1, b1, w2, b2, *, mesh: Mesh | None = None) -> Inputs:
    """Check the five inputs and place them on the devices, each block straight where it belongs.

    No device ever holds a full weight, and neither does the host: an array on disk (`np.load(..., mmap_mode="r")`)
    is read one block at a time. Arrays that already lie as they should are returned as they are.

    Args:
        x: (B, D), any array-like of real numbers.
        w1: (D, H).
        b1: (H,).
        w2: (H, O).
        b2: (O,).
        mesh: a mesh with an axis "model" of n devices, n dividing H; eight devices if None.

    Returns:
        A named tuple `x, w1, b1, w2, b2` of float32 `jax.Array`s: x and b2 replicated, w1 and b1 split by columns,
        w2 by rows. (Inside jit, grad and vmap, values that JAX is tracing cannot be placed; they stay where they are.)

    Raises:
        TypeError: an input is not an array of real numbers, or `mesh` is not a mesh.
        ValueError: shapes do not fit, H is not divisible by n, or a value does not fit in float32.
    """
    mesh = check_mesh(mesh)
    arrays = check_inputs(Inputs(x, w1, b1, w2, b2), mesh)
    return place(arrays, mesh)


def check_mesh(mesh: Mesh | None) -> Mesh:
    """The mesh to use: the caller's, if it has an axis "model", or the default one."""
    if mesh is None:
        return default_mesh()
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh is of type {type(mesh).__name__}; give a jax.sharding.Mesh, such as tpmlp.make_mesh()")
    if AXIS not in mesh.axis_names:
        raise ValueError(f'mesh has the axes {mesh.axis_names}; one of them must be named "{AXIS}"')
    return mesh


def check_inputs(inputs: Inputs, mesh: Mesh) -> Inputs:
    """The inputs as arrays whose kinds, shapes and values fit; everything wrong is refused here."""
    arrays = as_arrays(inputs)
    check_shapes(Inputs(*(array.shape for array in arrays)), mesh.shape[AXIS])
    for name, array, sharding in zip(Inputs._fields, arrays, in_shardings(mesh), strict=True):
        if is_wider_than_float32(array.dtype) and not isinstance(array, Tracer):
            check_values(name, _own_blocks(array, sharding))
    return arrays


def _own_blocks(array: np.ndarray | jax.Array, sharding: NamedSharding) -> Iterator[Block]:
    """The parts of the array that this process is going to read, each once."""
    if isinstance(array, jax.Array):
        for shard in {repr(shard.index): shard for shard in array.addressable_shards}.values():
            yield _start(shard.index), np.asarray(shard.data)
    elif sharding.mesh.is_multi_process:
        indices = sharding.addressable_devices_indices_map(array.shape).values()
        for index in {repr(index): index for index in indices}.values():
            yield _start(index), array[index]
    else:
        yield (0,) * array.ndim, array


def _start(index) -> tuple[int, ...]:
    return tuple(part.start or 0 for part in index)


def place(arrays: Inputs, mesh: Mesh, *, borrow: bool = False) -> Inputs:
    """Place checked arrays; those that already lie as they should are not copied.

    On the CPU JAX may go on using the very memory that it is given. Who can promise that the caller's arrays do not
    change as long as the result is in use may let it: `borrow`.
    """
    return Inputs(*(_place_one(a, s, borrow) for a, s in zip(arrays, in_shardings(mesh), strict=True)))


def _place_one(array: np.ndarray | jax.Array, sharding: NamedSharding, borrow: bool) -> jax.Array:
    if isinstance(array, Tracer):
        return _to_float32(array)
    if sharding.mesh.is_multi_process and isinstance(array, jax.Array) and array.is_fully_addressable:
        array = np.asarray(array)  # JAX may be unable to send blocks to another process, which has them anyway
    if isinstance(array, np.ndarray):
        with jax.ensure_compile_time_eval():  # now, also while jit or grad is tracing
            return _place_from_host(array, sharding, borrow and array.dtype == FLOAT32)
    array = _to_float32(array)
    return array if array.sharding == sharding else jax.device_put(array, sharding)


def _to_float32(array: jax.Array) -> jax.Array:
    return array if array.dtype == FLOAT32 else array.astype(FLOAT32)


def _place_from_host(array: np.ndarray, sharding: NamedSharding, borrow: bool) -> jax.Array:
    def block(index) -> np.ndarray:
        return array[index] if borrow else np.array(array[index], FLOAT32, order="C")

    if borrow or array.nbytes <= _SMALL_BYTES:
        return jax.make_array_from_callback(array.shape, sharding, block, dtype=FLOAT32)
    # Waiting lets the host's copy of each block go before the next is made.
    indices = sharding.addressable_devices_indices_map(array.shape)
    blocks = [jax.device_put(_aligned(array[index]), device).block_until_ready() for device, index in indices.items()]
    return jax.make_array_from_single_device_arrays(array.shape, sharding, blocks, dtype=FLOAT32)


def _aligned(block: np.ndarray) -> np.ndarray:
    """A float32 copy that starts where JAX's CPU backend can use it as it is, without copying it again."""
    memory = np.empty(block.size * FLOAT32.itemsize + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    copy = memory[start : start + block.size * FLOAT32.itemsize].view(FLOAT32).reshape(block.shape)
    copy[...] = block
    return copy
