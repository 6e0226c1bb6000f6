"""Explorers: small tools of sliders and switches that run the sharded forward and draw what came of it.

Each of them is shown by the last line of a cell: `tpmlp.explore.shapes()`.
"""

from .breakage import breakage as breakage
from .entry import entry as entry
from .price import price as price
from .shapes import shapes as shapes
from .steps import steps as steps
