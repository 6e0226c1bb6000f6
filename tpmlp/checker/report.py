"""What the checker tells: every requirement with pass or fail, and every fault with where to look for its cure."""

import html
from dataclasses import dataclass
from itertools import groupby

from .faults import FAULTS

_MARKS = {"pass": "✓", "fail": "✗", "remark": "!", "not reached": "·"}


@dataclass(frozen=True)
class Row:
    """One requirement: its key, its part ("values", "placement" or "structure"), its words, its status and details.

    The status is "pass", "fail", "remark" (it passes, and something is worth saying) or "not reached".
    """

    key: str
    part: str
    requirement: str
    status: str
    detail: str


@dataclass(frozen=True)
class Finding:
    """One fault that was found: its code in `FAULTS`, and what was seen."""

    code: str
    detail: str


@dataclass(frozen=True, repr=False)
class Report:
    """What `tpmlp.check` found out about a candidate. Prints as a table, in a notebook too.

    Attributes:
        name: the candidate's name.
        rows: one `Row` per requirement of the specification.
        findings: one `Finding` per fault.
        printed: what the candidate printed when it was first run.
    """

    name: str
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    printed: str = ""

    @property
    def passed(self) -> bool:
        """Whether every requirement is met."""
        return not self.findings

    @property
    def faults(self) -> tuple[str, ...]:
        """The stable short codes of the faults found, such as "b2-in-every-shard"."""
        return tuple(finding.code for finding in self.findings)

    def as_dict(self) -> dict:
        """Everything in the report, in types that JSON knows."""
        return {
            "name": self.name,
            "passed": self.passed,
            "faults": [
                {"code": f.code, "detail": f.detail, **{key: getattr(FAULTS[f.code], key) for key in _TOLD}}
                for f in self.findings
            ],
            "requirements": [vars(row) for row in self.rows],
            "printed": self.printed,
        }

    def __repr__(self) -> str:
        lines = [self._title()]
        for number, finding in enumerate(self.findings, start=1):
            fault = FAULTS[finding.code]
            lines += ["", f"{number}. {fault.says}  [{fault.code}]"]
            lines += [f"   Seen: {_indented(finding.detail, 9)}"] if finding.detail else []
            lines += [f"   Where to look: {fault.hint}", f"   Lesson: {fault.lesson}"]
        for part, rows in self._parts():
            lines += ["", part]
            for status, group in groupby(rows, key=lambda row: row.status):
                lines += _text_rows(status, list(group))
        if self.printed:
            lines += ["", "It printed:", *(f"  {line}" for line in self._printed_lines())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{html.escape(self._title())}</strong></p>"]
        if self.findings:
            parts.append(f"<ol>{''.join(map(_html_finding, self.findings))}</ol>")
        parts.append(_html_table(self._parts()))
        if self.printed:
            parts.append(f"<p>It printed:</p><pre>{html.escape(chr(10).join(self._printed_lines()))}</pre>")
        return "\n".join(parts)

    def _title(self) -> str:
        met = sum(row.status in ("pass", "remark") for row in self.rows)
        if self.passed:
            return f"{self.name}: passed, all {len(self.rows)} requirements are met"
        return f"{self.name}: not yet, {met} of {len(self.rows)} requirements are met"

    def _parts(self) -> list[tuple[str, list[Row]]]:
        names = dict.fromkeys(row.part for row in self.rows)
        return [(name, [row for row in self.rows if row.part == name]) for name in names]

    def _printed_lines(self) -> list[str]:
        lines = self.printed.splitlines()
        return lines if len(lines) <= 10 else [*lines[:10], f"... and {len(lines) - 10} more lines"]


_LEFT = ' style="text-align: left"'  # notebooks align tables to the right
_TOLD = ("says", "hint", "lesson")


def _indented(text: str, spaces: int) -> str:
    return text.replace("\n", "\n" + " " * spaces)


def _text_rows(status: str, rows: list[Row]) -> list[str]:
    if status == "not reached" and len(rows) > 1:
        return [f"  {_MARKS[status]} {len(rows)} requirements: {status}"]
    seen = [f"\n      {_indented(row.detail, 6)}" if row.detail else "" for row in rows]
    return [f"  {_MARKS[status]} {row.requirement}{detail}" for row, detail in zip(rows, seen, strict=True)]


def _html_table(parts: list[tuple[str, list[Row]]]) -> str:
    titles = "".join(f"<th{_LEFT}>{title}</th>" for title in ("requirement", "result", "seen"))
    lines = ["<table>", f"<tr>{titles}</tr>"]
    for part, rows in parts:
        lines.append(f"<tr><th{_LEFT}>{html.escape(part)}</th><th></th><th></th></tr>")
        for status, group in groupby(rows, key=lambda row: row.status):
            lines += _html_rows(status, list(group))
    return "\n".join([*lines, "</table>"])


def _html_rows(status: str, rows: list[Row]) -> list[str]:
    if status == "not reached" and len(rows) > 1:
        return [_html_row(status, f"{len(rows)} requirements", "")]
    return [_html_row(status, row.requirement, row.detail) for row in rows]


def _html_row(status: str, requirement: str, detail: str) -> str:
    # Bold instead of a colour: notebooks have light and dark themes.
    result = f'<span style="white-space: nowrap">{_MARKS[status]} {status}</span>'
    result = f"<strong>{result}</strong>" if status in ("fail", "remark") else result
    cells = (html.escape(requirement), result, html.escape(detail).replace("\n", "<br>"))
    return "<tr>" + "".join(f"<td{_LEFT}>{cell}</td>" for cell in cells) + "</tr>"


def _html_finding(finding: Finding) -> str:
    fault = FAULTS[finding.code]
    seen = f"<br>Seen: {html.escape(finding.detail).replace(chr(10), '<br>')}" if finding.detail else ""
    link = f'<a href="{html.escape(fault.lesson)}">{html.escape(fault.lesson)}</a>'
    return (
        f"<li><strong>{html.escape(fault.says)}</strong> <code>{fault.code}</code>{seen}"
        f"<br>Where to look: {html.escape(fault.hint)}<br>Lesson: {link}</li>"
    )
