"""A chart, described once: marks over two axes, a title, and the picture in words.

`svg.chart_svg` prints it on a page, `picture.svg_file` as a file of its own, and `pyplot.draw` by Matplotlib.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from optmech.base.rendering import view
from optmech.base.whole_files import write_together

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

# More digits than any chart shows; exact values are given beside it.
_DIGITS = 10
_LONGEST_NAME = 24
# Between the ends of a block of responses.
_TO = " … "
_FEWEST_DIGITS = 2
_SMALLEST_SHOWN = 0.0005
# The approximate number of ticks along an axis.
_STEPS = 6
_MOST_DECADES = 8
# If names have no room, every second, fifth, … is shown.
_EVERY = [by * int(f"1{'0' * power}") for power in range(8) for by in (1, 2, 5)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis: of numbers from `low` to `high`, or of names at positions 0, 1, 2; its title has the unit.

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
        """The drawn names, such as ``2.14`` for ``15/7``."""
        return decimal_names(self.names) if self.numeric else self.names

    def ticks(self, *, whole: bool = True) -> list[float]:
        """Return round numbers along an axis of numbers, around its ends, or between them if not `whole`."""
        if self.logarithmic:
            first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
            if not whole:
                every = [float(f"{by}e{power}") for power in range(first, last + 1) for by in (1, 2, 5)]
                return [tick for tick in every if self.low <= tick <= self.high]
            step = -(-(last - first) // _MOST_DECADES) or 1
            first -= (first - last) % step  # the last power is the end
            return [float(f"1e{power}") for power in range(first, last + 1, step)]
        wide = (self.high - self.low) / _STEPS or 1.0
        unit = 10 ** math.floor(math.log10(wide))
        step = next(unit * by for by in (1, 2, 2.5, 5, 10) if unit * by >= wide * (0.8 if whole else 1))
        first = math.floor(self.low / step + 1e-9) if whole else math.ceil(self.low / step - 1e-9)
        last = math.ceil(self.high / step - 1e-9) if whole else math.floor(self.high / step + 1e-9)
        return [short(step * index) + 0.0 for index in range(first, last + 1)]


class Look(StrEnum):
    """The ways to draw a series."""

    LINE = "a line, with its points where they are few"
    AREA = "a line, and the area below it"
    DASHED = "a dashed line between hollow points"
    DOTTED = "a dotted line"
    POINTS = "points alone"
    CROSSES = "crosses in the colour of letters"
    SHADE = "an area alone"
    BARS = "bars"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points that are drawn alike, in the colour of their number among the series, or in `colour`.

    `across` are numbers along the first axis, positions on one of names; `values` likewise along the second.
    `intervals` are the ends along the first axis of a bar through each point, ``None`` where one is open.
    `exactly` are the exact values, or nothing, with their `unit`. `truth` is the point that is the true
    answer itself, if that is marked. A series without a `name` is not in the legend.
    """

    name: str
    across: tuple[float, ...]
    values: tuple[float, ...]
    exactly: tuple[str, ...] = ()
    unit: str = ""
    intervals: tuple[tuple[float | None, float | None], ...] = ()
    look: Look = Look.LINE
    colour: int | None = None
    truth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A dashed line at a position of the first axis, if given, with a dot on it if it has a `height`."""

    at: float | None
    text: str
    height: float | None = None


class Picture:
    """A chart that a notebook shows as it is: as SVG, without Matplotlib."""

    __slots__ = ()

    def svg(self) -> str:
        """Return the chart as the text of an SVG file, on white paper, the same bytes each time."""
        text: str = view("svg", self)
        return text

    def save(self, path: str | PathLike[str]) -> None:
        """Write the chart to a file that ends in .svg, or in .png or .pdf, for which Matplotlib draws it.

        FileFormatError if the path ends otherwise, cannot be written, or Matplotlib is missing.
        """
        write_together({path: view("picture", self, path)})

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(Picture):
    """Series over two axes, with a sentence or two in place of the picture.

    Names of the second axis stand from the top down, a row for each. A page has a heading of its own, and
    leaves the `title` out; its second line is on where numbers are from.
    """

    description: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    mark: Mark | None = None
    title: str = ""

    @property
    def legend(self) -> tuple[tuple[int, Series], ...]:
        """The series that the legend names, each with its number; none where there is one alone."""
        named = tuple((number, each) for number, each in enumerate(self.series) if each.name)
        return named if len(self.series) > 1 else ()

    @property
    def marks_truths(self) -> bool:
        """Whether a triangle stands over the true answer itself, which the legend explains."""
        return any(each.truth is not None for each in self.series)

    def bar_spans(self, width: float, widest: float = 1.0) -> dict[int, tuple[float, float]]:
        """Return the offset and the width of the bars of each series, by its number.

        All bars at one position take `width`, each of them at most `widest`.
        """
        numbers = [number for number, each in enumerate(self.series) if each.look is Look.BARS]
        wide = min(width / max(1, len(numbers)), widest)
        return {number: ((turn - len(numbers) / 2) * wide, wide) for turn, number in enumerate(numbers)}


def decimal_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of numbers with ratios as decimals, of two digits or as many as distinguish them."""
    if not any("/" in name for name in names):
        return tuple(names)
    values = {part: Fraction(part) for name in names for part in name.split(_TO)}
    indices = sorted(set(values.values()))
    least = min((after - before for before, after in pairwise(indices)), default=Fraction(1))
    digits = max(_FEWEST_DIGITS, math.ceil(-math.log10(least)))
    texts = {part: f"{float(value):.{digits}f}".rstrip("0").rstrip(".") for part, value in values.items()}
    return tuple(_TO.join(texts[part] for part in name.split(_TO)) for name in names)


def cut(name: str, longest: int = _LONGEST_NAME) -> str:
    """Return a name, shortened to fit."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def brief(value: float) -> str:
    """Return three digits that distinguish impossible from unlikely.

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
    """Return the first of 1, 2, 5, 10, 20, … that leaves at most `room` of `number` names.

    >>> steps(12, 16), steps(101, 16), steps(151, 12)
    (1, 10, 20)
    """
    return next(step for step in _EVERY if number <= room * step)
