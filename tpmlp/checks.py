"""What the forward accepts and what it refuses, with which words. No device works here."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import jax
import numpy as np

from .cost.sizes import check_divisible


class Inputs(NamedTuple):
    """The five arrays of the MLP, or one thing (a spec, a sharding, a shape) for each of them."""

    x: Any
    w1: Any
    b1: Any
    w2: Any
    b2: Any


FLOAT32 = np.dtype(np.float32)

_DIMENSIONS = Inputs(x="BD", w1="DH", b1="H", w2="HO", b2="O")
_FLOAT32_MAX = float(np.finfo(FLOAT32).max)
_PIECE_BYTES = 1 << 20  # an array on disk is read in pieces of this size


# --- kinds: is it an array of real numbers? ------------------------------------------------------------------------


def as_arrays(inputs: Inputs) -> Inputs:
    """Each input as a NumPy or JAX array of real numbers; one that is already is not copied."""
    return Inputs(*map(_as_array, Inputs._fields, inputs))


def _as_array(name: str, value: Any) -> np.ndarray | jax.Array:
    array = value if isinstance(value, jax.Array) else _to_numpy(name, value)
    if not _is_real(array.dtype):
        raise TypeError(f"{name} has dtype {array.dtype}; give real numbers (bool, int or float)")
    return array


def _to_numpy(name: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is not a rectangular array; give rows of equal length ({error})") from None
    except TypeError:  # a list of JAX's bfloat16 scalars, for one, has to be helped
        array = np.asarray(jax.tree.map(np.asarray, value))
    if array.dtype == object and not isinstance(value, np.ndarray):
        return _from_objects(name, array)
    return array


def _from_objects(name: str, array: np.ndarray) -> np.ndarray:
    """Whole numbers that are too long for NumPy's integers, as float64; whatever else ends up here is no number."""
    for index, entry in np.ndenumerate(array):
        if not isinstance(entry, (int, float)):
            kind = type(entry).__name__
            raise TypeError(f"{_entry(name, index)} is of type {kind}; give real numbers (bool, int or float)")
        if isinstance(entry, int) and entry.bit_length() > 1023:  # not even a float64
            raise ValueError(_too_large(f"{_entry(name, index)}, a whole number of {entry.bit_length()} bits,"))
    return array.astype(np.float64)


@cache
def _is_real(dtype: Any) -> bool:  # JAX has dtypes that are none of NumPy's, such as that of its random keys
    if jax.numpy.issubdtype(dtype, np.timedelta64):  # to NumPy a time span is an integer
        return False
    # JAX's rule instead of NumPy's, since it knows bfloat16 and the float8s.
    return any(jax.numpy.issubdtype(dtype, kind) for kind in (np.floating, np.integer, np.bool_))


# --- shapes --------------------------------------------------------------------------------------------------------


@lru_cache  # the same shapes come again at every call; only those that fit are remembered
def check_shapes(shapes: Inputs, num_devices: int) -> None:
    """Refuse shapes that do not fit each other, empty ones (but for B) and an H that `num_devices` does not divide."""
    for name, shape, letters in zip(Inputs._fields, shapes, _DIMENSIONS, strict=True):
        if len(shape) != len(letters):
            count = f"{len(letters)} dimension{'s' if len(letters) > 1 else ''}"
            remedy = "; for a single sample give x[None, :]" if (name, len(shape)) == ("x", 1) else ""
            raise ValueError(f"{name} has shape {shape}; expected {count}, {_spell(letters)}{remedy}")
    sizes: dict[str, int] = {}
    for name, shape, letters in zip(Inputs._fields, shapes, _DIMENSIONS, strict=True):
        for letter, size in zip(letters, shape, strict=True):
            if size != sizes.setdefault(letter, size):
                fixed = next(
                    name for name, letters in zip(Inputs._fields, _DIMENSIONS, strict=True) if letter in letters
                )
                raise ValueError(
                    f"{name} has shape {shape}; expected {_spell(letters)} = {_spell(letters, sizes)}, "
                    f"because {fixed} has shape {getattr(shapes, fixed)}"
                )
            if size == 0 and letter != "B":
                raise ValueError(f"{name} has shape {shape}, so {letter}=0; only B, the number of samples, may be 0")
    check_divisible(sizes["H"], num_devices)


def _spell(letters: str, sizes: dict[str, int] | None = None) -> str:
    """`"DH"` as `(D, H)`, or with the known sizes in the letters' places, as `(2, H)`."""
    parts = [str((sizes or {}).get(letter, letter)) for letter in letters]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


# --- values --------------------------------------------------------------------------------------------------------

Block = tuple[tuple[int, ...], np.ndarray]  # a part of an array, after the index of its first entry


@cache
def is_wider_than_float32(dtype: np.dtype) -> bool:
    """Whether a finite number of this dtype can be too large for float32."""
    return dtype.itemsize > 4 and jax.numpy.issubdtype(dtype, np.floating)


def check_values(name: str, blocks: Iterable[Block]) -> None:
    """Refuse a finite number that would become infinite in float32; infinity and NaN themselves are legal."""
    for start, piece in _small_pieces(blocks):
        if _fits(piece):
            continue
        with np.errstate(over="ignore"):
            lost = np.isfinite(piece) & np.isinf(piece.astype(np.float32))
        if lost.any():
            first = tuple(np.argwhere(lost)[0])
            index = tuple(int(i) + offset for i, offset in zip(first, start, strict=True))
            raise ValueError(_too_large(f"{_entry(name, index)} = {piece[first]!s}"))


def _small_pieces(blocks: Iterable[Block]) -> Iterator[Block]:
    for (row, *rest), block in blocks:
        rows_at_once = max(1, _PIECE_BYTES // max(1, block[:1].nbytes))
        for start in range(0, len(block), rows_at_once):
            yield (row + start, *rest), block[start : start + rows_at_once]


def _fits(piece: np.ndarray) -> bool:
    """A quick yes; NaN, infinity and numbers at the very edge say no and are looked at one by one."""
    with np.errstate(invalid="ignore"):
        return bool(piece.size == 0 or -_FLOAT32_MAX <= piece.min() <= piece.max() <= _FLOAT32_MAX)


def _entry(name: str, index: tuple[int, ...]) -> str:
    return f"{name}{list(index)}" if index else name


def _too_large(what: str) -> str:
    remedy = "scale it down, or give inf if you mean infinity"
    return f"{what} does not fit in float32, whose largest number is {_FLOAT32_MAX:.4g}; {remedy}"
