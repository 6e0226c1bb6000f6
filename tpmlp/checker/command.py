"""`python -m tpmlp check student.py:forward`: grade functions in files, one or a whole class."""

import argparse
import json
import os
import subprocess
import sys

from . import check
from .loading import load
from .report import Finding, Report, Row
from .sheet import Sheet

# For a class every file gets a process of its own, which is ended after this many times the limit for one call.
_CALLS = 15


def main(arguments: list[str]) -> int:
    """Print a report for each function; 0 if all of them pass, 1 if not."""
    options = _parse(arguments)
    if len(options.targets) == 1:
        reports = [check_file(options.targets[0], options.seconds)]
    else:
        reports = [_check_apart(target, options.seconds) for target in options.targets]
    if options.json:
        told = [report.as_dict() for report in reports]
        print(json.dumps(told if len(told) > 1 else told[0], indent=2))
    else:
        print("\n\n".join(map(repr, reports)))
        if len(reports) > 1:
            print("\n" + _summary(reports))
    return int(not all(report.passed for report in reports))


def run_and_exit(arguments: list[str]) -> None:
    """As `main`, and end the process even if the candidate left a thread that does not end."""
    status = main(arguments)
    sys.stdout.flush()
    os._exit(status)


def check_file(target: str, seconds: float | int) -> Report:
    """The report on `path.py:name`."""
    sheet = Sheet(target)
    candidate = load(target, sheet, seconds)
    if sheet.codes:
        return sheet.report()
    report = check(candidate, seconds=seconds)
    return Report(target, report.rows, report.findings, report.printed)


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tpmlp check", description=main.__doc__)
    parser.add_argument("targets", nargs="+", metavar="FILE[:NAME]", help="NAME is forward if not given")
    parser.add_argument("--json", action="store_true", help="print JSON: one report, or a list of them")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long one call may take (default 20)")
    return parser.parse_args(arguments)


def _check_apart(target: str, seconds: float | int) -> Report:
    """In a process of its own, so that nothing a file does touches the next one's report."""
    command = [sys.executable, "-m", "tpmlp", "check", "--json", "--seconds", str(seconds), target]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_CALLS * seconds + 60, check=False)
        return _from_json(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return _dead(target, "runs-too-long", "the process was ended")
    except json.JSONDecodeError:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return _dead(target, "process-died", f"exit status {done.returncode} {last}".strip())


def _dead(target: str, code: str, detail: str) -> Report:
    sheet = Sheet(target)
    sheet.fails("runs", code, detail)
    return sheet.report()


def _from_json(told: dict) -> Report:
    rows = tuple(Row(**row) for row in told["requirements"])
    findings = tuple(Finding(fault["code"], fault["detail"]) for fault in told["faults"])
    return Report(told["name"], rows, findings, told["printed"])


def _summary(reports: list[Report]) -> str:
    width = max(len(report.name) for report in reports)
    lines = [f"{report.name:<{width}}  {'passed' if report.passed else ', '.join(report.faults)}" for report in reports]
    passed = sum(report.passed for report in reports)
    return "\n".join([*lines, f"{passed} of {len(reports)} passed"])
