"""The inputs that a candidate is tried on."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..dense import reference
from ..examples import EXAMPLES
from ..layout import Inputs


@dataclass(frozen=True, eq=False)
class Case:
    """One set of inputs with what must come out.

    Attributes:
        name: as the report calls it.
        inputs: the five arrays, NumPy float32.
        out: (B, O), float64.
        hidden: (B, H), float64.
    """

    name: str
    inputs: Inputs
    out: np.ndarray
    hidden: np.ndarray

    @property
    def sizes(self) -> dict[str, int]:
        return dict(zip("BDHO", (*self.inputs.x.shape, *self.inputs.w2.shape), strict=True))

    def arrays(self) -> Inputs:
        """Fresh copies, which a candidate may spoil."""
        return Inputs(*(array.copy() for array in self.inputs))

    def lists(self) -> Inputs:
        return Inputs(*(array.astype(float).round(6).tolist() for array in self.inputs))


def _case(name: str, inputs: Inputs) -> Case:
    expected = reference(*inputs)
    return Case(name, Inputs(*(np.asarray(array, np.float32) for array in inputs)), expected["out"], expected["hidden"])


@lru_cache
def example_cases() -> tuple[Case, ...]:
    """The specification's three examples."""
    return tuple(
        _case(f"example {number}", Inputs(**example.inputs)) for number, example in enumerate(EXAMPLES, start=1)
    )


@lru_cache
def made_case(B: int, D: int, H: int, O: int, seed: int = 0) -> Case:
    """Numbers on which different mistakes give different answers.

    They are quarters between -2 and 2 without 0, so that every sum is exact in float32, no bias is 0, and relu has
    something to cut off in every case.
    """
    rng = np.random.default_rng([B, D, H, O, seed])
    quarters = np.delete(np.arange(-8, 9) / 4, 8)
    shapes = Inputs((B, D), (D, H), (H,), (H, O), (O,))
    name = ", ".join(f"{letter} = {size}" for letter, size in zip("BDHO", (B, D, H, O), strict=True))
    return _case(name, Inputs(*(rng.choice(quarters, shape) for shape in shapes)))


def main_case(seed: int = 0) -> Case:
    """All sizes differ, and so do the sizes of all arrays and blocks; two units per device."""
    return made_case(3, 5, 16, 4, seed)


def second_case() -> Case:
    """Three units per device: orders that agree for two do not for three."""
    return made_case(2, 3, 24, 5)


def wide_case() -> Case:
    """Every size is a multiple of eight, so that whatever way the inputs are split, it is possible."""
    return made_case(8, 24, 16, 40)


def odd_case() -> Case:
    """Eight devices do not divide twelve units."""
    return made_case(3, 5, 12, 4)
