"""A JupyterLab started as `make lab` does, on a copy of the notebooks: nothing done in it changes the course."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

COURSE = Path(__file__).parents[2]
_START_SECONDS = 60
# Neither a reader's settings nor their last workspace may decide what the tests see.
_FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
_LAB_FOLDERS = ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR")


class Lab(NamedTuple):
    """A running JupyterLab: where it is, and where the copy of the notebooks lies."""

    url: str
    token: str
    notebooks: Path

    def page(self, notebook: str) -> str:
        """The address of one notebook, in a workspace where nothing else is open."""
        return f"{self.url}lab/tree/{notebook}?reset&token={self.token}"

    def choose_theme(self, theme: str) -> None:
        """From the next page on."""
        self._set("themes", {"theme": theme})

    def ask_nothing(self) -> None:
        """Keep JupyterLab from asking whether it may fetch news."""
        self._set("notification", {"fetchNews": "false"})

    def answers(self) -> bool:
        """Whether the server can be reached yet."""
        try:
            self._call("GET", "api/status")
        except urllib.error.URLError:
            return False
        return True

    def shut_kernels_down(self) -> None:
        """End every kernel, as nobody ends them when a page is closed."""
        for session in self._call("GET", "api/sessions"):
            self._call("DELETE", f"api/sessions/{session['id']}")

    def _set(self, setting: str, value: dict) -> None:
        self._call("PUT", f"lab/api/settings/@jupyterlab/apputils-extension:{setting}", {"raw": json.dumps(value)})

    def _call(self, method: str, path: str, data: dict | None = None):
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if data is None else json.dumps(data).encode(),
            headers={"Authorization": f"token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or "null")


@contextmanager
def running_lab(folder: Path):
    """Start JupyterLab with everything it writes in `folder`, and end it."""
    notebooks = folder / "notebooks"
    shutil.copytree(COURSE / "notebooks", notebooks, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    environment = os.environ | {name: str(folder / name) for name in (*_FOLDERS, *_LAB_FOLDERS)}
    command = [sys.executable, "-m", "jupyterlab", "notebooks/00_start_here.ipynb", "--no-browser", "--port=0"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # as in a container
        command.append("--allow-root")
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            info = _wait_for_server(server, folder)
            lab = Lab(info["url"], info["token"], notebooks)
            _wait_for_answers(lab)
            lab.ask_nothing()
            yield lab
            lab.shut_kernels_down()
        finally:
            _stop(server)


def _stop(server: subprocess.Popen) -> None:
    server.terminate()
    try:
        server.wait(timeout=30)
    except subprocess.TimeoutExpired:  # a busy machine; the kernels end themselves when their server is gone
        server.kill()
        server.wait()


def _wait_for_server(server: subprocess.Popen, folder: Path) -> dict:
    """What the server writes down about itself when it starts."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        for file in (folder / "JUPYTER_RUNTIME_DIR").glob("jpserver-*.json"):
            return json.loads(file.read_text())
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{(folder / 'server.log').read_text()[-3000:]}")


def _wait_for_answers(lab: Lab) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while not lab.answers():
        if time.monotonic() > deadline:
            raise RuntimeError("JupyterLab started and does not answer")
        time.sleep(0.2)
