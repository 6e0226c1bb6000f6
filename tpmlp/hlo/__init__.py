"""Read the text of a program that XLA compiled (HLO): its parameters, results, constants and collectives.

The grammar is XLA's: one instruction a line, `%name = type opcode(operands), attributes`, in computations of which one
is the ENTRY (https://openxla.org/xla/operation_semantics). No JAX in here.
"""

from .collectives import COLLECTIVES as COLLECTIVES
from .collectives import Collective as Collective
from .program import Program as Program
from .program import read as read
from .text import Buffer as Buffer
