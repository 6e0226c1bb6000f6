"""A model of the forward with every known mistake as a switch, in NumPy, and all that one or two of them make of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import erf

import numpy as np

from ..layout import Inputs
from .cases import Case


@dataclass(frozen=True)
class Steps:
    """How a forward goes about it; the defaults are right."""

    b1: str = "before relu"
    activation: str = "relu"
    w2_takes: str = "hidden"
    returns: str = "hidden"
    order_w1: str = "right"
    order_w2: str = "right"
    relu_on: str = "nothing else"
    b2: str = "once"
    adds_up: str = "psum"


@dataclass(frozen=True)
class Hypothesis:
    """One mistake: its code, words on its variant, and the switches it turns."""

    code: str
    detail: str
    changes: tuple[tuple[str, str], ...]


def _mistake(code: str, detail: str = "", **changes: str) -> Hypothesis:
    return Hypothesis(code, detail, tuple(changes.items()))


ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda z: np.maximum(z, 0),
    "nothing": lambda z: z,
    "gelu": lambda z: z * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))),
    "exact gelu": lambda z: z * 0.5 * (1 + np.vectorize(erf)(z / np.sqrt(2))),
    "leaky relu 0.01": lambda z: np.where(z >= 0, z, 0.01 * z),
    "leaky relu 0.1": lambda z: np.where(z >= 0, z, 0.1 * z),
    "leaky relu 0.2": lambda z: np.where(z >= 0, z, 0.2 * z),
    "silu": lambda z: z / (1 + np.exp(-z)),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "tanh": np.tanh,
    "elu": lambda z: np.where(z > 0, z, np.expm1(np.minimum(z, 0))),
    "softplus": lambda z: np.logaddexp(z, 0),
    "relu6": lambda z: np.clip(z, 0, 6),
    "absolute value": np.abs,
    "relu of the negative side": lambda z: np.minimum(z, 0),
}


def _activation_code(name: str) -> str:
    return {"g": "gelu-instead-of-relu", "l": "leaky-relu-instead-of-relu"}.get(
        name.replace("exact ", "")[0], "activation-not-relu"
    )


_ORDERS: dict[str, Callable[[int, int], np.ndarray]] = {
    "right": lambda H, n: np.arange(H),
    "in reverse": lambda H, n: np.arange(H)[::-1],
    "in whole blocks, the last device's first": lambda H, n: np.arange(H).reshape(n, -1)[::-1].ravel(),
    "interleaved: device d has units d, d + 8, ...": lambda H, n: np.arange(H).reshape(-1, n).T.ravel(),
    "interleaved: unit u comes from place u//8 + (H/8)(u%8)": lambda H, n: np.arange(H).reshape(n, -1).T.ravel(),
    "one device too far": lambda H, n: np.roll(np.arange(H), -(H // n)),
    "one device too early": lambda H, n: np.roll(np.arange(H), H // n),
    "the first block everywhere": lambda H, n: np.tile(np.arange(H // n), n),
}


def _order_hypotheses() -> Iterator[Hypothesis]:
    for order in list(_ORDERS)[1:]:
        code = "same-block-on-every-device" if "everywhere" in order else "blocks-in-wrong-order"
        yield _mistake(code, f"W1 and b1 are taken {order}", order_w1=order)
        yield _mistake(code, f"W2 is taken {order}", order_w2=order)
        yield _mistake(code, f"W1, b1 and W2 are taken {order}", order_w1=order, order_w2=order)


SINGLE_MISTAKES: tuple[Hypothesis, ...] = (
    _mistake("b2-in-every-shard", "out is off by 7 b2", b2="every device"),
    _mistake("b2-in-every-shard", "out is off by 8 b2: b2 was added before and after", b2="every device and once"),
    _mistake("b2-missing", "out is off by -b2", b2="missing"),
    _mistake("b1-missing", "hidden is relu(xW1)", b1="missing"),
    _mistake("b1-after-relu", "hidden is relu(xW1) + b1", b1="after relu"),
    _mistake("relu-missing", "hidden is xW1 + b1", activation="nothing"),
    _mistake("relu-after-psum", "out is relu((xW1 + b1)W2) + b2", activation="nothing", relu_on="sum"),
    _mistake("relu-after-psum", "out is relu((xW1 + b1)W2 + b2)", activation="nothing", relu_on="out"),
    _mistake("relu-after-psum", "out is relu((xW1 + b1)W2) + b2", w2_takes="preactivation", relu_on="sum"),
    _mistake("relu-after-psum", "out is relu((xW1 + b1)W2 + b2)", w2_takes="preactivation", relu_on="out"),
    _mistake("relu-on-partial", "negative partials count as 0", relu_on="partials"),
    _mistake("relu-on-out", "out is relu(hW2) + b2", relu_on="sum"),
    _mistake("relu-on-out", "out is relu(hW2 + b2)", relu_on="out"),
    _mistake("out-from-preactivation", "out is (xW1 + b1)W2 + b2", w2_takes="preactivation"),
    _mistake("hidden-before-relu", "hidden is xW1 + b1", returns="preactivation"),
    _mistake("hidden-before-relu", "hidden is xW1", returns="xW1"),
    *(_mistake(_activation_code(name), name, activation=name) for name in list(ACTIVATIONS)[2:]),
    _mistake("psum-twice", "out is 8 hW2 + b2", adds_up="psum, psum"),
    _mistake("psum-twice", "out is 8 (hW2 + b2)", adds_up="psum, psum", b2="between"),
    _mistake("psum-missing", "out is the first device's partial output + b2", adds_up="nothing"),
    _mistake("mean-instead-of-sum", "out is hW2/8 + b2", adds_up="mean"),
    _mistake("mean-instead-of-sum", "out is hW2/8 + b2/8", adds_up="mean", b2="eighth"),
    *_order_hypotheses(),
)


def run_steps(steps: Steps, inputs: Inputs, num_devices: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """(out, hidden) of a forward that goes about it like this."""
    x, w1, b1, w2, b2 = (array.astype(np.float64) for array in inputs)
    order1, order2 = (_ORDERS[order](len(b1), num_devices) for order in (steps.order_w1, steps.order_w2))
    activation = ACTIVATIONS[steps.activation]
    product = x @ w1[:, order1]
    preactivation = product + (b1[order1] if steps.b1 == "before relu" else 0)
    hidden = activation(preactivation) + (b1[order1] if steps.b1 == "after relu" else 0)
    taken = hidden if steps.w2_takes == "hidden" else preactivation
    split = taken.reshape(len(x), num_devices, -1).transpose(1, 0, 2)
    partials = split @ w2[order2].reshape(num_devices, -1, len(b2))
    returned = {"hidden": hidden, "preactivation": preactivation, "xW1": product}[steps.returns]
    return _add_up(partials, b2, steps), returned


def _add_up(partials: np.ndarray, b2: np.ndarray, steps: Steps) -> np.ndarray:
    if steps.relu_on == "partials":
        partials = np.maximum(partials, 0)
    if steps.b2.startswith("every device"):
        partials = partials + b2
    n = len(partials)
    total = {
        "psum": lambda: partials.sum(0),
        "psum, psum": lambda: n * partials.sum(0),
        "mean": lambda: partials.mean(0),
        "nothing": lambda: partials[0],
    }[steps.adds_up]()
    if steps.relu_on == "sum":
        total = np.maximum(total, 0)
    total = total + b2 * {"once": 1, "every device and once": 1, "between": n, "eighth": 1 / n}.get(steps.b2, 0)
    return np.maximum(total, 0) if steps.relu_on == "out" else total


def predict(mistakes: Iterable[Hypothesis], case: Case) -> tuple[np.ndarray, np.ndarray]:
    """(out, hidden) of a forward that makes these mistakes."""
    changes = {switch: setting for mistake in mistakes for switch, setting in mistake.changes}
    return run_steps(replace(Steps(), **changes), case.inputs)


@lru_cache
def predictions(case: Case, count: int) -> tuple[tuple[tuple[Hypothesis, ...], np.ndarray, np.ndarray], ...]:
    """(mistakes, out, hidden) for every `count` mistakes that can be made together."""
    return tuple((mistakes, *predict(mistakes, case)) for mistakes in _together(count))


def _together(count: int) -> Iterator[tuple[Hypothesis, ...]]:
    for mistakes in combinations(SINGLE_MISTAKES, count):
        switches = [switch for mistake in mistakes for switch, _ in mistake.changes]
        if len(set(switches)) == len(switches):  # two that turn the same switch exclude each other
            yield mistakes
