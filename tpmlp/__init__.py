"""Tensor parallelism in JAX: a two-layer MLP with its weights split over eight devices.

Importing this package makes the eight devices exist, so import it before anything that runs JAX.
"""

import importlib

from .answers import check_answer as check_answer
from .dense import reference as reference
from .examples import EXAMPLES as EXAMPLES
from .examples import Example as Example
from .layout import IN_SPECS as IN_SPECS
from .layout import OUT_SPECS as OUT_SPECS
from .layout import shard_inputs as shard_inputs
from .mesh import AXIS as AXIS
from .mesh import make_mesh as make_mesh
from .mlp import forward as forward
from .tracing import DeviceTrace as DeviceTrace
from .tracing import Trace as Trace
from .tracing import trace as trace

# Loaded when first used, because they bring in matplotlib, ipywidgets and more.
_SUBMODULES = ("plots", "explore", "cost")
_LAZY = {
    "compiled_facts": "compiled",
    "CompiledFacts": "compiled",
    "check": "checker",
    "Report": "checker",
    "MISTAKES": "mistakes",
    "Mistake": "mistakes",
}


def __getattr__(name: str):
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _LAZY:
        return getattr(importlib.import_module(f".{_LAZY[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_SUBMODULES, *_LAZY])
