"""Who holds what: the partition specs, the checks on the inputs, and the placement of blocks on devices."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from .mesh import AXIS, make_mesh


class Inputs(NamedTuple):
    """The five arrays of the MLP, or one thing (a spec, a sharding, a shape) for each of them."""

    x: Any
    w1: Any
    b1: Any
    w2: Any
    b2: Any


# W1 and b1 are split along the hidden dimension (column-parallel), W2 along its rows (row-parallel), so device d
# holds hidden units dH/n up to (d + 1)H/n - 1 from beginning to end. Every device receives all of x and b2.
IN_SPECS = Inputs(x=P(), w1=P(None, AXIS), b1=P(AXIS), w2=P(AXIS, None), b2=P())
OUT_SPECS = {"out": P(), "hidden": P(None, AXIS)}

_DIMENSIONS = Inputs(x="BD", w1="DH", b1="H", w2="HO", b2="O")
_FLOAT32_MAX = float(np.finfo(np.float32).max)
# Host arrays up to this size are converted to float32 at once; larger ones block by block, so that a weight on disk
# never stands in memory as a whole.
_SMALL_BYTES = 1 << 20


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
        w2 by rows.

    Raises:
        TypeError: an input is not an array of real numbers, or `mesh` is not a mesh.
        ValueError: shapes do not fit, H is not divisible by n, or a value does not fit in float32.
    """
    mesh = check_mesh(mesh)
    arrays = check_inputs(Inputs(x, w1, b1, w2, b2), mesh)
    return place(arrays, mesh)


def place(arrays: Inputs, mesh: Mesh) -> Inputs:
    """Place checked arrays; those that already lie as they should are not copied."""
    return Inputs(*map(place_one, arrays, in_shardings(mesh)))


def place_one(array: np.ndarray | jax.Array, sharding: NamedSharding) -> jax.Array:
    """Place one checked array; a no-op where it lies right already."""
    if isinstance(array, jax.core.Tracer):
        return jax.device_put(_to_float32(array), sharding)
    if isinstance(array, jax.Array):
        return array if array.sharding == sharding else jax.device_put(_to_float32(array), sharding)
    with jax.ensure_compile_time_eval():  # a NumPy array is placed now, also while jit or grad is tracing
        blocks = [
            _place_block(array[index], device)
            for device, index in sharding.addressable_devices_indices_map(array.shape).items()
        ]
        return jax.make_array_from_single_device_arrays(array.shape, sharding, blocks)


def _place_block(block: np.ndarray, device: jax.Device) -> jax.Array:
    # A copy of our own, because on the CPU JAX may go on using the memory it is given, and the caller may change
    # theirs. Waiting lets each copy go before the next is made.
    return jax.device_put(np.array(block, np.float32, order="C"), device).block_until_ready()


def _to_float32(array: jax.Array) -> jax.Array:
    return array if array.dtype == np.float32 else array.astype(np.float32)


# --- checks, all of them before any device works -------------------------------------------------------------------


def check_mesh(mesh: Mesh | None) -> Mesh:
    """The mesh to use: the caller's, if it has an axis "model", or the default one."""
    if mesh is None:
        return default_mesh()
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh is a {type(mesh).__name__}; give a jax.sharding.Mesh, such as tpmlp.make_mesh()")
    if AXIS not in mesh.axis_names:
        raise ValueError(f'mesh has the axes {mesh.axis_names}; one of them must be named "{AXIS}"')
    return mesh


def check_inputs(inputs: Inputs, mesh: Mesh) -> Inputs:
    """The inputs as arrays whose kinds, shapes and values fit; everything wrong is refused here."""
    arrays = Inputs(*map(_as_array, Inputs._fields, inputs))
    _check_shapes(arrays, mesh.shape[AXIS])
    for name, array in zip(Inputs._fields, arrays, strict=True):
        _check_range(name, array)
    return Inputs(*map(_small_to_float32, arrays))


def _as_array(name: str, value: Any) -> np.ndarray | jax.Array:
    if not isinstance(value, jax.Array):
        try:
            value = np.asarray(value)
        except ValueError as error:
            raise ValueError(f"{name} is not a rectangular array; give rows of equal length ({error})") from None
    if not _is_real(value.dtype):
        raise TypeError(f"{name} has dtype {value.dtype}; give real numbers (bool, int or float)")
    return value


def _is_real(dtype: np.dtype) -> bool:
    # JAX's rule instead of NumPy's, since it knows bfloat16 and the float8s.
    return dtype == np.float32 or any(jax.numpy.issubdtype(dtype, kind) for kind in (np.bool_, np.integer, np.floating))


def _check_shapes(arrays: Inputs, num_devices: int) -> None:
    shapes = Inputs(*(array.shape for array in arrays))
    for name, shape, letters in zip(Inputs._fields, shapes, _DIMENSIONS, strict=True):
        if len(shape) != len(letters):
            remedy = "; for a single sample give x[None, :]" if (name, len(shape)) == ("x", 1) else ""
            raise ValueError(f"{name} has shape {shape}; expected {len(letters)} dimensions, {_spell(letters)}{remedy}")
    sizes: dict[str, int] = {}
    for name, shape, letters in zip(Inputs._fields, shapes, _DIMENSIONS, strict=True):
        for letter, size in zip(letters, shape, strict=True):
            if size != sizes.setdefault(letter, size):
                expected = _spell(letters, sizes)
                raise ValueError(
                    f"{name} has shape {shape}; expected {_spell(letters)} = {expected}{_origin(letter, shapes)}"
                )
            if size == 0 and letter != "B":
                raise ValueError(f"{name} has shape {shape}, so {letter}=0; only B, the number of samples, may be 0")
    _check_divisible(sizes["H"], num_devices)


def _spell(letters: str, sizes: dict[str, int] | None = None) -> str:
    """`"DH"` as `(D, H)`, or with the known sizes in the letters' places, as `(2, H)`."""
    parts = [str((sizes or {}).get(letter, letter)) for letter in letters]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _origin(letter: str, shapes: Inputs) -> str:
    """Which argument fixed the size called `letter`."""
    name = next(name for name, letters in zip(Inputs._fields, _DIMENSIONS, strict=True) if letter in letters)
    return f", because {name} has shape {getattr(shapes, name)}"


def _check_divisible(hidden_size: int, num_devices: int) -> None:
    if hidden_size % num_devices:
        lower = hidden_size // num_devices * num_devices
        remedy = f"{lower} or {lower + num_devices}" if lower else str(num_devices)
        raise ValueError(f"H={hidden_size} cannot be split over {num_devices} devices; use {remedy}")


def _check_range(name: str, array: np.ndarray | jax.Array) -> None:
    """Refuse a finite number that would become infinite in float32; infinity and NaN themselves are legal."""
    wide = array.dtype.itemsize > 4 and jax.numpy.issubdtype(array.dtype, np.floating)
    if not wide or isinstance(array, jax.core.Tracer):
        return
    for start, block in _host_blocks(array):
        if _fits(block):
            continue
        with np.errstate(over="ignore"):
            lost = np.isfinite(block) & np.isinf(block.astype(np.float32))
        if lost.any():
            first = tuple(int(i) for i in np.argwhere(lost)[0])
            index = [int(i) + offset for i, offset in zip(first, start, strict=True)]
            raise ValueError(
                f"{name}{index} = {block[first]} does not fit in float32, whose largest number is {_FLOAT32_MAX:.4g}; "
                "scale it down, or give inf if you mean infinity"
            )


def _host_blocks(array: np.ndarray | jax.Array) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
    """The array in pieces that are small on the host, each with the index of its first entry."""
    if isinstance(array, jax.Array):
        for shard in array.addressable_shards:
            yield tuple(part.start or 0 for part in shard.index), np.asarray(shard.data)
    elif array.size:
        rows = max(1, _SMALL_BYTES // array[:1].nbytes)
        for start in range(0, len(array), rows):
            yield (start,) + (0,) * (array.ndim - 1), array[start : start + rows]


def _fits(block: np.ndarray) -> bool:
    """A quick yes; NaN, infinity and numbers at the very edge say no and are looked at one by one."""
    with np.errstate(invalid="ignore"):
        return bool(block.size == 0 or -_FLOAT32_MAX <= block.min() <= block.max() <= _FLOAT32_MAX)


def _small_to_float32(array: np.ndarray | jax.Array) -> np.ndarray | jax.Array:
    if isinstance(array, jax.Array) or array.dtype == np.float32 or array.nbytes > _SMALL_BYTES:
        return array
    return array.astype(np.float32)
