"""Links between lessons, solutions and pages lead somewhere."""

import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted(ROOT.glob("notebooks/**/*.ipynb"))
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def links(path):
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    else:
        text = path.read_text(encoding="utf-8")
    return re.findall(r"\]\(([^)\s]+)\)", text)


@pytest.mark.parametrize("path", [*NOTEBOOKS, *ROOT.glob("*.md")], ids=lambda path: path.name)
def test_relative_links_lead_to_files(path):
    relative = [link.partition("#")[0] for link in links(path) if not link.startswith(("http", "#"))]
    assert [link for link in relative if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_every_lesson_leads_to_its_solutions_and_its_neighbours(path):
    assert f"solutions/{path.name}" in links(path)
    following = LESSONS[LESSONS.index(path) + 1 :]
    if following:
        assert following[0].name in links(path)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
def test_the_map_has_every_lesson(path):
    assert path.name in [*links(LESSONS[0]), LESSONS[0].name]
