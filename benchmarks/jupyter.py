"""A JupyterLab server of our own, whose kernels run notebooks cell by cell, as a browser would ask it to."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import nbformat
import psutil
import requests
import websocket

START_SECONDS = 60
CELL_SECONDS = 120
SAMPLE_SECONDS = 0.1
CORES = [0, 1]


class Server:
    """JupyterLab on two cores, serving `root`; use it in a `with`."""

    def __init__(self, root: Path):
        self._root = root

    def __enter__(self) -> "Server":
        self._runtime = tempfile.TemporaryDirectory()
        command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0"]
        self._popen = subprocess.Popen(
            [*command, f"--ServerApp.root_dir={self._root}"],
            env={**os.environ, "JUPYTER_RUNTIME_DIR": self._runtime.name},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.process = psutil.Process(self._popen.pid)
        if hasattr(self.process, "cpu_affinity"):  # not on macOS
            self.process.cpu_affinity(CORES)
        address = self._address()
        self._url = address["url"]
        self._headers = {"Authorization": f"token {address['token']}"}
        requests.get(self._url + "lab", headers=self._headers, timeout=START_SECONDS).raise_for_status()
        return self

    def __exit__(self, *_) -> None:
        self._popen.terminate()
        self._popen.wait(START_SECONDS)
        self._runtime.cleanup()

    def _address(self) -> dict:
        """What the server writes about itself once it listens."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._popen.poll() is None:
            for file in Path(self._runtime.name).glob("jpserver-*.json"):
                try:
                    return json.loads(file.read_text())
                except json.JSONDecodeError:  # it is still writing
                    pass
            time.sleep(0.1)
        raise RuntimeError("JupyterLab did not start")

    def run(self, path: Path) -> None:
        """Run every code cell of the notebook at `path`, below the root, in a new kernel; raise on the first error."""
        folder = str(path.parent.relative_to(self._root))
        kernel = self._post("api/kernels", {"name": "python3", "path": f"{folder}/{path.name}"})["id"]
        channels = f"{self._url}api/kernels/{kernel}/channels".replace("http", "ws", 1)
        socket = websocket.create_connection(channels, CELL_SECONDS, header=self._headers)
        try:
            for cell in nbformat.read(path, as_version=4).cells:
                if cell.cell_type == "code":
                    _execute(socket, cell.source)
        finally:
            socket.close()
            requests.delete(f"{self._url}api/kernels/{kernel}", headers=self._headers, timeout=START_SECONDS)

    def _post(self, path: str, data: dict) -> dict:
        answer = requests.post(self._url + path, json=data, headers=self._headers, timeout=START_SECONDS)
        answer.raise_for_status()
        return answer.json()


def _execute(socket: websocket.WebSocket, source: str) -> None:
    """Send one cell and wait until the kernel is idle again."""
    request = str(uuid.uuid4())
    header = {"msg_id": request, "msg_type": "execute_request", "username": "", "session": request, "version": "5.3"}
    content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False, "stop_on_error": True}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    socket.send(json.dumps(message))
    while True:
        received = socket.recv()
        if isinstance(received, bytes):  # a widget's picture
            continue
        answer = json.loads(received)
        if answer["parent_header"].get("msg_id") != request or answer["channel"] != "iopub":
            continue
        if answer["msg_type"] == "error":
            raise RuntimeError(f"{answer['content']['ename']}: {answer['content']['evalue']}\nin the cell\n{source}")
        if answer["msg_type"] == "status" and answer["content"]["execution_state"] == "idle":
            return


@contextmanager
def peak_memory(process: psutil.Process):
    """Watch `process` and all that it started; the list that this gives ends with the largest sum seen, in MB."""
    peak = [0.0]
    stop = threading.Event()

    def watch():
        while not stop.wait(SAMPLE_SECONDS):
            peak[0] = max(peak[0], _megabytes([process, *process.children(recursive=True)]))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        stop.set()
        thread.join()


def _megabytes(processes: list[psutil.Process]) -> float:
    """What the processes hold together. The libraries that they have in common lie in memory only once."""
    own, in_common = 0, 0
    for process in processes:
        try:
            memory = process.memory_info()
        except psutil.NoSuchProcess:
            continue
        mapped = getattr(memory, "shared", 0)  # files in memory; only Linux tells
        own += memory.rss - mapped
        in_common = max(in_common, mapped)
    return (own + in_common) / 1e6
