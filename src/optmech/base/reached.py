"""The figures that long work has reached, for those who wait: an engine, a size, an objective and a bound.

A screen that shows them opens `watched`; engines tell `begin` and `reach` and need not know of anybody. The
figures are what a solver or a search claims, until a design is proved.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@dataclass(slots=True, kw_only=True)
class Figures:
    """The figures of one engine; `unit` is the worth of one in the program that is solved just now."""

    engine: str = ""
    size: str = ""
    minimised: str = "error"
    best: float | None = None
    bound: float | None = None
    unit: float = 1.0

    def __str__(self) -> str:
        """Return them on a line, empty before an engine is at work.

        >>> print(Figures(engine="rays", size="401 by 401 probabilities", best=2.0, bound=1.9))
        engine rays, 401 by 401 probabilities; best error 2, bound 1.9, gap 5 %
        """
        if not self.engine:
            return ""
        parts = [f"best {self.minimised} {self.best:.6g}"] if self.best is not None else []
        parts += [f"bound {self.bound:.6g}"] if self.bound is not None else []
        if self.best and self.bound is not None:
            parts.append(f"gap {max(0.0, 100 * (self.best - self.bound) / self.best):.2g} %")
        return "; ".join(filter(None, [f"engine {self.engine}, {self.size}", ", ".join(parts)]))


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
    figures = _FIGURES.get()
    if figures is not None:
        figures.engine, figures.size, figures.minimised = engine, size, minimised
        figures.best = figures.bound = None


def reach(*, best: float | None = None, bound: float | None = None) -> None:
    """Tell an objective and a bound; the best ones stay."""
    teller()(best, bound)


def teller() -> Callable[[float | None, float | None], None]:
    """Return a function that tells an objective and a bound, also from a thread of a solver."""
    figures = _FIGURES.get()

    def tell(best: float | None, bound: float | None) -> None:
        if figures is None:
            return
        if best is not None:
            best *= figures.unit
            figures.best = best if figures.best is None else min(best, figures.best)
        if bound is not None:
            bound *= figures.unit
            figures.bound = bound if figures.bound is None else max(bound, figures.bound)

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
