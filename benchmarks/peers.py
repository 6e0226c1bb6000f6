"""`tpmlp.forward` against other ways to run the same MLP on the same eight devices, all with placed inputs.

In JAX all use the very same buffers, because the place of an array in memory alone can change a time by a percent.
Flax and PyTorch take part where they are installed: `pip install -e ".[peers]"`. "itself" is the same call on both
sides: what its ratio is off 1 is the machine's noise, and the other ratios are no surer than that.
"""

from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp
from tpmlp.checks import Inputs

from .forward import LARGE, SMALL, random_inputs, run, title
from .measure import Pair

MEDIUM = {"B": 64, "D": 256, "H": 1024, "O": 256}
# At the large size the arithmetic is all, so nothing that runs the same arithmetic on eight devices may be faster.
LARGE_BOUND = 1.02
ROUNDS = {"small": (61, 20), "medium": (61, 5), "large": (201, 1)}  # rounds, and calls in each


def benchmarks() -> Iterator[Pair]:
    for name, sizes in {"small": SMALL, "medium": MEDIUM, "large": LARGE}.items():
        on_host = random_inputs(**sizes)
        placed = tpmlp.shard_inputs(*on_host)
        ours = partial(run, tpmlp.forward, placed)
        rounds, calls = ROUNDS[name]
        bound = LARGE_BOUND if name == "large" else None
        yield Pair(f"forward, {title(sizes)}", "itself", ours, ours, None, rounds, calls)
        for peer, (function, arrays) in jax_peers(placed).items():
            yield Pair(f"forward, {title(sizes)}", peer, ours, partial(run, function, arrays), bound, rounds, calls)
        dense, arrays = jax.jit(whole_network), [jax.device_put(array, jax.devices()[0]) for array in on_host]
        yield Pair(
            f"forward, {title(sizes)}", "dense on one device", ours, partial(run, dense, arrays), None, rounds, calls
        )
        yield from _torch(ours, sizes, on_host)


def jax_peers(placed: Inputs) -> dict[str, tuple]:
    """Name → (function, its arguments) of every other way in JAX; all return what `tpmlp.forward` returns."""
    explicit_mesh = jax.make_mesh((8,), (tpmlp.AXIS,), axis_types=(AxisType.Explicit,))
    peers: dict[str, tuple] = {
        "jit of the dense network, inputs split": (jax.jit(whole_network), placed),
        "Explicit mesh": (explicit(explicit_mesh), [_on(explicit_mesh, array) for array in placed]),
    }
    if find_spec("flax"):
        peers["Flax NNX, annotated"] = flax_mlp(placed)
    return peers


def whole_network(x, w1, b1, w2, b2):
    """The network as one would write it for one device; the shardings of the arguments make the compiler split it."""
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": hidden @ w2 + b2, "hidden": hidden}


def _on(mesh, array: jax.Array) -> jax.Array:
    """The same buffers as an array of another mesh."""
    sharding = NamedSharding(mesh, array.sharding.spec)  # pyright: ignore[reportAttributeAccessIssue]
    buffers = [shard.data for shard in array.addressable_shards]
    return jax.make_array_from_single_device_arrays(array.shape, sharding, buffers)


def explicit(mesh):
    """The same for a mesh of type Explicit, where one says what becomes of the split sum."""
    whole = NamedSharding(mesh, P())

    @jax.jit
    def forward(x, w1, b1, w2, b2):
        hidden = jax.nn.relu(x @ w1 + b1)
        return {"out": jnp.matmul(hidden, w2, out_sharding=whole) + b2, "hidden": hidden}

    return forward


def flax_mlp(placed: Inputs):
    """Flax's linear layers with Megatron's annotations and our weights: (function, [weights, x])."""
    from flax import nnx  # pyright: ignore[reportMissingImports]

    (D, H), O = placed.w1.shape, placed.b2.size

    def linear(rows: int, columns: int, spec, bias_spec):
        kernel_init = nnx.with_partitioning(nnx.initializers.lecun_normal(), spec)
        bias_init = nnx.with_partitioning(nnx.initializers.zeros_init(), bias_spec)
        return nnx.Linear(rows, columns, kernel_init=kernel_init, bias_init=bias_init, rngs=nnx.Rngs(0))

    class MLP(nnx.Module):
        def __init__(self):
            self.up = linear(D, H, (None, tpmlp.AXIS), (tpmlp.AXIS,))
            self.down = linear(H, O, (tpmlp.AXIS, None), ())

        def __call__(self, x):
            hidden = nnx.relu(self.up(x))
            return {"out": self.down(hidden), "hidden": hidden}

    with jax.set_mesh(tpmlp.make_mesh()):
        model = MLP()
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
