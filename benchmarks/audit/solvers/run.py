"""Each answer in a separate process: a crash, a hang or a kill becomes a row, and the next one starts."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.audit.solvers.answer import record
from benchmarks.audit.solvers.table import AuditRow
from optmech.base.arguments import Word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.process import BaseProcess

    from benchmarks.audit.solvers.answer import Task

CLAIM_GRACE = 10.0
"""Seconds beyond its limit after which a solver that has claimed nothing is killed."""
PROOF_LIMIT = 120.0
"""Seconds that repair and proof may take once the solver has claimed something."""

_GLANCE = 0.02
_LONGEST_WORD = 200


class RunEnding(Word):
    """The end of the process of an answer."""

    ANSWERED = "the process finished"
    DIED = "the process died: the solver crashed, or it was killed from outside"
    TIMED_OUT = "the process was killed at its time limit"


def answers(tasks: Iterable[Task], worker: Callable[[Task, str, str], None] = record) -> Iterator[AuditRow]:
    """Yield a row for each task, in order; `worker` writes lines of JSON to its second argument."""
    # A server that has loaded optmech forks a process in milliseconds; elsewhere each loads it anew.
    forks = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if forks else "spawn")
    if forks:
        context.set_forkserver_preload(["benchmarks.audit.solvers.answer", "highspy"])
    for task in tasks:
        with tempfile.TemporaryDirectory(prefix="optmech-audit-", ignore_cleanup_errors=True) as name:
            out, log = Path(name, "out"), Path(name, "log")
            out.touch()
            log.touch()
            process = context.Process(target=worker, args=(task, str(out), str(log)), daemon=True)  # type: ignore[attr-defined]
            process.start()
            ending = _watch(process, out, task.time_limit)
            yield _row(task, ending, out, _last_words(log, process.exitcode))


def _watch(process: BaseProcess, out: Path, limit: float) -> RunEnding:
    """Wait for the process and leave nothing of it running, even if the wait is interrupted."""
    deadline, has_claim = time.monotonic() + limit + CLAIM_GRACE, False
    ending = RunEnding.TIMED_OUT
    try:
        while time.monotonic() < deadline:
            process.join(_GLANCE)
            if process.exitcode is not None:
                ending = RunEnding.DIED if process.exitcode else RunEnding.ANSWERED
                break
            if not has_claim and out.stat().st_size:
                deadline, has_claim = time.monotonic() + PROOF_LIMIT, True
    finally:
        if ending is not RunEnding.ANSWERED:
            _kill(process)
    return ending


def _kill(process: BaseProcess) -> None:
    if hasattr(os, "killpg") and process.pid is not None:
        with contextlib.suppress(OSError):  # it is gone, or has no group of its own yet
            os.killpg(process.pid, signal.SIGKILL)  # with the solver's own processes
    process.kill()
    process.join()


def _row(task: Task, ending: RunEnding, out: Path, last_words: str) -> AuditRow:
    entries: dict[str, Any] = {}
    for line in out.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):  # else the process died while it wrote
            entries |= json.loads(line)
    rung = task.rung
    fields: dict[str, Any] = {
        "problem": rung.name,
        "family": rung.family,
        "size": rung.size,
        "epsilon": rung.epsilon,
        "backend": f"{task.backend.solver} branch-and-bound"
        if rung.integer
        else task.backend.name.replace("-", " "),
        "ended": ending.name,
        "status": ending.name.replace("_", " "),
        "message": "" if ending is RunEnding.ANSWERED else last_words,
    }
    if ending is not RunEnding.ANSWERED and "message" in entries:
        entries["message"] += f"; then: {ending}: {last_words}"
    return AuditRow(**{**fields, **entries})


def _last_words(log: Path, exit_code: int | None) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    code = exit_code or 0
    end = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{end}{': ' if last else ''}{last[:_LONGEST_WORD]}"
