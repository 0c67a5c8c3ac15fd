"""A chart, described once: `svg.chart_svg` prints it, `options.chart_option` is for ECharts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# More digits than any chart shows; what is exact stands beside it in whole numbers.
_DIGITS = 10
_LONGEST_NAME = 24
# Between the ends of a block of responses.
_TO = " … "
_FEWEST_DIGITS = 2
_SMALLEST_SHOWN = 0.0005
# About so many numbers stand along an axis.
_STEPS = 6
_MOST_DECADES = 8
# Of names that have no room every second, fifth, … is shown.
_EVERY = [by * int(f"1{'0' * power}") for power in range(8) for by in (1, 2, 5)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis: of numbers from `low` to `high`, or of names at the places 0, 1, 2; its title has the unit.

    Equal steps of a `logarithmic` one are equal ratios. Names that are `numeric` show ratios as decimals.

    >>> Axis(title="probability", high=0.31).ticks()
    [0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35]
    >>> Axis(title="delta", low=2e-7, high=0.3, logarithmic=True).ticks()
    [1e-07, 1e-06, 1e-05, 0.0001, 0.001, 0.01, 0.1, 1.0]
    """

    title: str
    names: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    logarithmic: bool = False
    numeric: bool = False

    @property
    def short_names(self) -> tuple[str, ...]:
        """The names as they are drawn, such as ``2.14`` for ``15/7``."""
        return decimal_names(self.names) if self.numeric else self.names

    def ticks(self, *, whole: bool = True) -> list[float]:
        """Return round numbers along an axis of numbers, around its ends, or between them if not `whole`."""
        if self.logarithmic:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            step = -(-(last - first) // _MOST_DECADES) or 1
            first -= (first - last) % step  # the last power is the end
            return [float(f"1e{power}") for power in range(first, last + 1, step)]
        wide = (self.high - self.low) / _STEPS or 1.0
        unit = 10 ** math.floor(math.log10(wide))
        step = next(unit * by for by in (1, 2, 2.5, 5, 10) if unit * by >= wide * (0.8 if whole else 1))
        first = math.floor(self.low / step + 1e-9) if whole else math.ceil(self.low / step - 1e-9)
        last = math.ceil(self.high / step - 1e-9) if whole else math.floor(self.high / step + 1e-9)
        return [short(step * place) + 0.0 for place in range(first, last + 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points of one colour, as a line, or one with the area below it `filled`, or as `bars`.

    `across` are numbers along the first axis, the places on one of names. `exactly` are the values without
    rounding, or nothing; `unit` is what they count.
    """

    name: str
    across: tuple[float, ...]
    values: tuple[float, ...]
    exactly: tuple[str, ...] = ()
    unit: str = ""
    bars: bool = False
    filled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dashed line at a place of the first axis, if it is anywhere, and a dot on it if it has a `height`."""

    at: float | None
    text: str
    height: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Series over two axes, with a sentence or two in place of the picture."""

    description: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    mark: Mark | None = None


def decimal_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of numbers with their ratios as decimals, of two digits or as many as tell them apart."""
    if not any("/" in name for name in names):
        return tuple(names)
    values = {part: Fraction(part) for name in names for part in name.split(_TO)}
    places = sorted(set(values.values()))
    least = min((after - before for before, after in pairwise(places)), default=Fraction(1))
    digits = max(_FEWEST_DIGITS, math.ceil(-math.log10(least)))
    texts = {part: f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for part, value in values.items()}
    return tuple(_TO.join(texts[part] for part in name.split(_TO)) for name in names)


def cut(name: str, longest: int = _LONGEST_NAME) -> str:
    """Return a name that is short enough for its place."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def brief(value: float) -> str:
    """Return three digits, and tell what is impossible from what is unlikely.

    >>> [brief(value) for value in (0.0, 1e-12, 0.25, 1.0)]
    ['0', '<0.001', '0.250', '1']
    """
    if value in {0.0, 1.0}:
        return f"{value:.0f}"
    return "<0.001" if value < _SMALLEST_SHOWN else f"{value:.3f}"


def short(value: float) -> float:
    """Return a number with ten digits, which is sent shorter than a double."""
    return float(f"{value:.{_DIGITS}g}")


def steps(number: int, room: int) -> int:
    """Return the first of 1, 2, 5, 10, 20, … that leaves at most `room` of so many names.

    >>> steps(12, 16), steps(101, 16), steps(151, 12)
    (1, 10, 20)
    """
    return next(step for step in _EVERY if number <= room * step)
