"""Forwards that run and give wrong numbers."""

import jax
import numpy as np
from jax.lax import pmean, psum

from .sharded import right, sharded, to_float32


@sharded()
def b2_in_every_shard(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    out = psum(hidden @ w2 + b2, "model")  # b2 goes in eight times
    return {"out": out, "hidden": hidden}


@sharded()
def psum_twice(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    total = psum(hidden @ w2, "model")
    out = psum(total, "model") + b2  # adds up eight copies of the whole sum
    return {"out": out, "hidden": hidden}


@sharded(check_vma=False)
def psum_missing(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    out = hidden @ w2 + b2  # one device's part, passed off as the whole
    return {"out": out, "hidden": hidden}


@sharded()
def mean_instead_of_sum(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    out = pmean(hidden @ w2, "model") + b2  # a sum, divided by eight
    return {"out": out, "hidden": hidden}


@sharded()
def relu_after_psum(x, w1, b1, w2, b2):
    hidden = x @ w1 + b1
    out = jax.nn.relu(psum(hidden @ w2, "model")) + b2  # one matmul too late
    return {"out": out, "hidden": hidden}


@sharded()
def relu_on_partial(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    partial = jax.nn.relu(hidden @ w2)  # cuts off what belongs into the sum
    return {"out": psum(partial, "model") + b2, "hidden": hidden}


@sharded()
def b1_after_relu(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1) + b1
    return {"out": psum(hidden @ w2, "model") + b2, "hidden": hidden}


@sharded()
def hidden_before_relu(x, w1, b1, w2, b2):
    preactivation = x @ w1 + b1
    out = psum(jax.nn.relu(preactivation) @ w2, "model") + b2
    return {"out": out, "hidden": preactivation}  # out is right, hidden is not


@sharded()
def gelu_instead_of_relu(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(x @ w1 + b1)
    return {"out": psum(hidden @ w2, "model") + b2, "hidden": hidden}


def blocks_in_wrong_order(x, w1, b1, w2, b2, *, mesh=None):
    w1, b1 = to_float32(w1), to_float32(b1)
    dealt = np.arange(len(b1)).reshape(-1, 8).T.ravel()  # like cards: device d gets units d, d + 8, ...
    return right(x, w1[:, dealt], b1[dealt], w2, b2, mesh=mesh)  # but of w2 it gets a block of rows


def h_not_divisible(x, w1, b1, w2, b2, *, mesh=None):
    w1, b1, w2 = to_float32(w1), to_float32(b1), to_float32(w2)
    kept = len(b1) // 8 * 8  # so that shard_map does not complain
    return right(x, w1[:, :kept], b1[:kept], w2[:kept], b2, mesh=mesh)
