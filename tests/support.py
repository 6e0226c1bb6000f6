"""What several tests share: inputs of any shape, and Python programs that run in a process of their own."""

import os
import subprocess
import sys

import jax
import numpy as np

import tpmlp

NAMES = ("x", "w1", "b1", "w2", "b2")

# What the variables of the machine, or `import tpmlp` in this process, say about devices and threads.
_ABOUT_DEVICES = ("JAX_", "XLA_", "NPROC", "SLURM_", "OMPI_", "PMI_")


def shapes(B: int, D: int, H: int, O: int) -> dict[str, tuple[int, ...]]:
    return {"x": (B, D), "w1": (D, H), "b1": (H,), "w2": (H, O), "b2": (O,)}


def whole_numbers(B: int, D: int, H: int, O: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Inputs of small whole numbers, float32: every sum of theirs is exact, so results agree bit for bit."""
    draw = np.random.default_rng(seed)
    return {name: draw.integers(-3, 4, shape).astype(np.float32) for name, shape in shapes(B, D, H, O).items()}


def assert_equal(result: dict[str, jax.Array], inputs: dict) -> None:
    """`result` is what `reference` says, bit for bit, in float32."""
    expected = tpmlp.reference(**inputs)
    assert sorted(result) == ["hidden", "out"]
    for name in ("out", "hidden"):
        assert result[name].dtype == np.float32
        np.testing.assert_array_equal(np.asarray(result[name]), expected[name].astype(np.float32))


def shards(array: jax.Array) -> dict[jax.Device, np.ndarray]:
    """Every device's block."""
    return {shard.device: np.asarray(shard.data) for shard in array.addressable_shards}


def pointers(array: jax.Array) -> list[int]:
    """Where every device's block stands in memory."""
    return [shard.data.unsafe_buffer_pointer() for shard in array.addressable_shards]


def start_python(program: str, *arguments: str, **variables: str) -> subprocess.Popen[str]:
    """Start a fresh Python on CPU devices, with warnings as errors and none of this process's settings."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(_ABOUT_DEVICES)}
    environment |= {"JAX_PLATFORMS": "cpu"} | variables
    command = [sys.executable, "-W", "error", *(["-c", program] if program else []), *arguments]
    return subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
    )


def run_python(program: str, *arguments: str, **variables: str) -> str:
    """Run a program in a fresh Python to its end; its output, or an AssertionError if it fails."""
    with start_python(program, *arguments, **variables) as process:
        output = process.communicate(timeout=200)[0]
    assert process.returncode == 0, output
    return output
