"""Cells on this machine, each process one at a time, by joblib."""

from __future__ import annotations

import warnings
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING

from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.base.extras import package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optmech.analysis.sweep.answer import Answer
    from optmech.analysis.sweep.cell import Cell

    Work = Callable[[Cell], Answer]

# A worker is replaced when its memory grows, and the workers of an interrupted sweep are killed: joblib warns
# of both, and there is nothing to do.
_DEFECTS = (
    "A worker stopped while some jobs were given",
    r"\d+ tasks (have been successfully executed|which were still being processed)",
)

# How often a cell is tried again alone.
_ATTEMPTS = 2


def local_answers(cells: Sequence[Cell], work: Work, jobs: int | None = None) -> Iterator[Answer]:
    """Yield the answer of each cell as it comes; `work` is sent to the processes by its name.

    A crash of one process ends all that joblib has begun. Those cells are tried again, one by one: a cell
    whose process dies each time is answered as `Ending.DIED`, and the others go on.
    """
    joblib = package("joblib", "sweep", "a sweep")
    waiting = {cell.key: cell for cell in cells}
    with _quiet():
        while waiting:
            started_cells: list[Cell] = []
            try:
                for result in _parallel(_note(waiting, started_cells), work, jobs or joblib.cpu_count()):
                    del waiting[result.row["key"]]
                    yield result
            except BrokenProcessPool:
                for cell in started_cells:
                    if waiting.pop(cell.key, None) is not None:
                        yield _alone(cell, work)


def _parallel(cells: Iterator[Cell], work: Work, jobs: int) -> Iterator[Answer]:
    joblib = package("joblib", "sweep", "a sweep")
    # Two processes at least: with one joblib would work in this one, which a crash of a solver must not end.
    # No more cells than `jobs` are handed out at a time, so that a crash makes few of them suspects.
    runner = joblib.Parallel(
        n_jobs=max(jobs, 2),
        pre_dispatch=jobs,
        batch_size=1,
        backend="loky",
        return_as="generator_unordered",
    )
    answers: Iterator[Answer] = runner(joblib.delayed(work)(cell) for cell in cells)
    return answers


def _note(waiting: dict[str, Cell], started_cells: list[Cell]) -> Iterator[Cell]:
    for cell in list(waiting.values()):
        started_cells.append(cell)
        yield cell


def _alone(cell: Cell, work: Work) -> Answer:
    reason: list[str] = []
    for _ in range(_ATTEMPTS):
        try:
            (result,) = _parallel(iter([cell]), work, 1)  # to the end: joblib kills the workers of a part
        except BrokenProcessPool as trouble:  # of this cell, or what is left of the crash before
            reason = str(trouble).strip().splitlines()
        else:
            return result
    error = f"the process died each time; it may have run out of memory. {reason[0] if reason else ''}"
    return answer_without_design(cell, Ending.DIED, error.strip())


@contextmanager
def _quiet() -> Iterator[None]:
    """Hold back what joblib says of workers that it replaces, and of a sweep that is interrupted."""
    with warnings.catch_warnings():
        for message in _DEFECTS:
            warnings.filterwarnings("ignore", message=message, category=UserWarning)
        yield
