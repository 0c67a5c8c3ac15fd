"""Processes side by side: one that dies takes no answer with it but its own."""

from __future__ import annotations

import pytest

from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.analysis.sweep.cell import Cell
from optmech.analysis.sweep.workers import local_answers
from tests.analysis.sweep.asked import count_question

CELLS = [Cell(question=count_question(3, number), settings={}) for number in range(1, 7)]


def statuses(work, jobs):
    results = [each.row for each in local_answers(CELLS, work, jobs)]
    assert sorted(row["key"] for row in results) == sorted(cell.key for cell in CELLS)
    return {int(row["privacy_epsilon"]): row["status"] for row in results}


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_cell_is_answered_once(jobs):
    def work(cell):  # a function of this function goes to the processes whole, not by its name
        return answer_without_design(cell, Ending.REFUSED, "no design was asked for")

    assert statuses(work, jobs) == dict.fromkeys(range(1, 7), "refused")


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.long), 2])
def test_cells_whose_process_dies_are_rows_and_the_others_go_on(jobs):
    def work(cell):
        import os  # noqa: PLC0415
        import signal  # noqa: PLC0415

        if cell.question["privacy"]["epsilon"] in {"3", "6"}:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer_without_design(cell, Ending.REFUSED, "no design was asked for")

    assert statuses(work, jobs) == dict.fromkeys(range(1, 7), "refused") | {3: "died", 6: "died"}


def test_a_cell_whose_process_is_killed_once_is_tried_again(tmp_path):
    mark = str(tmp_path / "killed")

    def work(cell):
        import os  # noqa: PLC0415
        import signal  # noqa: PLC0415

        if cell.question["privacy"]["epsilon"] == "5" and not os.path.exists(mark):  # noqa: PTH110
            open(mark, "w").close()  # noqa: PTH123
            os.kill(os.getpid(), signal.SIGKILL)
        return answer_without_design(cell, Ending.REFUSED, "no design was asked for")

    assert set(statuses(work, 2).values()) == {"refused"}
