"""Run code that may do anything, and come back.

The code runs in a thread of its own, so that the caller can stop waiting. After the time limit an exception is raised
inside that thread, which ends every loop written in Python. What waits inside C (a sleep, a deadlock, a loop that was
compiled) cannot be ended from within the process: that thread is left behind, and the caller goes on without it.
"""

import contextlib
import ctypes
import inspect
import io
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jax

from .weights import WeightWatch

_COMPILED = "/jax/core/compile/backend_compile_duration"


@dataclass
class Outcome:
    """What came of one run.

    Attributes:
        value: what the function returned, with all its arrays computed; None if it did not return.
        error: what it raised, if it did.
        in_time: False if it was stopped at the time limit.
        ended: False if it could not even be stopped.
        printed: what it printed.
        warnings: the warnings it gave.
        compilations: how many programs XLA compiled for it.
    """

    value: Any = None
    error: BaseException | None = None
    in_time: bool = True
    ended: bool = True
    printed: str = ""
    warnings: list[Warning | str] = field(default_factory=list)
    compilations: int = 0

    @property
    def returned(self) -> bool:
        return self.error is None and self.in_time


class _TimeIsUp(BaseException):
    """Raised inside the thread; no `except Exception` catches it."""


def run(function: Callable[[], Any], seconds: float | int, watch: WeightWatch | None = None) -> Outcome:
    """Call `function` and wait for it and for its arrays, for at most so many seconds.

    Its prints and warnings are caught, and what it changes in `jax.config` is put back.
    """
    outcome, printed = Outcome(), io.StringIO()
    mesh = jax.sharding.get_mesh()  # set by the caller for this thread only

    def work():
        try:
            with jax.set_mesh(mesh) if mesh.axis_names else contextlib.nullcontext(), watch or contextlib.nullcontext():
                value = function()
            _close(value)
            jax.block_until_ready(value)
            outcome.value = value
        except BaseException as error:  # SystemExit too: the report has to come back
            outcome.error = error

    thread = threading.Thread(target=work, daemon=True)
    with _kept_config(), _counted_compilations(outcome), _caught_warnings(outcome), contextlib.redirect_stdout(printed):
        thread.start()
        try:
            thread.join(seconds)
        finally:  # also when the reader interrupts the wait
            in_time = not thread.is_alive()
            _stop(thread)
    outcome.in_time, outcome.ended, outcome.printed = in_time, not thread.is_alive(), printed.getvalue()
    return outcome


def _stop(thread: threading.Thread) -> None:
    for _ in range(20):  # more than once, because a bare `except:` may swallow it
        if not thread.is_alive():
            return
        _raise_in(thread, _TimeIsUp)
        thread.join(0.05)
    _raise_in(thread, None)  # take back what it has not noticed yet
    _settle()


def _raise_in(thread: threading.Thread, error: type[BaseException] | None) -> None:
    argument = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), argument)


def _settle() -> None:
    """Python 3.11 goes on thinking that an exception waits somewhere, and then `sys.setprofile` spins without end.

    An exception that does arrive makes it forget that.
    """
    ready = threading.Event()

    def catch():
        with contextlib.suppress(_TimeIsUp):
            ready.set()
            while True:
                time.sleep(0.001)

    thread = threading.Thread(target=catch, daemon=True)
    thread.start()
    ready.wait()
    _raise_in(thread, _TimeIsUp)
    thread.join(1)


def _close(value: Any) -> None:
    if inspect.iscoroutine(value):  # or Python warns that nobody awaited it
        value.close()


@contextlib.contextmanager
def _kept_config():
    before = dict(jax.config.values)
    # With JAX's own frames in the traceback, the specs and the mesh that it refused can be read there.
    jax.config.update("jax_traceback_filtering", "off")
    try:
        yield
    finally:
        for name, value in before.items():
            if jax.config.values[name] != value:
                jax.config.update(name, value)


@contextlib.contextmanager
def _counted_compilations(outcome: Outcome):
    def count(event: str, duration_secs: float, **kwargs):
        outcome.compilations += event == _COMPILED

    jax.monitoring.register_event_duration_secs_listener(count)
    try:
        yield
    finally:
        jax.monitoring.unregister_event_duration_listener(count)


@contextlib.contextmanager
def _caught_warnings(outcome: Outcome):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    outcome.warnings = [warning.message for warning in caught]
