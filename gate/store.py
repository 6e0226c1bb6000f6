"""`python -m gate.store NOTEBOOK...`: run notebooks from top to bottom and store what came out, clean.

The stored file holds outputs, execution counts and cell ids, and nothing that changes with the machine, the time or
the version of Python. A notebook with an error, a line on stderr or any other fault is not written.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from .stored_form import KERNEL, PASSING_METADATA, notebook_faults

CELL_SECONDS = 90
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": KERNEL},
    "language_info": {"name": "python"},
}
# It names a widget that lives only as long as its kernel; the text beside it stays.
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def main(paths: list[str]) -> int:
    """Store every notebook of `paths`; the number of those that could not be."""
    return sum(not _store(Path(path)) for path in paths)


def _store(path: Path) -> bool:
    notebook = nbformat.read(path, as_version=4)
    try:
        _run(notebook, path.parent)
    except CellExecutionError as error:
        print(f"{path}: not stored\n{error}")
        return False
    _clean(notebook)
    found = notebook_faults(notebook)
    if found:
        print(f"{path}: not stored", *found, sep="\n  ")
        return False
    nbformat.write(notebook, path)
    print(f"{path}: stored, {path.stat().st_size // 1000} kB")
    return True


def _run(notebook: nbformat.NotebookNode, folder: Path) -> None:
    NotebookClient(
        notebook,
        kernel_name=KERNEL,
        timeout=CELL_SECONDS,
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    ).execute()


def _clean(notebook: nbformat.NotebookNode) -> None:
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        for key in PASSING_METADATA & set(cell.metadata):
            del cell.metadata[key]
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
