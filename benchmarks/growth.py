"""How the time of a forward grows when one size is doubled, and the time to compile it with the number of devices."""

import time
from collections.abc import Iterator
from functools import partial
from itertools import count

import jax

import tpmlp

from .forward import random_inputs, run, title
from .measure import Pair

BASE = {"B": 64, "D": 512, "H": 4096, "O": 512}
# 2 B (D + O) H operations: twice as many for B or H, half as many again for D or O. Beyond that, room for what does not
# grow in step, such as caches that no longer hold a weight.
BOUNDS = {"B": 2.6, "H": 2.6, "D": 2.1, "O": 2.1}
# The compiler sees the program of one device, whose size does not depend on how many there are.
COMPILE_BOUND = 2.0

_unseen = count(1)


def benchmarks() -> Iterator[Pair]:
    base = forward_of(BASE, 8)
    for name, bound in BOUNDS.items():
        larger = {**BASE, name: 2 * BASE[name]}
        yield Pair(f"forward, {title(larger)}", f"{name} half of that", forward_of(larger, 8), base, bound, rounds=31)
    for n in (2, 4, 8):
        # The same work on the same cores: what is added is the devices' own.
        yield Pair(
            f"forward, {n} devices", f"{n // 2} devices", forward_of(BASE, n), forward_of(BASE, n // 2), rounds=31
        )
    alone = partial(seconds_to_compile, 1)
    for n in (2, 4, 8):
        ours = partial(seconds_to_compile, n)
        yield Pair(f"compile for {n} devices", "for 1 device", ours, alone, COMPILE_BOUND, rounds=11, self_timed=True)


def forward_of(sizes: dict[str, int], n: int):
    """A function that runs one forward of these sizes on n devices, inputs placed, and waits."""
    mesh = tpmlp.make_mesh(n)
    return partial(run, partial(tpmlp.forward, mesh=mesh), tpmlp.shard_inputs(*random_inputs(**sizes), mesh=mesh))


def seconds_to_compile(n: int) -> float:
    """How long a forward takes to be traced and compiled for n devices, when JAX has never seen its shapes."""
    mesh = tpmlp.make_mesh(n)
    sizes = {**BASE, "B": BASE["B"] + next(_unseen)}
    inputs = tpmlp.shard_inputs(*random_inputs(**sizes), mesh=mesh)
    start = time.perf_counter()
    jax.jit(partial(tpmlp.forward, mesh=mesh)).lower(*inputs).compile()
    return time.perf_counter() - start
