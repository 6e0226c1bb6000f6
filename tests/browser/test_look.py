"""How the explorers look and sound elsewhere: other windows and themes, after a mistake, and without a kernel."""

import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import expect

from .axe import violations
from .explorer import WAIT_MS, Explorer
from .lab import COURSE
from .lesson import DARK, LIGHT

LESSON = "04_explore_shapes.ipynb"

# Which of the controls and texts of an explorer lie over one another, or reach out of the output to the right.
_MISPLACED = """(root) => {
  const page = root.closest(".jp-OutputArea-output").getBoundingClientRect();
  const parts = [...root.querySelectorAll("label, button, .tpmlp-sentence, .tpmlp-frame, details")].filter(
    (part) => part.offsetParent);
  const boxes = parts.map((part) => [part.textContent.trim().slice(0, 30), part.getBoundingClientRect()]);
  const out = boxes.filter(([, box]) => box.right > page.right + 1 || box.left < page.left - 1 || !box.width);
  const over = boxes.filter(([, a], i) => boxes.some(([, b], j) => j < i &&
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1));
  return [...out, ...over].map(([name]) => name);
}"""

FAILING = """
import matplotlib.figure
from tpmlp.explore.controls import Slider
from tpmlp.explore.shell import Explorer, Shown
from tpmlp.plots import Picture

def show(size):
    if size == 3:
        raise ValueError("three is too much")
    return Shown(Picture(matplotlib.figure.Figure(figsize=(2, 2)), f"size {size}"), f"The size is {size}.")

Explorer("mistakes", {"size": Slider(description="size", min=1, max=4, value=2)}, show)
"""


@pytest.fixture
def open_code(lab, open_lesson):
    """A function that runs a notebook of one cell."""

    def open_code(source: str):
        notebook = new_notebook(cells=[new_code_cell(source.strip())])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
        nbformat.write(notebook, lab.notebooks / "one_cell.ipynb")
        lesson = open_lesson("one_cell.ipynb")
        lesson.run_all()
        return lesson

    return open_code


@pytest.fixture
def open_without_kernel(lab, open_lesson):
    """A function that opens a notebook as somebody does who has no kernel for it."""

    def open_without_kernel(notebook: nbformat.NotebookNode):
        notebook.metadata.kernelspec = {"name": "not-here", "display_name": "Not here"}
        notebook.metadata.language_info = {"name": "not-here"}
        nbformat.write(notebook, lab.notebooks / "without_kernel.ipynb")
        lesson = open_lesson("without_kernel.ipynb")
        lesson.choose_no_kernel()
        return lesson

    return open_without_kernel


@pytest.mark.parametrize(("width", "theme"), [(1280, DARK), (800, LIGHT), (800, DARK)])
def test_in_other_windows_and_themes(open_lesson, width, theme):
    lesson = open_lesson(LESSON, width=width, theme=theme)
    lesson.run_all()
    assert lesson.bad_outputs() == []
    assert lesson.explorers().count() == 4
    for root in lesson.explorers().all():
        assert root.evaluate(_MISPLACED) == []
        expect(root.locator("img")).to_be_visible()
    assert violations(lesson.page) == []


def test_what_axe_is_here_for_is_found(open_code):
    """The slider of ipywidgets, which the explorers do not use for this reason."""
    lesson = open_code('import ipywidgets\nipywidgets.IntSlider(description="a name for the eye only")')
    assert any("aria-input-field-name" in line for line in violations(lesson.page))


def test_a_mistake_is_shown_in_the_explorer_and_goes_away_again(open_code):
    lesson = open_code(FAILING)
    explorer = Explorer(lesson.explorers().first)
    explorer.press("slider", "size", "ArrowRight")
    alert = explorer.root.get_by_role("alert")
    expect(alert).to_have_text("This did not work. ValueError: three is too much", timeout=WAIT_MS)
    expect(explorer.image).to_be_hidden()  # it would be of another state
    assert violations(lesson.page) == []
    explorer.press("slider", "size", "ArrowLeft")
    expect(explorer.root.get_by_role("status")).to_have_text("The size is 2.", timeout=WAIT_MS)
    expect(explorer.image).to_be_visible()


def test_without_a_kernel_the_static_pictures_are_there(open_lesson, open_without_kernel):
    lesson = open_lesson(LESSON)
    lesson.run_all()
    pictures = lesson.pictures().count()
    saved = lesson.save()
    assert "widgets" not in saved.metadata
    lesson.close()

    reopened = open_without_kernel(saved)
    expect(reopened.pictures()).to_have_count(pictures)
    assert all(
        image.evaluate("(image) => image.complete && image.naturalWidth > 1") for image in reopened.pictures().all()
    )


def test_as_stored_and_without_a_kernel_an_explorer_says_what_to_do(open_without_kernel):
    stored = nbformat.read(COURSE / "notebooks" / LESSON, as_version=4)
    lesson = open_without_kernel(stored)
    expect(lesson.outputs().get_by_text(re.compile("Run this cell to use it"))).to_have_count(4)
