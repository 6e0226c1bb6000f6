"""A candidate on trial: every run of it goes through here."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..layout import Inputs
from .cases import Case
from .errors import is_old_name, name_error
from .running import Outcome, run
from .sheet import Sheet
from .values import Answer, read_answer
from .weights import WeightWatch


class Trial:
    """Runs the candidate and notes on the sheet what it does beside returning a value."""

    def __init__(self, candidate: Callable, seconds: float | int, sheet: Sheet):
        self.candidate, self.seconds, self.sheet = candidate, seconds, sheet
        self.over = False  # once it did not come back in time, it is not run again
        self._runs = 0

    def answer(self, case: Case, *, lists: bool = False, watch: WeightWatch | None = None) -> Answer:
        """Run the candidate on one case."""
        inputs = case.lists() if lists else case.arrays()
        outcome = self.call(lambda: self.candidate(*inputs), watch)
        if outcome.returned:
            self._note_changes(case, inputs)
        return read_answer(case, outcome) if outcome.returned else Answer(case, outcome)

    def call(self, function: Callable[[], Any], watch: WeightWatch | None = None) -> Outcome:
        """Run something that runs the candidate."""
        if self.over:
            return Outcome(in_time=False)
        outcome = run(function, self.seconds, watch)
        if not self._runs:
            self.sheet.printed = outcome.printed
        self._runs += 1
        if not outcome.in_time:
            self.over = True
            seen = f"stopped after {self.seconds:g} seconds"
            if not outcome.ended:
                seen = f"still running after {self.seconds:g} seconds; restart the kernel to end it"
            self.sheet.fails("runs", "runs-too-long", seen)
        for warning in filter(is_old_name, outcome.warnings):
            self.sheet.fault("old-api-name", str(warning).splitlines()[0])
        return outcome

    def _note_changes(self, case: Case, inputs: Inputs) -> None:
        changed = [
            name
            for name, now, before in zip(Inputs._fields, inputs, case.inputs, strict=True)
            if not _is_still(now, before)
        ]
        if changed:
            self.sheet.fails("inputs", "changes-its-inputs", f"changed: {', '.join(changed)}")


def _is_still(now: Any, before: np.ndarray) -> bool:
    try:
        return np.allclose(np.asarray(now, np.float32), before) and np.shape(now) == before.shape
    except ValueError:  # rows of different lengths
        return False


def error_of(answer: Answer) -> tuple[str, str]:
    """(code, what was seen) for a run that did not return."""
    return name_error(answer.outcome.error) if answer.outcome.error else ("runs-too-long", "")
