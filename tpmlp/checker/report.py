"""What the checker tells: every requirement with pass or fail, and every fault with where to look for its cure."""

import html
from dataclasses import dataclass

from .faults import FAULTS

# Each requirement of the specification, in the order in which it is told: key → (part, words).
REQUIREMENTS = {
    "runs": ("values", "takes x, w1, b1, w2, b2 and comes back"),
    "keys": ("values", 'a dict with exactly the keys "out" and "hidden"'),
    "shapes": ("values", "out is (B, O), hidden is (B, H)"),
    "dtype": ("values", "both are float32 JAX arrays"),
    "examples": ("values", "the specification's three examples"),
    "hidden": ("values", "hidden = relu(xW1 + b1), other sizes and numbers"),
    "out": ("values", "out = hidden W2 + b2, other sizes and numbers"),
    "lists": ("values", "plain lists are accepted"),
    "inputs": ("values", "the inputs are left as they were"),
    "odd": ("values", "an H that 8 does not divide gives no wrong answer"),
    "mesh": ("placement", 'the mesh is one axis "model" over all eight devices'),
    "specs": ("placement", "W1 and b1 are split by columns, W2 by rows; x and b2 are whole"),
    "replicated": ("placement", "out is replicated on all eight devices"),
    "split": ("placement", "hidden: device d holds units dH/8 to (d+1)H/8-1"),
    "shard_map": ("structure", "jax.shard_map is used"),
    "psum": ("structure", "one psum adds the partial outputs"),
    "collectives": ("structure", "one all-reduce and no other collective"),
    "weights": ("structure", "no device holds a full weight"),
    "bytes": ("structure", "inputs per device: 4(BD + DH/8 + H/8 + HO/8 + O) bytes"),
    "compiles": ("structure", "compiles once per shape"),
}

_MARKS = {"pass": "✓", "fail": "✗", "remark": "!", "not reached": "·"}
_COLOURS = {"pass": "#00694e", "fail": "#b02a00", "remark": "#7a5200", "not reached": "#595959"}


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
        for part, rows in self._parts():
            lines += ["", part, *(f"  {_MARKS[row.status]} {row.requirement}{_indented(row)}" for row in rows)]
        for number, finding in enumerate(self.findings, start=1):
            fault = FAULTS[finding.code]
            lines += ["", f"{number}. {fault.says}  [{fault.code}]"]
            seen = finding.detail.replace("\n", "\n         ")
            lines += [f"   Seen: {seen}"] if seen else []
            lines += [f"   Where to look: {fault.hint}", f"   Lesson: {fault.lesson}"]
        if self.printed:
            lines += ["", "It printed:", *(f"  {line}" for line in self._printed_lines())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><strong>{html.escape(self._title())}</strong></p>", _html_table(self._parts())]
        if self.findings:
            parts.append(f"<ol>{''.join(map(_html_finding, self.findings))}</ol>")
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


_TOLD = ("says", "hint", "lesson")


def _indented(row: Row) -> str:
    return "".join(f"\n      {line}" for line in row.detail.splitlines())


def _html_table(parts: list[tuple[str, list[Row]]]) -> str:
    lines = ['<table style="text-align: left">', "<tr><th>requirement</th><th>result</th><th>seen</th></tr>"]
    for part, rows in parts:
        lines.append(f'<tr><th colspan="3" style="text-align: left">{html.escape(part)}</th></tr>')
        lines += map(_html_row, rows)
    return "\n".join([*lines, "</table>"])


def _html_row(row: Row) -> str:
    status = f'<span style="color: {_COLOURS[row.status]}">{_MARKS[row.status]} {row.status}</span>'
    cells = (html.escape(row.requirement), status, html.escape(row.detail).replace("\n", "<br>"))
    return "<tr>" + "".join(f'<td style="text-align: left">{cell}</td>' for cell in cells) + "</tr>"


def _html_finding(finding: Finding) -> str:
    fault = FAULTS[finding.code]
    seen = f"<br>Seen: {html.escape(finding.detail).replace(chr(10), '<br>')}" if finding.detail else ""
    link = f'<a href="{html.escape(fault.lesson)}">{html.escape(fault.lesson)}</a>'
    return (
        f"<li><strong>{html.escape(fault.says)}</strong> <code>{fault.code}</code>{seen}"
        f"<br>Where to look: {html.escape(fault.hint)}<br>Lesson: {link}</li>"
    )
