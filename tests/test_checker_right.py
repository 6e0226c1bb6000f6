"""Right forwards pass, whatever their style."""

from functools import lru_cache

import jax
import pytest
from checker_candidates import MESH, RIGHT, _without_mesh, on_host

import tpmlp


@lru_cache
def _report(style):
    return tpmlp.check(RIGHT[style])


@pytest.mark.parametrize("style", RIGHT)
def test_right_forwards_pass(style):
    report = _report(style)
    assert report.faults == ()
    assert report.passed
    assert all(row.status in ("pass", "remark") for row in report.rows if row.key not in ("specs",)), report


def _row(report, key):
    return next(row for row in report.rows if row.key == key)


def test_scatter_and_gather_pass_with_a_remark_on_what_they_cost():
    report = _report("scatter and gather")
    assert _row(report, "collectives").status == "remark"
    assert "1 all-gather, 1 reduce-scatter" in _row(report, "collectives").detail


def test_a_forward_without_jit_passes_with_a_remark():
    assert _row(_report("not jitted"), "compiles").status == "remark"


def test_the_callers_mesh_is_the_candidates_mesh():
    with jax.set_mesh(MESH):
        assert tpmlp.check(on_host(_without_mesh)).passed


def test_the_argument_bytes_are_those_of_the_compiled_program():
    from tpmlp.checker.cases import main_case

    facts = tpmlp.compiled_facts(tpmlp.forward, *main_case().inputs)
    assert _row(_report("tpmlp.forward"), "bytes").detail == f"{facts.argument_bytes_per_device} bytes"
