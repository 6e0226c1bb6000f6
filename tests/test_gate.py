"""The gate under test: a good notebook passes, and each way in which one can go wrong fails at the right place."""

import copy
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from gate import store

ROOT = Path(__file__).parents[1]
GOOD_CELLS = (
    "import tpmlp\nprint(tpmlp.EXAMPLES[0].out)",
    "from matplotlib.figure import Figure\n"
    "from tpmlp.plots.picture import Picture\n"
    "Picture(Figure(figsize=(1, 1)), 'psum 1.79')",
    "print('out 2.39')",
)
# What no stored output can make good. The last two pass in nbconvert and nbclient, which do not look at callbacks.
BAD_CELLS = {
    "stderr": "import sys\nprint('careful', file=sys.stderr)",
    "a warning": "import warnings\nwarnings.warn('careful')",
    "an exception": "1 / 0",
    "a raising observer": "import ipywidgets\n"
    "slider = ipywidgets.IntSlider()\n"
    "slider.observe(lambda change: 1 / 0, 'value')\n"
    "slider.value = 3",
    "a raising callback": "import ipywidgets\n"
    "button = ipywidgets.Button()\n"
    "button.on_click(lambda button: 1 / 0)\n"
    "button.click()",
}
KILLED = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"


def notebook(*sources: str) -> nbformat.NotebookNode:
    """A notebook that claims to have run and to have printed nothing."""
    cells = [nbformat.v4.new_code_cell(source, execution_count=n) for n, source in enumerate(sources, start=1)]
    return nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(store.METADATA))


class Project:
    """A folder with this project's own pytest options, and with the notebooks that a test puts there."""

    def __init__(self, folder: Path):
        self.folder = folder
        for name in ("conftest.py", "pyproject.toml"):
            shutil.copy(ROOT / name, folder)
        shutil.copytree(ROOT / "gate", folder / "gate", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "notebooks" / "solutions").mkdir(parents=True)

    def write(self, name: str, content: nbformat.NotebookNode) -> Path:
        path = self.folder / "notebooks" / f"{name}.ipynb"
        nbformat.write(content, path)
        return path

    def start_pytest(self, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, "-m", "pytest", *arguments]
        return subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def pytest(self, *arguments: str) -> tuple[int, str]:
        """pytest's exit status and all that it printed."""
        return finished(self.start_pytest(*arguments))


def finished(process: subprocess.Popen) -> tuple[int, str]:
    printed, _ = process.communicate(timeout=250)
    return process.returncode, printed


def failed(printed: str) -> set[str]:
    """The tests in pytest's summary that failed."""
    return set(re.findall(r"^(?:FAILED|ERROR) notebooks/(\w+\.ipynb::(?:Cell \d+|stored form))", printed, re.M))


@pytest.fixture(scope="module")
def dead_kernel(tmp_path_factory):
    """A run that waits for a kernel that killed itself, in the background while other tests run."""
    project = Project(tmp_path_factory.mktemp("dead"))
    project.write("killed", notebook("two = 1 + 1", KILLED, "four = 2 + two"))
    # A shorter limit than the project's, to wait less here; the test looks at the real one.
    return project.start_pytest("--nbval-cell-timeout=10", "notebooks/killed.ipynb")


@pytest.fixture(scope="module")
def project(tmp_path_factory, dead_kernel):
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def good(project):
    """The path of a notebook of three cells, as `make notebooks` stores it."""
    path = project.write("good", notebook(*GOOD_CELLS))
    assert store.main([str(path)]) == 0
    return path


def test_plain_pytest_passes_good_notebooks_and_solutions(project, good):
    shutil.copy(good, good.parent / "solutions")
    status, printed = project.pytest("-rp")
    assert status == 0, printed
    for name in ("notebooks/good.ipynb", "notebooks/solutions/good.ipynb"):
        for test in ("Cell 0", "Cell 1", "Cell 2", "stored form"):
            assert f"PASSED {name}::{test}" in printed


def test_what_was_changed_by_hand_fails(project, good):
    """The stored form of a notebook with a changed digit is good; only running it again can tell."""
    digit = nbformat.read(good, as_version=4)
    _, picture, printing = digit.cells
    picture.outputs[0].data["text/plain"] = "psum 1.78"
    printing.outputs[0].text = "out 2.38\n"
    project.write("digit", digit)

    stripped = nbformat.read(good, as_version=4)
    _, picture, printing = stripped.cells
    picture.outputs = []
    printing.execution_count, printing.outputs = None, []
    project.write("stripped", stripped)

    status, printed = project.pytest("notebooks/digit.ipynb", "notebooks/stripped.ipynb")
    assert status == 1
    assert failed(printed) == {
        "digit.ipynb::Cell 1",
        "digit.ipynb::Cell 2",
        "stripped.ipynb::Cell 1",
        "stripped.ipynb::stored form",
    }


def test_a_cell_that_misbehaves_fails(project):
    project.write("bad", notebook("two = 1 + 1", *BAD_CELLS.values()))
    status, printed = project.pytest("notebooks/bad.ipynb")
    assert status == 1
    assert failed(printed) == {f"bad.ipynb::Cell {number}" for number in range(1, 1 + len(BAD_CELLS))}


@pytest.mark.parametrize("name", ["stderr", "an exception", "a raising callback"])
def test_a_cell_that_misbehaves_is_not_stored(project, name, capsys):
    path = project.write("unstorable", notebook(BAD_CELLS[name]))
    before = path.read_bytes()
    assert store.main([str(path)]) == 1
    assert path.read_bytes() == before
    assert "unstorable.ipynb: not stored" in capsys.readouterr().out


def test_storing_twice_changes_nothing(good):
    before = good.read_bytes()
    assert store.main([str(good)]) == 0
    assert good.read_bytes() == before


def test_a_dead_kernel_fails_within_two_minutes(dead_kernel, pytestconfig):
    # nbval notices it when the limit of the cell is over, and starting and stopping take their time too.
    assert pytestconfig.option.nbval_cell_timeout <= 90
    status, printed = finished(dead_kernel)
    assert status == 1
    assert failed(printed) == {"killed.ipynb::Cell 1"}
    assert "2 passed" in printed  # the cell before and the stored form, but not the cell after
