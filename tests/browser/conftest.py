"""One JupyterLab and one browser for all tests."""

import os

import pytest
from playwright.sync_api import sync_playwright

from . import chromium
from .lab import running_lab
from .lesson import LIGHT, Lesson


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            # Where nobody would read the line, tests that did not run must not look as if they had passed.
            (pytest.fail if os.environ.get("CI") else pytest.skip)(chromium.HOW_TO_INSTALL)
        yield chromium.launch(playwright, path)


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    with running_lab(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture
def open_lesson(browser, lab):
    """A function that opens a notebook, as `Lesson`; all are closed after the test."""
    opened = []

    def open_lesson(name: str, *, width: int = 1280, theme: str = LIGHT) -> Lesson:
        lab.choose_theme(theme)
        opened.append(Lesson(browser, lab, name, width=width))
        return opened[-1]

    yield open_lesson
    for lesson in opened:
        lesson.close()
