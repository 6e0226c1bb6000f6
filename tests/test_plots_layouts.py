"""The picture of layouts: its cuts and collectives are those of the compiled programs, and it fits on a page."""

import jax
import jax.numpy as jnp
import pytest
from drawing import faults_of_layout
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

import tpmlp
from tpmlp.plots import plot_layouts

SIZES = {"B": 64, "D": 256, "H": 1024, "O": 256}
COLUMNS, ROWS, CUT, WHOLE = P(None, "model"), P("model", None), P("model"), P()
SPECS = {
    "column, then row": (WHOLE, COLUMNS, CUT, ROWS, WHOLE),
    "column, then column": (WHOLE, COLUMNS, CUT, COLUMNS, CUT),
    "row, then row": (COLUMNS, ROWS, WHOLE, ROWS, WHOLE),
    "all whole": (WHOLE,) * 5,
}


def dense(x, w1, b1, w2, b2):
    return jax.nn.relu(x @ w1 + b1) @ w2 + b2


def compiled(specs, n=8, function=dense):
    B, D, H, O = SIZES.values()
    mesh = tpmlp.make_mesh(n)
    shapes = zip(((B, D), (D, H), (H,), (H, O), (O,)), specs, strict=True)
    arguments = [jax.ShapeDtypeStruct(s, jnp.float32, sharding=NamedSharding(mesh, spec)) for s, spec in shapes]
    return tpmlp.compiled_facts(jax.jit(function, out_shardings=NamedSharding(mesh, P())), *arguments)


@pytest.fixture(scope="module")
def layouts():
    return {name: compiled(specs) for name, specs in SPECS.items()}


def test_the_text_tells_every_cut_collective_and_byte(layouts):
    title, *lines = plot_layouts(layouts, **SIZES).text.splitlines()
    assert title.endswith("B=64, D=256, H=1024, O=256")
    held = {
        "column, then row": "x whole, W1 in 8 blocks of columns, W2 in 8 blocks of rows",
        "column, then column": "x whole, W1 in 8 blocks of columns, W2 in 8 blocks of columns",
        "row, then row": "x in 8 blocks of columns, W1 in 8 blocks of rows, W2 in 8 blocks of rows",
        "all whole": "x whole, W1 whole, W2 whole",
    }
    for line, (name, facts) in zip(lines, layouts.items(), strict=True):
        assert line.startswith(f"{name}: {held[name]}; {facts.ring_bytes:,.0f} bytes sent")
        for collective in facts.details:
            assert f"{collective.kind} of {collective.operands[0]}" in line
            assert f" {collective.ring_bytes:,.0f}" in line
    assert lines[-1].endswith("0 bytes sent in 0 collectives: nothing")
    assert lines[0].endswith("in 1 collective: all-reduce of f32[64,256] 114,688")
    assert "all-gather of f32[64,128], hidden 229,376" in lines[1]


@pytest.mark.parametrize("n", [1, 2, 8])
def test_it_fits_on_a_page(n):
    picture = plot_layouts({name: compiled(specs, n) for name, specs in SPECS.items()}, **SIZES)
    assert not faults_of_layout(picture.figure)
    assert picture.png().startswith(b"\x89PNG")


def test_what_is_no_cut_of_the_sizes_is_refused(layouts):
    with pytest.raises(ValueError, match=r"in 'column, then row' a device holds \(256, 128\) of W1, which is neither"):
        plot_layouts(layouts, **(SIZES | {"H": 1000}))
    with pytest.raises(ValueError, match="one of 8 blocks"):  # of 16, which eight devices do not hold
        plot_layouts({"doubled": layouts["column, then row"]}, **(SIZES | {"H": 2048}))
    only_x = tpmlp.compiled_facts(lambda x: x + 1, jax.ShapeDtypeStruct((64, 256), jnp.float32))
    with pytest.raises(ValueError, match="'short' has 1 argument; it must be one of x, w1, b1, w2, b2"):
        plot_layouts({"short": only_x}, **SIZES)
    dropped = compiled(SPECS["all whole"], function=lambda x, w1, b1, w2, b2: x)
    with pytest.raises(ValueError, match="'dropped' makes no use of W1"):
        plot_layouts({"dropped": dropped}, **SIZES)
