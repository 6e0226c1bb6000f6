"""Explorers: small tools of sliders and switches that run the sharded forward on every move and draw what came of it.

Each of them is shown by the last line of a cell: `tpmlp.explore.shapes()`.
"""

from .shapes import shapes as shapes
from .steps import steps as steps
