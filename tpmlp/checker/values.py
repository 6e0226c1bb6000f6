"""Read what a candidate returned, and compare it with what must come out."""

import inspect
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from .cases import Case
from .running import Outcome

_KEYS = ("out", "hidden")
# Quarters are exact in float32; the examples' decimals are not. Sums in another order differ in the last bits.
_TOLERANCE = 1e-4
# Fewer bits, or the faster matmuls of TPUs and GPUs: the wrong dtype is told elsewhere, not as a wrong value as well.
COARSE = 2e-2


@dataclass
class Answer:
    """What came back for one case.

    Attributes:
        case: the inputs and what must come out.
        outcome: how it ran.
        values: "out" and "hidden" as NumPy float64, as far as there are any.
        problems: (requirement, code or None, what was seen), in the order found.
        wrong: those of "out" and "hidden" whose numbers are wrong.
    """

    case: Case
    outcome: Outcome
    values: dict[str, np.ndarray] = field(default_factory=dict)
    problems: list[tuple[str, str | None, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        return not self.wrong and all(key in self.values for key in _KEYS)

    @property
    def comparable(self) -> bool:
        """Whether both are there, in the right shapes."""
        return all(self.values[key].shape == getattr(self.case, key).shape for key in _KEYS if key in self.values) and (
            len(self.values) == len(_KEYS)
        )


def read_answer(case: Case, outcome: Outcome) -> Answer:
    """Everything that is to be said about one value returned, apart from why it is wrong."""
    answer = Answer(case, outcome)
    value = outcome.value
    if value is None:
        answer.problems.append(("keys", "returns-nothing", "None"))
    elif not isinstance(value, dict):
        answer.problems.append(("keys", "not-a-dict", _describe(value)))
    else:
        _read_dict(answer, value)
    return answer


def _describe(value: Any) -> str:
    if inspect.isgenerator(value):
        return "a generator, as functions with yield return"
    if inspect.iscoroutine(value):
        return "a coroutine, as functions with async return"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} of length {len(value)}"
    return f"of type {type(value).__name__}"


def _read_dict(answer: Answer, value: dict) -> None:
    if set(value) != set(_KEYS):
        came = ", ".join(sorted(map(repr, value))) or "none"
        answer.problems.append(("keys", "wrong-keys", f"expected 'out', 'hidden'; came {came}"))
    for key in _KEYS:
        if key in value:
            _read_array(answer, key, value[key])
    shapes = [answer.values[key].shape for key in _KEYS if key in answer.values]
    if shapes == [answer.case.hidden.shape, answer.case.out.shape] != shapes[::-1]:
        answer.problems.insert(0, ("shapes", "out-and-hidden-swapped", ""))
    for key in _KEYS:
        if key in answer.values:
            _compare(answer, key)


def _read_array(answer: Answer, key: str, value: Any) -> None:
    if not isinstance(value, jax.Array):
        answer.problems.append(("dtype", "not-a-jax-array", f"{key} is {_describe(value)}"))
    try:
        array = np.asarray(value)
    except Exception:  # ragged, deleted, or an object of the candidate's own making
        answer.problems.append(("dtype", "not-a-jax-array", f"{key} cannot be read as an array"))
        return
    if array.dtype != np.float32:
        answer.problems.append(("dtype", "not-float32", f"{key} is {array.dtype}"))
    if array.dtype.kind in "biuf" or "float" in array.dtype.name:  # bfloat16 is of no kind that NumPy knows
        answer.values[key] = array.astype(np.float64)


def _compare(answer: Answer, key: str) -> None:
    came, expected = answer.values[key], getattr(answer.case, key)
    if came.shape != expected.shape:
        detail = f"{answer.case.name}: {key} should be {expected.shape}, came {came.shape}"
        answer.problems.append(("shapes", "wrong-shape", detail))
        answer.wrong.append(key)
        return
    off = ~np.isclose(came, expected, rtol=0, atol=tolerance(answer, key) * max(1.0, np.abs(expected).max()))
    if off.any():
        index = tuple(int(i) for i in np.argwhere(off)[0])
        row = "examples" if answer.case.name.startswith("example") else key
        where = f"{key}[{', '.join(map(str, index))}]"
        detail = f"{answer.case.name}: {where} should be {expected[index]:.4g}, came {came[index]:.4g}"
        answer.problems.append((row, None, f"{detail} ({off.sum()} of {off.size} entries are off)"))
        answer.wrong.append(key)


def tolerance(answer: Answer, key: str) -> float:
    """How far an entry may be off, relative to the largest one."""
    array = answer.outcome.value[key]
    itemsize = getattr(getattr(array, "dtype", None), "itemsize", 8)
    on_cpu = not isinstance(array, jax.Array) or all(device.platform == "cpu" for device in array.devices())
    return _TOLERANCE if on_cpu and itemsize >= 4 else COARSE
