"""Cells worked on: by processes of this machine with joblib, or on a Dask cluster that is already there.

joblib has a Dask backend, and its results do come one by one. But a cell whose workers die is missing from
them without a word, and on a cluster of one thread joblib works in the asking process instead. So the cells
go to the scheduler directly.
"""

from __future__ import annotations

import asyncio
import signal
import warnings
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.base.errors import OptmechError, ProblemError
from optmech.base.extras import package
from optmech.base.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optmech.analysis.sweep.answer import CellAnswer
    from optmech.analysis.sweep.cell import Cell

    Work = Callable[[Cell], CellAnswer]

# A worker is replaced when its memory grows, and the workers of an interrupted sweep are killed: joblib warns
# of both, and there is nothing to do.
_DEFECTS = (
    "A worker stopped while some jobs were given",
    r"\d+ tasks (have been successfully executed|which were still being processed)",
)

# Number of times that a cell is tried again alone.
_ATTEMPTS = 2
# Seconds until a scheduler must answer, and until it must have a worker.
_PATIENCE, _WORKER_PATIENCE = 30, 30


def local_answers(cells: Sequence[Cell], work: Work, jobs: int | None = None) -> Iterator[CellAnswer]:
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


def _parallel(cells: Iterator[Cell], work: Work, jobs: int) -> Iterator[CellAnswer]:
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
    with _without_ctrl_c():
        answers: Iterator[CellAnswer] = runner(joblib.delayed(work)(cell) for cell in cells)
    return answers


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, which goes to all of a terminal; this one ends them.

    While they load they would answer it with a traceback. A signal that is blocked here stays blocked in the
    processes that are started, and reaches this process as soon as they run.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which unblocks signals where it is started, and they start it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _note(waiting: dict[str, Cell], started_cells: list[Cell]) -> Iterator[Cell]:
    for cell in list(waiting.values()):
        started_cells.append(cell)
        yield cell


def _alone(cell: Cell, work: Work) -> CellAnswer:
    reason: list[str] = []
    for _ in range(_ATTEMPTS):
        try:
            (result,) = _parallel(iter([cell]), work, 1)  # to the end: joblib kills the workers of a part
        except BrokenProcessPool as failure:  # of this cell, or what is left of the crash before
            reason = str(failure).strip().splitlines()
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


def cluster_answers(cells: Sequence[Cell], work: Work, scheduler: str) -> Iterator[CellAnswer]:
    """Yield the answer of each cell as it comes; `work` is sent to the workers by its name.

    Dask itself repeats the cells of a worker that is lost. It gives up those that were with several workers
    that died, four by its default, whichever of them was the cause; in the end each of these is tried again
    alone, and one that ends its workers again is answered as `Ending.DIED`. ProblemError if there is no
    scheduler, no worker, or a worker with another version of optmech; OptmechError if the connection is lost.
    """
    dask = package("distributed", "cluster", "a sweep")
    with _client(dask, scheduler) as client:
        futures = dict(zip(client.map(work, cells, pure=False), cells, strict=True))
        suspects = []
        for future in dask.as_completed(list(futures), loop=client.loop):
            cell = futures.pop(future)  # with the last reference Dask forgets the answer, here and there
            result = _answer(future, cell, scheduler)
            if result.row["status"] == Ending.DIED:
                suspects.append(cell)
            else:
                yield result
        for cell in suspects:
            yield _answer(client.submit(work, cell, pure=False), cell, scheduler)


def version_of_worker() -> str:
    """Return the version of optmech where this is called."""
    return __version__


def _answer(future: Any, cell: Cell, scheduler: str) -> CellAnswer:  # noqa: ANN401 - of no typed module
    try:
        result: CellAnswer = future.result()
    except (Exception, asyncio.CancelledError) as failure:  # noqa: BLE001 - any error of the cell or its way
        if future.status != "error":  # nothing went wrong with the cell: its answer cannot be had
            message = (
                f"the Dask scheduler at {scheduler} must stay within reach; the connection was lost. "
                "Cells that were answered are kept: run the same command again to go on."
            )
            raise OptmechError(message) from None
        if isinstance(failure, package("distributed", "cluster", "a sweep").KilledWorker):
            error = "the Dask workers that ran it died, one after another; they may have run out of memory."
            return answer_without_design(cell, Ending.DIED, error)
        return answer_without_design(cell, Ending.FAILED, f"{type(failure).__name__}: {failure}")
    return result


def _client(dask: Any, scheduler: str) -> Any:  # noqa: ANN401 - modules without types
    try:
        with ThreadPoolExecutor(1) as thread:  # there may be an event loop in this one
            thread.submit(asyncio.run, _reach(dask, scheduler)).result()
        client = dask.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, ImportError) as error:
        message = (
            f"`scheduler` must be the address of a Dask scheduler that runs; got {scheduler!r}: "
            f"{_first_line(error)}. Start one with `dask scheduler`."
        )
        raise ProblemError(message) from None
    try:
        client.wait_for_workers(1, timeout=_WORKER_PATIENCE)
        versions = set(client.run(version_of_worker).values())
    except TimeoutError:
        client.close()
        message = f"`scheduler` must have a worker; got none at {scheduler} within {_WORKER_PATIENCE} s. \
Start one with `dask worker {scheduler} --nthreads 1`."
        raise ProblemError(message) from None
    except Exception as error:  # noqa: BLE001 - any error of a worker without optmech
        versions = {f"{type(error).__name__}: {_first_line(error)}"}
    if versions != {__version__}:
        client.close()
        message = (
            f"`scheduler` must have workers with optmech {__version__}; got {', '.join(sorted(versions))}. "
            "Install the same version on each."
        )
        raise ProblemError(message)
    return client


async def _reach(dask: Any, scheduler: str) -> None:  # noqa: ANN401 - of no typed module
    """Fail if no server listens: a client that cannot connect leaves a thread behind, which may hang."""
    settings = dask.Security().get_connection_args("client")
    listener = await dask.comm.connect(scheduler, timeout=_PATIENCE, **settings)
    await listener.close()


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
