"""The reader of HLO, on the forms in which XLA writes collectives on CPU, GPU and TPU."""

import pytest

from tpmlp import hlo

HEADER = "HloModule jit_f, is_scheduled=true, num_partitions=8"


def program(*lines, name="ENTRY %main (p: f32[8,4]) -> f32[8,4]", header=HEADER):
    body = "\n".join(f"  {line}" for line in lines)
    return hlo.read(f"{header}\n\n{name} {{\n  %p = f32[8,4]{{1,0}} parameter(0)\n{body}\n}}\n")


def only(*lines, **options):
    (collective,) = program(*lines, **options).collectives
    return collective


GROUPS = "replica_groups={{0,1,2,3,4,5,6,7}}"

# What one line says, and the kind, the bytes of one device's operands and the size of a group that must be read.
FORMS = {
    "operand by name": (f"%r = f32[8,4]{{1,0}} all-reduce(%p), {GROUPS}, to_apply=%add", "all-reduce", 128, 8),
    "operand with its type": (f"%r = f32[8,4]{{1,0}} all-reduce(f32[8,4]{{1,0}} %p), {GROUPS}", "all-reduce", 128, 8),
    "root, no percent": ("ROOT r = f32[8,4]{1,0} all-reduce(p), replica_groups={{0,1},{2,3}}", "all-reduce", 128, 2),
    "TPU layout": (
        "%r = bf16[8,4]{1,0:T(8,128)(2,1)S(1)} all-reduce(bf16[8,4]{1,0:T(8,128)(2,1)S(1)} %q), replica_groups={}",
        "all-reduce",
        64,
        8,
    ),
    "variadic": (
        "%r = (f32[8,4]{1,0}, /*index=1*/f32[]) all-reduce(f32[8,4]{1,0} %p, f32[] %s), replica_groups={}",
        "all-reduce",
        132,
        8,
    ),
    "iota groups": (
        "%r = f32[64,4]{1,0} all-gather(%p), replica_groups=[2,4]<=[8], dimensions={0}",
        "all-gather",
        128,
        4,
    ),
    "transposed iota groups": (
        "%r = f32[16,4] all-gather(%p), replica_groups=[4,2]<=[2,4]T(1,0)",
        "all-gather",
        128,
        2,
    ),
    "mesh groups": (
        "%r = f32[1,4] reduce-scatter(%p), replica_groups=mesh['model'=8] {'model'}",
        "reduce-scatter",
        128,
        8,
    ),
    "mesh with two axes": (
        "%r = f32[2,4] reduce-scatter(%p), replica_groups=mesh['data'=2,'model'=4] {'model'}, dimensions={0}",
        "reduce-scatter",
        128,
        4,
    ),
    "mesh over both axes": (
        "%r = f32[8,4] all-reduce(%p), replica_groups=mesh['a'=2,'b'=4] {'a','b'}",
        "all-reduce",
        128,
        8,
    ),
    "mesh with part of an axis": (
        "%r = f32[8,4] all-reduce(%p), replica_groups=mesh['a'=8] {'a':(2)4}",
        "all-reduce",
        128,
        4,
    ),
    "mesh without axes": ("%r = f32[8,4] all-reduce(%p), replica_groups=mesh['a'=8]", "all-reduce", 128, 8),
    "permute": (
        "%r = f32[8,4] collective-permute(%p), source_target_pairs={{0,1},{1,2},{2,3},{3,0}}",
        "collective-permute",
        128,
        4,
    ),
    "broadcast": ("%r = f32[8,4] collective-broadcast(%p), replica_groups={{0,1}}", "collective-broadcast", 128, 2),
    "all-to-all in place": (
        "%r = f32[8,4] all-to-all(%p), replica_groups={{0,1}}, dimensions={0}",
        "all-to-all",
        128,
        2,
    ),
    "all-to-all of a tuple": (
        "%r = (f32[4,4], f32[4,4]) all-to-all(f32[4,4] %a, f32[4,4] %b), replica_groups={{0,1}}",
        "all-to-all",
        128,
        2,
    ),
    "ragged": (
        "%r = f32[16,4] ragged-all-to-all(f32[8,4] %p, f32[16,4] %o, s32[8] %i, s32[8] %s, s32[8] %t, s32[8] %u), "
        "replica_groups={{0,1}}",
        "ragged-all-to-all",
        128,
        2,
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_collective(form):
    line, kind, size, devices = FORMS[form]
    collective = only(line)
    assert (collective.kind, collective.bytes, collective.devices) == (kind, size, devices)


@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("all-reduce", 2 * 7 * 16),
        ("reduce-scatter", 7 * 16),
        ("all-to-all", 7 * 16),
        ("all-gather", 7 * 128),
        ("collective-permute", 128),
    ],
)
def test_what_one_device_sends_round_a_ring(kind, sent):
    collective = only(f"%r = f32[8,4] {kind}(%p), {GROUPS}")  # 128 bytes, 16 for each of eight devices
    assert collective.ring_bytes == sent


ASYNC = {
    "all-reduce": "f32[8,4]{1,0} all-reduce-start(%p)",
    "all-gather": "(f32[8,4]{1,0}, f32[64,4]{1,0}) all-gather-start(%p)",
    "reduce-scatter": "((f32[8,4]{1,0}), f32[1,4]{1,0}) reduce-scatter-start(%p)",
    "collective-permute": "(f32[8,4]{1,0}, f32[8,4]{1,0}, u32[], u32[]) collective-permute-start(%p)",
    "all-to-all": "((f32[8,4]{1,0}), f32[8,4]{1,0}) all-to-all-start(%p)",
}


@pytest.mark.parametrize("kind", ASYNC)
def test_an_asynchronous_pair_counts_once_and_by_its_operand(kind):
    collective = only(
        f"%start = {ASYNC[kind]}, replica_groups={{}}, source_target_pairs={{{{0,1}}}}",
        f"%update = f32[8,4] {kind}-update(%start)",
        f"%done = f32[8,4] {kind}-done(%update)",
    )
    assert (collective.kind, collective.bytes) == (kind, 128)


def test_a_collective_wrapped_in_a_computation_of_its_own_counts_once():
    text = f"""{HEADER}

%async_computation (q: f32[8,4]) -> f32[64,4] {{
  %q = f32[8,4]{{1,0}} parameter(0)
  ROOT %g = f32[64,4]{{1,0}} all-gather(%q), {GROUPS}, dimensions={{0}}
}}

ENTRY %main (p: f32[8,4]) -> f32[64,4] {{
  %p = f32[8,4]{{1,0}} parameter(0)
  %start = ((f32[8,4]{{1,0}}), f32[64,4]{{1,0}}, u32[]) async-start(%p), calls=%async_computation
  ROOT %done = f32[64,4]{{1,0}} async-done(%start), calls=%async_computation
}}
"""
    found = hlo.read(text)
    assert [c.kind for c in found.collectives] == ["all-gather"]
    assert found.results == [hlo.Buffer("f32", (64, 4))]
    assert found.parameters == [("p", hlo.Buffer("f32", (8, 4)))]


def test_a_fused_reduce_scatter_of_a_tpu_is_one():
    line = f"%r = f32[8,4] all-reduce(%p), {GROUPS}"
    assert only(line, name="%all-reduce-scatter.3 (p: f32[8,4]) -> f32[1,4]").kind == "reduce-scatter"
    assert only(line, name="%fused_computation (p: f32[8,4]) -> f32[8,4]").kind == "all-reduce"


def test_what_only_mentions_a_collective_is_none():
    found = program(
        '%a = f32[8,4] add(%p, %p), metadata={op_name="jit(f)/all-reduce(x)"}',
        '%c = f32[8,4] custom-call(%a), custom_call_target="all-reduce"',
        "%all-reduce.3 = f32[8,4] copy(%c)",
    )
    assert found.collectives == []


@pytest.mark.parametrize(
    ("dtype", "bits"),
    [
        ("pred", 8), ("s4", 4), ("u4", 4), ("s8", 8), ("s32", 32), ("u64", 64), ("f16", 16), ("bf16", 16), ("f32", 32),
        ("f64", 64), ("c64", 64), ("c128", 128), ("f8e4m3fn", 8), ("f8e5m2", 8), ("f4e2m1fn", 4), ("token", 0),
    ],
)  # fmt: skip
def test_the_bytes_of_every_dtype(dtype, bits):
    assert only(f"%r = {dtype}[6] all-reduce({dtype}[6] %q), replica_groups={{}}").bytes == 6 * bits // 8


def test_scalars_and_dynamic_sizes():
    assert hlo.Buffer("f32", ()).bytes == 4
    assert str(only("%r = f32[<=8,4] all-gather(f32[<=8,4]{1,0} %q), replica_groups={}").operands[0]) == "f32[8,4]"


def test_parameters_come_in_the_order_of_their_numbers_with_jax_s_names():
    found = hlo.read(f"""{HEADER}
ENTRY %main (b: s32[], a: bf16[2]) -> s32[] {{
  %b = s32[] parameter(1), metadata={{op_name="y[\\'k\\']"}}
  %a = bf16[2]{{0}} parameter(0), sharding={{replicated}}
  ROOT %r = s32[] copy(%b)
}}
""")
    assert [(name, str(buffer)) for name, buffer in found.parameters] == [("a", "bf16[2]"), ("y['k']", "s32[]")]


def test_constants_leave_scalars_out():
    found = program("%c = f32[] constant(0)", "%w = bf16[512,4]{1,0} constant({...})", "%t = s32[1] constant({5})")
    assert found.constants == [hlo.Buffer("bf16", (512, 4))]


def test_the_number_of_devices():
    assert program().devices == 8
    assert program(header="HloModule jit_f").devices == 1
    assert program(header="HloModule f, replica_count=2, num_partitions=4").devices == 8


def test_the_python_line_from_the_tables_and_from_the_instruction(tmp_path):
    source = tmp_path / "model.py"
    source.write_text("import jax\n\n    y = jax.lax.psum(x, 'model')  # the one\n")
    tables = f"""{HEADER}

FileNames
1 "{source}"

FunctionNames
1 "body"

FileLocations
1 {{file_name_id=1 function_name_id=1 line=1 end_line=1 column=4 end_column=4}}
2 {{file_name_id=1 function_name_id=1 line=3 end_line=3 column=8 end_column=9}}

StackFrames
1 {{file_location_id=1 parent_frame_id=1}}
2 {{file_location_id=2 parent_frame_id=1}}

"""
    by_frame = only('%r = f32[8,4] all-reduce(%p), metadata={op_name="psum" stack_frame_id=2}', header=tables)
    inline = f'metadata={{op_name="psum" source_file="{source}" source_line=3}}'
    in_place = only(f"%r = f32[8,4] all-reduce(%p), {inline}")
    for collective in (by_frame, in_place):
        assert collective.source == f"{source}:3"
        assert collective.code == "y = jax.lax.psum(x, 'model')"
    unknown = only("%r = f32[8,4] all-reduce(%p), metadata={stack_frame_id=9}", header=tables)
    assert (unknown.source, unknown.code) == ("", "")


def test_a_collective_that_overlaps_on_a_tpu_is_one():
    """As TPUs write it: the same all-gather in the fusions that start it, go on with it and end it."""
    gather = "  %all-gather.{0} = f32[64,4] all-gather(%p.{0}), channel_id=5, replica_groups={{{{0,1,2,3,4,5,6,7}}}}"
    names = ("fused_computation.3", "async_collective_fusion.6", "fused_computation.5")
    parts = [
        f"%{name} (p.{i}: f32[8,4]) -> f32[64,4] {{\n  %p.{i} = f32[8,4] parameter(0)\n{gather.format(i)}\n}}\n"
        for i, name in enumerate(names)
    ]
    main = (
        "ENTRY %main (p: f32[8,4]) -> f32[64,4] {\n"
        "  %p = f32[8,4] parameter(0)\n"
        "  %async-collective-start = (f32[8,4], f32[64,4]) fusion(%p), kind=kCustom, calls=%fused_computation.3\n"
        "  %fusion.6 = (f32[8,4], f32[64,4]) fusion(%p), kind=kCustom, calls=%async_collective_fusion.6\n"
        "  %other = f32[64,4] all-gather(%p), channel_id=5, replica_groups={{0,1,2,3,4,5,6,7}}\n"
        "  ROOT %async-collective-done = f32[64,4] fusion(%fusion.6), kind=kCustom, calls=%fused_computation.5\n}\n"
    )
    found = hlo.read("\n\n".join([HEADER, *parts, main])).collectives
    assert [(each.kind, each.bytes) for each in found] == [("all-gather", 128)] * 2  # that one and %other


@pytest.mark.parametrize(
    ("pairs", "devices", "sent"),
    [
        ("{0,1},{1,2},{2,3},{3,0},{4,5},{5,6},{6,7},{7,4}", 4, 128),
        ("{0,1},{1,0},{2,3},{3,2}", 2, 128),
        ("{0,1},{1,2}", 3, 128),
        ("{0,0},{1,1}", 1, 0),
        ("", 1, 0),
    ],
)
def test_a_permutation_reaches_as_far_as_its_chains(pairs, devices, sent):
    collective = only(f"%r = f32[8,4] collective-permute(%p), channel_id=1, source_target_pairs={{{pairs}}}")
    assert (collective.devices, collective.ring_bytes) == (devices, sent)
