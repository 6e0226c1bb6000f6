"""The HLO instructions by which devices talk."""

import math
import re
from dataclasses import dataclass

from .sources import Sources, code
from .text import Buffer, Instruction, buffers

COLLECTIVES = (
    "all-reduce",
    "all-gather",
    "reduce-scatter",
    "collective-permute",
    "collective-broadcast",
    "all-to-all",
    "ragged-all-to-all",
)


@dataclass(frozen=True)
class Collective:
    """One instruction by which devices talk.

    Attributes:
        kind: its HLO name, such as "all-reduce"; an asynchronous pair of start and done is one.
        operands: what one device puts in; XLA may combine several arrays into one collective.
        devices: how many devices take part in one group.
        source: "file:line" of the Python that asked for it, "" where the program does not say.
        code: that line of Python, "" where it cannot be read.
    """

    kind: str
    operands: tuple[Buffer, ...]
    devices: int
    source: str = ""
    code: str = ""

    @property
    def dtype(self) -> str:
        """The type of the (first) operand."""
        return self.operands[0].dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The local shape of the (first) operand."""
        return self.operands[0].shape

    @property
    def bytes(self) -> int:
        """The bytes of one device's operands."""
        return sum(operand.bytes for operand in self.operands)

    @property
    def ring_bytes(self) -> float:
        """The bytes that one device sends when its group forms a ring: what to compare different kinds by.

        An all-gather passes every device's operand on n - 1 times; a reduce-scatter passes on n - 1 of the n parts of
        its operand, an all-reduce is one after the other. (An all-to-all could go directly; it sends n - 1 parts.)
        """
        n = self.devices
        if n == 1:  # also a permutation in which nobody sends to another
            return 0.0
        shares = {"all-reduce": 2 * (n - 1) / n, "all-gather": n - 1, "reduce-scatter": (n - 1) / n}
        shares |= {"all-to-all": (n - 1) / n, "ragged-all-to-all": (n - 1) / n}
        return float(shares.get(self.kind, 1) * self.bytes)


def read_collective(
    kind: str, instruction: Instruction, types: dict[str, str], sources: Sources, devices: int
) -> Collective:
    """The collective in an instruction, given the types in its computation and the number of all devices."""
    operands = _operands(instruction.operands, types)
    if kind == "ragged-all-to-all":
        operands = operands[:1]  # the others are the buffer to write to and the offsets
    source = sources.find(instruction.attributes)
    return Collective(kind, tuple(operands), _group_size(instruction.attributes, devices), source, code(source))


def _operands(operands: str, types: dict[str, str]) -> list[Buffer]:
    """Some printers write the types of the operands in place, others only their names."""
    return buffers(operands) or [b for name in re.findall(r"[\w.-]+", operands) for b in buffers(types.get(name, ""))]


def _group_size(attributes: str, devices: int) -> int:
    """How many devices talk in one group; XLA has four ways to write it."""
    if pairs := re.search(r"source_target_pairs=\{(\{.*?\})?\}", attributes):
        return _largest_chain(re.findall(r"(\d+),(\d+)", pairs[1] or ""))
    if groups := re.search(r"replica_groups=\{\{(.*?)\}\}", attributes):
        return max(len(group.split(",")) for group in groups[1].split("},{"))
    if iota := re.search(r"replica_groups=\[\d+,(\d+)\]<=", attributes):
        return int(iota[1])
    if mesh := re.search(r"replica_groups=mesh\[(.*?)\](?: ?\{(.*?)\})?", attributes):
        sizes = dict(re.findall(r"'(.+?)'=(\d+)", mesh[1]))
        # 'model':(2)4 is a part of an axis, of size 4; without a list of axes it is all of them
        axes = re.findall(r"'(.+?)'(?::\(\d+\)(\d+))?", mesh[2] or mesh[1])
        return math.prod(int(part or sizes[axis]) for axis, part in axes)
    return devices  # replica_groups={}: all of them


def _largest_chain(pairs: list[tuple[str, str]]) -> int:
    """How many devices the longest chain or ring of senders and receivers has; 1 if nobody sends to another."""
    chains = [{device} for device in {device for pair in pairs for device in pair}]
    for pair in pairs:
        touched = [chain for chain in chains if chain & set(pair)]
        chains = [chain for chain in chains if chain not in touched] + [set().union(*touched)]
    return max(map(len, chains), default=1)
