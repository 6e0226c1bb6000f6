"""`import tpmlp` against `import jax`, each in a fresh interpreter."""

import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from .measure import Pair

SCRIPT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


def benchmarks() -> Iterator[Pair]:
    ours, other = (partial(seconds_to_import, module) for module in ("tpmlp", "jax"))
    yield Pair("import tpmlp", "import jax", ours, other, 1.15, rounds=11, self_timed=True)


def seconds_to_import(module: str) -> float:
    """How long `import module` takes in a new Python."""
    command = [sys.executable, "-c", SCRIPT.format(module)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
