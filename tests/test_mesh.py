"""Eight devices exist, whoever asked for others and whenever tpmlp was imported, and calls that pile up never hang."""

import os

import jax
import numpy as np
import pytest
from jax.sharding import AxisType, Mesh
from support import run_python

import tpmlp


def test_the_axis_is_called_model():
    assert tpmlp.AXIS == "model"


def test_default_mesh_is_one_auto_axis_over_eight_devices():
    mesh = tpmlp.make_mesh()
    assert isinstance(mesh, Mesh)
    assert mesh.axis_names == ("model",)
    assert mesh.axis_types == (AxisType.Auto,)
    assert mesh.devices.shape == (8,)
    assert len(set(mesh.devices.flat)) == 8


@pytest.mark.parametrize("count", [1, 2, 4, 8, np.int64(4)])
def test_smaller_meshes_take_the_first_devices(count):
    assert list(tpmlp.make_mesh(count).devices) == list(tpmlp.make_mesh().devices)[:count]


def test_a_count_that_is_no_whole_number_is_refused():
    # In a process of its own, because here the annotations are enforced and refuse it first.
    program = """
import tpmlp
for count in (2.0, True, "8", None, [8]):
    try:
        tpmlp.make_mesh(count)
    except TypeError as error:
        print(error)
"""
    given = ("2.0", "True", "'8'", "None", "[8]")
    expected = [f"num_devices={count} is not a whole number; use 1, 2, 4 or 8" for count in given]
    assert run_python(program).splitlines() == expected


@pytest.mark.parametrize("count", [0, -1])
def test_a_count_below_one_is_refused(count):
    with pytest.raises(ValueError, match=f"num_devices={count} is too few: a mesh needs at least one device"):
        tpmlp.make_mesh(count)


def test_too_many_devices_says_how_to_get_more():
    have = len(jax.devices())
    message = (
        rf"make_mesh\(1000\) needs 1000 devices, but JAX has {have} \w+ devices. Use make_mesh\({have}\) or fewer; .*"
        r'`jax.config.update\("jax_num_cpu_devices", 1000\)` before `import tpmlp`'
    )
    with pytest.raises(RuntimeError, match=message):
        tpmlp.make_mesh(1000)


def test_one_gpu_gives_way_to_eight_cpu_devices(monkeypatch):
    cpu_devices = jax.devices("cpu")
    one_device = cpu_devices[-1:]
    monkeypatch.setattr(jax, "devices", lambda platform=None: cpu_devices if platform == "cpu" else one_device)
    assert list(tpmlp.make_mesh().devices) == cpu_devices[:8]


COUNT = """
import tpmlp, jax
print(len(jax.devices()), tpmlp.make_mesh({count}).size, tpmlp.mesh.MUST_WAIT)
tpmlp.forward(**tpmlp.EXAMPLES[0].inputs)
"""


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"XLA_FLAGS": "--xla_force_host_platform_device_count=2"}, 8),
        ({"XLA_FLAGS": "--xla_force_host_platform_device_count=16"}, 16),
        ({"JAX_NUM_CPU_DEVICES": "2", "NPROC": "1"}, 8),
        ({"JAX_NUM_CPU_DEVICES": "16", "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}, 16),
    ],
)
def test_the_environment_may_ask_for_more_devices_but_not_for_fewer(variables, expected):
    output = run_python(COUNT.format(count=expected), **variables)
    assert output == f"{expected} {expected} False\n"


def test_a_late_import_says_to_restart_the_kernel():
    program = """
import jax
jax.numpy.ones(3)
import tpmlp
for call in (tpmlp.make_mesh, lambda: tpmlp.forward(**tpmlp.EXAMPLES[0].inputs)):
    try:
        call()
    except RuntimeError as error:
        print(error)
print(tpmlp.forward(**tpmlp.EXAMPLES[0].inputs, mesh=tpmlp.make_mesh(1))["out"])
"""
    *errors, out = run_python(program).splitlines()
    message = (
        "make_mesh(8) needs 8 devices, but JAX has 1 CPU device: it was already running when tpmlp was imported, and "
        "the number of devices cannot change after that. Restart the kernel and run `import tpmlp` first, before "
        "anything that uses JAX."
    )
    assert errors == [message, message]
    assert out.startswith("[[2.39") or out.startswith("[[2.3899")


# One core, placed inputs, no call waited for. What XLA makes of a hang is an abort after 40 seconds.
PILE_UP = """
import os
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
{before}
import numpy as np, tpmlp
mesh = tpmlp.make_mesh({devices})
draw = np.random.default_rng(0)
inputs = [draw.integers(-3, 4, s) for s in [(2, 3), (3, 32), (32,), (32, 2), (2,)]]
placed = tpmlp.shard_inputs(*inputs, mesh=mesh)
for _ in range({calls}):
    result = tpmlp.forward(*placed, mesh=mesh)
expected = tpmlp.reference(*inputs)
assert np.array_equal(result["out"], expected["out"])
assert np.array_equal(result["hidden"], expected["hidden"])
print("right", tpmlp.mesh.MUST_WAIT)
"""
RUNNING_BY_FLAGS = "import jax; assert len(jax.devices()) == 8"
RUNNING_BY_CONFIG = "import jax; jax.config.update('jax_num_cpu_devices', 8); jax.devices()"
FLAGS = {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}

needs_affinity = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux can choose the core")


@needs_affinity
def test_five_thousand_calls_on_one_core_without_waiting():
    assert run_python(PILE_UP.format(before="", devices=8, calls=5000), NPROC="1") == "right False\n"


@needs_affinity
def test_sixteen_devices_on_one_core_without_waiting():
    before = "import jax; jax.config.update('jax_num_cpu_devices', 16)"
    assert run_python(PILE_UP.format(before=before, devices=16, calls=500)) == "right False\n"


@needs_affinity
@pytest.mark.parametrize(("before", "variables"), [(RUNNING_BY_FLAGS, FLAGS), (RUNNING_BY_CONFIG, {})])
def test_a_late_import_waits_for_every_call(before, variables):
    output = run_python(PILE_UP.format(before=before, devices=8, calls=500), **variables)
    assert output == "right True\n"


def test_import_brings_in_nothing_heavy():
    program = """
import sys, tpmlp
heavy = {"matplotlib", "ipywidgets", "IPython", "sklearn", "pandas", "scipy.optimize", "optax"}
print(sorted(heavy & set(sys.modules)))
"""
    assert run_python(program) == "[]\n"


def test_public_names_resolve():
    names = "AXIS make_mesh forward shard_inputs reference trace EXAMPLES compiled_facts check MISTAKES"
    for name in [*names.split(), "plots", "explore", "cost"]:
        assert getattr(tpmlp, name) is not None
        assert name in dir(tpmlp)


def test_other_names_do_not_resolve():
    with pytest.raises(AttributeError, match="module 'tpmlp' has no attribute 'nothing'"):
        _ = tpmlp.nothing


def test_forward_is_the_function_and_no_module():
    assert callable(tpmlp.forward)
    assert callable(tpmlp.trace)
