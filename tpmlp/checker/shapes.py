"""Which mistake gave a result a wrong shape."""

import numpy as np

from .sheet import Sheet
from .values import Answer


def diagnose_shape(sheet: Sheet, answer: Answer) -> bool:
    """Name the mistake behind the shape of `out` or `hidden` if it is a known one."""
    return any(_diagnose(sheet, answer, key) for key in ("out", "hidden") if key in answer.values)


def _diagnose(sheet: Sheet, answer: Answer, key: str) -> bool:
    came, expected = answer.values[key], getattr(answer.case, key)
    if came.shape == expected.shape or came.ndim != 2:
        return False
    rows, columns = expected.shape
    if came.shape == (8 * rows, columns) and key == "out":
        return _stacked(sheet, answer, came.reshape(8, rows, columns))
    if came.shape == (rows, 8 * columns) and key == "out":
        return _stacked(sheet, answer, came.reshape(rows, 8, columns).transpose(1, 0, 2))
    if key == "hidden" and came.shape in ((rows, columns // 8), (8 * rows, columns // 8)):
        sheet.fault(
            "wrong-out-specs", f"{answer.case.name}: hidden is {came.shape}, made of blocks {rows, columns // 8}"
        )
        return True
    return False


def _stacked(sheet: Sheet, answer: Answer, blocks: np.ndarray) -> bool:
    """The eight devices' outs, put beside each other instead of being one."""
    if np.allclose(blocks, blocks[0]):
        sheet.fault("wrong-out-specs", f"{answer.case.name}: out is {answer.values['out'].shape}, eight times the same")
    else:
        sheet.fault(
            "psum-missing", f"{answer.case.name}: out is {answer.values['out'].shape}, the eight partial outputs"
        )
    return True
