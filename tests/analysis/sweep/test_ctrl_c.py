"""Ctrl-C goes to all processes of a terminal: those of a sweep leave it to the one that started them."""

from __future__ import annotations

import signal

import pytest

from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.analysis.sweep.cell import Cell
from optmech.analysis.sweep.workers import local_answers
from tests.analysis.sweep.asked import count_question

CELLS = [Cell(question=count_question(3, number), settings={}) for number in range(1, 4)]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be blocked here")
def test_it_does_not_reach_the_workers_and_still_reaches_the_sweep():
    def work(cell):
        import signal  # noqa: PLC0415

        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [])
        return answer_without_design(cell, Ending.REFUSED, str(signal.SIGINT in blocked))

    assert {answer.row["error"] for answer in local_answers(CELLS, work, 2)} == {"True"}
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
