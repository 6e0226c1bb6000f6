"""One kind of mistake that the checker can name."""

from dataclasses import dataclass

GALLERY = "07_wrong_ways.ipynb"
ONE_UNIT = "01_one_unit_per_device.ipynb"
TWO_SAMPLES = "02_rows_and_columns.ipynb"
TWO_UNITS = "03_two_units_per_device.ipynb"
YOUR_TURN = "06_your_turn.ipynb"
COMPILED = "08_what_the_compiler_built.ipynb"


@dataclass(frozen=True)
class Fault:
    """One kind of mistake.

    Attributes:
        code: short and stable, such as "b2-in-every-shard".
        says: what is wrong, in one sentence.
        hint: where to look for the cure, without giving it away.
        lesson: the notebook that treats it, with the heading where there is one.
        explains: codes of faults that follow from this one, so that they need not be told as well.
    """

    code: str
    says: str
    hint: str
    lesson: str
    explains: tuple[str, ...] = ()


def in_gallery(code: str, says: str, hint: str, *explains: str) -> Fault:
    """A fault with a section of its own in the gallery; the heading is the code, with spaces."""
    return Fault(code, says, hint, f"{GALLERY}#{code}", explains)
