"""What a `shard_map` was given when it refused: read from JAX's own frames in the traceback.

Needed where nothing was traced, so that no program can be read. Should JAX name its variables otherwise one day, these
functions find nothing, and the report shows the error without naming the mistake behind it.
"""

import traceback
from collections.abc import Iterator
from typing import Any

import jax

from .running import run
from .structure import shard_maps

_PARTS = ("f", "mesh", "in_specs", "out_specs", "args")


def refused_in_specs(error: BaseException) -> Any:
    """The in_specs of the `shard_map` that an error went through."""
    return next((frame["in_specs"] for frame in _jax_frames(error) if "in_specs" in frame), None)


def names_unknown_axis(error: BaseException) -> bool:
    """Whether a collective names an axis that its mesh has not: an AssertionError without words, in some versions."""
    frames = list(_jax_frames(error))
    mesh = next((frame["mesh"] for frame in frames if "mesh" in frame), None)
    axes = next((frame[key] for frame in frames[::-1] for key in ("axes", "axis_name") if key in frame), ())
    known = getattr(mesh, "axis_names", ())
    names = axes if isinstance(axes, (tuple, list)) else (axes,)
    return isinstance(error, AssertionError) and any(isinstance(name, str) and name not in known for name in names)


def refused_collectives(error: BaseException) -> set[str] | None:
    """The collectives in the body of the `shard_map` that refused it, which JAX had traced; None if unknown."""
    given = next((frame for frame in _jax_frames(error) if all(part in frame for part in _PARTS)), None)
    if given is None:
        return None
    body, mesh, in_specs, out_specs, arguments = (given[part] for part in _PARTS)
    unchecked = jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=False)
    shapes = [jax.ShapeDtypeStruct(argument.shape, argument.dtype) for argument in arguments]
    traced = run(lambda: jax.make_jaxpr(unchecked)(*shapes), 20)
    return {name for found in shard_maps(traced.value) for name in found.collectives} if traced.value else None


def _jax_frames(error: BaseException) -> Iterator[dict[str, Any]]:
    """The variables in JAX's frames, outermost first."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if "/jax/" in frame.f_code.co_filename.replace("\\", "/"):
            yield frame.f_locals
