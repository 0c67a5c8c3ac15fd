"""The figures that long work has reached, for those who wait: engine, size, objective, bound and rate.

A screen that shows them opens `watched`; engines tell `begin` and `reach` and need not know of anybody. The
figures are what a solver or a search claims, until a design is proved.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from optmech.base import events

if TYPE_CHECKING:
    from collections.abc import Iterator

# A rate of fewer seconds would be one of the start.
_LEAST_SECONDS = 1.0


@dataclass(slots=True, kw_only=True)
class Figures:
    """The figures of one engine; `unit` is the worth of one in the program that is solved just now.

    `steps` are those since the moment `since`: rounds, points, nodes of a tree, or iterations of a solver.
    """

    engine: str = ""
    size: str = ""
    minimised: str = "error"
    best: float | None = None
    bound: float | None = None
    unit: float = 1.0
    steps: int = 0
    since: float = field(default_factory=time.monotonic)

    @property
    def rate(self) -> float | None:
        """Steps in a second, ``None`` while there is nothing to go by."""
        seconds = time.monotonic() - self.since
        return self.steps / seconds if self.steps and seconds >= _LEAST_SECONDS else None

    def tell(self, best: float | None, bound: float | None) -> None:
        """Take an objective and a bound in the unit of the program; the best ones stay."""
        if best is not None:
            best *= self.unit
            self.best = best if self.best is None else min(best, self.best)
        if bound is not None:
            bound *= self.unit
            self.bound = bound if self.bound is None else max(bound, self.bound)

    def __str__(self) -> str:
        """Return them on a line, empty before an engine is at work.

        >>> print(Figures(engine="rays", size="401 by 401 probabilities", best=2.0, bound=1.9))
        engine rays, 401 by 401 probabilities; best error 2, bound 1.9, gap 5 %
        """
        return self.lines[0]

    @property
    def lines(self) -> tuple[str, ...]:
        """Ever shorter lines: without the rate, the size, the engine; empty before an engine is at work."""
        if not self.engine:
            return ("",)
        parts = [f"best {self.minimised} {self.best:.6g}"] if self.best is not None else []
        parts += [f"bound {self.bound:.6g}"] if self.bound is not None else []
        if self.best and self.bound is not None:
            parts.append(f"gap {max(0.0, 100 * (self.best - self.bound) / self.best):.2g} %")
        rate = self.rate
        with_rate = [*parts, f"{rate:.2g} steps a second"] if rate is not None else parts
        engine, sized = f"engine {self.engine}", f"engine {self.engine}, {self.size}"
        lines = ((sized, with_rate), (sized, parts), (engine, parts), ("" if parts else engine, parts))
        return tuple("; ".join(filter(None, [who, ", ".join(told)])) for who, told in lines)


class Teller(Protocol):
    """A function that tells an objective, a bound and the number of steps of a solver."""

    def __call__(self, best: float | None, bound: float | None, steps: int) -> None:
        """Tell them."""


_FIGURES: ContextVar[Figures | None] = ContextVar("optmech_figures", default=None)


@contextmanager
def watched() -> Iterator[Figures]:
    """Yield the figures that work within tells.

    >>> with watched() as figures:
    ...     begin("program", "36 columns")
    ...     with in_units(2.0):
    ...         reach(best=1.5)
    ...     print(figures)
    engine program, 36 columns; best error 3
    """
    figures = Figures()
    token = _FIGURES.set(figures)
    try:
        yield figures
    finally:
        _FIGURES.reset(token)


def begin(engine: str, size: str, minimised: str = "error") -> None:
    """Tell that an engine begins, with nothing reached, and what it minimises."""
    events.engine_begins(engine, size)
    figures = _FIGURES.get()
    if figures is not None:
        figures.engine, figures.size, figures.minimised = engine, size, minimised
        figures.best = figures.bound = None
        figures.steps, figures.since = 0, time.monotonic()


def reach(*, best: float | None = None, bound: float | None = None) -> None:
    """Tell an objective and a bound after a step; the best ones stay."""
    figures = _FIGURES.get()
    if figures is not None:
        figures.steps += 1
        figures.tell(best, bound)


def teller() -> Teller:
    """Return a function that tells figures of a solver, also from a thread of it."""
    figures = _FIGURES.get()

    def tell(best: float | None, bound: float | None, steps: int) -> None:
        if figures is not None:
            figures.steps = max(steps, figures.steps)
            figures.tell(best, bound)

    return tell


@contextmanager
def in_units(unit: float) -> Iterator[None]:
    """Let figures that are told within count in units of the program that is solved."""
    figures = _FIGURES.get()
    if figures is None:
        yield
        return
    before, figures.unit = figures.unit, figures.unit * unit
    try:
        yield
    finally:
        figures.unit = before
