"""The explorer of shapes: one slider move, from setting the value to the new picture, and the least it could cost."""

import io
from collections.abc import Iterator
from functools import partial
from itertools import product

import jax
import numpy as np
from jax.sharding import PartitionSpec as P
from matplotlib.figure import Figure

import tpmlp
from tpmlp.explore import shapes
from tpmlp.layout import IN_SPECS

from .measure import Pair

ROUNDS_SEEN, ROUNDS_NEW = 31, 21


def benchmarks() -> Iterator[Pair]:
    seen = shapes()
    yield Pair(
        "slider move, shape seen before",
        "saving a blank figure of that size",
        _other_seed(seen),
        partial(_save_blank, seen),
        bound=3.0,
        rounds=ROUNDS_SEEN,
    )
    new = shapes()
    yield Pair(
        "slider move, shape not yet seen",
        "compiling its bare program + a blank figure",
        _next_shape(new),
        _bare_compile(new),
        bound=2.0,
        rounds=ROUNDS_NEW,
    )


def _other_seed(explorer):
    """A function that moves the slider of the seed: other numbers of the same shapes."""
    seeds = (seed % 10 for seed in range(1, 1_000_000))

    def move():
        explorer.controls["seed"].value = next(seeds)

    return move


def _next_shape(explorer):
    """A function that moves one slider by one, always to a shape that was not there before."""
    sizes = _path()

    def move():
        for name, size in next(sizes).items():
            explorer.controls[name].value = size  # only one of them changes

    return move


def _bare_compile(explorer):
    """A function that does what cannot be done without, for the same shapes in the same order."""
    sizes = _path()

    def compile_and_save():
        _compile_bare(**next(sizes))
        _save_blank(explorer)

    return compile_and_save


def _path() -> Iterator[dict[str, int]]:
    """Every shape of the explorer's small sizes but the one it starts with, each one step from the one before."""
    turns = [(2, 3, 1, 2)]
    names = ("B", "D", "units", "O")
    left = set(product(range(1, 5), range(1, 5), range(1, 3), range(1, 3))) - set(turns)
    while left:
        here = turns[-1]
        there = min(left, key=lambda size: (_distance(size, here), size))
        left.remove(there)
        turns.append(there)
        yield dict(zip(names, there, strict=True))


def _distance(size: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(abs(a - b) for a, b in zip(size, other, strict=True))


def _compile_bare(B: int, D: int, units: int, O: int) -> None:
    """The forward with all its values returned, as short as it can be written, for eight devices."""

    def body(x, w1, b1, w2, b2):
        preactivation = x @ w1 + b1
        hidden = jax.nn.relu(preactivation)
        part = hidden @ w2
        psum = jax.lax.psum(part, "model")
        return preactivation, hidden, part[None], psum, psum + b2

    out_specs = (P(None, "model"), P(None, "model"), P("model"), P(), P())
    sharded = jax.shard_map(body, mesh=tpmlp.make_mesh(), in_specs=tuple(IN_SPECS), out_specs=out_specs)
    H = 8 * units
    shapes = [(B, D), (D, H), (H,), (H, O), (O,)]
    jax.jit(sharded).lower(*(jax.ShapeDtypeStruct(shape, np.float32) for shape in shapes)).compile()


def _save_blank(explorer) -> None:
    figure = explorer.picture.figure
    Figure(figsize=figure.get_size_inches(), dpi=figure.dpi).savefig(io.BytesIO(), format="png")
