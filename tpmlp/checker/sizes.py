"""Right for some sizes and not for others: which size is it?"""

from collections.abc import Callable

from . import cases
from .cases import Case
from .trial import Trial, error_of
from .values import Answer

_OTHER = {"B": (1, 3), "D": (2, 5), "H": (8, 16), "O": (1, 4)}


def find_fixed_size(trial: Trial, answers: list[Answer], is_fine: Callable[[Answer], bool]) -> bool:
    """Change one size at a time, from a case that is answered well; name what makes it go wrong."""
    base = next((answer.case for answer in answers if is_fine(answer)), None)
    if base is None:
        return False
    same = trial.answer(_like(base))
    if not is_fine(same):
        trial.sheet.fault("answers-baked-in", f"{base.name} is right; other numbers in its shapes: {_seen(same)}")
        return True
    for letter, other in _OTHER.items():
        before = base.sizes[letter]
        after = next(size for size in other if size != before)
        changed = trial.answer(_like(base, **{letter: after}))
        if not is_fine(changed) and not trial.over:
            code = "one-sample-only" if letter == "B" and before == 1 else "fixed-size"
            detail = f"right for {letter} = {before}; for {letter} = {after} and all else the same: {_seen(changed)}"
            trial.sheet.fault(code, detail)
            return True
    return False


def _like(case: Case, **sizes: int) -> Case:
    return cases.made_case(**(case.sizes | sizes), seed=7)


def _seen(answer: Answer) -> str:
    if not answer.outcome.returned:
        return error_of(answer)[1].splitlines()[-1]
    return answer.problems[0][2] if answer.problems else "wrong"
