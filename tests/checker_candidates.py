"""Forwards for the checker to grade: right ones in many styles, and the pieces to build wrong ones from."""

from functools import lru_cache, partial

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import all_gather, psum
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp

MESH = jax.make_mesh((8,), ("model",), axis_types=(AxisType.Auto,))
EXPLICIT = jax.make_mesh((8,), ("model",))
IN = (P(), P(None, "model"), P("model"), P("model", None), P())
OUT = {"out": P(), "hidden": P(None, "model")}


def on_host(function):
    """Take lists, as the specification's examples are."""

    def forward(x, w1, b1, w2, b2):
        return function(*(np.asarray(array, np.float32) for array in (x, w1, b1, w2, b2)))

    return forward


def sharded(body, in_specs=IN, out_specs=OUT, mesh=MESH, check_vma=True):
    return on_host(jax.jit(jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_vma)))


def right_body(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": psum(hidden @ w2, "model") + b2, "hidden": hidden}


right = sharded(right_body)
_jitted = jax.jit(jax.shard_map(right_body, mesh=MESH, in_specs=IN, out_specs=OUT))

# --- right, in many styles -----------------------------------------------------------------------------------------


@on_host
@jax.jit
@partial(jax.shard_map, mesh=MESH, in_specs=IN, out_specs=OUT)
def decorated(x, w1, b1, w2, b2):
    hidden = jnp.maximum(x @ w1 + b1, 0.0)
    return {"hidden": hidden, "out": psum(hidden @ w2, "model") + b2}


def not_jitted(x, w1, b1, w2, b2):
    return on_host(jax.shard_map(right_body, mesh=MESH, in_specs=IN, out_specs=OUT))(x, w1, b1, w2, b2)


@jax.jit
def jitted_as_a_whole(x, w1, b1, w2, b2):
    arrays = (jnp.asarray(array, jnp.float32) for array in (x, w1, b1, w2, b2))  # traced, so on no device
    return jax.shard_map(right_body, mesh=MESH, in_specs=IN, out_specs=OUT)(*arrays)


def other_out_specs(x, w1, b1, w2, b2):
    return _other_out_specs(x, w1, b1, w2, b2)


_other_out_specs = sharded(
    right_body,
    (P(None, None), P(None, "model"), P(("model",)), P("model"), P(None)),
    {"out": P(None, None), "hidden": P(None, ("model",))},
)


def einsum_and_where(x, w1, b1, w2, b2):
    hidden = jnp.einsum("bd,dh->bh", x, w1) + b1
    hidden = jnp.where(hidden > 0, hidden, 0.0)
    return {"out": psum(jnp.einsum("bh,ho->bo", hidden, w2), "model") + b2, "hidden": hidden}


def an_eighth_of_b2(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": psum(hidden @ w2 + b2 / 8, "model"), "hidden": hidden}


def scatter_and_gather(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    partial_out = hidden @ w2
    flat = jnp.pad(partial_out.reshape(-1), (0, -partial_out.size % 8))
    part = jax.lax.psum_scatter(flat, "model", tiled=True)
    whole = all_gather(part, "model", tiled=True)[: partial_out.size].reshape(partial_out.shape)
    return {"out": whole + b2, "hidden": hidden}


_explicit = jax.jit(jax.shard_map(right_body, mesh=EXPLICIT, in_specs=IN, out_specs=OUT))


@on_host
def explicit_mesh(*arrays):
    placed = (jax.device_put(a, NamedSharding(EXPLICIT, s)) for a, s in zip(arrays, IN, strict=True))
    return _explicit(*placed)


def placed_first(x, w1, b1, w2, b2):
    return _jitted(*tpmlp.shard_inputs(x, w1, b1, w2, b2))


@on_host
def block_by_block(*arrays):
    def place(array, spec):
        return jax.make_array_from_callback(array.shape, NamedSharding(MESH, spec), lambda index: array[index])

    return _jitted(*map(place, arrays, IN))


@jax.jit
def _without_mesh(*arrays):
    return jax.shard_map(right_body, in_specs=IN, out_specs=OUT)(*arrays)


@on_host
def mesh_from_context(*arrays):
    with jax.set_mesh(MESH):
        return _without_mesh(*arrays)


def b2_outside(x, w1, b1, w2, b2):
    hidden, total = _b2_outside(*(np.asarray(array, np.float32) for array in (x, w1, b1, w2)))
    return {"out": total + np.asarray(b2, np.float32), "hidden": hidden}


@jax.jit
@partial(jax.shard_map, mesh=MESH, in_specs=IN[:4], out_specs=(P(None, "model"), P()))
def _b2_outside(x, w1, b1, w2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return hidden, psum(hidden @ w2, "model")


class Model:
    def __init__(self):
        self.forward = jax.jit(jax.shard_map(right_body, mesh=MESH, in_specs=IN, out_specs=OUT))

    def __call__(self, x, w1, b1, w2, b2):
        return on_host(self.forward)(x, w1, b1, w2, b2)


@lru_cache
def _built():
    return sharded(right_body, mesh=tpmlp.make_mesh())


def looks_at_its_result(x, w1, b1, w2, b2):
    print(len(jax.devices()), "devices")
    result = _built()(x, w1, b1, w2, b2)
    result["out"].block_until_ready()
    print(result["hidden"].sharding.spec)
    return result


def leaves_work_behind(x, w1, b1, w2, b2):
    for _ in range(50):
        result = right(x, w1, b1, w2, b2)
    return result


RIGHT = {
    "tpmlp.forward": tpmlp.forward,
    "decorated": decorated,
    "not jitted": not_jitted,
    "jitted as a whole": jitted_as_a_whole,
    "other out_specs": other_out_specs,
    "einsum and where": sharded(einsum_and_where),
    "an eighth of b2": sharded(an_eighth_of_b2),
    "scatter and gather": sharded(scatter_and_gather, check_vma=False),
    "check_vma off": sharded(right_body, check_vma=False),
    "Explicit mesh": explicit_mesh,
    "placed first": placed_first,
    "block by block": block_by_block,
    "mesh from context": mesh_from_context,
    "b2 outside": b2_outside,
    "a class": Model(),
    "looks at its result": looks_at_its_result,
    "leaves work behind": leaves_work_behind,
}

# --- wrong ---------------------------------------------------------------------------------------------------------


def body(
    activation=jax.nn.relu,
    preactivation=lambda x, w1, b1: x @ w1 + b1,
    out=lambda partial_out, b2: psum(partial_out, "model") + b2,
    hidden=lambda hidden, preactivation: hidden,
):
    """A body with one step exchanged."""

    def made(x, w1, b1, w2, b2):
        before = preactivation(x, w1, b1)
        after = activation(before)
        return {"out": out(after @ w2, b2), "hidden": hidden(after, before)}

    return made


def wrong(in_specs=IN, out_specs=OUT, mesh=MESH, check_vma=False, **steps):
    return sharded(body(**steps), in_specs, out_specs, mesh, check_vma)
