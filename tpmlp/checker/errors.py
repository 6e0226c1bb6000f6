"""What an error says about the mistake behind it."""

import re
import traceback

from jax.sharding import PartitionSpec as P

from ..layout import IN_SPECS
from .lines import line_of_error

# (a pattern in "Type: message", the fault). The words are those of JAX 0.10 to 0.12; one that is not known any more
# costs a name, and the error is still shown.
_PATTERNS = (
    (
        r"check_rep|pvary|shard_map.*is deprecated|PositionalSharding|jax\.experimental\.(shard_map|maps)",
        "old-api-name",
    ),
    (r"no attribute '(xmap|pmap|pjit|experimental)'", "old-api-name"),
    (r"incompatible devices", "incompatible-devices"),
    (r"does not match the specs of the input|Explicit", "explicit-mesh"),
    (r"out_specs\['out'\].*could not infer replication", "psum-missing"),
    (r"could not infer replication", "wrong-out-specs"),
    (r"must refer to an axis|unbound axis name|not found in mesh|undefined axis", "wrong-axis-name"),
    (r"TracerArrayConversionError", "numpy-in-the-body"),
    (r"required positional argument|positional arguments? but|missing a required argument", "wrong-arguments"),
)


def name_error(error: BaseException) -> tuple[str, str]:
    """(code, what was seen) for an error that the candidate raised."""
    text = f"{type(error).__name__}: {error}"
    return _code(error, text), _describe(error, text)


def is_old_name(warning: Warning | str) -> bool:
    """Whether a warning speaks of a JAX name that is about to go."""
    return isinstance(warning, DeprecationWarning) and "jax" in str(warning)


def _code(error: BaseException, text: str) -> str:
    for pattern, code in _PATTERNS:
        if re.search(pattern, text, re.S):
            return code
    if _names_unknown_axis(error):
        return "wrong-axis-name"
    return _code_by_specs(error) or "raises"


def _describe(error: BaseException, text: str) -> str:
    line = line_of_error(error)
    first = " ".join(text.split())
    first = first if len(first) <= 300 else f"{first[:297]}..."
    return f"{line}\n{first}" if line else first


def _names_unknown_axis(error: BaseException) -> bool:
    """psum over an axis that is not the mesh's: an empty AssertionError from inside JAX, in some versions."""
    mesh = _local_of_frames(error, "mesh")
    axes = _local_of_frames(error, "axes") or _local_of_frames(error, "axis_name")
    names = axes if isinstance(axes, (tuple, list)) else (axes,)
    known = getattr(mesh, "axis_names", ())
    return isinstance(error, AssertionError) and any(isinstance(name, str) and name not in known for name in names)


def _code_by_specs(error: BaseException) -> str | None:
    """Read the in_specs where shard_map held them when it failed."""
    specs = _local_of_frames(error, "in_specs")
    if not isinstance(specs, (tuple, list)) or len(specs) != len(IN_SPECS):
        return None
    return code_of_specs(dict(zip(IN_SPECS._fields, specs, strict=True)))


def code_of_specs(specs: dict[str, P]) -> str | None:
    """The fault in how the five inputs are split, or None."""
    split = {name: split_dimensions(spec) for name, spec in specs.items()}
    if split.get("w1") == {0}:
        return "w1-split-by-rows"
    if split.get("w2") == {1}:
        return "w2-split-by-columns"
    if not split.get("w1", True) or not split.get("w2", True):
        return "full-weight-on-every-device"
    wanted = {name: split_dimensions(spec) for name, spec in IN_SPECS._asdict().items()}
    return "wrong-in-specs" if any(split[name] != wanted[name] for name in split) else None


def split_dimensions(spec) -> set[int]:
    """The dimensions of an array that a spec splits."""
    return {number for number, part in enumerate(spec or ()) if part not in (None, ())}


def _local_of_frames(error: BaseException, name: str):
    """A variable called `name` in JAX's frames that the error passed through, innermost first."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    jax_frames = [frame for frame in frames if f"{'/'}jax{'/'}" in frame.f_code.co_filename.replace("\\", "/")]
    found = (frame.f_locals[name] for frame in reversed(jax_frames) if name in frame.f_locals)
    return next(found, None)
