"""One job in a process of its own: it can be stopped, and its memory is its own.

A job is a dict with ``work``, one of `WORKS`, and what that work wants. The last line that it prints is its
answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.cost.machine import PeerMissingError, peak_megabytes

__all__ = ["run"]

Job = dict[str, Any]
ROOT = Path(__file__).parents[2]
# Starting Python, and what a solver needs to notice that its time is up.
_GRACE = 30.0


def run(job: Job, limit: float | None = None) -> dict[str, Any]:
    """Return what a job answers, or ``{"stopped": seconds}`` or ``{"error": text}``."""
    command = [sys.executable, "-m", "benchmarks.cost.worker", json.dumps(job)]
    start = time.perf_counter()
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter, this module
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=None if limit is None else limit + _GRACE,
        )
    except subprocess.TimeoutExpired:
        return {"stopped": time.perf_counter() - start}
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        said = (done.stderr.strip().splitlines() or ["no word"])[-1]
        return {"error": f"ended with {done.returncode}: {said}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def _answer(job: Job) -> dict[str, Any]:
    from benchmarks.cost import works  # noqa: PLC0415 - memory is that of the job, imports included

    work = works.WORKS[job.pop("work")]
    try:
        result = work(**job)
    except PeerMissingError as missing:
        return {"error": str(missing)}
    return {**result, "megabytes": peak_megabytes()}


if __name__ == "__main__":
    print("\n" + json.dumps(_answer(json.loads(sys.argv[1]))))
