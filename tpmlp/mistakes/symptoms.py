"""What comes out of each wrong forward, as formulas: NumPy float64, dense, no devices."""

import numpy as np

from ..dense import reference

_NUM_DEVICES = 8


def unchanged(x, w1, b1, w2, b2):
    return reference(x, w1, b1, w2, b2)


def seven_b2_more(x, w1, b1, w2, b2):
    right = reference(x, w1, b1, w2, b2)
    return right | {"out": right["out"] + 7 * np.asarray(b2)}


def eight_times(x, w1, b1, w2, b2):
    right = reference(x, w1, b1, w2, b2)
    return right | {"out": 8 * (right["hidden"] @ np.asarray(w2)) + b2}


def an_eighth(x, w1, b1, w2, b2):
    right = reference(x, w1, b1, w2, b2)
    return right | {"out": right["hidden"] @ np.asarray(w2) / 8 + b2}


def first_devices_part(x, w1, b1, w2, b2):
    right = reference(x, w1, b1, w2, b2)
    units = len(b1) // _NUM_DEVICES
    return right | {"out": right["hidden"][:, :units] @ np.asarray(w2)[:units] + b2}


def relu_of_the_sum(x, w1, b1, w2, b2):
    preactivation = np.asarray(x, float) @ np.asarray(w1) + b1
    return {"out": np.maximum(preactivation @ np.asarray(w2), 0) + b2, "hidden": preactivation}


def negative_partials_dropped(x, w1, b1, w2, b2):
    right = reference(x, w1, b1, w2, b2)
    blocks = np.split(right["hidden"], _NUM_DEVICES, axis=1), np.split(np.asarray(w2), _NUM_DEVICES)
    return right | {"out": sum(np.maximum(hidden @ rows, 0) for hidden, rows in zip(*blocks, strict=True)) + b2}


def b1_outside(x, w1, b1, w2, b2):
    hidden = np.maximum(np.asarray(x, float) @ np.asarray(w1), 0) + b1
    return {"out": hidden @ np.asarray(w2) + b2, "hidden": hidden}


def preactivation_as_hidden(x, w1, b1, w2, b2):
    return reference(x, w1, b1, w2, b2) | {"hidden": np.asarray(x, float) @ np.asarray(w1) + b1}


def gelu(x, w1, b1, w2, b2):
    z = np.asarray(x, float) @ np.asarray(w1) + b1
    hidden = z / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))
    return {"out": hidden @ np.asarray(w2) + b2, "hidden": hidden}


def dealt_like_cards(x, w1, b1, w2, b2):
    order = np.arange(len(b1)).reshape(-1, _NUM_DEVICES).T.ravel()
    return reference(x, np.asarray(w1)[:, order], np.asarray(b1)[order], w2, b2)


def the_rest_dropped(x, w1, b1, w2, b2):
    kept = len(b1) // _NUM_DEVICES * _NUM_DEVICES
    return reference(x, np.asarray(w1)[:, :kept], b1[:kept], w2[:kept], b2)
