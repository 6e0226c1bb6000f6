"""The lines of an HLO text as instructions, and the types in them as buffers."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Buffer:
    """One array in one device's memory, printed as XLA does: `f32[3,2]`.

    Attributes:
        dtype: XLA's name of the type: "f32", "bf16", "s32", "pred", …
        shape: the local shape.
    """

    dtype: str
    shape: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """Its size, without the padding that some hardware adds."""
        return math.ceil(math.prod(self.shape) * _bits(self.dtype) / 8)

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


_BUFFER = re.compile(r"\b([a-z][a-z0-9]*)\[([\d,<=]*)\]")


def buffers(type_: str) -> list[Buffer]:
    """The arrays in a type: `f32[3,2]{1,0:T(8,128)}` has one, a tuple `(bf16[4]{0}, s32[])` several."""
    found = _BUFFER.findall(type_)
    return [Buffer(dtype, tuple(int(d) for d in dims.replace("<=", "").split(",") if d)) for dtype, dims in found]


def _bits(dtype: str) -> int:
    if dtype == "pred":
        return 8
    size = re.match(r"(?:bf|[fsuc])(\d+)", dtype)  # f8e4m3fn is 8 bits; token and opaque are none
    return int(size[1]) if size else 0


@dataclass(frozen=True)
class Instruction:
    """One line, `%name = type opcode(operands), attributes`, all as they are written."""

    name: str
    type: str
    opcode: str
    operands: str
    attributes: str
    is_root: bool


_HEAD = re.compile(r"\s+(ROOT )?%?([\w.-]+) = ")
_OPCODE = re.compile(r"\s*([a-z][a-z0-9-]*)\(")


def computations(text: str) -> Iterator[tuple[str, list[Instruction]]]:
    """For each computation its name, "ENTRY" for that one, and its instructions."""
    name, instructions = "", []
    for line in text.splitlines():
        if line.endswith("{") and not line[:1].isspace():
            name, instructions = line.split(" ", 1)[0].lstrip("%"), []
        elif line.startswith("}"):
            yield name, instructions
        elif instruction := _instruction(re.sub(r"/\*.*?\*/", "", line)):
            instructions.append(instruction)


def _instruction(line: str) -> Instruction | None:
    head = _HEAD.match(line)
    if not head:
        return None
    start = head.end()
    end = _closing(line, start) if line[start] == "(" else line.index(" ", start)
    opcode = _OPCODE.match(line, end)
    if not opcode:
        return None
    close = _closing(line, opcode.end() - 1)
    operands, attributes = line[opcode.end() : close - 1], line[close:]
    return Instruction(head[2], line[start:end], opcode[1], operands, attributes, head[1] is not None)


def _closing(line: str, start: int) -> int:
    """The place after the parenthesis that closes the one at `start`."""
    depth = 0
    for place in range(start, len(line)):
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        if depth == 0:
            return place + 1
    return len(line)
