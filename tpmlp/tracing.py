"""Look inside: every value of one forward, read back from the device that holds it."""

from dataclasses import dataclass
from functools import cache

import jax
import numpy as np
from jax.core import Tracer
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jaxtyping import Float32

from .checks import Inputs
from .layout import check_inputs, check_mesh, in_shardings, place
from .mesh import AXIS
from .mlp import body, compile_on

# `partial` gets a new first dimension, one entry per device, because each device's value differs.
_TRACE_SPECS = {
    "preactivation": P(None, AXIS),
    "hidden": P(None, AXIS),
    "partial": P(AXIS, None, None),
    "psum": P(),
    "out": P(),
}


@dataclass(frozen=True, eq=False)
class DeviceTrace:
    """All that one device holds and computes. Every array is NumPy float32, read from this device's own shard.

    Attributes:
        index: the device's place d along the mesh axis "model".
        device: its name, platform and id, such as "cpu:3".
        w1: (D, H/n), its columns of W1.
        b1: (H/n,), its part of b1.
        w2: (H/n, O), its rows of W2.
        preactivation: (B, H/n), x W1 + b1 before the relu.
        hidden: (B, H/n), after the relu.
        partial: (B, O), hidden W2: its part of the sum.
        bytes: the bytes it holds for the five inputs, counted from its buffers.
    """

    index: int
    device: str
    w1: Float32[np.ndarray, "D units"]
    b1: Float32[np.ndarray, " units"]
    w2: Float32[np.ndarray, "units O"]
    preactivation: Float32[np.ndarray, "B units"]
    hidden: Float32[np.ndarray, "B units"]
    partial: Float32[np.ndarray, "B O"]
    bytes: int


@dataclass(frozen=True, eq=False)
class Trace:
    """One forward, device by device. Every array is NumPy float32.

    Attributes:
        x: (B, D), which every device received.
        devices: one `DeviceTrace` per device, in the order of the mesh axis "model".
        psum: (B, O), the sum of the partials, before b2.
        b2: (O,).
        out: (B, O).
        hidden: (B, H), the whole hidden layer, put together on the host; no device holds it.
    """

    x: Float32[np.ndarray, "B D"]
    devices: tuple[DeviceTrace, ...]
    psum: Float32[np.ndarray, "B O"]
    b2: Float32[np.ndarray, " O"]
    out: Float32[np.ndarray, "B O"]
    hidden: Float32[np.ndarray, "B H"]


def trace(x, w1, b1, w2, b2, *, mesh: Mesh | None = None) -> Trace:
    """Run the forward once and read every block and every intermediate value back from its device.

    It runs the same `body` as `tpmlp.forward`, with all its values returned. On a mesh with further axes, where
    several devices hold the same block, it reads the first of them.

    Args:
        x: (B, D), any array-like of real numbers.
        w1: (D, H).
        b1: (H,).
        w2: (H, O).
        b2: (O,).
        mesh: a mesh with an axis "model" of n devices, n dividing H; eight devices if None.

    Returns:
        A `Trace` of NumPy arrays.

    Raises:
        TypeError: an input is not an array of real numbers, or is being traced by JAX, or `mesh` is not a mesh.
        ValueError: as `tpmlp.forward`, or the mesh spans several processes, which cannot read each other's devices.
    """
    mesh = check_mesh(mesh)
    if mesh.is_multi_process:
        raise ValueError("trace reads every device, but this mesh spans several processes; give a mesh of one process")
    arrays = check_inputs(Inputs(x, w1, b1, w2, b2), mesh)
    if any(isinstance(array, Tracer) for array in arrays):
        raise TypeError("trace reads numbers from devices, which jit, grad and vmap do not have yet; call it outside")
    placed = place(arrays, mesh)
    program = _compiled(mesh, tuple(array.shape for array in placed))
    steps = jax.block_until_ready(program(*placed))
    devices = _devices_along_model(mesh)
    return Trace(
        x=_read(placed.x, devices[0]),
        devices=tuple(_device_trace(d, device, placed, steps) for d, device in enumerate(devices)),
        psum=_read(steps["psum"], devices[0]),
        b2=_read(placed.b2, devices[0]),
        out=_read(steps["out"], devices[0]),
        hidden=np.concatenate([_read(steps["hidden"], device) for device in devices], axis=1),
    )


@cache
def _compiled(mesh: Mesh, shapes: tuple[tuple[int, ...], ...]) -> jax.stages.Compiled:
    """The program for these shapes, compiled ahead of time and alone.

    `jax.jit` would keep what it traced and lowered for every shape as well: 1.5 MB each, which adds up where a slider
    goes through hundreds of shapes.
    """

    def every_step(x, w1, b1, w2, b2):
        steps = body(x, w1, b1, w2, b2)
        return steps | {"partial": steps["partial"][None]}

    results = {name: NamedSharding(mesh, spec) for name, spec in _TRACE_SPECS.items()}
    run = jax.jit(compile_on(mesh, every_step, _TRACE_SPECS), out_shardings=results)
    placed = zip(shapes, in_shardings(mesh), strict=True)
    return run.lower(*(jax.ShapeDtypeStruct(shape, np.float32, sharding=where) for shape, where in placed)).compile()


def _devices_along_model(mesh: Mesh) -> list[jax.Device]:
    first_of_other_axes = tuple(slice(None) if name == AXIS else 0 for name in mesh.axis_names)
    return list(mesh.devices[first_of_other_axes])


def _read(array: jax.Array, device: jax.Device) -> np.ndarray:
    """The shard of `array` that lies on `device`, copied to the host."""
    return np.array(next(shard.data for shard in array.addressable_shards if shard.device == device))


def _device_trace(index: int, device: jax.Device, placed: Inputs, steps: dict[str, jax.Array]) -> DeviceTrace:
    held = Inputs(*(_read(array, device) for array in placed))
    return DeviceTrace(
        index=index,
        device=f"{device.platform}:{device.id}",
        w1=held.w1,
        b1=held.b1,
        w2=held.w2,
        preactivation=_read(steps["preactivation"], device),
        hidden=_read(steps["hidden"], device),
        partial=_read(steps["partial"], device)[0],
        bytes=sum(block.nbytes for block in held),
    )
