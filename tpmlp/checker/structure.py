"""Read the traced program: where shard_map is, what goes into it, and what its body does."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, Literal, jaxprs_in_params

from ..layout import Inputs

# As JAX's operations begin; with check_vma on there are further ones, such as psum_invariant.
_COLLECTIVES = ("psum", "pmax", "pmin", "all_gather", "reduce_scatter", "all_to_all", "ppermute")


@dataclass(frozen=True)
class ShardMap:
    """One `shard_map` in a traced program.

    Attributes:
        mesh: the mesh it runs on.
        in_specs: one `PartitionSpec` per array that goes in, those closed over included.
        shapes: their global shapes.
        local_shapes: their shapes on one device.
        local_bytes: the bytes of all of them on one device.
        names: the names of the body's parameters; an array that is closed over has none.
        jitted: whether it stands inside a `jax.jit`.
        body: what it runs on each device.
    """

    mesh: Any
    in_specs: tuple
    shapes: tuple[tuple[int, ...], ...]
    local_shapes: tuple[tuple[int, ...], ...]
    local_bytes: int
    names: tuple[str, ...]
    jitted: bool
    body: Jaxpr

    @property
    def collectives(self) -> list[str]:
        """The names of JAX's communicating operations in the body, one for each place."""
        names = (equation.primitive.name for equation in _equations(self.body))
        return [name for name in names if name.startswith(_COLLECTIVES)]

    @property
    def psums(self) -> int:
        return sum(name.startswith("psum") for name in self.collectives)

    @property
    def sizes(self) -> set[int]:
        """The numbers of entries of all arrays that the body makes, on one device."""
        outputs = (variable.aval for equation in _equations(self.body) for variable in equation.outvars)
        return {int(np.prod(aval.shape)) for aval in outputs if hasattr(aval, "shape")}


def trace_arguments(candidate: Callable, arrays: Inputs) -> ClosedJaxpr:
    """The program as a function of the five arrays."""
    return jax.make_jaxpr(lambda *inputs: candidate(*inputs))(*arrays)


def trace_numbers(candidate: Callable, arrays: Inputs) -> ClosedJaxpr:
    """The program for these very numbers; arrays that it closes over are constants in it."""
    return jax.make_jaxpr(lambda: candidate(*arrays))()


def shard_maps(program: ClosedJaxpr) -> list[ShardMap]:
    """Every `shard_map` in a program, outermost first."""
    return [_read(equation, jitted) for equation, jitted in _outside(program.jaxpr, False)]


def bakes_in(program: ClosedJaxpr, sizes: set[int]) -> bool:
    """Whether a jitted part of the program has a constant of one of these sizes."""
    return any(np.size(constant) in sizes for inner in _closed(program.jaxpr) for constant in inner.consts)


def _read(equation, jitted: bool) -> ShardMap:
    parameters = equation.params
    body = parameters["jaxpr"]
    body = body.jaxpr if isinstance(body, ClosedJaxpr) else body
    return ShardMap(
        mesh=parameters["mesh"],
        in_specs=tuple(parameters["in_specs"]),
        shapes=tuple(tuple(variable.aval.shape) for variable in equation.invars),
        local_shapes=tuple(tuple(variable.aval.shape) for variable in body.invars),
        local_bytes=sum(int(np.prod(v.aval.shape)) * v.aval.dtype.itemsize for v in body.invars),
        names=tuple(body.debug_info.arg_names or ()),
        jitted=jitted,
        body=body,
    )


def _outside(jaxpr: Jaxpr, jitted: bool) -> Iterator[tuple[Any, bool]]:
    for equation in _used(jaxpr):
        if equation.primitive.name == "shard_map":
            yield equation, jitted
        else:
            for inner in _inner(equation):
                yield from _outside(inner, jitted or equation.primitive.name in ("jit", "pjit"))


def _equations(jaxpr: Jaxpr) -> Iterator[Any]:
    for equation in _used(jaxpr):
        yield equation
        for inner in _inner(equation):
            yield from _equations(inner)


def _used(jaxpr: Jaxpr) -> list[Any]:
    """The equations that the results depend on; a call whose result is thrown away is none."""
    needed, found = {variable for variable in jaxpr.outvars if not isinstance(variable, Literal)}, []
    for equation in reversed(jaxpr.eqns):
        if needed.intersection(equation.outvars):
            found.append(equation)
            needed.update(variable for variable in equation.invars if not isinstance(variable, Literal))
    return found[::-1]


def _inner(equation) -> Iterator[Jaxpr]:
    # custom_jvp_call keeps its jaxpr closed, pjit too, shard_map open.
    return (j.jaxpr if isinstance(j, ClosedJaxpr) else j for j in jaxprs_in_params(equation.params))


def _closed(jaxpr: Jaxpr) -> Iterator[ClosedJaxpr]:
    for equation in _equations(jaxpr):
        yield from (value for value in equation.params.values() if isinstance(value, ClosedJaxpr))
