"""`python -m tpmlp check`: a teacher grades files."""

import json
import subprocess
import sys

import pytest

from tpmlp.checker import command
from tpmlp.checker.loading import split_target

GOOD = """
import jax
import numpy as np
from helper import SPECS, OUT, mesh

def body(x, w1, b1, w2, b2):
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": jax.lax.psum(hidden @ w2, "model") + b2, "hidden": hidden}

sharded = jax.jit(jax.shard_map(body, mesh=mesh, in_specs=SPECS, out_specs=OUT))

def forward(*arrays):
    return sharded(*(np.asarray(array, np.float32) for array in arrays))

def returns_nothing(x, w1, b1, w2, b2):
    forward(x, w1, b1, w2, b2)
"""
HELPER = """
import jax
from jax.sharding import AxisType, PartitionSpec as P
mesh = jax.make_mesh((8,), ("model",), axis_types=(AxisType.Auto,))
SPECS = (P(), P(None, "model"), P("model"), P("model", None), P())
OUT = {"out": P(), "hidden": P(None, "model")}
"""
FILES = {
    "good.py": GOOD,
    "helper.py": HELPER,
    "syntax.py": "def forward(x:\n",
    "old.py": "from jax.experimental.maps import xmap\n",
    "raises.py": "raise RuntimeError('not finished')\n",
    "loop.py": "while True:\n    pass\n",
    "empty.py": "x = 1\ndef backward(): pass\nforward = None\n",
    "dies.py": "import os\ndef forward(x, w1, b1, w2, b2):\n    os._exit(9)\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_that_passes(folder, capsys):
    assert command.main(["good.py"]) == 0
    assert "good.py: passed" in capsys.readouterr().out


def test_one_that_does_not_as_json(folder, capsys):
    assert command.main(["good.py:returns_nothing", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [fault["code"] for fault in told["faults"]] == ["returns-nothing"]


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        ("syntax.py", "cannot-be-loaded", "line 1: def forward(x:"),
        ("old.py", "old-api-name", "line 1"),
        ("raises.py", "cannot-be-loaded", "RuntimeError: not finished"),
        ("loop.py", "runs-too-long", "loading it"),
        ("empty.py:sideways", "cannot-be-loaded", "it has backward"),
        ("empty.py", "not-callable", "NoneType"),
        ("missing.py", "cannot-be-loaded", "there is no file missing.py"),
        ("good.py:body2", "cannot-be-loaded", "body, forward, returns_nothing"),
    ],
)
def test_files_with_something_wrong(folder, target, code, words):
    report = command.check_file(target, 5 if target != "loop.py" else 0.3)
    assert report.faults == (code,)
    assert words in report.findings[0].detail


def test_a_class_is_graded_apart_and_the_process_ends_with_the_status(folder):
    command_line = [sys.executable, "-m", "tpmlp", "check", "good.py", "dies.py", "--seconds", "30"]
    done = subprocess.run(command_line, capture_output=True, text=True, timeout=200)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-3:] == ["good.py  passed", "dies.py  process-died", "1 of 2 passed"]


def test_usage_is_told():
    done = subprocess.run([sys.executable, "-m", "tpmlp", "check"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "FILE[:NAME]" in done.stderr


@pytest.mark.parametrize(
    ("target", "path", "name"),
    [
        ("a/b.py", "a/b.py", "forward"),
        ("b.py:mine", "b.py", "mine"),
        (r"C:\b.py", r"C:\b.py", "forward"),
        (r"C:\b.py:mine", r"C:\b.py", "mine"),
    ],
)
def test_targets(target, path, name):
    assert tuple(map(str, split_target(target))) == (path, name)
