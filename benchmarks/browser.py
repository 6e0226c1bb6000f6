"""What a reader waits for in JupyterLab: from the press of a key to the new picture."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.explorer import Explorer
from tests.browser.lab import running_lab
from tests.browser.lesson import Lesson

from .measure import Limit

PRESSES = 20
# Both ends are taken by the page itself: the key that arrives at the slider, and the new picture, decoded.
_CLOCK = """(root) => {
  window.waits = [];
  let pressed = 0;
  root.querySelector('input[aria-label="seed"]').addEventListener("keydown", () => { pressed = performance.now(); });
  root.querySelector("img").addEventListener("load", () => window.waits.push(performance.now() - pressed));
}"""


def benchmarks() -> Iterator[Limit]:
    yield Limit("key press to new picture in JupyterLab, shape seen", "s", 0.5, _seconds_from_key_to_picture)


def _seconds_from_key_to_picture() -> float:
    """The median over `PRESSES`."""
    with tempfile.TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            raise SystemExit(f"The benchmark `browser` needs a browser, but {chromium.HOW_TO_INSTALL}.")
        lesson = Lesson(chromium.launch(playwright, path), lab, "04_explore_shapes.ipynb")
        lesson.run_all()
        shapes = Explorer(lesson.explorers().first)
        shapes.root.evaluate(_CLOCK)
        for number in range(PRESSES):
            shapes.press("slider", "seed", "ArrowLeft" if number % 2 else "ArrowRight")
            lesson.page.wait_for_function("(count) => window.waits.length === count", arg=number + 1)
        waits = lesson.page.evaluate("window.waits")
        lesson.close()
    return median(waits) / 1000
