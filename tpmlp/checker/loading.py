"""Load a learner's function from a file."""

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from .errors import name_error
from .running import run
from .sheet import Sheet


def split_target(target: str) -> tuple[Path, str]:
    """`student.py:forward` as (path, name); the name is `forward` if none is given."""
    path, colon, name = target.rpartition(":")
    if not colon or not name.isidentifier():  # a colon of Windows' drive letters, or none at all
        return Path(target), "forward"
    return Path(path), name


def load(target: str, sheet: Sheet, seconds: float | int) -> Any:
    """Run the file and return the function, or note on the sheet why there is none and return None."""
    path, name = split_target(target)
    if not path.is_file():
        sheet.fails("runs", "cannot-be-loaded", f"there is no file {path}")
        return None
    outcome = run(lambda: _run_file(path.resolve()), seconds)
    if not outcome.in_time:
        sheet.fails("runs", "runs-too-long", f"loading it was stopped after {seconds:g} seconds")
    elif outcome.error:
        code, detail = name_error(outcome.error)
        sheet.fails("runs", code if code == "old-api-name" else "cannot-be-loaded", detail)
    elif not hasattr(outcome.value, name):
        functions = sorted(key for key, value in vars(outcome.value).items() if inspect.isfunction(value))
        sheet.fails("runs", "cannot-be-loaded", f"it has no {name}; it has {', '.join(functions) or 'no functions'}")
    else:
        return getattr(outcome.value, name)
    return None


def _run_file(path: Path) -> ModuleType:
    """Import a file by its path, as Python imports a script's neighbours."""
    spec = importlib.util.spec_from_file_location(f"_checked_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
