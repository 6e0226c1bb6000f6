"""Catch a full weight matrix in the act of arriving on one device."""

import sys
from types import FrameType

import jax
import jax.core

from .lines import line_of_call


class WeightWatch:
    """While entered, looks at everything that Python functions of this thread return.

    `.seen` has an entry for each weight of which a JAX array held all entries on one device: its name, and the line
    of the learner's code. A weight may be gone by the time the function returns, so looking afterwards would not do.
    """

    def __init__(self, sizes: dict[int, str]):
        self.sizes = sizes  # number of entries → name of the weight
        self.seen: dict[str, str] = {}

    def __enter__(self):
        self._before = sys.getprofile()
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_):
        sys.setprofile(self._before)

    def _look(self, frame: FrameType, event: str, returned) -> None:
        if event != "return" or not isinstance(returned, jax.Array) or isinstance(returned, jax.core.Tracer):
            return
        name = self.sizes.get(returned.size)
        if name and name not in self.seen and returned.sharding.shard_shape(returned.shape) == returned.shape:
            self.seen[name] = line_of_call(frame.f_back)
