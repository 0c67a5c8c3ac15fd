"""A Dask cluster answers each cell once; what is wrong with it gets a sentence."""

from __future__ import annotations

import pytest

from optmech.analysis.sweep import workers as workers_module
from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.analysis.sweep.cell import Cell
from optmech.analysis.sweep.workers import cluster_answers
from optmech.base.errors import ProblemError
from tests.alone.waiting import wait_until
from tests.analysis.sweep.asked import count_question

CELLS = [Cell(question=count_question(3, number), settings={}) for number in range(1, 13)]


@pytest.mark.slow
@pytest.mark.parametrize("cluster", ["--nanny"], indirect=True)
def test_a_cell_that_kills_its_workers_is_a_row_and_the_others_go_on(cluster):
    address, _ = cluster

    def work(cell):
        import os  # noqa: PLC0415
        import signal  # noqa: PLC0415

        if cell.question["privacy"]["epsilon"] == "3":
            os.kill(os.getpid(), signal.SIGKILL)
        if cell.question["privacy"]["epsilon"] == "5":
            raise ValueError(cell)
        return answer_without_design(cell, Ending.REFUSED, "no design was asked for")

    rows = [result.row for result in cluster_answers(CELLS, work, address)]
    assert sorted(row["key"] for row in rows) == sorted(cell.key for cell in CELLS)
    statuses = {int(row["privacy_epsilon"]): row["status"] for row in rows}
    assert statuses == dict.fromkeys(range(1, 13), "refused") | {3: "died", 5: "failed"}


@pytest.mark.slow
def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    address, _ = cluster
    monkeypatch.setattr(workers_module, "__version__", "99.0")
    sentence = r"must have workers with optmech 99\.0; got 0\..*Install the same version on each"
    with pytest.raises(ProblemError, match=sentence):
        next(cluster_answers(CELLS, repr, address))


@pytest.mark.slow
def test_a_scheduler_without_workers_is_refused(cluster, monkeypatch):
    distributed = pytest.importorskip("distributed")
    address, (_, *workers) = cluster
    for worker in workers:
        worker.kill()
        worker.wait()
    with distributed.Client(address) as client:
        wait_until(lambda: not client.run_on_scheduler(lambda dask_scheduler: list(dask_scheduler.workers)))
    monkeypatch.setattr(workers_module, "_WORKER_PATIENCE", 1)
    with pytest.raises(ProblemError, match="`scheduler` must have a worker; got none at tcp://127"):
        next(cluster_answers(CELLS, repr, address))


@pytest.mark.parametrize(
    ("address", "reason"),
    [("nonsense", "missing port"), ("nonsense://a:1", "unknown|scheme"), ("tcp://127.0.0.1:1", "Timed out")],
)
def test_an_address_without_a_scheduler_is_refused(monkeypatch, address, reason):
    monkeypatch.setattr(workers_module, "_PATIENCE", 1)
    sentence = rf"`scheduler` must be the address of a Dask scheduler that runs; got '{address}': .*{reason}"
    with pytest.raises(ProblemError, match=sentence):
        next(cluster_answers(CELLS, repr, address))
