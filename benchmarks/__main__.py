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
from itertools import chain
from pathlib import Path
from types import ModuleType

import jax

import tpmlp  # makes the eight devices

from . import __path__ as folder
from .measure import Row, measured
from .table import heading, line

RESULTS = Path(__file__).with_name("results.json")


def main(arguments: list[str] | None = None) -> int:
    """Measure what `arguments` name; 1 if a bound does not hold, else 0."""
    files = benchmark_files()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="*", help=f"one of: {', '.join(files)}; all if none is given")
    names = parser.parse_args(arguments).name or list(files)
    if unknown := sorted(set(names) - set(files)):
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(files)}")

    machine = _machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(heading())
    rows = []
    for benchmark in chain.from_iterable(files[name].benchmarks() for name in names):
        rows.append(measured(benchmark))
        print(line(rows[-1]), flush=True)
    RESULTS.write_text(json.dumps({"machine": machine, "rows": [_as_data(row) for row in rows]}, indent=1) + "\n")
    return int(any(row.holds is False for row in rows))


def benchmark_files() -> dict[str, ModuleType]:
    """The modules of this package that have a function `benchmarks`, by name."""
    names = (info.name for info in pkgutil.iter_modules(folder) if info.name != "__main__")
    modules = {name: importlib.import_module(f"{__package__}.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, "benchmarks")}


def _machine() -> dict[str, str]:
    return {
        "Python": platform.python_version(),
        "jax": jax.__version__,
        "cores": str(os.cpu_count()),
        "devices": f"{tpmlp.make_mesh().size} {tpmlp.make_mesh().devices.flat[0].platform}",
    }


def _as_data(row: Row) -> dict:
    return {**vars(row), "holds": row.holds}


if __name__ == "__main__":
    sys.exit(main())
