"""Cells on a Dask cluster that is already there.

joblib has a Dask backend, and its results do come one by one. But a cell whose workers die is missing from
them without a word, and on a cluster of one thread joblib works in the asking process instead. So the cells
go to the scheduler directly.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from optmech.analysis.sweep.answer import Ending, answer_without_design
from optmech.base.errors import OptmechError, ProblemError
from optmech.base.extras import package
from optmech.base.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from optmech.analysis.sweep.answer import Answer
    from optmech.analysis.sweep.cell import Cell

# Seconds until a scheduler must answer, and until it must have a worker.
_PATIENCE = 30


def cluster_answers(
    cells: Sequence[Cell], work: Callable[[Cell], Answer], scheduler: str
) -> Iterator[Answer]:
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


def _answer(future: Any, cell: Cell, scheduler: str) -> Answer:  # noqa: ANN401 - of no typed module
    try:
        result: Answer = future.result()
    except (Exception, asyncio.CancelledError) as trouble:  # noqa: BLE001 - whatever the cell or the way here raises
        if future.status != "error":  # nothing went wrong with the cell: its answer cannot be had
            message = (
                f"the Dask scheduler at {scheduler} must stay within reach; the connection was lost. "
                "What has been answered is kept: run the same command again to go on."
            )
            raise OptmechError(message) from None
        if isinstance(trouble, package("distributed", "cluster", "a sweep").KilledWorker):
            error = "the Dask workers that ran it died, one after another; they may have run out of memory."
            return answer_without_design(cell, Ending.DIED, error)
        return answer_without_design(cell, Ending.FAILED, f"{type(trouble).__name__}: {trouble}")
    return result


def _client(dask: Any, scheduler: str) -> Any:  # noqa: ANN401 - modules without types of their own
    try:
        with ThreadPoolExecutor(1) as thread:  # there may be an event loop in this one
            thread.submit(asyncio.run, _reach(dask, scheduler)).result()
        client = dask.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, ImportError) as trouble:
        message = (
            f"`scheduler` must be the address of a Dask scheduler that runs; got {scheduler!r}: "
            f"{_first_line(trouble)}. Start one with `dask scheduler`."
        )
        raise ProblemError(message) from None
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
        versions = set(client.run(version_of_worker).values())
    except TimeoutError:
        client.close()
        message = f"`scheduler` must have a worker; got none at {scheduler} within {_PATIENCE} s. Start one \
with `dask worker {scheduler} --nthreads 1`."
        raise ProblemError(message) from None
    except Exception as trouble:  # noqa: BLE001 - whatever a worker without optmech raises
        versions = {f"{type(trouble).__name__}: {_first_line(trouble)}"}
    if versions != {__version__}:
        client.close()
        message = (
            f"`scheduler` must have workers with optmech {__version__}; got {', '.join(sorted(versions))}. "
            "Install the same version on each."
        )
        raise ProblemError(message)
    return client


async def _reach(dask: Any, scheduler: str) -> None:  # noqa: ANN401 - of no typed module
    """Fail if nobody listens: a client that cannot connect leaves a thread behind, which may hang."""
    settings = dask.Security().get_connection_args("client")
    listener = await dask.comm.connect(scheduler, timeout=_PATIENCE, **settings)
    await listener.close()


def _first_line(trouble: BaseException) -> str:
    lines = str(trouble).strip().splitlines()
    return lines[0] if lines else type(trouble).__name__
