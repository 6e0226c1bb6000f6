"""Which mistakes explain the wrong numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .hypotheses import SINGLE_MISTAKES, Hypothesis, predict, predictions
from .values import COARSE, Answer, tolerance

_KEYS: tuple[str, ...] = ("out", "hidden")

# out = a·(hidden W2) + c·b2, whatever hidden is: what these two numbers say.
_FACTORS = {
    (1, 8): ("b2-in-every-shard",),
    (1, 9): ("b2-in-every-shard",),
    (1, 0): ("b2-missing",),
    (8, 1): ("psum-twice",),
    (8, 8): ("psum-twice",),
    (8, 64): ("psum-twice", "b2-in-every-shard"),
    (8, 0): ("psum-twice", "b2-missing"),
    (0.125, 1): ("mean-instead-of-sum",),
    (0.125, 0.125): ("mean-instead-of-sum",),
    (0.125, 0): ("mean-instead-of-sum", "b2-missing"),
}


@dataclass(frozen=True)
class Diagnosis:
    """The mistakes as (code, what was seen); `sure` is False where the numbers do not tell."""

    mistakes: tuple[tuple[str, str], ...]
    sure: bool


def diagnose(answers: list[Answer]) -> Diagnosis:
    """Explain wrong values of the right shapes by one known mistake, else by two, else say what can be said."""
    for count in (1, 2):
        found = _explanations(answers, count, _KEYS)
        if len(found) == 1:
            return Diagnosis(_told(*found.values()), True)
        if found:
            return Diagnosis((("wrong-values", _either(list(found.values()))),), False)
    if all(_close(answer, key, getattr(answer.case, key), coarse=True) for answer in answers for key in _KEYS):
        return Diagnosis((("low-precision", ""),), True)
    return _by_factors(answers) or _half(answers) or Diagnosis((("wrong-values", _cannot_tell(answers)),), False)


def _explanations(answers: list[Answer], count: int, keys: tuple[str, ...]) -> dict[frozenset, tuple[Hypothesis, ...]]:
    """The sets of codes that explain `keys` in every answer, each with the first hypotheses that do so."""
    found: dict[frozenset, tuple[Hypothesis, ...]] = {}
    for mistakes, *predicted in predictions(answers[0].case, count):
        if _agrees(answers[0], predicted, keys) and all(
            _agrees(answer, predict(mistakes, answer.case), keys) for answer in answers[1:]
        ):
            found.setdefault(frozenset(mistake.code for mistake in mistakes), mistakes)
    return found


def _agrees(answer: Answer, predicted: Sequence[np.ndarray], keys: tuple[str, ...]) -> bool:
    values: dict[str, np.ndarray] = dict(zip(_KEYS, predicted, strict=True))
    return all(_close(answer, key, values[key]) for key in keys)


def _close(answer: Answer, key: str, expected: np.ndarray, coarse: bool = False) -> bool:
    slack = (COARSE if coarse else tolerance(answer, key)) * max(1.0, np.abs(expected).max())
    return bool(np.abs(answer.values[key] - expected).max() <= slack)  # False for NaN


def _told(mistakes: tuple[Hypothesis, ...]) -> tuple[tuple[str, str], ...]:
    return tuple({mistake.code: mistake.detail for mistake in mistakes}.items())


def _either(explanations: list[tuple[Hypothesis, ...]]) -> str:
    ways = [" with ".join(sorted({m.code for m in mistakes})) for mistakes in explanations]
    return f"the numbers fit {len(ways)} explanations: {', or '.join(ways)}"


def _by_factors(answers: list[Answer]) -> Diagnosis | None:
    """Take the candidate's own hidden as given: what was made of it?"""
    factors = _fit(answers)
    if factors is None:
        return None
    codes = next((codes for known, codes in _FACTORS.items() if np.allclose(known, factors, atol=1e-3)), ())
    says = f"out is {factors[0]:.4g} hidden W2 + {factors[1]:.4g} b2, with the hidden that you return"
    found = [(code, says) for code in codes]
    if not codes and not np.allclose(factors, (1, 1), atol=1e-3):
        found.append(("wrong-values", says))
    if any("hidden" in answer.wrong for answer in answers):
        of_hidden = _explanations(answers, 1, ("hidden",))
        if len(of_hidden) == 1:
            found += _told(*of_hidden.values())
        else:
            found.append(("wrong-values", f"hidden is wrong, and out follows from it. {_ruled_out()}"))
    return Diagnosis(tuple(found), all(code != "wrong-values" for code, _ in found))


def _fit(answers: list[Answer]) -> tuple[float, float] | None:
    """The a and c of out = a·(hidden W2) + c·b2, or None if there are none."""
    products = [(answer.values["hidden"] @ answer.case.inputs.w2.astype(np.float64)).ravel() for answer in answers]
    biases = [np.broadcast_to(answer.case.inputs.b2, answer.values["out"].shape).ravel() for answer in answers]
    outs = np.concatenate([answer.values["out"].ravel() for answer in answers])
    columns = np.stack([np.concatenate(products), np.concatenate(biases).astype(np.float64)], axis=1)
    if not (np.isfinite(columns).all() and np.isfinite(outs).all()):
        return None
    factors, *_ = np.linalg.lstsq(columns, outs)
    fits = np.abs(columns @ factors - outs).max() <= 1e-3 * max(1.0, np.abs(outs).max())
    return (float(factors[0]), float(factors[1])) if fits else None


def _half(answers: list[Answer]) -> Diagnosis | None:
    """Where only one of the two results can be explained, name that mistake and say that more is wrong."""
    for key, other in (("hidden", "out"), ("out", "hidden")):
        found = _explanations(answers, 1, (key,))
        if len(found) == 1 and any(key in answer.wrong for answer in answers):
            rest = f"this explains {key}, not {other}. {_ruled_out()}"
            return Diagnosis((*_told(*found.values()), ("wrong-values", rest)), False)
    return None


def _cannot_tell(answers: list[Answer]) -> str:
    wrong = sorted({key for answer in answers for key in answer.wrong})
    return f"{' and '.join(wrong)} {'are' if len(wrong) > 1 else 'is'} wrong. {_ruled_out()}"


def _ruled_out() -> str:
    codes = sorted({mistake.code for mistake in SINGLE_MISTAKES})
    return f"Ruled out, alone and in pairs: {', '.join(codes)}"
