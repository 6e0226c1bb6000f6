"""Run the benchmark files, all or those named; print one table; keep it as `benchmarks/results.json` too.

The exit status is 1 if a bound does not hold.
"""

import argparse
import importlib
import json
import os
import pkgutil
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import jax

import tpmlp  # makes the eight devices, before any benchmark runs JAX

from . import __path__ as folder
from .measure import Row, measured
from .table import heading, line

RESULTS = Path(__file__).with_name("results.json")


def main() -> int:
    files = _benchmark_files()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"one of: {', '.join(files)}; all if none is given")
    names = parser.parse_args().name or files
    if unknown := sorted(set(names) - set(files)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(files)}")

    machine = _machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(heading())
    rows = []
    for row in _rows(names):
        print(line(row), flush=True)
        rows.append(row)
    RESULTS.write_text(json.dumps({"machine": machine, "rows": [_as_data(row) for row in rows]}, indent=1) + "\n")
    return int(any(row.holds is False for row in rows))


def _benchmark_files() -> dict[str, object]:
    modules = (
        importlib.import_module(f"{__package__}.{info.name}")
        for info in pkgutil.iter_modules(folder)
        if info.name != "__main__"
    )
    return {module.__name__.rpartition(".")[2]: module for module in modules if hasattr(module, "benchmarks")}


def _rows(names) -> Iterator[Row]:
    for name in names:
        for benchmark in importlib.import_module(f"{__package__}.{name}").benchmarks():
            yield measured(benchmark)


def _machine() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        "jax": jax.__version__,
        "cores": str(os.cpu_count()),
        "devices": f"{tpmlp.make_mesh().size} {tpmlp.make_mesh().devices.flat[0].platform}",
    }


def _as_data(row: Row) -> dict:
    return {**vars(row), "ratio": row.ratio, "holds": row.holds}


if __name__ == "__main__":
    sys.exit(main())
