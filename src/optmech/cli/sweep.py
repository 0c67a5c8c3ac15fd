"""``optmech sweep``: the designs of a grid, side by side, into one Parquet file."""

from __future__ import annotations

import logging
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, made_folder, write_whole
from optmech.cli.output import answer, count_text, warn
from optmech.cli.parsers import Arguments, Command, either, option, out, switch
from optmech.cli.progress import watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optmech.analysis.sweep.answer import CellAnswer
    from optmech.analysis.sweep.cell import Cell
    from optmech.analysis.sweep.store import Store


def _run(arguments: Arguments) -> int:
    # The engines load in half a second, which no other command should wait for.
    from optmech.analysis.sweep.spec import read_spec  # noqa: PLC0415
    from optmech.analysis.sweep.store import Store  # noqa: PLC0415

    if arguments.jobs is not None and arguments.jobs < 1:
        message = f"`--jobs` must be positive; got {arguments.jobs}. For all cores leave it out."
        raise ProblemError(message)
    cells = read_spec(arguments.spec)
    if arguments.dry_run:
        lines = [
            f"{count_text(cells, 'cell')}; nothing was written",
            *(f"{cell.key}  {visible(cell)}" for cell in cells),
        ]
        content = {"cells": [{"key": cell.key, "text": str(cell)} for cell in cells]}
        answer(arguments, lambda: content, lambda: lines)
        return 0
    if arguments.out is None:
        message = "`--out` must be given: the Parquet file to write. To list the cells give --dry-run."
        raise ProblemError(message)
    if not Path(arguments.out).is_file():  # of one that is there, the store knows whether it is its own
        check_writable(arguments.out, ".parquet", ".pq")
    folder = None if arguments.keep is None else made_folder(arguments.keep)
    start = time.perf_counter()
    with Store(arguments.out, cells) as store:
        waiting = [cell for cell in cells if _is_open(cell, store, folder, retry=arguments.retry)]
        num_kept = len(cells) - len(waiting)
        describe = _describing(num_kept)
        try:
            for answer_of_cell in watch(_answers(arguments, waiting), describe, len(waiting)):
                for ending, text in answer_of_cell.files.items():
                    write_whole((folder or Path()) / f"{answer_of_cell.row['key']}{ending}", text)
                store.add([answer_of_cell.row])  # last: a cell with a row has its files
        except KeyboardInterrupt as error:
            state = f"with {len(store.rows)} of {count_text(cells, 'cell')} answered, which are kept"
            error.args = (f"{state}; run the same command again to go on",)
            raise
        store.finish()
    return _summary(arguments, cells, store, num_kept, time.perf_counter() - start)


def _answers(arguments: Arguments, cells: Sequence[Cell]) -> Iterator[CellAnswer]:
    from optmech.analysis.sweep.answer import answer  # noqa: PLC0415
    from optmech.analysis.sweep.workers import cluster_answers, local_answers  # noqa: PLC0415
    from optmech.base.extras import package  # noqa: PLC0415

    work = partial(answer, keep=arguments.keep is not None)
    if not cells:
        return iter(())
    if arguments.scheduler is not None:
        package("distributed", "cluster", "a sweep")  # sets up its logging as it loads
        for name in ("distributed", "distributed.client"):  # what matters of it is said in a sentence
            logging.getLogger(name).setLevel(logging.CRITICAL)
        return cluster_answers(cells, work, arguments.scheduler)
    return local_answers(cells, work, arguments.jobs)


def _is_open(cell: Cell, store: Store, folder: Path | None, *, retry: bool) -> bool:
    row = store.rows.get(cell.key)
    if row is None:
        return True
    if row["status"] != "done":
        return retry
    lacks_files = folder is not None and not (folder / f"{cell.key}.csv").exists()
    return lacks_files and row["sha256"] is not None


def _describing(num_kept: int) -> Callable[[CellAnswer], str]:
    """Return what to tell with each answer: how many were there before, and how many have no mechanism."""
    failures: set[object] = set()

    def describe(answer_of_cell: CellAnswer) -> str:
        if answer_of_cell.row["status"] != "done":
            failures.add(answer_of_cell.row["key"])
        counts = {"were answered before": num_kept, "without a mechanism": len(failures)}
        return "; ".join(f"{number} {what}" for what, number in counts.items() if number)

    return describe


def _summary(arguments: Arguments, cells: Sequence[Cell], store: Store, num_kept: int, seconds: float) -> int:
    rows = [store.rows[cell.key] for cell in cells]
    tally = Counter(str(row["status"]) for row in rows)
    wrong = [row for row in rows if row["status"] != "done"]
    text = ", ".join(f"{number} {status}" for status, number in sorted(tally.items()))
    before = f", {num_kept} of them before" if num_kept else ""
    tail = f"{before}; {seconds:.1f} s; written to {visible(arguments.out)}"
    content = {
        "cells": len(cells),
        "answered_before": num_kept,
        "statuses": dict(tally),
        "seconds": seconds,
        "errors": {str(row["key"]): str(row["error"]) for row in wrong},
        "out": arguments.out,
    }
    answer(arguments, lambda: content, lambda: [f"{count_text(cells, 'cell')}: {text}{tail}"])
    if wrong:
        warn(
            f"{count_text(wrong, 'cell')} without a mechanism; the column `error` says why. "
            f"The first: {wrong[0]['error']}"
        )
    return 1 if wrong else 0


COMMAND = Command(
    name="sweep",
    about="""\
Design the mechanism of each cell of a grid, side by side, and gather the answers in one Parquet file.
A cell without a mechanism is a row that says why. An interrupted or killed sweep continues when
the same command runs again. Exit code 0 if each cell has a mechanism, 1 if not, 2 for bad input.""",
    examples=(
        "optmech sweep sweep.toml --dry-run",
        "optmech sweep sweep.toml --out sweep.parquet --jobs 2 --keep matrices",
    ),
    options=(
        option("spec", "SPEC.toml", "lists of values; their product are the cells"),
        out("FILE.parquet", "write the rows there, or go on with them"),
        either(
            option("--jobs", "N", "processes side by side; default: all cores", type=int),
            option("--scheduler", "ADDRESS", "of a Dask cluster that is to do the work: tcp://HOST:8786"),
        ),
        option("--keep", "FOLDER", "certificate and matrix of each cell, by its key"),
        switch("--retry", "design again the cells without a mechanism"),
        switch("--dry-run", "list the cells and write nothing"),
    ),
    run=_run,
)
