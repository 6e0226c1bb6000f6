"""One compiled program, read from its text."""

import math
import re
from dataclasses import dataclass, field

from .collectives import COLLECTIVES, Collective, read_collective
from .sources import Sources
from .text import Buffer, Instruction, buffers, computations


@dataclass
class Program:
    """What `read` finds. Every shape is one device's.

    Attributes:
        devices: how many devices the program is compiled for.
        parameters: one (name, buffer) per parameter.
        results: the buffers that it returns.
        constants: the arrays baked into the program, scalars left out.
        collectives: in the order in which they are written.
    """

    devices: int = 1
    parameters: list[tuple[str, Buffer]] = field(default_factory=list)
    results: list[Buffer] = field(default_factory=list)
    constants: list[Buffer] = field(default_factory=list)
    collectives: list[Collective] = field(default_factory=list)


def read(text: str) -> Program:
    """Read `compiled.as_text()`.

    Every instruction counts once, as it is written: a collective in the body of a loop is one, however often it runs.
    """
    program = Program(devices=_num_devices(text))
    sources = Sources(text)
    parameters: dict[int, list[tuple[str, Buffer]]] = {}
    found = list(computations(text))
    clones = _clones(found)
    for name, instructions in found:
        is_entry = name == "ENTRY"
        types = {instruction.name: instruction.type for instruction in instructions}
        for instruction in instructions:
            kind = instruction.opcode.removesuffix("-start")  # the "-done" of the pair is in no list
            if kind in COLLECTIVES and name not in clones:
                if name.startswith("all-reduce-scatter"):  # how TPUs fuse the two halves of a reduce-scatter
                    kind = "reduce-scatter"
                program.collectives.append(read_collective(kind, instruction, types, sources, program.devices))
            elif kind == "constant":
                program.constants += [b for b in buffers(instruction.type) if math.prod(b.shape) > 1]
            elif kind == "parameter" and is_entry:
                named = [(_argument_name(instruction), buffer) for buffer in buffers(instruction.type)]
                parameters[int(instruction.operands)] = named
            if is_entry and instruction.is_root:
                program.results = buffers(instruction.type)
    program.parameters = [named for number in sorted(parameters) for named in parameters[number]]
    return program


def _clones(found: list[tuple[str, list[Instruction]]]) -> set[str]:
    """The computations in which a TPU goes on with a collective, or ends it, that an earlier one has started.

    Where arithmetic overlaps with it, XLA writes the collective into the fusion `async-collective-start`, again into
    the `async_collective_fusion` that computes meanwhile, and again into `async-collective-done`.
    """
    clones = {name for name, _ in found if name.startswith("async_collective_fusion")}
    for _, instructions in found:
        for instruction in instructions:
            if instruction.name.startswith("async-collective-done"):
                clones.update(re.findall(r"calls=%?([\w.-]+)", instruction.attributes))
    return clones


def _argument_name(instruction: Instruction) -> str:
    """JAX's name of an argument, such as `w1`, where the program carries it, else XLA's of the parameter."""
    found = re.search(r'op_name="([^"]+)"', instruction.attributes)
    return found[1].replace("\\'", "'") if found else instruction.name


def _num_devices(text: str) -> int:
    header = text.split("\n", 1)[0]
    return math.prod(int(n) for n in re.findall(r"(?:num_partitions|replica_count)=(\d+)", header))
