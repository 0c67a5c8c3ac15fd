"""What the rows and columns of a matrix are called on an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axis import Axis

    from optmech.mechanisms.mechanism import Mechanism

__all__ = ["name_places", "name_standing", "response_names", "truth_names"]

# More names than this run into each other.
_MOST_NAMES = 16
_LONGEST = 18
# Names of so many letters in all fit side by side.
_ONE_LINE = 70


def truth_names(mechanism: Mechanism) -> list[str]:
    """Return how each truth is called: its label, or its number."""
    return [_short(name) for name in mechanism.labels or map(as_text, mechanism.truths)]


def response_names(mechanism: Mechanism) -> list[str]:
    """Return how each response is called; a category by its midpoint."""
    return [_short(name) for name in mechanism.labels or map(as_text, mechanism.responses)]


def name_standing(mechanism: Mechanism) -> str:
    """Return whose word the probabilities of a matrix are."""
    return "as it stands, in doubles" if mechanism.exact is None else "proved in exact arithmetic"


def name_places(axis: Axis, names: Sequence[str]) -> None:
    """Name the places 0, 1, ... on an axis: all of them, or every so many.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> axes = Figure().subplots()
    >>> name_places(axes.xaxis, [str(name) for name in range(100)])
    >>> [tick.get_text() for tick in axes.get_xticklabels()][:3]
    ['0', '10', '20']
    """
    step = _step(len(names))
    shown = names[::step]
    axis.set_ticks(range(0, len(names), step), shown, parse_math=False)
    if axis is axis.axes.xaxis and sum(map(len, shown)) > _ONE_LINE:
        axis.set_tick_params(rotation=90)


def _step(number: int) -> int:
    """Return the first of 1, 2, 5, 10, 20, ... that leaves few enough names."""
    step, factors = 1, (2, 2.5, 2)
    turn = 0
    while number > _MOST_NAMES * step:
        step, turn = round(step * factors[turn % 3]), turn + 1
    return step


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
