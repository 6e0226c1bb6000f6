"""Every lesson, as a reader meets it: opened in JupyterLab and run from top to bottom."""

import nbformat
import pytest

from .axe import violations
from .lab import COURSE

LESSONS = sorted(path.name for path in (COURSE / "notebooks").glob("*.ipynb"))


def test_there_are_lessons():
    assert LESSONS


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_and_shows_everything(open_lesson, name):
    stored = _outputs(nbformat.read(COURSE / "notebooks" / name, as_version=4))
    lesson = open_lesson(name)
    lesson.run_all()
    assert lesson.bad_outputs() == []
    assert lesson.pictures().count() == sum("image/png" in output for output in stored)
    assert lesson.explorers().count() == sum("The explorer of" in output.get("text/plain", "") for output in stored)
    assert violations(lesson.page) == []


def _outputs(notebook: nbformat.NotebookNode) -> list[dict]:
    """What each output of each cell holds, by MIME type."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [output.get("data", {}) for cell in code for output in cell.outputs]
