"""Put a body on the devices, the way the mistakes of this course need it."""

import inspect
from collections.abc import Callable
from functools import lru_cache, wraps

import jax
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding

from ..layout import IN_SPECS, OUT_SPECS, default_mesh

_SPEC_IN = tuple(IN_SPECS)


def sharded(in_specs: tuple = _SPEC_IN, out_specs: dict = OUT_SPECS, check_vma: bool = True) -> Callable:
    """Turn the body that follows into a forward: `jax.jit(jax.shard_map(body, ...))` that takes lists as well.

    The specs are the specification's unless others are given. The forward takes `mesh=` and `check_vma=` too, so that
    the same mistake can be made on an Explicit mesh, or where JAX looks closer.
    """

    def decorate(body: Callable) -> Callable:
        @lru_cache
        def compiled(mesh: Mesh, check_vma: bool):
            sharded_body = jax.shard_map(body, mesh=mesh, in_specs=in_specs, out_specs=out_specs, check_vma=check_vma)
            return jax.jit(sharded_body)

        @wraps(body)
        def forward(x, w1, b1, w2, b2, *, mesh: Mesh | None = None, check_vma: bool = check_vma):
            mesh = mesh or default_mesh()
            arrays = [to_float32(array) for array in (x, w1, b1, w2, b2)]
            if AxisType.Explicit in mesh.axis_types:  # takes only what lies right already
                arrays = [jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip(arrays, in_specs, strict=True)]
            return compiled(mesh, check_vma)(*arrays)

        forward.__signature__ = _with_options(body, check_vma)  # pyright: ignore[reportAttributeAccessIssue]
        return forward

    return decorate


def _with_options(body: Callable, check_vma: bool) -> inspect.Signature:
    signature = inspect.signature(body)
    mesh = inspect.Parameter("mesh", inspect.Parameter.KEYWORD_ONLY, default=None)
    check = inspect.Parameter("check_vma", inspect.Parameter.KEYWORD_ONLY, default=check_vma)
    return signature.replace(parameters=[*signature.parameters.values(), mesh, check])


def to_float32(array) -> np.ndarray | jax.Array:
    """Lists and NumPy become NumPy float32, on the host; JAX arrays stay where they are."""
    return array if isinstance(array, jax.Array) else np.asarray(array, np.float32)


def right_body(x, w1, b1, w2, b2):
    """The body as it should be, for mistakes that are made outside it."""
    hidden = jax.nn.relu(x @ w1 + b1)
    return {"out": jax.lax.psum(hidden @ w2, "model") + b2, "hidden": hidden}


right = sharded()(right_body)


@lru_cache
def on_devices(mesh: Mesh) -> Callable:
    """`jax.jit(jax.shard_map(right_body, ...))` and nothing else: no conversion, no placement."""
    return jax.jit(jax.shard_map(right_body, mesh=mesh, in_specs=_SPEC_IN, out_specs=OUT_SPECS))
