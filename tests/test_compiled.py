"""`compiled_facts`: what it reads from real compiled programs agrees with the formulas and with XLA's own analyses."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import psutil
import pytest
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp
from tpmlp import compiled_facts

B, D, H, O = 3, 5, 16, 2
SHAPES = ((B, D), (D, H), (H,), (H, O), (O,))


def arrays(dtype=np.float32):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(dtype) for shape in SHAPES]


@pytest.mark.parametrize("n", [1, 2, 4, 8])
def test_the_forward_is_one_all_reduce_and_local_shapes(n):
    mesh = tpmlp.make_mesh(n)
    facts = compiled_facts(partial(tpmlp.forward, mesh=mesh), *tpmlp.shard_inputs(*arrays(), mesh=mesh))
    assert facts.devices == n
    assert facts.collectives == {"all-reduce": 1}
    assert facts.collective_bytes == 4 * B * O
    assert facts.parameter_shapes == ((B, D), (D, H // n), (H // n,), (H // n, O), (O,))
    assert facts.argument_bytes_per_device == 4 * (B * D + D * H // n + H // n + H * O // n + O)
    assert facts.output_bytes_per_device == 4 * (B * H // n + B * O)
    # two matmuls, then b1, relu and b2, one operation an entry, and the all-reduce's addition
    assert facts.flops_per_device == 2 * B * (D + O) * H // n + 2 * B * H // n + 2 * B * O
    (collective,) = facts.details
    assert (collective.kind, collective.dtype, collective.shape, collective.devices) == ("all-reduce", "f32", (B, O), n)
    assert collective.code == "psum = jax.lax.psum(partial, AXIS)"
    assert "mlp.py:" in collective.source
    assert facts.constants == ()


def test_it_agrees_with_xla_s_own_account():
    placed = tpmlp.shard_inputs(*arrays())
    memory = jax.jit(tpmlp.forward).lower(*placed).compile().memory_analysis()
    facts = compiled_facts(tpmlp.forward, *placed)
    assert facts.argument_bytes_per_device == memory.argument_size_in_bytes
    assert facts.temp_bytes_per_device == memory.temp_size_in_bytes
    assert facts.output_bytes_per_device == memory.output_size_in_bytes - 2 * 8  # two results, two addresses


def shapes_only(sharded):
    specs = tpmlp.IN_SPECS if sharded else [None] * 5
    shardings = [spec if spec is None else NamedSharding(tpmlp.make_mesh(), spec) for spec in specs]
    return [
        jax.ShapeDtypeStruct(s, jnp.float32, sharding=sharding) for s, sharding in zip(SHAPES, shardings, strict=True)
    ]


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(arrays, id="NumPy"),
        pytest.param(lambda: list(map(jnp.asarray, arrays())), id="on one device"),
        pytest.param(lambda: shapes_only(sharded=False), id="shapes"),
        pytest.param(lambda: shapes_only(sharded=True), id="shapes with shardings"),
    ],
)
def test_arguments_of_every_kind_give_the_same_program(args):
    expected = repr(compiled_facts(tpmlp.forward, *tpmlp.shard_inputs(*arrays())))
    assert repr(compiled_facts(tpmlp.forward, *args())) == expected


def test_an_explicit_mesh_gives_the_same_program():
    mesh = jax.make_mesh((8,), ("model",), axis_types=(AxisType.Explicit,))
    facts = compiled_facts(partial(tpmlp.forward, mesh=mesh), *tpmlp.shard_inputs(*arrays(), mesh=mesh))
    assert repr(facts) == repr(compiled_facts(tpmlp.forward, *arrays()))


def test_a_mesh_with_two_axes_tells_the_size_of_a_group():
    mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    facts = compiled_facts(partial(tpmlp.forward, mesh=mesh), *arrays())
    assert (facts.devices, facts.details[0].devices) == (8, 4)


def test_nothing_is_run_or_placed():
    ran = []

    def spy(x):
        jax.debug.callback(ran.append, x)
        return x * 2

    before = len(jax.live_arrays())
    compiled_facts(spy, jax.ShapeDtypeStruct((1 << 20, 1 << 20), jnp.float32))  # 4 TiB, if it were there
    jax.effects_barrier()
    assert ran == []
    assert len(jax.live_arrays()) == before


# --- each kind of collective, from a program that needs it ----------------------------------------------------------

X = np.zeros((64, 64), np.float32)  # one device's share is (8, 64): 2,048 bytes
RING = [(d, (d + 1) % 8) for d in range(8)]
SHARE, WHOLE = 8 * 64 * 4, 64 * 64 * 4
KINDS = {
    "all-reduce": (lambda x: jax.lax.psum(x, "model"), P("model"), P(), SHARE),
    "all-gather": (lambda x: jax.lax.all_gather(x, "model", tiled=True), P("model"), P("model"), SHARE),
    "reduce-scatter": (lambda x: jax.lax.psum_scatter(x, "model", tiled=True), P(), P("model"), WHOLE),
    "collective-permute": (lambda x: jax.lax.ppermute(x, "model", RING), P("model"), P("model"), SHARE),
    "all-to-all": (lambda x: jax.lax.all_to_all(x, "model", 1, 0, tiled=True), P("model"), P("model"), SHARE),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind(kind):
    body, in_spec, out_spec, size = KINDS[kind]
    facts = compiled_facts(jax.shard_map(body, mesh=tpmlp.make_mesh(), in_specs=in_spec, out_specs=out_spec), X)
    assert facts.collectives == {kind: 1}
    assert facts.collective_bytes == size
    assert facts.details[0].devices == 8
    assert facts.details[0].source.partition(":")[0] == __file__


def test_two_arrays_in_one_collective():
    @partial(jax.shard_map, mesh=tpmlp.make_mesh(), in_specs=P("model"), out_specs=P())
    def both(x):
        return jax.lax.psum((x, x.sum()), "model")

    facts = compiled_facts(both, X)
    assert facts.collectives == {"all-reduce": 1}
    assert facts.collective_bytes == SHARE + 4
    assert [str(buffer) for buffer in facts.details[0].operands] == ["f32[8,64]", "f32[]"]


def test_a_collective_in_a_loop_counts_once_as_it_is_written():
    @partial(jax.shard_map, mesh=tpmlp.make_mesh(), in_specs=P("model"), out_specs=P("model"))
    def loop(x):
        return jax.lax.fori_loop(0, 3, lambda i, y: jax.lax.pcast(jax.lax.psum(y, "model"), "model", to="varying"), x)

    assert compiled_facts(loop, X).collectives == {"all-reduce": 1}


def test_moving_a_misplaced_argument_is_laid_to_no_line():
    """The compiler re-splits W1, which lies by rows; no line of the function asks for that."""
    mesh = tpmlp.make_mesh()
    by_rows = jax.ShapeDtypeStruct((16, 16), jnp.float32, sharding=NamedSharding(mesh, P("model", None)))
    shifted = jax.shard_map(lambda w1: w1 + 1, mesh=mesh, in_specs=P(None, "model"), out_specs=P(None, "model"))
    (moved,) = compiled_facts(shifted, by_rows).details
    assert moved.kind == "all-to-all"
    assert "compiled" not in moved.source
    assert "read_compiled" not in moved.code


# --- arguments ------------------------------------------------------------------------------------------------------


def test_an_unused_argument_of_a_jitted_function_is_dropped_and_of_a_plain_one_kept():
    def f(x, unused, y):
        return x @ y["w"]

    args = (np.ones((2, 3), np.float32), np.ones(7, np.float32), {"w": np.ones((3, 4), np.float32)})
    assert compiled_facts(f, *args).parameter_shapes == ((2, 3), (7,), (3, 4))
    dropped = compiled_facts(jax.jit(f), *args)
    assert dropped.parameter_shapes == ((2, 3), None, (3, 4))
    assert dropped.argument_bytes_per_device == 4 * (6 + 12)


def test_no_arguments_and_no_arithmetic():
    facts = compiled_facts(lambda: jnp.zeros((4, 2), jnp.float32))
    assert facts.parameter_shapes == ()
    assert (facts.flops_per_device, facts.output_bytes_per_device, facts.collectives) == (0, 32, {})


def test_weights_closed_over_show_as_constants():
    x, *weights = arrays()
    facts = compiled_facts(lambda x: tpmlp.forward(x, *weights), x)
    baked = {buffer.shape for buffer in facts.constants}
    assert {(D, H), (H, O)} <= baked
    assert facts.parameter_shapes == ((B, D),)


@pytest.mark.parametrize("fn", [None, "all-reduce", 3, np.ones(2)])
def test_what_is_no_function_is_refused(fn):
    with pytest.raises(TypeError, match="give a function"):
        compiled_facts(fn)


def test_the_error_of_the_function_comes_through():
    def broken(x):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        compiled_facts(broken, 1.0)


# --- print ----------------------------------------------------------------------------------------------------------


def test_it_prints_as_a_table():
    text = repr(compiled_facts(tpmlp.forward, *arrays()))
    assert text.splitlines() == [
        "compiled for 8 devices; on each of them:",
        "  arguments   132 bytes  x f32[3,5]  w1 f32[5,2]  b1 f32[2]  w2 f32[2,2]  b2 f32[2]",
        "  results      48 bytes  f32[3,2]  f32[3,2]",
        "  in between   24 bytes",
        "  FLOPs             108",
        "  all-reduce   24 bytes  f32[3,2] over 8 devices: psum = jax.lax.psum(partial, AXIS)",
    ]


def test_it_says_so_when_the_devices_do_not_talk():
    text = repr(compiled_facts(lambda x: x + 1, np.ones(3, np.float32)))
    assert "compiled for 1 device;" in text
    assert "collectives" in text
    assert "none" in text


def test_a_large_model_compiles_from_shapes_without_its_memory():
    """The weights alone are 4.8 GB; the process may not grow by a tenth of that."""
    B, D, H, O = 4096, 12288, 49152, 12288
    sizes = ((B, D), (D, H), (H,), (H, O), (O,))
    mesh = tpmlp.make_mesh()
    shapes = [
        jax.ShapeDtypeStruct(size, jnp.float32, sharding=NamedSharding(mesh, spec))
        for size, spec in zip(sizes, tpmlp.IN_SPECS, strict=True)
    ]
    process = psutil.Process()
    before, live = process.memory_info().rss, len(jax.live_arrays())
    facts = compiled_facts(tpmlp.forward, *shapes)
    assert facts.argument_bytes_per_device == 4 * (B * D + D * H // 8 + H // 8 + H * O // 8 + O)
    assert facts.collectives == {"all-reduce": 1}
    assert len(jax.live_arrays()) == live
    assert process.memory_info().rss - before < 480e6


def test_an_argument_that_is_none_is_no_parameter():
    x = jax.ShapeDtypeStruct((4, 4), jnp.float32)
    assert tpmlp.compiled_facts(lambda x, nothing: x, x, None).parameter_shapes == ((4, 4),)
    assert tpmlp.compiled_facts(jax.jit(lambda a, b, c: c + 1), x, None, x).parameter_shapes == (None, (4, 4))


def test_flops_that_xla_does_not_know_are_not_told_as_a_number():
    def prints(x):
        jax.debug.print("{}", x[0, 0])
        return x

    facts = tpmlp.compiled_facts(prints, jax.ShapeDtypeStruct((4, 4), jnp.float32))
    assert facts.flops_per_device is None
    assert "FLOPs         unknown" in repr(facts)
