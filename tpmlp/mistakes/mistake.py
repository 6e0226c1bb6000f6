"""What is known about one mistake."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import jax
import numpy as np

from ..dense import reference
from ..layout import Inputs
from ..mesh import AXIS, NUM_DEVICES

Values = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False, repr=False)
class Mistake:
    """A forward that is wrong, and all that is known about it.

    Attributes:
        name: a few words.
        misconception: its number in the course, such as "M1", if it has one.
        code: the fault that `tpmlp.check` names, such as "b2-in-every-shard".
        forward: the wrong forward; it runs, or raises `raises`. It has the signature of `tpmlp.forward`.
        inputs: inputs on which it shows, a named tuple of NumPy float32 arrays x, w1, b1, w2, b2.
        says: the symptom in words, such as "out is off by exactly 7 b2".
        symptom: the same as a function: inputs x (B, D), w1 (D, H), b1 (H,), w2 (H, O), b2 (O,) → the
            `{"out", "hidden"}` that come out, NumPy float64. None if it raises.
        raises: the type of the error, if it is one.
        caught_by: what notices it: "error" (it raises as it stands), "check_vma" (JAX refuses it where that check is
            on), "Explicit mesh" (JAX refuses it on one), "numeric test" (the numbers differ from the dense ones);
            "nobody" if none of these does.
        cure: one sentence.
        thread: where someone met it in public, an address; empty if no such place is known.
    """

    name: str
    misconception: str
    code: str
    forward: Callable
    inputs: Inputs
    says: str
    symptom: Callable[..., Values] | None
    raises: type[Exception] | None
    caught_by: tuple[str, ...]
    cure: str
    thread: str

    @property
    def source(self) -> str:
        """The code of the wrong forward."""
        return inspect.getsource(self.forward).rstrip()

    def __repr__(self) -> str:
        return f"{self.code}: {self.says} (caught by: {', '.join(self.caught_by)})"

    def who_catches(self) -> tuple[str, ...]:
        """Find out `caught_by` by running the forward: as it stands, with `check_vma`, on an Explicit mesh."""
        takes = inspect.signature(self.forward).parameters
        explicit = jax.make_mesh((NUM_DEVICES,), (AXIS,))
        found = ["error"] if self._raises() else ["numeric test"] if self._is_off() else []
        if not self._raises():
            found += ["check_vma"] if "check_vma" in takes and self._raises(check_vma=True) else []
            found += ["Explicit mesh"] if "mesh" in takes and self._raises(mesh=explicit) else []
        return tuple(found) or ("nobody",)

    def _raises(self, **options) -> bool:
        try:
            jax.block_until_ready(self.forward(*self.inputs, **options))
        except (TypeError, ValueError):
            return True
        return False

    def _is_off(self) -> bool:
        came, expected = self.forward(*self.inputs), reference(*self.inputs)
        return any(
            came[key].shape != expected[key].shape or not np.allclose(came[key], expected[key], atol=1e-5)
            for key in expected
        )
