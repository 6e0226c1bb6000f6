"""The dense MLP, on one machine, in double precision: what every sharded forward must agree with."""

import numpy as np
from numpy.typing import ArrayLike


def reference(x: ArrayLike, w1: ArrayLike, b1: ArrayLike, w2: ArrayLike, b2: ArrayLike) -> dict[str, np.ndarray]:
    """Compute `out = relu(x W1 + b1) W2 + b2` in NumPy float64, without JAX and without splitting anything.

    Args:
        x: (B, D), the batch.
        w1: (D, H).
        b1: (H,).
        w2: (H, O).
        b2: (O,).

    Returns:
        `{"out": float64 (B, O), "hidden": float64 (B, H)}`.
    """
    x, w1, b1, w2, b2 = (np.asarray(array, np.float64) for array in (x, w1, b1, w2, b2))
    with np.errstate(invalid="ignore", over="ignore"):  # NaN and infinity are legal values here
        hidden = np.maximum(x @ w1 + b1, 0.0)
        return {"out": hidden @ w2 + b2, "hidden": hidden}
