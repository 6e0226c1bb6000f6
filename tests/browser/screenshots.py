"""`python -m tests.browser.screenshots [--to FOLDER] [NOTEBOOK...]`: pictures of the lessons in JupyterLab, to look at.

Each notebook is run once in each of three windows: 1280 pixels wide, the same in the dark theme, and 800 pixels wide.
"""

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from . import chromium
from .lab import COURSE, running_lab
from .lesson import DARK, LIGHT, Lesson

WINDOWS = ((1280, LIGHT), (1280, DARK), (800, LIGHT))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.screenshots", description=__doc__)
    parser.add_argument("notebook", nargs="*", help="such as 04_explore_shapes.ipynb; all lessons if none is given")
    parser.add_argument("--to", type=Path, default=COURSE / "screenshots", help="the folder (%(default)s)")
    arguments = parser.parse_args()
    names = arguments.notebook or sorted(path.name for path in (COURSE / "notebooks").glob("*.ipynb"))
    arguments.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, sync_playwright() as playwright:
        path = chromium.find(playwright)
        if path is None:
            raise SystemExit(f"No screenshots: {chromium.HOW_TO_INSTALL}.")
        browser = chromium.launch(playwright, path)
        for width, theme in WINDOWS:
            lab.choose_theme(theme)
            for name in names:
                _take(Lesson(browser, lab, name, width=width), arguments.to, _name(name, width, theme))


def _take(lesson: Lesson, folder: Path, name: str) -> None:
    try:
        lesson.run_all()
        parts = lesson.screenshots()
        for number, png in enumerate(parts, start=1):
            file = folder / (f"{name}.png" if len(parts) == 1 else f"{name}-{number}.png")
            file.write_bytes(png)
            print(file, flush=True)
        if faults := lesson.bad_outputs():
            print(f"{name}: the notebook has errors", *faults, sep="\n")
    finally:
        lesson.close()


def _name(notebook: str, width: int, theme: str) -> str:
    return f"{Path(notebook).stem}-{width}-{theme.split()[-1].lower()}"


if __name__ == "__main__":
    main()
