"""A mad slider: 300 random moves, in a process of their own so that nothing else counts."""

from support import run_python

LIMIT_MB = 150

MOVES = """
import random
import sys

import psutil

import tpmlp
from tpmlp.explore.shapes import show_shapes

def megabytes():
    return psutil.Process().memory_info().rss / 1e6

def random_value(control):
    if isinstance(control.value, bool):
        return rng.random() < 0.5
    if hasattr(control, "options"):
        return rng.choice(control.options)
    return rng.randrange(control.min, control.max + 1, control.step)

rng = random.Random(0)
explorer = tpmlp.explore.shapes()
before = megabytes()
for _ in range(300):
    control = explorer.controls[rng.choice(list(explorer.controls))]
    value = control.value = random_value(control)
    assert control.value == value
shown = show_shapes(**explorer.values)
assert explorer.view.sentence == shown.sentence
assert explorer.view.png == shown.picture.png()
pyplot = sys.modules.get("matplotlib.pyplot")
print(megabytes() - before, len(pyplot.get_fignums()) if pyplot else 0)
"""


def test_300_random_moves():
    grown, open_figures = run_python(MOVES).split()
    assert float(grown) < LIMIT_MB
    assert int(open_figures) == 0
