"""Wrong forwards that really run, each with its symptom, with who catches it, and with its cure."""

from collections.abc import Callable

import numpy as np

from ..examples import EXAMPLES
from ..layout import Inputs
from . import symptoms, wrong_values, wrong_ways
from .mistake import Mistake as Mistake

_NUMBERS, _REFUSED, _NOBODY = ("numeric test",), ("error",), ("nobody",)
_JAX_DOCS = "https://docs.jax.dev/en/latest/notebooks/shard_map.html"
_UVADLC = "https://uvadlc-notebooks.readthedocs.io/en/latest/tutorial_notebooks/scaling/JAX/tensor_parallel_simple.html"
_PLAYBOOK = "https://huggingface.co/spaces/nanotron/ultrascale-playbook"


def _github(path: str) -> str:
    repository, number = path.split("#")
    return f"https://github.com/{repository}/issues/{number}"


def _inputs(B: int, D: int, H: int, O: int) -> Inputs:
    """Quarters between -2 and 2, for the mistakes that need other sizes than the examples'."""
    rng = np.random.default_rng(0)
    shapes = Inputs((B, D), (D, H), (H,), (H, O), (O,))
    return Inputs(*((rng.integers(-8, 9, shape) / 4).astype(np.float32) for shape in shapes))


_EXAMPLE_3 = Inputs(*(np.asarray(value, np.float32) for value in EXAMPLES[2].inputs.values()))


def _wrong(
    misconception: str,
    forward: Callable,
    says: str,
    symptom: Callable | type[Exception],
    caught_by: tuple[str, ...],
    cure: str,
    thread: str = "",
    inputs: Inputs = _EXAMPLE_3,
) -> Mistake:
    raises = symptom if isinstance(symptom, type) else None
    return Mistake(
        name=forward.__name__.replace("_", " "),
        misconception=misconception,
        code=forward.__name__.replace("_", "-"),
        forward=forward,
        inputs=inputs,
        says=says,
        symptom=None if raises else symptom,
        raises=raises,
        caught_by=caught_by,
        cure=cure,
        thread=thread,
    )


MISTAKES: tuple[Mistake, ...] = (
    _wrong(
        "M1",
        wrong_values.b2_in_every_shard,
        "out is too large by exactly 7 b2",
        symptoms.seven_b2_more,
        _NUMBERS,
        "Add b2 once, after the psum.",
        _github("huggingface/text-generation-inference#1036"),
    ),
    _wrong(
        "M2",
        wrong_values.psum_twice,
        "hW2 is exactly 8 times too large",
        symptoms.eight_times,
        _NUMBERS,
        "Apply psum once, to the partial outputs.",
        _github("netket/netket#2229"),
    ),
    _wrong(
        "M3",
        wrong_values.relu_after_psum,
        "out is relu((xW1 + b1)W2) + b2, and hidden has negative entries",
        symptoms.relu_of_the_sum,
        _NUMBERS,
        "Apply the relu to each device's hidden units, between the matmuls.",
        _UVADLC,
    ),
    _wrong(
        "M3",
        wrong_values.relu_on_partial,
        "every negative partial output counts as 0",
        symptoms.negative_partials_dropped,
        _NUMBERS,
        "Leave the partial outputs as they are: they are parts of a sum.",
        _JAX_DOCS,
    ),
    _wrong(
        "M4",
        wrong_ways.w1_split_by_rows,
        "the numbers are right, but B×H of them are added up instead of B×O, and out lies in columns",
        symptoms.unchanged,
        _NOBODY,
        "Split W1 by columns, so that each device has whole hidden units.",
        _PLAYBOOK,
        _inputs(3, 8, 16, 8),
    ),
    _wrong(
        "M4",
        wrong_ways.w2_split_by_columns,
        "the numbers are right, but all hidden units are gathered on every device, and out lies in columns",
        symptoms.unchanged,
        _NOBODY,
        "Split W2 by rows, the rows of the device's own hidden units.",
        _PLAYBOOK,
        _inputs(3, 5, 16, 8),
    ),
    _wrong(
        "M5",
        wrong_values.psum_missing,
        "out is the first device's partial output + b2, and every device holds another",
        symptoms.first_devices_part,
        ("numeric test", "check_vma"),
        "Add up the partial outputs with psum, and leave check_vma on.",
        _JAX_DOCS,
    ),
    _wrong(
        "M8",
        wrong_values.h_not_divisible,
        "the H % 8 hidden units left over are dropped",
        symptoms.the_rest_dropped,
        _NUMBERS,
        "Let shard_map refuse such an H, and choose another.",
        _github("jax-ml/jax#27808"),
        _inputs(3, 5, 12, 4),
    ),
    _wrong(
        "M9",
        wrong_ways.explicit_mesh,
        "shard_map refuses plain inputs",
        ValueError,
        _REFUSED,
        "Pass axis_types=(AxisType.Auto,), or place the inputs first.",
        _github("jax-ml/jax#33191"),
    ),
    _wrong(
        "M10",
        wrong_ways.weights_closed_over,
        "the numbers are right, but the full weights are constants in every device's program",
        symptoms.unchanged,
        ("Explicit mesh",),
        "Pass the weights as arguments.",
        _github("jax-ml/jax#29162"),
    ),
    _wrong(
        "M11",
        wrong_ways.full_weight_built_first,
        "the numbers are right, but one device held the full weights",
        symptoms.unchanged,
        ("Explicit mesh",),
        "Keep the weights on the host (np.asarray) until they are split.",
        _github("jax-ml/jax#18263"),
    ),
    _wrong(
        "M13",
        wrong_ways.old_api_name,
        "check_rep is not known any more",
        TypeError,
        _REFUSED,
        "It is called check_vma now.",
        _github("jax-ml/jax#31080"),
    ),
    _wrong(
        "M14",
        wrong_ways.incompatible_devices,
        "an input lies on one device, and the program wants eight",
        ValueError,
        _REFUSED,
        "Leave inputs on the host, or place them as in_specs says.",
        _github("keras-team/keras#18681"),
    ),
    _wrong(
        "M16",
        wrong_ways.recompiles_every_call,
        "the numbers are right, but every call compiles",
        symptoms.unchanged,
        _NOBODY,
        "Make the jitted function once and call it often.",
        _github("markean/aimz#275"),
    ),
    _wrong(
        "",
        wrong_values.mean_instead_of_sum,
        "hW2 is exactly 8 times too small",
        symptoms.an_eighth,
        _NUMBERS,
        "Use psum: the partial outputs are parts, not estimates.",
        _github("netket/netket#2228"),
    ),
    _wrong(
        "",
        wrong_values.b1_after_relu,
        "hidden is relu(xW1) + b1, which can be negative",
        symptoms.b1_outside,
        _NUMBERS,
        "Add b1 before the relu.",
    ),
    _wrong(
        "",
        wrong_values.hidden_before_relu,
        "out is right, hidden is xW1 + b1",
        symptoms.preactivation_as_hidden,
        _NUMBERS,
        "Return what went into the second matmul.",
    ),
    _wrong(
        "",
        wrong_values.gelu_instead_of_relu,
        "small differences everywhere, and no zero in hidden",
        symptoms.gelu,
        _NUMBERS,
        "Use relu.",
        _github("huggingface/candle#3745"),
    ),
    _wrong(
        "",
        wrong_values.blocks_in_wrong_order,
        "hidden has its columns in another order, and they meet the wrong rows of W2",
        symptoms.dealt_like_cards,
        _NUMBERS,
        "Give device d the units dH/8 up to (d + 1)H/8 - 1, in W1, b1 and W2.",
        _github("NVIDIA-NeMo/Automodel#1324"),
    ),
)
