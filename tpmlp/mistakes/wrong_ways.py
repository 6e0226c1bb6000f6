"""Forwards that give the right numbers in a wrong way, or an error."""

# pyright: reportCallIssue=false

import jax
import jax.numpy as jnp
from jax.lax import all_gather, psum
from jax.sharding import PartitionSpec as P

from ..layout import IN_SPECS, OUT_SPECS, default_mesh
from .sharded import on_devices, right, right_body, sharded, to_float32


@sharded(
    in_specs=(P(None, "model"), P("model", None), P(), P(None, "model"), P("model")),
    out_specs={"out": P(None, "model"), "hidden": P()},
)
def w1_split_by_rows(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(psum(x @ w1, "model") + b1)  # B×H numbers to add up, before the relu
    return {"out": hidden @ w2 + b2, "hidden": hidden}  # out ends up in columns


@sharded(
    in_specs=(P(), P(None, "model"), P("model"), P(None, "model"), P("model")),
    out_specs={"out": P(None, "model"), "hidden": P(None, "model")},
)
def w2_split_by_columns(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    everyones = all_gather(hidden, "model", axis=1, tiled=True)  # a column of w2 needs all hidden units
    return {"out": everyones @ w2 + b2, "hidden": hidden}


def weights_closed_over(x, w1, b1, w2, b2, *, mesh=None):
    w1, b1, w2, b2 = (to_float32(array) for array in (w1, b1, w2, b2))

    @jax.jit
    def forward(x):  # the weights are no arguments here
        return on_devices(mesh or default_mesh())(x, w1, b1, w2, b2)

    return forward(to_float32(x))


def full_weight_built_first(x, w1, b1, w2, b2, *, mesh=None):
    arrays = [jnp.asarray(array, jnp.float32) for array in (x, w1, b1, w2, b2)]  # whole, on device 0
    return on_devices(mesh or default_mesh())(*arrays)


def recompiles_every_call(x, w1, b1, w2, b2, *, mesh=None):
    def body(x, w1, b1, w2, b2):  # a new function at every call
        return right_body(x, w1, b1, w2, b2)

    return sharded()(body)(x, w1, b1, w2, b2, mesh=mesh)


def explicit_mesh(x, w1, b1, w2, b2):
    mesh = jax.make_mesh((8,), ("model",))  # with Explicit axes, because nothing else is said
    return on_devices(mesh)(*(to_float32(array) for array in (x, w1, b1, w2, b2)))


def old_api_name(x, w1, b1, w2, b2, *, mesh=None):
    forward = jax.shard_map(
        right_body,
        mesh=mesh or default_mesh(),
        in_specs=tuple(IN_SPECS),
        out_specs=OUT_SPECS,
        check_rep=False,
    )
    return jax.jit(forward)(*(to_float32(array) for array in (x, w1, b1, w2, b2)))


def incompatible_devices(x, w1, b1, w2, b2, *, mesh=None):
    x = jax.device_put(to_float32(x), (mesh or default_mesh()).devices.flat[3])  # left on one device
    return right(x, w1, b1, w2, b2, mesh=mesh)
