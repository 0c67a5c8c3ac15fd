"""Ctrl-C stops either solver, and is raised when nothing of it runs any more."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs, run
from optmech.models.solvers.options import SolveOptions
from tests.models.conformance.programs import market_split
from tests.models.solvers.test_cbc import SOON, needs_cbc, needs_posix, scratch

__all__ = ["scratch"]

needs_highs = pytest.mark.skipif(not Highs().available(), reason="HiGHS is not installed, or 1.14.0")


@contextmanager
def interrupted():
    """Press Ctrl-C soon; where the machine is busy, before the solver has begun."""
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    yield


@needs_highs
@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_stops_a_search_and_is_raised():
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), interrupted():
        Highs().solve(market_split(), SolveOptions(time_limit=10 * SOON))
    assert time.perf_counter() - start < SOON
    for thread in threading.enumerate():
        if thread.name == "optmech-highs":
            thread.join(SOON)
            assert not thread.is_alive()


def test_ctrl_c_is_raised_when_the_search_has_ended():
    """A caller that catches it may let go of what the search works on."""
    cancelled, ended = threading.Event(), threading.Event()

    def search():
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()  # it is waited for by then
        cancelled.wait(SOON)
        time.sleep(0.2)
        ended.set()

    engine = SimpleNamespace(run=search, cancelSolve=cancelled.set, resetGlobalScheduler=lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        run(engine)
    assert ended.is_set()


@needs_cbc
@needs_posix
def test_ctrl_c_kills_cbc_and_is_raised(scratch):
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), interrupted():
        Cbc().solve(market_split(), SolveOptions(time_limit=10 * SOON))
    assert time.perf_counter() - start < SOON
    assert list(scratch.iterdir()) == []
