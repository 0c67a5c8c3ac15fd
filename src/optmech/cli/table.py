"""What commands that print long tables share: lists on the command line, progress, and the table as CSV."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from _typeshed import DataclassInstance

__all__ = ["csv_text", "listed", "watched"]

Work = TypeVar("Work")


def listed(given: str) -> tuple[str, ...]:
    """Return the parts of a list with commas.

    Examples
    --------
    >>> listed("0.5, ln 2,")
    ('0.5', 'ln 2')
    """
    return tuple(part.strip() for part in given.split(",") if part.strip())


def watched(works: Sequence[Work], describe: Callable[[Work], str]) -> Iterator[Work]:
    """Yield each work and show how far they are, where a person watches."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from works
        return
    columns = BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(works))
        for work in works:
            progress.update(bar, description=describe(work))
            yield work
            progress.advance(bar)


def csv_text(rows: Sequence[DataclassInstance]) -> str:
    """Return rows of one class as CSV, the fields' names first; without rows there are no fields to name."""
    text = io.StringIO()
    table = [asdict(row) for row in rows]
    writer = csv.DictWriter(text, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()
