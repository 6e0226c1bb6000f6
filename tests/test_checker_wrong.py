"""Wrong forwards are told what is wrong with them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from checker_candidates import (
    EXPLICIT,
    IN,
    MESH,
    OUT,
    _jitted,
    body,
    on_host,
    right,
    right_body,
    scatter_and_gather,
    sharded,
    wrong,
)
from jax.lax import all_gather, psum
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp


def _sum(values):
    return psum(values, "model")


def _interleaved(units):
    return np.arange(units).reshape(-1, 8).T.ravel()


VALUES = {
    "b2 on every device": (wrong(out=lambda p, b2: _sum(p + b2)), "b2-in-every-shard"),
    "psum of b2": (wrong(out=lambda p, b2: _sum(p) + _sum(b2)), "b2-in-every-shard"),
    "b2 forgotten": (wrong(out=lambda p, b2: _sum(p)), "b2-missing"),
    "psum twice": (wrong(out=lambda p, b2: _sum(_sum(p) + b2)), "psum-twice"),
    "pmean": (wrong(out=lambda p, b2: jax.lax.pmean(p, "model") + b2), "mean-instead-of-sum"),
    "no psum": (wrong(out=lambda p, b2: p + b2), "psum-missing"),
    "no psum, check_vma": (wrong(out=lambda p, b2: p + b2, check_vma=True), "psum-missing"),
    "no psum, stacked": (wrong(out=lambda p, b2: p + b2, out_specs=OUT | {"out": P("model")}), "psum-missing"),
    "b1 forgotten": (wrong(preactivation=lambda x, w1, b1: x @ w1), "b1-missing"),
    "no relu": (wrong(activation=lambda z: z), "relu-missing"),
    "relu on out too": (wrong(out=lambda p, b2: jax.nn.relu(_sum(p) + b2)), "relu-on-out"),
    "exact gelu": (wrong(activation=lambda z: jax.nn.gelu(z, approximate=False)), "gelu-instead-of-relu"),
    "leaky relu": (wrong(activation=lambda z: jnp.where(z > 0, z, 0.01 * z)), "leaky-relu-instead-of-relu"),
    "tanh": (wrong(activation=jnp.tanh), "activation-not-relu"),
    "hidden before relu": (wrong(hidden=lambda hidden, z: z), "hidden-before-relu"),
    "bfloat16 inside": (
        wrong(preactivation=lambda x, w1, b1: (x @ w1 + b1).astype("bfloat16").astype("float32")),
        "low-precision",
    ),
    "an unknown activation": (wrong(activation=lambda z: jax.nn.relu(z) ** 3), "wrong-values"),
    "half of the sum": (wrong(out=lambda p, b2: _sum(p) / 2 + b2), "wrong-values"),
}

TWO_AT_ONCE = {
    "gelu, b2": (
        wrong(activation=jax.nn.gelu, out=lambda p, b2: _sum(p + b2)),
        {"gelu-instead-of-relu", "b2-in-every-shard"},
    ),
    "psum twice, b1": (
        wrong(preactivation=lambda x, w1, b1: x @ w1, out=lambda p, b2: _sum(_sum(p)) + b2),
        {"b1-missing", "psum-twice"},
    ),
    "unknown, b2": (
        wrong(activation=lambda z: jax.nn.relu(z) ** 3, out=lambda p, b2: _sum(p + b2)),
        {"wrong-values", "b2-in-every-shard"},
    ),
}


def _only_first_eight(x, w1, b1, w2, b2):
    return right(x, np.asarray(w1)[:, :8], np.asarray(b1)[:8], np.asarray(w2)[:8], b2)


def _only_two_samples(x, w1, b1, w2, b2):
    assert len(x) == 2
    return right(x, w1, b1, w2, b2)


def _only_first_sample(x, w1, b1, w2, b2):
    return right(np.broadcast_to(np.asarray(x, np.float32)[:1], np.shape(x)), w1, b1, w2, b2)


def _knows_the_examples(x, w1, b1, w2, b2):
    known = any(np.array_equal(x, example.inputs["x"]) for example in tpmlp.EXAMPLES)
    result = right(x, w1, b1, w2, b2)
    return result if known else {key: array - 1.0 for key, array in result.items()}


_first_weights = {}


def _keeps_the_first_weights(x, w1, b1, w2, b2):
    weights = _first_weights.setdefault((np.shape(x), np.shape(w1), np.shape(w2)), (w1, b1, w2, b2))
    return right(x, *weights)


SIZES = {
    "H = 8": (_only_first_eight, "fixed-size"),
    "B = 2": (_only_two_samples, "fixed-size"),
    "B = 1": (_only_first_sample, "one-sample-only"),
    "given numbers": (_knows_the_examples, "answers-baked-in"),
    "first weights": (_keeps_the_first_weights, "weights-closed-over"),
}


def _in_order(order):
    def forward(x, w1, b1, w2, b2):
        units = order(len(b1))
        return right(x, np.asarray(w1)[:, units], np.asarray(b1)[units], np.asarray(w2)[units], b2)

    return forward


def _same_block(x, w1, b1, w2, b2):
    units = len(b1) // 8
    hidden = jax.nn.relu(x @ w1[:, :units] + b1[:units])
    return {"out": _sum(hidden @ w2[:units]) + b2, "hidden": hidden}


def _devices(order):
    return Mesh(np.array(jax.devices()[:8])[order], ("model",), axis_types=(AxisType.Auto,))


def _gathers_hidden(x, w1, b1, w2, b2):
    return right_body(x, w1, b1, w2, b2) | {"hidden": all_gather(jax.nn.relu(x @ w1 + b1), "model", axis=1, tiled=True)}


_tp = Mesh(np.array(jax.devices()[:8]), ("tp",), axis_types=(AxisType.Auto,))


def _on_tp(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": psum(hidden @ w2, "tp") + b2, "hidden": hidden}


def _without_shard_map(x, w1, b1, w2, b2):
    x, w1, b1, w2, b2 = (np.asarray(array, np.float32) for array in (x, w1, b1, w2, b2))
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": psum(hidden @ w2, "model") + b2, "hidden": hidden}


PLACEMENT = {
    "units in reverse": (_in_order(lambda units: np.arange(units)[::-1]), {"blocks-in-wrong-order"}),
    "units interleaved": (_in_order(_interleaved), {"blocks-in-wrong-order"}),
    "devices in reverse": (wrong(mesh=_devices(slice(None, None, -1))), {"blocks-in-wrong-order"}),
    "one block": (
        sharded(_same_block, (P(),) * 5, check_vma=False),
        {"same-block-on-every-device", "full-weight-on-every-device"},
    ),
    "four devices": (wrong(mesh=_devices(slice(4))), {"mesh-not-model"}),
    "another axis": (
        sharded(
            _on_tp,
            (P(), P(None, "tp"), P("tp"), P("tp"), P()),
            {"out": P(), "hidden": P(None, "tp")},
            _tp,
        ),
        {"mesh-not-model"},
    ),
    "an axis of no mesh": (wrong(in_specs=(P(), P(None, "tp"), *IN[2:])), {"wrong-axis-name"}),
    "psum over no mesh": (wrong(out=lambda p, b2: psum(p, "tp") + b2, check_vma=True), {"wrong-axis-name"}),
    "psum outside of shard_map": (_without_shard_map, {"wrong-axis-name"}),
    "hidden replicated": (
        sharded(_gathers_hidden, out_specs={"out": P(), "hidden": P()}, check_vma=False),
        {"hidden-not-split"},
    ),
    "hidden declared whole": (wrong(out_specs={"out": P(), "hidden": P()}), {"wrong-out-specs"}),
    "hidden stacked": (wrong(out_specs={"out": P(), "hidden": P("model")}), {"wrong-out-specs"}),
    "hidden refused": (wrong(out_specs={"out": P(), "hidden": P()}, check_vma=True), {"wrong-out-specs"}),
    "out stacked": (wrong(out_specs=OUT | {"out": P("model")}), {"wrong-out-specs"}),
}


def _dense(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": hidden @ w2 + b2, "hidden": hidden}


def _named(specs):
    return jax.tree.map(lambda spec: NamedSharding(MESH, spec), specs)


def _slices_for_itself(x, w1, b1, w2, b2):
    units = len(b1) // 8
    first = jax.lax.axis_index("model") * units
    w1, b1, w2 = (
        jax.lax.dynamic_slice_in_dim(array, first, units, dimension) for array, dimension in ((w1, 1), (b1, 0), (w2, 0))
    )
    return right_body(x, w1, b1, w2, b2)


def _gathers_w1(x, w1, b1, w2, b2):
    whole = all_gather(w1, "model", axis=1, tiled=True)
    return _slices_for_itself(x, whole, all_gather(b1, "model", tiled=True), all_gather(w2, "model", tiled=True), b2)


def _closes_over(x, w1, b1, w2, b2):
    x, w1, b1, w2, b2 = (np.asarray(array, np.float32) for array in (x, w1, b1, w2, b2))
    on_devices = jax.shard_map(
        lambda x: _slices_for_itself(x, w1, b1, w2, b2), mesh=MESH, in_specs=P(), out_specs=OUT, check_vma=False
    )
    return jax.jit(on_devices)(x)


def _places_too_late(*arrays):
    arrays = (jnp.asarray(array, jnp.float32) for array in arrays)
    return _jitted(*(jax.device_put(a, NamedSharding(MESH, spec)) for a, spec in zip(arrays, IN, strict=True)))


def _makes_a_new_body(*arrays):
    return sharded(lambda *blocks: right_body(*blocks))(*arrays)


def _b1_whole(x, w1, b1, w2, b2):
    units = w1.shape[1]
    mine = jax.lax.dynamic_slice_in_dim(b1, jax.lax.axis_index("model") * units, units)
    return right_body(x, w1, mine, w2, b2)


STRUCTURE = {
    "dense": (on_host(jax.jit(_dense)), {"no-shard-map"}),
    "automatic": (
        on_host(jax.jit(_dense, in_shardings=_named(IN), out_shardings=_named(OUT))),
        {"no-shard-map"},
    ),
    "gather and sum": (wrong(out=lambda p, b2: all_gather(p, "model").sum(0) + b2), {"no-psum"}),
    "two psums": (wrong(out=lambda p, b2: _sum(p) + _sum(b2 / 8)), {"more-than-one-psum"}),
    "an idle gather": (
        wrong(hidden=lambda hidden, z: hidden + 0.0 * all_gather(hidden, "model").sum()),
        {"extra-collectives"},
    ),
    "weights replicated": (
        sharded(_slices_for_itself, (P(),) * 5, check_vma=False),
        {"full-weight-on-every-device", "h-not-divisible"},
    ),
    "weights gathered": (
        sharded(_gathers_w1, check_vma=False),
        {"full-weight-on-every-device", "extra-collectives"},
    ),
    "weights closed over": (_closes_over, {"weights-closed-over", "h-not-divisible"}),
    "built, then split": (_places_too_late, {"full-weight-built-first"}),
    "W1 by rows": (wrong(in_specs=(P(), P("model", None), *IN[2:])), {"w1-split-by-rows"}),
    "W2 by columns": (wrong(in_specs=(*IN[:3], P(None, "model"), P())), {"w2-split-by-columns"}),
    "b1 whole": (sharded(_b1_whole, (*IN[:2], P(), *IN[3:]), check_vma=False), {"wrong-in-specs"}),
    "a new body": (_makes_a_new_body, {"recompiles-every-call"}),
    "Explicit mesh": (wrong(mesh=EXPLICIT), {"explicit-mesh"}),
    "NumPy inside": (wrong(activation=lambda z: np.maximum(np.asarray(z), 0)), {"numpy-in-the-body"}),
    "pvary": (wrong(preactivation=lambda x, w1, b1: jax.lax.pvary(x, "model") @ w1 + b1), {"old-api-name"}),
}


def _imports_an_old_name(*arrays):
    from jax.experimental.shard_map import shard_map

    return on_host(shard_map(right_body, mesh=MESH, in_specs=IN, out_specs=OUT))(*arrays)


def _generator(*arrays):
    yield right(*arrays)


async def _coroutine(*arrays):
    return right(*arrays)


def _in_float64(*arrays):
    jax.config.update("jax_enable_x64", True)
    return {key: array.astype("float64") for key, array in right(*arrays).items()}


def _adds_into_b1(x, w1, b1, w2, b2):
    result = jax.block_until_ready(right(x, w1, b1, w2, b2))  # or JAX might still be reading b1
    b1[0] += 1
    return result


def _swapped(x, w1, b1, w2, b2):
    result = right_body(x, w1, b1, w2, b2)
    return {"out": result["hidden"], "hidden": result["out"]}


_SWAPPED = "out-and-hidden-swapped"

FORM = {
    "not a function": (3, {"not-callable"}),
    "None": (lambda *arrays: None, {"returns-nothing"}),
    "a tuple": (lambda *arrays: tuple(right(*arrays).values()), {"not-a-dict"}),
    "a generator": (_generator, {"not-a-dict"}),
    "a coroutine": (_coroutine, {"not-a-dict"}),
    "another key": (lambda *arrays: {"output": right(*arrays)["out"]}, {"wrong-keys"}),
    "one key more": (lambda *arrays: right(*arrays) | {"partial": 0}, {"wrong-keys"}),
    "out and hidden swapped": (sharded(_swapped, out_specs={"out": OUT["hidden"], "hidden": P()}), {_SWAPPED}),
    "NumPy": (lambda *arrays: {k: np.asarray(v) for k, v in right(*arrays).items()}, {"not-a-jax-array"}),
    "float64": (_in_float64, {"not-float32"}),
    "bfloat16": (lambda *arrays: {k: v.astype("bfloat16") for k, v in right(*arrays).items()}, {"not-float32"}),
    "words": (lambda *arrays: {"out": "2.39", "hidden": [[1], [2, 3]]}, {"not-a-jax-array", "not-float32"}),
    "two parameters": (lambda x, w1: None, {"wrong-arguments"}),
    "only arrays": (_jitted, {"lists-refused"}),
    "an old import": (_imports_an_old_name, {"old-api-name"}),
    "changes b1": (_adds_into_b1, {"changes-its-inputs"}),
}


@pytest.mark.parametrize("name", VALUES)
def test_wrong_values(name):
    candidate, code = VALUES[name]
    report = tpmlp.check(candidate)
    assert report.faults == (code,), report
    assert not report.passed


@pytest.mark.parametrize("name", SIZES)
def test_right_for_some_sizes_only(name):
    candidate, code = SIZES[name]
    assert tpmlp.check(candidate).faults == (code,)


@pytest.mark.parametrize(
    ("candidate", "codes"),
    [
        pytest.param(*case, id=name)
        for cases in (TWO_AT_ONCE, PLACEMENT, STRUCTURE, FORM)
        for name, case in cases.items()
    ],
)
def test_wrong_ways(candidate, codes):
    report = tpmlp.check(candidate)
    assert set(report.faults) == codes, report
    assert not report.passed


def test_what_cannot_be_told_is_said_with_what_was_ruled_out():
    report = tpmlp.check(VALUES["an unknown activation"][0])
    assert "Ruled out" in report.findings[0].detail
    assert "psum-twice" in report.findings[0].detail


def test_an_unknown_factor_is_told():
    assert "0.5 hidden W2 + 1 b2" in tpmlp.check(VALUES["half of the sum"][0]).findings[0].detail


def test_size_that_is_baked_in_is_named():
    assert "right for H = 8; for H = 16" in tpmlp.check(_only_first_eight).findings[0].detail


REFUSED = {
    "not jitted, no psum": (
        on_host(jax.shard_map(body(out=lambda p, b2: p + b2), mesh=MESH, in_specs=IN, out_specs=OUT)),
        "psum-missing",
    ),
    "gathered, check_vma on": (sharded(scatter_and_gather), "replication-not-seen"),
    "not jitted, hidden whole": (
        on_host(jax.shard_map(right_body, mesh=MESH, in_specs=IN, out_specs={"out": P(), "hidden": P()})),
        "wrong-out-specs",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_check_vma_refuses(name):
    candidate, code = REFUSED[name]
    assert tpmlp.check(candidate).faults == (code,)
