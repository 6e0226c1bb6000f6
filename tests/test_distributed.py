"""The same forward on several processes, of which each reads only the blocks that its devices need."""

import signal
import socket
import sys

import pytest
from support import run_python, start_python

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs gloo and mprotect, as Linux has them")

# An array of which a process may read only its own half of the columns or rows. The other pages are forbidden to it:
# whoever reads them is killed by the operating system.
GUARD = """
import ctypes, mmap
import numpy as np

PAGE = mmap.PAGESIZE

def guarded(values, axis, process):
    memory = mmap.mmap(-1, values.nbytes)
    array = np.frombuffer(memory, values.dtype).reshape(values.shape)
    array[...] = values
    start = array.ctypes.data
    half = array.shape[axis] // 2 * array.strides[axis]  # bytes
    assert half % PAGE == 0
    other = 1 - process
    for first in range(0, values.nbytes, 2 * half):
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + first + other * half), half, 0) == 0
    return array
"""

PROCESS = (
    GUARD
    + """
import sys
order, process, port = sys.argv[1], int(sys.argv[2]), sys.argv[3]
import jax

def initialize():
    jax.distributed.initialize(f"127.0.0.1:{port}", num_processes=2, process_id=process, initialization_timeout=60)

if order == "tpmlp first":
    import tpmlp
    initialize()
elif order == "four devices each":
    jax.config.update("jax_num_cpu_devices", 4)
    initialize()
    import tpmlp
    assert jax.local_device_count() == 4
else:
    initialize()
    import tpmlp

mesh = tpmlp.make_mesh()
assert [device.process_index for device in mesh.devices] == [0] * 4 + [1] * 4
own = range(4 * process, 4 * process + 4)  # the places along the mesh of this process's devices

def check(result, inputs):
    expected = tpmlp.reference(**inputs)
    units = len(inputs["b1"]) // 8
    assert result["out"].dtype == result["hidden"].dtype == "float32"
    assert len(result["out"].addressable_shards) == len(result["hidden"].addressable_shards) == 4
    for shard in result["out"].addressable_shards:
        assert np.abs(shard.data - expected["out"]).max() <= 1e-6
    for d, shard in zip(own, result["hidden"].addressable_shards):
        assert shard.device == mesh.devices[d]
        assert np.abs(shard.data - expected["hidden"][:, d * units : (d + 1) * units]).max() <= 1e-6

for example in tpmlp.EXAMPLES:
    check(tpmlp.forward(**example.inputs), example.inputs)
    local = {name: jax.device_put(np.float32(value), jax.local_devices()[1]) for name, value in example.inputs.items()}
    check(tpmlp.forward(**local), example.inputs)
placed = tpmlp.shard_inputs(**tpmlp.EXAMPLES[1].inputs)
for _ in range(50):  # not waited for
    result = tpmlp.forward(*placed)
check(result, tpmlp.EXAMPLES[1].inputs)
check(jax.jit(tpmlp.forward)(*placed), tpmlp.EXAMPLES[1].inputs)

if order != "four devices each":  # once is enough for what follows
    print(f"process {process} is right")
    sys.exit()

for dtype in ("float32", "float64", "float16"):
    H = 2 * PAGE // np.dtype(dtype).itemsize
    draw = np.random.default_rng(0)
    inputs = {name: draw.integers(-3, 4, shape).astype(dtype)
              for name, shape in {"x": (2, 3), "w1": (3, H), "b1": (H,), "w2": (H, 2), "b2": (2,)}.items()}
    own_only = {name: guarded(inputs[name], axis, process) for name, axis in {"w1": 1, "b1": 0, "w2": 0}.items()}
    check(tpmlp.forward(**{**inputs, **own_only}), inputs)
    check(tpmlp.forward(*tpmlp.shard_inputs(**{**inputs, **own_only})), inputs)

try:
    inputs["w1"] = inputs["w1"].astype("float64")
    inputs["w1"][1, :] = 1e39
    tpmlp.forward(**inputs)
except ValueError as error:
    assert str(error).startswith(f"w1[1, {process * H // 2}] = 1e+39"), error
else:
    raise AssertionError("1e39 was not refused")

try:
    tpmlp.trace(**tpmlp.EXAMPLES[0].inputs)
except ValueError as error:
    assert "this mesh spans several processes; give a mesh of one process" in str(error)
else:
    raise AssertionError("trace cannot read the other process's devices")
mine = jax.sharding.Mesh(np.array(jax.local_devices()[:4]), ("model",))
assert len(tpmlp.trace(**tpmlp.EXAMPLES[0].inputs, mesh=mine).devices) == 4
print(f"process {process} is right")
"""
)


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@pytest.mark.parametrize("order", ["jax.distributed first", "tpmlp first", "four devices each"])
def test_two_processes(order):
    port = free_port()
    processes = [start_python(PROCESS, order, str(process), port) for process in range(2)]
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    for index, (process, output) in enumerate(zip(processes, outputs, strict=True)):
        assert process.returncode == 0, output
        assert f"process {index} is right" in output


def test_the_guard_kills_whoever_reads_what_is_not_his():
    program = GUARD + "print(guarded(np.ones((2, 2 * PAGE)), 1, 0)[:, :PAGE].sum(), flush=True)"
    assert run_python(program) == "8192.0\n"
    with start_python(program.replace(":PAGE", "PAGE:")) as process:
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGSEGV
