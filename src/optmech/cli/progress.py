"""Show the progress of long work on stderr, at a terminal alone; it is erased when the work is done."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from optmech.base.visible import visible
from optmech.cli.output import is_quiet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

    from rich.progress import Progress, ProgressColumn, Task

Work = TypeVar("Work")


@contextmanager
def waiting(task: str, limit: float | None = None) -> Iterator[None]:
    """Show that something runs, for how long, and how long yet where it has a limit of seconds."""
    if not _is_seen():
        yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    column = _column(lambda progress_task: time_left(progress_task.elapsed or 0.0, limit))
    with _progress(
        SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn(), column
    ) as progress:
        progress.add_task(visible(task), total=None)
        yield


@contextmanager
def counting(total: int, text: str = "") -> Iterator[Callable[[str, int], None]]:
    """Show how many of `total` works are done; call what is yielded with what to tell, and how many more are.

    The time left is the average of what is done, times what is not.
    """
    if not _is_seen() or not total:
        yield lambda _, __: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    column = _column(lambda task: _from_average(task.elapsed or 0.0, task.completed, total, task.fields))
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        column,
        TextColumn("{task.description}", markup=False),
    )
    with _progress(*columns) as progress:
        bar = progress.add_task(visible(text), total=total, at=0.0)

        def step(description: str, number: int) -> None:
            progress.update(bar, description=visible(description))
            if number:
                progress.update(bar, advance=number, at=progress.tasks[0].elapsed or 0.0)

        yield step


def watch(works: Iterable[Work], describe: Callable[[Work], str], total: int | None = None) -> Iterator[Work]:
    """Yield each work and show how far they are, where a person watches.

    `total` is how many there are, of works without a length; `describe` is what to tell of one.
    """
    if not _is_seen():
        yield from works
        return
    sized: Sized = works  # type: ignore[assignment]
    with counting(len(sized) if total is None else total) as step:
        for work in works:
            step(describe(work), 0)
            yield work
            step(describe(work), 1)


def time_left(seconds: float, limit: float | None) -> str:
    """Return an estimate of the time left."""
    if limit is None:
        return "no estimate"
    past = "past its time limit: proving"
    return f"solving ends within {_clock(limit - seconds)}" if seconds < limit else past


def _from_average(seconds: float, number: float, total: int, fields: dict[str, Any]) -> str:
    """Return the time left if the works to come take as long as those done, on average."""
    if not number:
        return "no estimate yet"
    seconds_left = fields["at"] / number * total - seconds
    return f"about {_clock(seconds_left)} left" if seconds_left > 0 else "no estimate now"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _is_seen() -> bool:
    """Whether a person watches: never in a pipe or a file, even if colours are asked for."""
    return sys.stderr.isatty() and not is_quiet()


def _progress(*columns: ProgressColumn) -> Progress:
    from rich.console import Console  # noqa: PLC0415 - nobody else needs it
    from rich.progress import Progress  # noqa: PLC0415

    return Progress(*columns, console=Console(stderr=True), transient=True)


def _column(tell: Callable[[Task], str]) -> ProgressColumn:
    from rich.progress import ProgressColumn  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    class TextColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(tell(task))

    return TextColumn()
