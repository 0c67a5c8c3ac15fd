"""One process an answer: whatever becomes of it, there is a row, and nothing is left running."""

from __future__ import annotations

import _thread
import importlib
import sys
import threading
import time
from pathlib import Path

import pytest

from benchmarks.audit.solvers import run
from benchmarks.audit.solvers.answer import Task
from benchmarks.audit.solvers.ladder import Ladder, backends
from benchmarks.audit.solvers.table import rows_without_repair
from tests.alone.waiting import wait_until

BACKEND = backends(("highs-simplex",))[0]
RUNGS = Ladder(counts=(3,), epsilons=("1",)).rungs()
# Failures of a worker that are no answer; each runs in a separate process.
WORKERS = """
import os, signal, subprocess, sys, time

CLAIM = '{"status": "OPTIMAL", "message": "Optimal", "claimed": 1.0, "epsilon_before": Infinity}\\n'

def tell(out, text):
    with open(out, "w") as file:
        file.write(text)

def aborts(task, out, log):
    os.abort()

def segfaults(task, out, log):
    os.kill(os.getpid(), signal.SIGSEGV)

def exits(task, out, log):
    with open(log, "w") as file:
        file.write("out of memory\\n\\n")
    os._exit(3)

def raises(task, out, log):
    sys.stderr = open(log, "w")
    raise ValueError("no such luck")

def hangs(task, out, log):
    os.setsid()
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(task.rung.choices["pids"], "w") as file:
        file.write(f"{os.getpid()} {child.pid}")
    time.sleep(600)

def claims_and_hangs(task, out, log):
    tell(out, CLAIM)
    time.sleep(600)

def claims_and_dies(task, out, log):
    tell(out, CLAIM + '{"repaired": tr')
    os.abort()

def answers(task, out, log):
    tell(out, CLAIM + '{"repaired": true}\\n')
"""


@pytest.fixture
def workers(tmp_path, monkeypatch):
    (tmp_path / "audit_workers.py").write_text(WORKERS)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("audit_workers")
    del sys.modules["audit_workers"]


def tasks(number=1, *, time_limit=30.0, choices=None):
    rungs = RUNGS[:number]
    if choices is not None:
        rungs = [
            type(rung)(family="count", size=3, epsilon="1", formulation="croft", choices=choices)
            for rung in rungs
        ]
    return [Task(rung=rung, backend=BACKEND, time_limit=time_limit, tolerance=1e-9) for rung in rungs]


def is_running(pid):
    """Whether a process still runs: a zombie does not."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_gone(pids):
    wait_until(lambda: not any(map(is_running, pids)))


def test_a_real_answer_is_a_whole_row():
    (row,) = run.answers(tasks())
    assert (row.ended, row.status, row.repaired) == ("ANSWERED", "OPTIMAL", True)
    assert row.version.startswith("highs ")
    assert row.claimed == pytest.approx(2.082195134296091, rel=1e-9)
    assert row.bound <= row.objective
    assert row.seconds > 0


@pytest.mark.parametrize(
    ("worker", "words"),
    [
        ("aborts", "signal 6"),
        ("segfaults", "signal 11"),
        ("exits", "exit code 3: out of memory"),
        ("raises", "exit code 1: ValueError: no such luck"),
    ],
)
def test_a_process_that_dies_is_a_row_and_the_next_one_is_asked(workers, worker, words):
    rows = list(run.answers(tasks(2), getattr(workers, worker)))
    assert [row.status for row in rows] == ["DIED", "DIED"]
    assert {row.message for row in rows} == {words}
    assert {row.claimed for row in rows} == {None}
    assert not rows_without_repair(rows)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see what still runs")
def test_a_process_that_hangs_is_ended_with_its_children(workers, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "CLAIM_GRACE", 1.0)
    pids = tmp_path / "pids"
    for seconds in (1.0, 4.0, 16.0, 64.0):
        (row,) = run.answers(tasks(time_limit=seconds, choices={"pids": str(pids)}), workers.hangs)
        assert (row.ended, row.status) == ("TIMED_OUT", "TIMED OUT")
        if pids.exists() and len(pids.read_text().split()) == 2:  # on a busy machine it begins later
            break
    wait_until_gone(pids.read_text().split())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see what still runs")
def test_ctrl_c_leaves_nothing_running(workers, tmp_path):
    pids = tmp_path / "pids"

    def press():
        while not (pids.exists() and len(pids.read_text().split()) == 2):
            time.sleep(0.05)
        _thread.interrupt_main()

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        list(run.answers(tasks(choices={"pids": str(pids)}), workers.hangs))
    wait_until_gone(pids.read_text().split())


def test_a_claim_outlives_a_proof_that_hangs(workers, monkeypatch):
    monkeypatch.setattr(run, "PROOF_LIMIT", 0.5)
    rows = list(run.answers(tasks(), workers.claims_and_hangs))
    assert (rows[0].ended, rows[0].status, rows[0].claimed) == ("TIMED_OUT", "OPTIMAL", 1.0)
    assert rows[0].message.startswith("Optimal; then: the process was killed at its time limit")
    assert rows_without_repair(rows) == rows


def test_half_a_line_is_not_read(workers):
    (row,) = run.answers(tasks(), workers.claims_and_dies)
    assert (row.ended, row.status, row.repaired) == ("DIED", "OPTIMAL", None)
    assert row.is_infinite


def test_another_worker_may_answer(workers):
    (row,) = run.answers(tasks(), workers.answers)
    assert (row.ended, row.repaired) == ("ANSWERED", True)


def test_where_no_server_forks_each_process_starts_anew(monkeypatch):
    monkeypatch.setattr(run.multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    (row,) = run.answers(tasks())
    assert row.status == "OPTIMAL"
