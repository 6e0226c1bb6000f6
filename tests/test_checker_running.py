"""Whatever a candidate does, the report comes back and the process goes on."""

import contextlib
import sys
import threading
import time
import warnings

import jax
import numpy as np
import pytest
from checker_candidates import right

import tpmlp
from tpmlp.checker.running import run
from tpmlp.checker.weights import WeightWatch


def _forever(*arrays):
    while True:
        pass


def _forever_and_swallows(*arrays):
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(0.01)


def _sleeps(*arrays):
    time.sleep(30)


def _exits(*arrays):
    sys.exit(3)


def _interrupts(*arrays):
    raise KeyboardInterrupt


def _recurses(*arrays):
    return _recurses(*arrays)


def _asks(*arrays):
    return input("which? ")


def _leaks_a_tracer(*arrays):
    leaked = []
    jax.jit(lambda x: leaked.append(x * 2.0) or x)(np.ones(3, np.float32))
    return {"out": leaked[0], "hidden": leaked[0]}


def _deletes(*arrays):
    result = right(*arrays)
    result["out"].delete()
    return result


@pytest.mark.parametrize("candidate", [_forever, _forever_and_swallows, _sleeps])
def test_what_does_not_end_is_stopped_or_left_behind(candidate):
    started = time.monotonic()
    report = tpmlp.check(candidate, seconds=0.3)
    assert report.faults == ("runs-too-long",)
    assert time.monotonic() - started < 20  # it would be 30, or never
    assert run(lambda: right(*tpmlp.EXAMPLES[0].inputs.values()), 20, WeightWatch({})).returned


def test_a_python_loop_is_really_ended():
    tpmlp.check(_forever, seconds=0.2)
    assert not any(_runs(thread, _forever) for thread in threading.enumerate())


def _runs(thread, function):
    frame = sys._current_frames().get(thread.ident)
    while frame:
        if frame.f_code is function.__code__:
            return True
        frame = frame.f_back
    return False


@pytest.mark.parametrize("candidate", [_exits, _interrupts, _recurses, _asks, _deletes])
def test_errors_of_all_kinds_are_reported(candidate):
    assert tpmlp.check(candidate).faults[0] in ("raises", "not-a-jax-array")


def test_a_leaked_tracer_is_no_array():
    assert tpmlp.check(_leaks_a_tracer).faults == ("not-a-jax-array",)


def test_the_learners_line_is_shown():
    def candidate(x, w1, b1, w2, b2):
        hidden = np.asarray(x) @ np.asarray(w1)
        return hidden @ np.asarray(b2)  # shapes do not fit

    detail = tpmlp.check(candidate).findings[0].detail
    assert "return hidden @ np.asarray(b2)  # shapes do not fit" in detail
    assert "ValueError" in detail


def test_a_line_inside_the_body_is_shown():
    def body(x, w1, b1, w2, b2):
        return {"out": x @ b2, "hidden": x}

    candidate = jax.jit(jax.shard_map(body, mesh=tpmlp.make_mesh(), in_specs=tuple(tpmlp.IN_SPECS), out_specs=None))
    detail = tpmlp.check(lambda *arrays: candidate(*map(np.float32, arrays))).findings[0].detail
    assert 'return {"out": x @ b2, "hidden": x}' in detail


def test_prints_are_kept_for_the_report(capsys):
    def candidate(*arrays):
        print("looking at", len(arrays))
        return right(*arrays)

    report = tpmlp.check(candidate)
    assert report.passed
    assert capsys.readouterr().out == ""
    assert "It printed:\n  looking at 5" in repr(report)


def test_warnings_do_not_leave_the_checker():
    def candidate(*arrays):
        warnings.warn("careful", UserWarning, stacklevel=1)
        return right(*arrays)

    assert tpmlp.check(candidate).passed


def test_the_configuration_is_put_back():
    before = jax.config.jax_enable_x64

    def candidate(*arrays):
        jax.config.update("jax_enable_x64", not before)
        jax.config.update("jax_traceback_filtering", "tracebackhide")
        return right(*arrays)

    filtering = jax.config.jax_traceback_filtering
    tpmlp.check(candidate)
    assert jax.config.jax_enable_x64 == before
    assert jax.config.jax_traceback_filtering == filtering


def test_the_inputs_are_the_candidates_own():
    def candidate(x, w1, b1, w2, b2):
        if isinstance(x, list):
            x.append(x[0])
        elif isinstance(x, np.ndarray):
            x[:] = 0
        return right(x, w1, b1, w2, b2)

    assert "changes-its-inputs" in tpmlp.check(candidate).faults
    assert tpmlp.check(right).passed  # the next one gets clean inputs


def test_run_counts_compilations():
    def call():
        return jax.jit(lambda x: x + 1.0)(np.float32(1))

    assert run(call, 20).compilations == 1
    jitted = jax.jit(lambda x: x + 1.0)
    assert run(lambda: jitted(np.float32(1)), 20).compilations == 1
    assert run(lambda: jitted(np.float32(1)), 20).compilations == 0


def test_the_watch_sees_a_weight_that_is_gone_again():
    weight = np.ones((5, 16), np.float32)
    watch = WeightWatch({weight.size: "W1"})
    run(lambda: jax.device_put(jax.numpy.asarray(weight)).sum(), 20, watch)
    assert list(watch.seen) == ["W1"]
    assert "jax.numpy.asarray(weight)" in watch.seen["W1"]


def test_the_watch_does_not_see_blocks():
    placed = tpmlp.shard_inputs(**tpmlp.EXAMPLES[2].inputs)
    watch = WeightWatch({placed.w1.size: "W1"})
    run(lambda: tpmlp.shard_inputs(**tpmlp.EXAMPLES[2].inputs), 20, watch)
    assert watch.seen == {}
