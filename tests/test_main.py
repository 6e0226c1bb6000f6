"""`python -m tpmlp` says whether this machine can run the course, alone or among several processes."""

import re

import jax
import numpy as np
import pytest
from support import run_python, start_python
from test_distributed import free_port

import tpmlp
from tpmlp import __main__ as self_check


def run(**variables):
    """Exit status and output of the self-check in a process of its own."""
    with start_python("", "-m", "tpmlp", **variables) as process:
        output = process.communicate(timeout=120)[0]
    return process.returncode, output


def test_a_machine_that_can():
    code, output = run()
    versions, devices, *examples, verdict = output.splitlines()
    assert code == 0, output
    assert re.fullmatch(rf"Python 3\.\d+\.\d+\S*, jax {re.escape(jax.__version__)}, NumPy {np.__version__}", versions)
    assert devices == "This machine: devices " + ", ".join(f"cpu:{d}" for d in range(8))
    assert [re.sub(r"\d\.\de-\d\d", "…", line) for line in examples] == [
        f"example {number}: pass (largest error …)" for number in (1, 2, 3)
    ]
    assert verdict == "This machine can run the course."


def test_it_can_be_asked_from_python(capsys):
    assert self_check.main() == 0
    assert capsys.readouterr().out.endswith("This machine can run the course.\n")


@pytest.mark.parametrize(
    "variables",
    [
        {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_PROCID": "0", "SLURM_LOCALID": "0"},  # a batch script
        {"SLURM_STEP_NUM_TASKS": "1", "OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"},
    ],
)
def test_one_process_of_a_cluster_checks_its_machine(variables):
    code, output = run(**variables)
    assert code == 0, output
    assert output.endswith("This machine can run the course.\n")


def test_too_few_devices(monkeypatch, capsys):
    have = jax.devices()[:4]
    monkeypatch.setattr(jax, "devices", lambda platform=None: have)
    assert self_check.main() == 1
    verdict = capsys.readouterr().out.splitlines()[-1]
    assert re.match(r"This machine cannot run the course: RuntimeError: make_mesh\(8\) needs 8 devices, but", verdict)


def test_a_late_start_of_jax_is_a_reason():
    program = """
import jax
jax.numpy.ones(1)
from tpmlp.__main__ import main
print(main())
"""
    *_, reason, code = run_python(program).splitlines()
    assert code == "1"
    assert reason.startswith("This machine cannot run the course: RuntimeError: make_mesh(8) needs 8 devices, but JAX")
    assert "Restart the kernel" in reason


@pytest.mark.parametrize("wrong", [2e-6, np.nan])
@pytest.mark.parametrize("name", ["out", "hidden"])
def test_a_wrong_result(monkeypatch, capsys, name, wrong):
    forward = tpmlp.forward

    def wrong_forward(**inputs):
        result = forward(**inputs)
        return result | {name: result[name] + np.float32(wrong)}

    monkeypatch.setattr(tpmlp, "forward", wrong_forward)
    assert self_check.main() == 1
    *_, third, verdict = capsys.readouterr().out.splitlines()
    assert third.startswith("example 3: FAIL (largest error ")
    assert verdict == "This machine cannot run the course: an example is off by more than 1e-06."


# --- under a launcher ----------------------------------------------------------------------------------------------


def slurm(index, count, port):
    """What `srun` sets; JAX makes its port of the job's number."""
    job = str(int(port) % 4096)
    return {
        "SLURM_JOB_ID": job,
        "SLURM_STEP_NODELIST": "localhost",
        "SLURM_NTASKS": str(count),
        "SLURM_STEP_NUM_TASKS": str(count),
        "SLURM_PROCID": str(index),
        "SLURM_LOCALID": str(index),
    }


def open_mpi(index, count, port):
    """What `mpirun` sets; JAX makes its port of the job's number."""
    return {
        "OMPI_MCA_orte_hnp_uri": f"{int(port) % 4096 * 4096}.0;tcp://127.0.0.1:34911",
        "OMPI_COMM_WORLD_SIZE": str(count),
        "OMPI_COMM_WORLD_RANK": str(index),
        "OMPI_COMM_WORLD_LOCAL_RANK": str(index),
    }


def launch(launcher, count):
    """Exit status and output of each of several self-checks that are started together."""
    port = free_port()
    processes = [start_python("", "-m", "tpmlp", **launcher(index, count, port)) for index in range(count)]
    outputs = [process.communicate(timeout=150)[0] for process in processes]
    return [(process.returncode, output) for process, output in zip(processes, outputs, strict=True)]


def test_two_processes_check_the_course_together():
    for index, (code, output) in enumerate(launch(slurm, 2)):
        assert code == 0, output
        devices = re.search(rf"Process {index} of 2: devices (.*)", output)
        assert devices, output
        assert len(devices[1].split(", ")) == 4
        assert output.count(": pass (largest error ") == 3
        assert f"Process {index} of 2 can run the course." in output


def test_a_process_that_gets_no_devices_says_so():
    first, *others = launch(open_mpi, 3)
    assert first[0] == 0, first[1]
    for code, output in others:
        assert code == 1, output
        assert "8 cannot be dealt out evenly to 3 processes; start 1, 2, 4 or 8" in output
        assert "To check it alone, without the other processes, set OMPI_COMM_WORLD_SIZE=1." in output


def test_processes_that_jax_cannot_join():
    code, output = run(OMPI_COMM_WORLD_SIZE="2")  # Open MPI 5 no longer says how to reach the others
    assert code == 1
    assert "This machine cannot run the course: ValueError: coordinator_address should be defined" in output
    assert output.endswith("To check it alone, without the other processes, set OMPI_COMM_WORLD_SIZE=1.\n")


def test_processes_that_never_come():
    # JAX aborts the child process after the time to wait, which is a minute; here the parent's words alone count.
    program = """
import subprocess
from types import SimpleNamespace
from tpmlp import __main__ as self_check
subprocess.run = lambda *_, **__: SimpleNamespace(returncode=-6)
print(self_check.main())
"""
    assert run_python(program, SLURM_STEP_NUM_TASKS="2").splitlines() == [
        "This machine cannot run the course: not all processes of Slurm came within 60 s, or one of them died.",
        "To check it alone, without the other processes, set SLURM_STEP_NUM_TASKS=1.",
        "1",
    ]
