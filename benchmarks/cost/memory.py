"""Peak memory of building and of designing, each in a fresh process."""

from __future__ import annotations

from typing import Any

from benchmarks.cost.building import EPSILON, SIZE, SMALL
from benchmarks.cost.models import BUILDERS
from benchmarks.cost.worker import run
from benchmarks.table import Table

__all__ = ["table"]


def _jobs(*, smoke: bool) -> list[tuple[str, dict[str, Any]]]:
    size, records = (SMALL, 5) if smoke else (SIZE, 20)
    libraries = list(BUILDERS)[:1] if smoke else list(BUILDERS)
    mean = {"query": "mean", "records": records, "range": "0:4", "epsilon": "0.2"}
    count = {"query": "count", "range": f"0:{size}", "epsilon": EPSILON}
    builds = [
        (
            f"build count 0..{size}: {name}",
            {"work": "build", "library": name, "size": size, "epsilon": EPSILON},
        )
        for name in libraries
    ]
    designs = [
        (f"design mean of {records}: rays", {"choices": mean, "engine": "rays"}),
        (
            f"design mean of {records}: program, simplex",
            {"choices": mean, "engine": "program", "method": "simplex"},
        ),
        (f"design mean of {records}: program, ipm", {"choices": mean, "engine": "program", "method": "ipm"}),
        (f"design count 0..{size}: closed form", {"choices": count, "engine": "closed-form"}),
    ]
    return builds + [(name, {"work": "design", **job}) for name, job in ([] if smoke else designs)]


def table(limit: float, *, smoke: bool) -> Table:
    """Return the peak of each job, and what it is above a process that only starts."""
    start = run({"work": "nothing"})["megabytes"]
    rows = [("start and import optmech", f"{start:.0f}", "0")]
    for name, job in _jobs(smoke=smoke):
        answer = run(job, limit)
        if "megabytes" in answer:
            rows.append((name, f"{answer['megabytes']:.0f}", f"{answer['megabytes'] - start:.0f}"))
        else:
            rows.append((name, str(answer.get("error", f"> {limit:g} s")), ""))
    return Table(
        title="Peak memory",
        header=("work", "peak, MiB", "above the start, MiB"),
        rows=tuple(rows),
        notes=("The libraries' own imports count: they are part of what a user needs.",),
    )
