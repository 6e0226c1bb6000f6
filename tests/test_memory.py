"""No device ever holds a full weight, and neither does the host."""

import gc
import sys

import jax
import numpy as np
import pytest
from support import pointers, run_python, whole_numbers

import tpmlp

B, D, H, O = 6, 5, 24, 7  # all different, so that a block is known by its shape
FULL_WEIGHTS = {(D, H), (H,), (H, O)}
BLOCKS = {(D, H // 8), (H // 8,), (H // 8, O)}


def new_blocks(call):
    """Shape and device of every block of every JAX array that a call leaves behind, and its result."""
    gc.collect()
    before = {id(array) for array in jax.live_arrays()}
    result = jax.block_until_ready(call())
    gc.collect()
    arrays = [array for array in jax.live_arrays() if id(array) not in before]
    return [(shard.data.shape, shard.device) for array in arrays for shard in array.addressable_shards], result


KINDS = {
    "lists": np.ndarray.tolist,
    "float32": np.asarray,
    "float64": lambda value: value.astype(np.float64),
    "float16": lambda value: value.astype(np.float16),
}


@pytest.mark.parametrize("kind", KINDS)
def test_after_placement_every_device_holds_its_blocks_and_nothing_else(kind):
    inputs = {name: KINDS[kind](value) for name, value in whole_numbers(B, D, H, O).items()}
    blocks, placed = new_blocks(lambda: tpmlp.shard_inputs(**inputs))
    expected = [(B, D), (D, H // 8), (H // 8,), (H // 8, O), (O,)]
    for device in tpmlp.make_mesh().devices:
        assert sorted(shape for shape, where in blocks if where == device) == sorted(expected)
    assert sum(array.nbytes for array in placed) == 4 * (B * D + D * H + H + H * O + O)


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_forward_only_the_results_are_left(kind):
    inputs = {name: KINDS[kind](value) for name, value in whole_numbers(B, D, H, O).items()}
    tpmlp.forward(**inputs)
    blocks, result = new_blocks(lambda: tpmlp.forward(**inputs))
    assert set(result) == {"out", "hidden"}
    for device in tpmlp.make_mesh().devices:
        assert sorted(shape for shape, where in blocks if where == device) == [(B, H // 8), (B, O)]


def test_a_jax_array_that_lies_on_one_device_is_split_without_visiting_another():
    inputs = whole_numbers(B, D, H, O)
    given = {name: jax.device_put(value, jax.devices()[3]) for name, value in inputs.items()}
    blocks, _ = new_blocks(lambda: tpmlp.shard_inputs(**given))
    assert not [shape for shape, _ in blocks if shape in FULL_WEIGHTS]


def test_placed_arrays_are_used_where_they_are():
    placed = tpmlp.shard_inputs(**whole_numbers(B, D, H, O))
    blocks, again = new_blocks(lambda: tpmlp.shard_inputs(*placed))
    assert blocks == []
    assert [pointers(array) for array in again] == [pointers(array) for array in placed]
    blocks, _ = new_blocks(lambda: tpmlp.forward(*placed))
    assert {shape for shape, _ in blocks} == {(B, H // 8), (B, O)}


def shapes_in(program: str) -> set[tuple[int, ...]]:
    """The shape of every value in an HLO module."""
    found = (word.split("[")[1].split("]")[0] for word in program.split() if word.lstrip("(").startswith("f32["))
    return {tuple(int(size) for size in shape.split(",") if size) for shape in found}


@pytest.mark.parametrize("where", [None, tpmlp.layout.in_shardings(tpmlp.make_mesh())])
def test_the_compiled_program_knows_only_blocks(where):
    shapes = {name: value.shape for name, value in whole_numbers(B, D, H, O).items()}
    arguments = {
        name: jax.ShapeDtypeStruct(shape, np.float32, sharding=where and getattr(where, name))
        for name, shape in shapes.items()
    }
    found = shapes_in(jax.jit(tpmlp.forward).lower(**arguments).compile().as_text())
    assert found >= BLOCKS
    assert not found & FULL_WEIGHTS


# --- the host ------------------------------------------------------------------------------------------------------

# Files of 256 MiB and more, without content on the disk but for some numbers. What counts is memory that belongs to the
# process alone: pages of a file that are mapped to memory can be dropped again at any time.
GROWTH = """
import sys, threading, time
import jax, numpy as np, tpmlp

def anonymous_bytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))

def mapped(name, shape, dtype):
    array = np.lib.format.open_memmap(name, "w+", dtype, shape)
    array[:: shape[0] // 8] = np.arange(shape[1]) % 5
    array.flush()
    del array
    return np.load(name, mmap_mode="r")

folder, function, dtype = sys.argv[1:]
D, H, O = 1024, 1 << 16 if np.dtype(dtype).itemsize >= 4 else 1 << 17, 1024
w1, w2 = mapped(folder + "/w1.npy", (D, H), dtype), mapped(folder + "/w2.npy", (H, O), dtype)
assert min(w1.nbytes, w2.nbytes) >= 256 << 20
inputs = {"x": np.ones((1, D), np.float32), "w1": w1, "b1": np.ones(H), "w2": w2, "b2": np.ones(O)}
tpmlp.forward(**tpmlp.EXAMPLES[0].inputs)  # JAX is running before we measure

peak, done = 0, threading.Event()
def watch():
    global peak
    while not done.is_set():
        peak = max(peak, anonymous_bytes())
        time.sleep(0.002)
before = anonymous_bytes()
watcher = threading.Thread(target=watch)
watcher.start()
result = jax.block_until_ready(getattr(tpmlp, function)(**inputs))
done.set()
watcher.join()

shards = 4 * (w1.size + w2.size)
growth = max(peak, anonymous_bytes()) - before
if function == "shard_inputs":
    assert growth > 0.9 * shards, "the shards themselves were not seen: the measurement is wrong"
    sums = [float(np.asarray(jax.numpy.sum(array))) for array in (result.w1, result.w2)]
    assert sums == [float(array[:: len(array) // 8].sum(dtype=np.float64)) for array in (w1, w2)]
else:
    one_unit = w1[:, 3].astype(np.float64).sum() + 1
    assert result["hidden"][0, 3] == one_unit and result["hidden"].shape == (1, H)
print(growth / shards)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process's anonymous memory")
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("function", ["shard_inputs", "forward"])
def test_weights_on_disk_cost_their_shards_and_no_second_copy(tmp_path, function, dtype):
    growth = float(run_python(GROWTH, str(tmp_path), function, dtype))
    for name in ("w1", "w2"):
        (tmp_path / f"{name}.npy").unlink()
    assert growth <= 1.2
