"""The values: run the candidate on all cases, compare, and find out what is behind wrong numbers."""

import inspect
from dataclasses import dataclass, field

import numpy as np

from ..dense import reference
from ..layout import Inputs
from . import cases
from .cases import Case
from .diagnosis import diagnose
from .shapes import diagnose_shape
from .sizes import find_fixed_size
from .trial import Trial, error_of
from .values import Answer
from .weights import WeightWatch


@dataclass
class Graded:
    """What grading the values leaves for the rest.

    Attributes:
        base: the answer on which placement and structure are looked at; None if there is none.
        again: a second answer in the same shapes, None if it was not tried.
        watch: saw every full weight that arrived on a device during `again`.
    """

    base: Answer | None = None
    again: Answer | None = None
    watch: WeightWatch = field(default_factory=lambda: WeightWatch({}))


def grade_values(trial: Trial) -> Graded:
    """Fill in the values' part of the sheet."""
    if not _takes_five(trial):
        return Graded()
    first = _answer_example(trial, cases.example_cases()[0])
    if first.outcome.returned and not first.values:  # None, a tuple, a generator: nothing to compare
        trial.sheet.passes("runs")
        _note_problems(trial, [first])
        return Graded()
    examples = [first, *(_answer_example(trial, case) for case in cases.example_cases()[1:])]
    main = trial.answer(cases.main_case())
    watch = WeightWatch({main.case.inputs.w1.size: "W1", main.case.inputs.w2.size: "W2"})
    again = trial.answer(cases.main_case(1), watch=watch)
    second = trial.answer(cases.second_case())
    answers = [main, again, second, *examples]
    if trial.over:
        return Graded()
    if not any(answer.outcome.returned for answer in answers):
        return Graded(_grade_wide(trial, first))
    _note_problems(trial, answers)
    if _remembers(main, again):
        trial.sheet.fault("weights-closed-over", "a second call with other weights was answered with the first's")
    elif not all(answer.right for answer in answers):
        _explain(trial, answers)
    else:
        _grade_odd(trial)
    for row in ("runs", "lists", "keys", "shapes", "dtype", "examples", "hidden", "out", "inputs"):
        trial.sheet.passes(row)
    base = next(answer for answer in answers if answer.outcome.returned)
    return Graded(base, again if again.outcome.returned else None, watch)


def _takes_five(trial: Trial) -> bool:
    try:
        inspect.signature(trial.candidate).bind(*Inputs._fields)
    except TypeError as error:
        trial.sheet.fails("runs", "wrong-arguments", str(error))
        return False
    except ValueError:  # some callables have no signature
        pass
    return True


def _answer_example(trial: Trial, case: Case) -> Answer:
    """The answer for lists as they stand in the specification, or else for arrays."""
    of_lists = trial.answer(case, lists=True)
    if of_lists.outcome.returned or trial.over:
        return of_lists
    of_arrays = trial.answer(case)
    if of_arrays.outcome.returned:
        trial.sheet.fails("lists", "lists-refused", error_of(of_lists)[1])
    return of_arrays


def _grade_wide(trial: Trial, first: Answer) -> Answer | None:
    """Nothing ran. Does it where eight divides every size? Then placement and structure are looked at there."""
    trial.sheet.fails("runs", *error_of(first))
    wide = trial.answer(cases.wide_case())
    if not wide.outcome.returned:
        return None
    _note_problems(trial, [wide])
    if wide.comparable and wide.wrong:
        _note_mistakes(trial, diagnose([wide]).mistakes)
    return wide if wide.values else None


def _note_problems(trial: Trial, answers: list[Answer]) -> None:
    for answer in answers:
        for row, code, detail in answer.problems:
            trial.sheet.fails(row, code, detail)
        if not answer.outcome.returned:
            code, detail = error_of(answer)
            row = "examples" if answer.case.name.startswith("example") else "out"
            trial.sheet.fails(row, code, f"{answer.case.name}: {detail}")


def _note_mistakes(trial: Trial, mistakes: tuple[tuple[str, str], ...]) -> None:
    for code, detail in mistakes:
        trial.sheet.fault(code, detail)


def _remembers(main: Answer, again: Answer) -> bool:
    """Whether the second call used the weights of the first."""
    if not (main.right and again.comparable and again.wrong):
        return False
    stale = reference(again.case.inputs.x, *main.case.inputs[1:])
    return np.allclose(again.values["out"], stale["out"], atol=1e-3)


def _explain(trial: Trial, answers: list[Answer]) -> None:
    """Name what is behind wrong numbers, wrong shapes and errors at some sizes only."""
    if trial.sheet.codes & {"out-and-hidden-swapped", "wrong-keys"}:
        return
    if any(diagnose_shape(trial.sheet, answer) for answer in answers):
        return
    comparable = [answer for answer in answers if answer.comparable]
    wrong = [answer for answer in comparable if answer.wrong]
    diagnosis = diagnose(comparable) if wrong else None
    if diagnosis and diagnosis.sure:  # it explains all that came back, what is right for a while included
        _note_mistakes(trial, diagnosis.mistakes)
        if len(comparable) < len(answers):
            find_fixed_size(trial, answers, is_fine=lambda answer: answer.comparable)
    elif not find_fixed_size(trial, answers, is_fine=lambda answer: answer.right) and wrong:
        _note_mistakes(trial, diagnose(wrong).mistakes)


def _grade_odd(trial: Trial) -> None:
    """An error is right here, and so is the right answer; a wrong answer is not."""
    odd = trial.answer(cases.odd_case())
    if odd.outcome.returned and not odd.right:
        seen = odd.problems[0][2] if odd.problems else ""
        trial.sheet.fails("odd", "h-not-divisible", seen)
    elif not trial.over:
        trial.sheet.passes("odd", "answered rightly" if odd.outcome.returned else "refused")
