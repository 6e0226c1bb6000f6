"""`python -m tpmlp`: can this machine run the course? `python -m tpmlp check FILE`: grade a forward in a file.

Where Slurm or Open MPI starts it as several processes (`srun -n 2 python -m tpmlp`), they run the course's examples
together, over one mesh, and each reports on its own devices.
"""

import os
import platform
import subprocess
import sys

import jax
import numpy as np

import tpmlp

TOLERANCE = 1e-6

# The launchers whose processes JAX can join by itself, and where they say how many they have started.
_COUNTS = {"Slurm": "SLURM_STEP_NUM_TASKS", "Open MPI": "OMPI_COMM_WORLD_SIZE"}
_JOIN_SECONDS = 60
_IN_CHILD = "TPMLP_SELF_CHECK"


def main() -> int:
    """Print versions, devices and the three examples; 0 if the course can run here, else 1 and why."""
    launcher = _launcher_of_several()
    if launcher and _IN_CHILD not in os.environ:
        return _check_in_child(launcher)
    print(f"Python {platform.python_version()}, jax {jax.__version__}, NumPy {np.__version__}")
    try:
        if launcher:
            print(f"{launcher} has started {os.environ[_COUNTS[launcher]]} processes; joining them", flush=True)
            jax.distributed.initialize(initialization_timeout=_JOIN_SECONDS)
        who = f"Process {jax.process_index()} of {jax.process_count()}" if launcher else "This machine"
        print(f"{who}: devices {', '.join(f'{device.platform}:{device.id}' for device in _own_devices())}")
        errors = [_worst_error(example) for example in tpmlp.EXAMPLES]
    except Exception as error:  # whatever it is, it is the reason why the course cannot run
        return _refuse(f"{type(error).__name__}: {error}", launcher)
    for number, error in enumerate(errors, start=1):
        print(f"example {number}: {'pass' if error <= TOLERANCE else 'FAIL'} (largest error {error:.1e})")
    if not all(error <= TOLERANCE for error in errors):
        return _refuse(f"an example is off by more than {TOLERANCE:.0e}.", launcher)
    print(f"{who} can run the course.")
    return 0


def _refuse(reason: str, launcher: str | None) -> int:
    print(f"This machine cannot run the course: {reason}")
    if launcher:
        print(f"To check it alone, without the other processes, set {_COUNTS[launcher]}=1.")
    return 1


def _launcher_of_several() -> str | None:
    """Who has started this process together with others, if anybody has."""
    for launcher, variable in _COUNTS.items():
        count = os.environ.get(variable, "")
        if count.isdigit() and int(count) > 1:
            return launcher
    return None


def _check_in_child(launcher: str) -> int:
    """Run the check in a process of its own, because JAX aborts the process if the others do not come."""
    command = [sys.executable, "-m", "tpmlp"]
    code = subprocess.run(command, env=os.environ | {_IN_CHILD: "1"}, check=False).returncode
    if code in (0, 1):
        return code
    return _refuse(f"not all processes of {launcher} came within {_JOIN_SECONDS} s, or one of them died.", launcher)


def _own_devices() -> list[jax.Device]:
    """This process's devices in the course's mesh, at least one."""
    mesh = tpmlp.make_mesh()
    if not mesh.local_devices:
        raise RuntimeError(
            f"none of the {mesh.size} devices is left for this process: {mesh.size} cannot be dealt out evenly to "
            f"{jax.process_count()} processes; start 1, 2, 4 or 8"
        )
    return mesh.local_devices


def _worst_error(example: tpmlp.Example) -> float:
    """The largest distance of any entry of `out` and `hidden`, on any device here, from the specification's."""
    result = tpmlp.forward(**example.inputs)
    expected = {"out": np.asarray(example.out), "hidden": np.asarray(example.hidden)}
    errors = [
        np.abs(np.asarray(shard.data) - expected[name][shard.index]).max()
        for name in expected
        for shard in result[name].addressable_shards
    ]
    return float(np.max(errors))  # a NaN anywhere is the largest, other than for Python's max


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        from tpmlp.checker.command import run_and_exit

        run_and_exit(sys.argv[2:])
    sys.exit(main())
