"""Show the progress of long work on stderr.

At a terminal it moves, and is erased when the work is done. Elsewhere a line every ten seconds says what
designs have reached, and how many of several works are done. One work without an engine says nothing
there, and so nothing of what reads people's tables.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from optmech.base.reached import Figures, watched
from optmech.base.visible import visible
from optmech.cli.output import is_quiet, tell_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sized

    from rich.progress import Progress, ProgressColumn, Task

Work = TypeVar("Work")


# Seconds between two lines, and between two looks at whether one is due.
_BETWEEN, _GLANCE = 10.0, 0.5
# Columns of a line behind its "optmech: ", and the least of a task that says anything where it is cut.
_COLUMNS, _LEAST_OF_TASK = 71, 16
# Columns of a task at a terminal, beside its figures.
_COLUMNS_OF_TASK = 40


class Lines:
    """The lines on some work for a log: one every ten seconds, while there is something to say.

    >>> now = iter([0.0, 9.0, 10.5, 15.0, 25.0])
    >>> lines = Lines(lambda room: "engine rays", print, clock=lambda: next(now))
    >>> for _ in range(4):
    ...     lines.tick()
    10 s: engine rays
    25 s: engine rays
    """

    def __init__(
        self, text: Callable[[int], str], write: Callable[[str], None], clock: Callable[[], float]
    ) -> None:
        """Keep the function that returns a text for so many columns, the one that writes it, and a clock."""
        self._text, self._write, self._clock = text, write, clock
        self._start = clock()
        self._due = self._start + _BETWEEN

    def tick(self) -> None:
        """Write a line if one is due."""
        now = self._clock()
        if now < self._due:
            return
        self._due = now + _BETWEEN
        after = f"{int(now - self._start)} s: "
        text = self._text(_COLUMNS - len(after))
        if text:
            self._write(f"{after}{text}")

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Tick from a thread until the work within is done."""
        done = threading.Event()

        def run() -> None:
            while not done.wait(_GLANCE):
                self.tick()

        thread = threading.Thread(target=run, name="optmech-progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


@contextmanager
def _in_lines(text: Callable[[int], str]) -> Iterator[None]:
    """Say how far the work within is, a line every ten seconds."""
    if is_quiet():
        yield
        return
    with Lines(text, tell_aside, time.monotonic).ticking():
        yield


@contextmanager
def waiting(task: str, limit: float | None = None) -> Iterator[None]:
    """Show that something runs, for how long, what it has reached, and how long yet where it has a limit."""
    if not _is_seen():
        with (
            watched() as figures,
            _in_lines(lambda room: _fitting("", task, figures, room) if figures.engine else ""),
        ):
            yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    column = _column(lambda progress_task: time_left(progress_task.elapsed or 0.0, limit))
    with (
        watched() as figures,
        _progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            column,
            _column(lambda _: str(figures)),
        ) as progress,
    ):
        progress.add_task(_cut(visible(task), _COLUMNS_OF_TASK), total=None)
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
    sized: Sized = works  # type: ignore[assignment]
    number = len(sized) if total is None else total
    if not _is_seen():
        yield from _watch_in_lines(works, describe, number)
        return
    with counting(number) as step:
        for work in works:
            step(describe(work), 0)
            yield work
            step(describe(work), 1)


def _watch_in_lines(works: Iterable[Work], describe: Callable[[Work], str], total: int) -> Iterator[Work]:
    """Yield each work, and say how many are done, a line every ten seconds."""
    done, now = 0, ""

    def text(room: int) -> str:
        return _fitting(f"{done} of {total} done", now, figures, room)

    with watched() as figures, _in_lines(text):
        for work in works:
            now = describe(work)
            yield work
            done += 1


def _fitting(before: str, task: str, figures: Figures, room: int) -> str:
    """Return the longest text that fits: the task is cut first, then rate and size are left out.

    >>> figures = Figures(engine="levels", size="64 by 64 probabilities", best=0.5, bound=0.25)
    >>> for room in (95, 80, 60):
    ...     print(_fitting("", "designing residues modulo 64", figures, room))
    designing resid…: engine levels, 64 by 64 probabilities; best error 0.5, bound 0.25, gap 50 %
    engine levels, 64 by 64 probabilities; best error 0.5, bound 0.25, gap 50 %
    engine levels; best error 0.5, bound 0.25, gap 50 %
    """

    def joined(task: str, told: str) -> str:
        return "; ".join(filter(None, [before, ": ".join(filter(None, [task, told]))]))

    first, *others = figures.lines
    if len(joined(task, first)) <= room:
        return joined(task, first)
    left = room - len(joined("", first)) - len("; : ")
    if left >= _LEAST_OF_TASK:
        return joined(_cut(task, left), first)
    texts = [joined("", told) for told in (first, *others)]
    return next((text for text in texts if len(text) <= room), _cut(texts[-1], room))


def _cut(text: str, most: int) -> str:
    """Return a text of at most so many columns."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


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
