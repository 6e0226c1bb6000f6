"""Eight devices and one mesh over them.

Importing this file asks JAX for eight virtual CPU devices, which works as long as JAX has not run anything yet.
A machine whose default backend already has eight devices (TPUs, GPUs) uses those instead.
"""

import os
import re

import jax
import numpy as np
from jax.sharding import AxisType, Mesh

AXIS = "model"
NUM_DEVICES = 8


def _request_devices() -> bool:
    """Ask for eight CPU devices and enough threads for them; False if JAX was already running."""
    asked = max(jax.config.jax_num_cpu_devices, _count_in_xla_flags())  # pyright: ignore[reportAttributeAccessIssue]
    # With jax.distributed, whoever starts the processes may give each of them fewer than eight.
    wanted = asked if jax.distributed.is_initialized() and asked > 0 else max(asked, NUM_DEVICES)
    try:
        # A running JAX refuses every number but the one it has, so ask for another one first.
        jax.config.update("jax_num_cpu_devices", wanted + 1)
        jax.config.update("jax_num_cpu_devices", wanted)
    except RuntimeError:  # "should be updated before backends are initialized"
        return False
    _request_threads(2 * max(wanted, NUM_DEVICES))
    return True


def _count_in_xla_flags() -> int:
    """The other way to ask for CPU devices, which JAX ignores when it is asked the first way."""
    flag = re.search(r"--xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
    return int(flag[1]) if flag else 0


def _request_threads(count: int) -> None:
    # XLA's CPU backend gives every device of a collective a thread of its own, from a pool sized by $NPROC or, without
    # it, by the number of cores. On a machine with few cores the waiting all-reduces of several un-awaited calls occupy
    # the whole pool, none of them can finish, and after 40 seconds XLA aborts the process. Two for each device are
    # enough.
    threads = os.environ.get("NPROC", "")
    if not threads.isdigit() or int(threads) < count:
        os.environ["NPROC"] = str(count)


_before_jax_started = _request_devices()

# When JAX was running before us its thread pool may be too small for calls that pile up. Then `forward` waits for
# each call instead: slower, but it cannot hang.
MUST_WAIT = not _before_jax_started


def make_mesh(num_devices: int | np.integer = NUM_DEVICES) -> Mesh:
    """Build the one-axis mesh over which the MLP is split.

    Args:
        num_devices: how many devices, 1 or more. The course uses 8, and 1, 2 and 4 to compare.

    Returns:
        A `jax.sharding.Mesh` with the single axis "model" of type `AxisType.Auto`, so that `jax.shard_map` accepts
        plain inputs. Its devices are those of the default backend if that has eight, else CPU devices.

    Raises:
        TypeError: `num_devices` is not a whole number.
        ValueError: it is below 1.
        RuntimeError: there are fewer devices; the message says why and what to do.
    """
    if isinstance(num_devices, bool) or not isinstance(num_devices, (int, np.integer)):
        raise TypeError(f"num_devices={num_devices!r} is not a whole number; use 1, 2, 4 or {NUM_DEVICES}")
    if num_devices < 1:
        raise ValueError(f"num_devices={num_devices} is too few: a mesh needs at least one device")
    devices = _pick(int(num_devices))
    return jax.make_mesh((len(devices),), (AXIS,), axis_types=(AxisType.Auto,), devices=devices)


def _pick(count: int) -> list[jax.Device]:
    """`count` devices of the default backend or of the CPU, the same number from every process."""
    devices = jax.devices()
    if len(devices) < NUM_DEVICES:  # say, one GPU: then every mesh of the course is of CPU devices
        devices = jax.devices("cpu")
    if len(devices) < count:
        raise RuntimeError(_too_few(count, devices))
    return _evenly(devices, count)


def _evenly(devices: list[jax.Device], count: int) -> list[jax.Device]:
    """The first devices of each process, so that with several processes every one takes part."""
    per_process = count // jax.process_count()
    if per_process * jax.process_count() != count:
        return devices[:count]
    taken = [[d for d in devices if d.process_index == p][:per_process] for p in range(jax.process_count())]
    even = [d for part in taken for d in part]
    return even if len(even) == count else devices[:count]


def _too_few(count: int, devices: list[jax.Device]) -> str:
    have = len(devices)
    found = f"{have} {devices[0].platform.upper()} device{'s' if have != 1 else ''}"
    if have < NUM_DEVICES and not _before_jax_started:
        return (
            f"make_mesh({count}) needs {count} devices, but JAX has {found}: it was already running when tpmlp was "
            "imported, and the number of devices cannot change after that. Restart the kernel and run "
            "`import tpmlp` first, before anything that uses JAX."
        )
    return (
        f"make_mesh({count}) needs {count} devices, but JAX has {found}. Use make_mesh({have}) or fewer; for more, "
        f'restart the kernel and run `jax.config.update("jax_num_cpu_devices", {count})` before `import tpmlp`.'
    )
