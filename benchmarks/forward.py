"""`tpmlp.forward` against the least that JAX lets one write by hand for the same computation."""

from collections.abc import Iterator
from functools import partial

import jax
import numpy as np
from jax.sharding import PartitionSpec as P

import tpmlp

from .measure import Pair

LARGE = {"B": 64, "D": 1024, "H": 8192, "O": 1024}
SMALL = {"B": 2, "D": 3, "H": 16, "O": 2}


def benchmarks() -> Iterator[Pair]:
    yield from _pairs(LARGE, placed_bound=1.05, numpy_bound=1.15, rounds=101, calls=1)
    yield from _pairs(SMALL, placed_bound=1.3, numpy_bound=1.5, rounds=101, calls=10)


def handwritten():
    """The specification's forward and nothing else: no checks, no conversion, no care about precision."""

    def body(x, w1, b1, w2, b2):
        hidden = jax.nn.relu(x @ w1 + b1)
        return {"out": jax.lax.psum(hidden @ w2, "model") + b2, "hidden": hidden}

    in_specs = (P(), P(None, "model"), P("model"), P("model", None), P())
    out_specs = {"out": P(), "hidden": P(None, "model")}
    return jax.jit(jax.shard_map(body, mesh=tpmlp.make_mesh(), in_specs=in_specs, out_specs=out_specs))


def random_inputs(B: int, D: int, H: int, O: int) -> list[np.ndarray]:
    """x, w1, b1, w2, b2 as float32 NumPy arrays of normal numbers."""
    rng = np.random.default_rng(0)
    shapes = ((B, D), (D, H), (H,), (H, O), (O,))
    return [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]


def run(function, arrays) -> None:
    """Call `function` and wait for what it returns."""
    jax.block_until_ready(function(*arrays))


def title(sizes: dict[str, int]) -> str:
    return " ".join(f"{name} {size}" for name, size in sizes.items())


def _pairs(sizes: dict[str, int], *, placed_bound: float, numpy_bound: float, rounds: int, calls: int):
    on_host = random_inputs(**sizes)
    placed = tpmlp.shard_inputs(*on_host)
    bare = handwritten()
    for kind, arrays, bound in (("placed", placed, placed_bound), ("NumPy", on_host, numpy_bound)):
        yield Pair(
            f"forward, {kind} inputs, {title(sizes)}",
            "jit(shard_map) written by hand",
            partial(run, tpmlp.forward, arrays),
            partial(run, bare, arrays),
            bound,
            rounds,
            calls,
        )
