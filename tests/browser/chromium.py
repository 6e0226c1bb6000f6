"""Find a Chromium or Chrome that is installed, and start it."""

import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

HOW_TO_INSTALL = (
    "no Chromium or Chrome is installed: `apt-get install chromium`, `brew install --cask chromium`, "
    "or `python -m playwright install chromium`"
)
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# No sandbox, because in a container there is none to be had; and nothing that reaches out into the internet.
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find(playwright: Playwright) -> str | None:
    """The path of an installed browser: the system's, or the one that Playwright has downloaded."""
    candidates = (*map(shutil.which, _COMMANDS), *_MAC, playwright.chromium.executable_path)
    return next((path for path in candidates if path and Path(path).exists()), None)


def launch(playwright: Playwright, path: str) -> Browser:
    """Start the browser at `path`, without a window."""
    return playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
