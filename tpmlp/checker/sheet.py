"""The checker's notes while it works; in the end they become the report."""

from .faults import FAULTS
from .report import Finding, Report, Row
from .requirements import REQUIREMENTS


class Sheet:
    """Collects for each requirement what was seen, and the faults. The first word about a requirement counts."""

    def __init__(self, name: str):
        self.name = name
        self.printed = ""
        self._rows: dict[str, tuple[str, str]] = {}
        self._findings: dict[str, str] = {}

    def passes(self, row: str, detail: str = "") -> None:
        self._rows.setdefault(row, ("pass", detail))

    def remark(self, row: str, detail: str) -> None:
        """The requirement is met, and something is worth saying."""
        self._rows.setdefault(row, ("remark", detail))

    def fails(self, row: str, code: str | None = None, detail: str = "") -> None:
        """The requirement is not met; `code` names the fault, unless that is told elsewhere."""
        if self._rows.get(row, ("pass", ""))[0] != "fail":
            self._rows[row] = ("fail", detail)
        if code:
            self.fault(code, detail)

    def fault(self, code: str, detail: str = "") -> None:
        self._findings.setdefault(FAULTS[code].code, detail)

    def has_failed(self, row: str) -> bool:
        return self._rows.get(row, ("", ""))[0] == "fail"

    @property
    def codes(self) -> set[str]:
        return set(self._findings)

    def report(self) -> Report:
        explained = {other for code in self._findings for other in FAULTS[code].explains}
        findings = tuple(Finding(code, detail) for code, detail in self._findings.items() if code not in explained)
        rows = tuple(
            Row(key, part, words, *self._rows.get(key, ("not reached", "")))
            for key, (part, words) in REQUIREMENTS.items()
        )
        return Report(self.name, rows, findings, self.printed)
