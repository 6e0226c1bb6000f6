"""What an error says about the mistake behind it."""

import re

from jax.sharding import PartitionSpec as P

from ..layout import IN_SPECS
from .lines import line_of_error
from .refused import names_unknown_axis, refused_collectives, refused_in_specs

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
    (r"must refer to an axis|unbound axis name|not found in mesh|undefined axis", "wrong-axis-name"),
    (r"TracerArrayConversionError", "numpy-in-the-body"),
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
    if "could not infer replication" in text:
        return _code_of_replication(error, text)
    if names_unknown_axis(error):
        return "wrong-axis-name"
    return _code_of_specs(error) or "raises"


def _code_of_replication(error: BaseException, text: str) -> str:
    """`check_vma` refused: is it that nothing was added up, or that JAX cannot see it?"""
    collectives = refused_collectives(error)
    if "out_specs['hidden']" in text:
        return "wrong-out-specs"
    if not collectives:
        return "psum-missing"
    return "wrong-out-specs" if any(name.startswith("psum") for name in collectives) else "replication-not-seen"


def _describe(error: BaseException, text: str) -> str:
    line = line_of_error(error)
    first = " ".join(text.split())
    first = first if len(first) <= 300 else f"{first[:297]}..."
    return f"{line}\n{first}" if line else first


def _code_of_specs(error: BaseException) -> str | None:
    specs = refused_in_specs(error)
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
