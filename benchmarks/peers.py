"""`tpmlp.forward` against other ways to run the same MLP on the same eight devices, all with placed inputs.

Flax and PyTorch take part where they are installed: `pip install -e ".[peers]"`.
"""

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp

from .forward import LARGE, SMALL, random_inputs, run, title
from .measure import Pair

MEDIUM = {"B": 64, "D": 256, "H": 1024, "O": 256}
# At the large size the arithmetic is all, so nothing that runs the same arithmetic on eight devices may be faster.
LARGE_BOUND = 1.02
ROUNDS = {"small": (61, 20), "medium": (61, 5), "large": (101, 1)}  # rounds, and calls in each


def benchmarks() -> Iterator[Pair]:
    for name, sizes in {"small": SMALL, "medium": MEDIUM, "large": LARGE}.items():
        on_host = random_inputs(**sizes)
        ours = partial(run, tpmlp.forward, tpmlp.shard_inputs(*on_host))
        rounds, calls = ROUNDS[name]
        bound = LARGE_BOUND if name == "large" else None
        for peer, (function, arrays) in jax_peers(on_host, sizes).items():
            yield Pair(f"forward, {title(sizes)}", peer, ours, partial(run, function, arrays), bound, rounds, calls)
        dense, arrays = jax.jit(whole_network), [jax.device_put(array, jax.devices()[0]) for array in on_host]
        yield Pair(
            f"forward, {title(sizes)}", "dense on one device", ours, partial(run, dense, arrays), None, rounds, calls
        )
        yield from _torch(ours, sizes, on_host)


def jax_peers(on_host, sizes: dict[str, int]) -> dict[str, tuple]:
    """Name → (function, placed inputs) of every other way in JAX; all return what `tpmlp.forward` returns."""
    explicit_mesh = jax.make_mesh((8,), (tpmlp.AXIS,), axis_types=(AxisType.Explicit,))
    peers: dict[str, tuple] = {
        "jit of the dense network, split arguments": (jax.jit(whole_network), tpmlp.shard_inputs(*on_host)),
        "Explicit mesh": (explicit(explicit_mesh), tpmlp.shard_inputs(*on_host, mesh=explicit_mesh)),
    }
    if find_spec("flax"):
        peers["Flax NNX, annotated"] = flax_mlp(on_host, sizes)
    return peers


def whole_network(x, w1, b1, w2, b2):
    """The network as one would write it for one device; the shardings of the arguments make the compiler split it."""
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": hidden @ w2 + b2, "hidden": hidden}


def explicit(mesh):
    """The same for a mesh of type Explicit, where one says what becomes of the split sum."""
    whole = NamedSharding(mesh, P())

    @jax.jit
    def forward(x, w1, b1, w2, b2):
        hidden = jax.nn.relu(x @ w1 + b1)
        return {"out": jnp.matmul(hidden, w2, out_sharding=whole) + b2, "hidden": hidden}

    return forward


def flax_mlp(on_host, sizes: dict[str, int]):
    """Flax's linear layers with Megatron's annotations and our weights: (function, [weights, x])."""
    from flax import nnx  # pyright: ignore[reportMissingImports]

    def linear(rows: int, columns: int, spec, bias_spec):
        kernel_init = nnx.with_partitioning(nnx.initializers.lecun_normal(), spec)
        bias_init = nnx.with_partitioning(nnx.initializers.zeros_init(), bias_spec)
        return nnx.Linear(rows, columns, kernel_init=kernel_init, bias_init=bias_init, rngs=nnx.Rngs(0))

    class MLP(nnx.Module):
        def __init__(self):
            self.up = linear(sizes["D"], sizes["H"], (None, tpmlp.AXIS), (tpmlp.AXIS,))
            self.down = linear(sizes["H"], sizes["O"], (tpmlp.AXIS, None), (None,))

        def __call__(self, x):
            hidden = nnx.relu(self.up(x))
            return {"out": self.down(hidden), "hidden": hidden}

    with jax.set_mesh(tpmlp.make_mesh()):
        model = MLP()
    placed = tpmlp.shard_inputs(*on_host)
    for variable, value in (
        (model.up.kernel, placed.w1),
        (model.up.bias, placed.b1),
        (model.down.kernel, placed.w2),
        (model.down.bias, placed.b2),
    ):
        variable[...] = value
    # Not nnx.jit, which would hand every weight back from every call.
    graph, state = nnx.split(model)
    return jax.jit(lambda state, x: nnx.merge(graph, state)(x)), [state, placed.x]


def _torch(ours, sizes: dict[str, int], on_host) -> Iterator[Pair]:
    if not find_spec("torch"):
        return
    from .torch_peer import Torch

    with Torch(sizes, on_host) as torch:  # slower by far than the others, so a few rounds tell
        yield Pair(f"forward, {title(sizes)}", "PyTorch parallelize_module, gloo", ours, torch.run, rounds=15, calls=2)
