"""One notebook in one page of the browser: run it, look at it, save it."""

import re

import nbformat
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect

from .lab import Lab

LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
READY_MS = 120_000
RUN_MS = 180_000
_MAX_PIXELS = 16_000  # of a picture that Chromium can take
_AROUND = 140  # pixels above and below the notebook, where JupyterLab has its menus and bars
_OUTPUT = ".jp-OutputArea-output"
_BAD_OUTPUTS = tuple(f'{_OUTPUT}[data-mime-type="application/vnd.jupyter.{kind}"]' for kind in ("stderr", "error"))
# After an error JupyterLab runs nothing more.
_ALL_RUN = """() => {
  if (document.querySelector('[data-mime-type="application/vnd.jupyter.error"]')) return true;
  const prompts = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")].map((p) => p.textContent);
  return prompts.length > 0 && prompts.every((prompt) => /\\d/.test(prompt));
}"""
_SCROLL = """(start) => { document.querySelector(".jp-WindowedPanel-outer").scrollTop = start; }"""
_LENGTH = """() => {
  const panel = document.querySelector(".jp-WindowedPanel-outer");
  return document.querySelector(".jp-WindowedPanel-inner")?.scrollHeight ?? panel.scrollHeight;
}"""
_ALL_LOADED = """() => [...document.querySelectorAll(".jp-OutputArea-output img")].every(
  (image) => image.hidden || (image.complete && image.naturalWidth > 1))"""


class Lesson:
    """A notebook that is open in JupyterLab.

    Args:
        browser: from `chromium.launch`.
        lab: a running JupyterLab.
        name: the notebook's path below `notebooks/`.
        width: of the window, in pixels.

    Attributes:
        page: Playwright's page.
        file: the copy of the notebook that JupyterLab saves to.
    """

    def __init__(self, browser: Browser, lab: Lab, name: str, *, width: int = 1280):
        self.file = lab.notebooks / name
        self._lab = lab
        self._context = browser.new_context(viewport={"width": width, "height": 1000})
        self.page: Page = self._context.new_page()
        self.page.goto(lab.page(name))
        self.page.locator(".jp-Notebook").wait_for(timeout=READY_MS)

    def close(self) -> None:
        """Close the page and end its kernel."""
        self._context.close()
        self._lab.shut_kernels_down()

    def choose_no_kernel(self) -> None:
        """Answer the question that JupyterLab asks when it has no kernel for the notebook's language."""
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button", name="No Kernel").click(timeout=READY_MS)
        expect(dialog).to_be_hidden()

    def run_all(self) -> None:
        """Clear what is stored, run every cell, and wait until the last is done and every picture is there."""
        self.page.get_by_text(re.compile(r"\| Idle$")).wait_for(timeout=READY_MS)
        self._menu("Edit", "Clear Outputs of All Cells")
        expect(self.outputs()).to_have_count(0)
        self._menu("Run", "Run All Cells")
        try:
            self.page.wait_for_function(_ALL_RUN, timeout=RUN_MS)
        except TimeoutError as error:
            prompts = " ".join(self.page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts())
            raise AssertionError(f"{self.file.name} was not run to its end: {prompts}") from error
        self.page.wait_for_function(_ALL_LOADED, timeout=READY_MS)

    def outputs(self) -> Locator:
        """Every output of every cell."""
        return self.page.locator(_OUTPUT)

    def bad_outputs(self) -> list[str]:
        """The text of every output that is an error or was written to stderr."""
        return [text for kind in _BAD_OUTPUTS for text in self.page.locator(kind).all_inner_texts()]

    def pictures(self) -> Locator:
        """Every picture that is an output of its own; those of the explorers are not among them."""
        return self.page.locator(".jp-RenderedImage img")

    def explorers(self) -> Locator:
        """The explorers, in their order."""
        return self.page.locator(f"{_OUTPUT} .tpmlp-explorer")

    def save(self) -> nbformat.NotebookNode:
        """Save it as a reader does, and read what is in the file then."""
        before = self.file.stat().st_mtime_ns
        self._menu("File", re.compile("^Save Notebook(?! As)"))
        for _ in range(100):
            if self.file.stat().st_mtime_ns != before:
                return nbformat.read(self.file, as_version=4)
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{self.file.name} was not saved")

    def screenshots(self) -> list[bytes]:
        """The whole notebook from top to bottom, as one PNG or, where it is too long for one, as several."""
        size = self.page.viewport_size
        assert size is not None
        for _ in range(2):  # how long it is JupyterLab knows only when all of it is in sight
            length = self.page.evaluate(_LENGTH)
            self.page.set_viewport_size({"width": size["width"], "height": min(length + _AROUND, _MAX_PIXELS)})
            self.page.wait_for_timeout(500)
        self.page.wait_for_function(_ALL_LOADED, timeout=READY_MS)
        parts = [self._scrolled_to(start) for start in range(0, length, _MAX_PIXELS - _AROUND)]
        self.page.set_viewport_size(size)
        return parts

    def _scrolled_to(self, start: int) -> bytes:
        self.page.evaluate(_SCROLL, start)
        self.page.wait_for_timeout(500)
        return self.page.screenshot()

    def _menu(self, menu: str, item: str | re.Pattern) -> None:
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=item, exact=True).click()
