"""Each lesson, run from top to bottom under JupyterLab on two cores: its time, and the memory of server and kernels."""

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .jupyter import Server, peak_memory
from .measure import Limit

ROOT = Path(__file__).parents[1]
SECONDS = 60
MEGABYTES = 1000


def benchmarks() -> Iterator[Limit]:
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        yield Limit(f"{path.stem}, time", "s", SECONDS, lambda path=path: rerun(path)[0])
        yield Limit(f"{path.stem}, peak memory with its server", "MB", MEGABYTES, lambda path=path: rerun(path)[1])


@cache
def rerun(path: Path) -> tuple[float, float]:
    """Seconds from starting the kernel to the end of the last cell, and the peak in MB."""
    with Server(ROOT) as server, peak_memory(server.process) as peak:
        start = time.perf_counter()
        server.run(path)
        seconds = time.perf_counter() - start
    return seconds, peak[0]
