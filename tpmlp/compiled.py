"""What XLA built: the collectives, the bytes and the FLOPs of a compiled program, read from the program itself."""

from collections import Counter
from dataclasses import dataclass, replace

import jax

from . import hlo
from .hlo import Buffer as Buffer
from .hlo import Collective as Collective


@dataclass(frozen=True, repr=False)
class CompiledFacts:
    """A compiled program, from the view of one device. Prints as a table.

    Attributes:
        devices: how many devices the program is compiled for.
        collectives: HLO name → how many, such as `{"all-reduce": 1}`; empty if the devices do not talk. They count as
            they are written: one in the body of a loop is one; an asynchronous start and its done are one.
        collective_bytes: the bytes of one device's operands, summed over the collectives.
        ring_bytes: the bytes that one device sends for them when the devices form a ring, which depends on the kind: an
            all-gather passes its operand on to all others, an all-reduce passes it round twice.
        argument_bytes_per_device: what one device holds for the arguments.
        output_bytes_per_device: what it holds for the results. (XLA's own figure adds 8 bytes for each of several
            results, the table of their addresses.)
        temp_bytes_per_device: what it needs in between, by XLA's own account; None where XLA does not say.
        flops_per_device: by XLA's own count, which takes in every addition, comparison and reduction beside the
            matmuls, and a loop's body once; None where XLA does not say. (A call out of the program, such as
            `jax.debug.print`, counts -1 there, which stands for "unknown".)
        parameter_shapes: the local shapes, one per argument, in order, pytrees flattened; None for an argument that
            the program does not use and an already jitted function therefore dropped.
        parameters: the same as (name, `Buffer`), which has `.dtype`, `.shape` and `.bytes`; without the dropped ones.
        results: the local `Buffer`s that it returns.
        constants: the `Buffer`s baked into the program, such as weights closed over. Every device holds all of each.
        details: one `Collective` each: `.kind`, `.operands`, `.dtype`, `.shape`, `.bytes`, `.ring_bytes`, `.devices`,
            and the `.source` ("file:line") and `.code` of the Python line it came from, where known.
    """

    devices: int
    collectives: dict[str, int]
    collective_bytes: int
    ring_bytes: float
    argument_bytes_per_device: int
    output_bytes_per_device: int
    temp_bytes_per_device: int | None
    flops_per_device: int | None
    parameter_shapes: tuple[tuple[int, ...] | None, ...]
    parameters: tuple[tuple[str, Buffer], ...]
    results: tuple[Buffer, ...]
    constants: tuple[Buffer, ...]
    details: tuple[Collective, ...]

    def __repr__(self) -> str:
        temp = "unknown" if self.temp_bytes_per_device is None else f"{self.temp_bytes_per_device:,} bytes"
        constant_bytes = sum(buffer.bytes for buffer in self.constants)
        rows = [
            ("arguments", f"{self.argument_bytes_per_device:,} bytes", _join(f"{n} {b}" for n, b in self.parameters)),
            ("results", f"{self.output_bytes_per_device:,} bytes", _join(map(str, self.results))),
            ("in between", temp, ""),
            ("FLOPs", "unknown" if self.flops_per_device is None else f"{self.flops_per_device:,}", ""),
        ]
        if self.constants:
            rows.insert(1, ("constants", f"{constant_bytes:,} bytes", _join(map(str, self.constants))))
        rows += [(c.kind, f"{c.bytes:,} bytes", _describe(c)) for c in self.details]
        if not self.details:
            rows.append(("collectives", "none", ""))
        left, middle = (max(len(row[column]) for row in rows) for column in (0, 1))
        title = f"compiled for {_count(self.devices, 'device')}; on each of them:"
        lines = [f"  {name:<{left}}  {amount:>{middle}}  {what}".rstrip() for name, amount, what in rows]
        return "\n".join([title, *lines])


def compiled_facts(fn, *args) -> CompiledFacts:
    """Compile `fn` for these arguments and read what XLA built. Nothing runs and nothing is placed on a device.

    Args:
        fn: any function that `jax.jit` takes, or one that is jitted already. `tpmlp.forward` is one.
        *args: its arguments, or `jax.ShapeDtypeStruct`s (with `sharding=`) of their shapes, in any pytrees. Arguments
            that say where they lie are compiled for there. For plain ones (NumPy, shapes without a sharding) the
            compiler chooses, and what it chose is told: for `tpmlp.forward` the split that the forward asks for.

    Returns:
        `CompiledFacts`, all sizes those of one device.

    Raises:
        TypeError: `fn` is not callable. Whatever else `jax.jit` or the compiler raises comes through.
    """
    if not callable(fn):
        raise TypeError(f"fn is a {type(fn).__name__}; give a function, such as tpmlp.forward")
    jitted = fn if hasattr(fn, "lower") else jax.jit(fn, keep_unused=True)
    return read_compiled(jitted.lower(*args).compile())


def read_compiled(compiled: jax.stages.Compiled) -> CompiledFacts:
    """The facts of what `jax.jit(fn).lower(*args).compile()` returned."""
    program = hlo.read(compiled.as_text() or "")
    program.collectives = list(map(_without_own_line, program.collectives))
    memory = compiled.memory_analysis()
    return CompiledFacts(
        devices=program.devices,
        collectives=dict(Counter(collective.kind for collective in program.collectives)),
        collective_bytes=sum(collective.bytes for collective in program.collectives),
        ring_bytes=float(sum(collective.ring_bytes for collective in program.collectives)),
        argument_bytes_per_device=sum(buffer.bytes for _, buffer in program.parameters),
        output_bytes_per_device=sum(buffer.bytes for buffer in program.results),
        temp_bytes_per_device=None if memory is None else memory.temp_size_in_bytes,
        flops_per_device=_flops(compiled),
        parameter_shapes=_parameter_shapes(compiled, program),
        parameters=tuple(program.parameters),
        results=tuple(program.results),
        constants=tuple(program.constants),
        details=tuple(program.collectives),
    )


def _without_own_line(collective: Collective) -> Collective:
    """What moves an argument that lies elsewhere belongs to no line of the function; XLA names ours, which compiles."""
    return replace(collective, source="", code="") if collective.source.startswith(f"{__file__}:") else collective


def _flops(compiled: jax.stages.Compiled) -> int | None:
    analysis = compiled.cost_analysis()
    if isinstance(analysis, list):  # some versions give one dict per module
        analysis = analysis[0] if analysis else None
    if analysis is None:
        return None
    flops = round(analysis.get("flops", 0))  # a program without arithmetic has no entry
    return flops if flops >= 0 else None


def _parameter_shapes(compiled: jax.stages.Compiled, program: hlo.Program) -> tuple[tuple[int, ...] | None, ...]:
    """The parameters in the arguments' places; JAX gives no sharding for an argument that it dropped."""
    shapes = [buffer.shape for _, buffer in program.parameters]
    # An argument that is None has no leaf and no parameter; one that was dropped has a leaf and no sharding.
    shardings = jax.tree.structure(compiled.args_info).flatten_up_to(compiled.input_shardings)
    if len(shapes) != sum(sharding is not None for sharding in shardings):
        return tuple(shapes)
    remaining = iter(shapes)
    return tuple(None if sharding is None else next(remaining) for sharding in shardings)


def _join(parts) -> str:
    return "  ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _describe(collective: Collective) -> str:
    """One collective in words: `f32[3,2] over 8 devices: psum = jax.lax.psum(partial, AXIS)`."""
    what = f"{_join(map(str, collective.operands))} over {_count(collective.devices, 'device')}"
    return f"{what}: {collective.code}" if collective.code else what
