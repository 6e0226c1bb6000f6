"""In what form a notebook must be stored.

nbval runs every cell again and compares outputs. It compares nothing where the execution count is missing or a marker
tells it not to, and it does not mind what should never be stored. This file closes those gaps.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

MAX_BYTES = 1_000_000
KERNEL = "python3"

# What editors leave in a cell's metadata: when it ran, and how its outputs were last folded.
PASSING_METADATA = {"ExecuteTime", "collapsed", "execution", "heading_collapsed", "hidden", "scrolled", "trusted"}
_SWITCHES_NBVAL_OFF = re.compile(
    r"nbval.(skip|ignore.output|raises.exception)|validate.ignore.output|raises-exception", re.I
)
_BASE64 = re.compile(r"base64,[A-Za-z0-9+/=]+")
_OF_THIS_MACHINE = {
    "a memory address": re.compile(r"\b0x[0-9a-fA-F]{6,}"),
    "a path of one machine": re.compile(r"(?<![\w.])/(home|root|tmp|Users|usr|opt|var)/|\b[A-Z]:\\|site-packages"),
}


def faults(path: Path) -> list[str]:
    """Everything about the notebook file `path` that must not be committed; empty if it is stored well."""
    size = path.stat().st_size
    too_large = [f"the file has {size} bytes; at most {MAX_BYTES} are allowed"] if size > MAX_BYTES else []
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except (ValueError, nbformat.ValidationError) as error:
        return [*too_large, f"not a valid notebook: {error}"]
    return [*too_large, *notebook_faults(notebook)]


def notebook_faults(notebook: nbformat.NotebookNode) -> list[str]:
    """As `faults`, for a notebook in memory. Code cells are counted from 0, as nbval counts them."""
    found = [*_metadata_faults(notebook.metadata)]
    code_cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code_cells):
        if cell.execution_count != number + 1:
            found.append(
                f"cell {number} has execution count {cell.execution_count}, not {number + 1}: "
                "run the whole notebook in a fresh kernel"
            )
        found += [f"cell {number} {fault}" for fault in _cell_faults(cell)]
    return found


def _metadata_faults(metadata: nbformat.NotebookNode) -> Iterator[str]:
    if "widgets" in metadata:
        yield "widget state is stored"
    kernel = metadata.get("kernelspec", {}).get("name")
    if kernel != KERNEL:
        yield f"the kernel is {kernel!r}, not {KERNEL!r}"
    if "version" in metadata.get("language_info", {}):
        yield "the version of Python is stored"


def _cell_faults(cell: nbformat.NotebookNode) -> Iterator[str]:
    passing = sorted(PASSING_METADATA & set(cell.metadata))
    if passing:
        yield f"stores metadata that changes from run to run: {', '.join(passing)}"
    if _SWITCHES_NBVAL_OFF.search(cell.source + " ".join(cell.metadata.get("tags", []))):
        yield "switches the comparison of outputs off"
    for output in cell.outputs:
        yield from _output_faults(output)


def _output_faults(output: nbformat.NotebookNode) -> Iterator[str]:
    if output.output_type == "error":
        yield f"stores an error: {output.ename}"
        return
    if output.get("name") == "stderr":
        yield "stores stderr"
    text = _BASE64.sub("", _text_of(output))
    for what, pattern in _OF_THIS_MACHINE.items():
        if match := pattern.search(text):
            yield f"stores {what}: {match.group()}"


def _text_of(output: nbformat.NotebookNode) -> str:
    if output.output_type == "stream":
        return output.text
    return "\n".join(str(value) for kind, value in output.data.items() if kind not in ("image/png", "image/jpeg"))
