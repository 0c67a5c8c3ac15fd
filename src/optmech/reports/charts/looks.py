"""Looks of series in SVG: no two of one chart differ in colour alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from optmech.reports.charts.chart import Look

if TYPE_CHECKING:
    from optmech.reports.charts.chart import Chart, Series

NUM_COLOURS = 20
"""Series of one chart that differ in colour; pages have eight of them."""
_SYMBOLS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "M-3.5-3.5h7v7h-7z",
    "M0-4.5l4.5 8h-9z",
    "M0-5l5 5l-5 5l-5-5z",
    "M0 4.5l4.5-8h-9z",
    "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "M0-5.5l1.6 3.7 3.9.3-3 2.6.9 3.8-3.4-2-3.4 2 .9-3.8-3-2.6 3.9-.3z",
    "M-4-2.2l1.8-1.8 2.2 2.2 2.2-2.2 1.8 1.8-2.2 2.2 2.2 2.2-1.8 1.8-2.2-2.2-2.2 2.2-1.8-1.8 2.2-2.2z",
)
_CROSS = "M-4-4l8 8M4-4l-8 8"
_DASHES = ("", "6 4", "2 3", "10 3 2 3")
_RISING, _FALLING = "M-2 2l4-4M0 8l8-8M6 10l4-4", "M-2 6l4 4M0 0l8 8M6-2l4 4"
_PATTERNS = (
    "",
    _RISING,
    "M4 3a1 1 0 1 0 .01 0z",
    _FALLING,
    _RISING + _FALLING,
    "M0 4h8",
    "M4 0v8",
    "M0 4h8M4 0v8",
)
# Areas lie below, and points above, in any order of the legend.
BELOW = (Look.SHADE, Look.AREA)
ABOVE = (Look.POINTS, Look.CROSSES)
_LINES = (Look.LINE, Look.AREA, Look.DASHED, Look.DOTTED)
AREAS = (Look.AREA, Look.SHADE)


class LegendEntry(NamedTuple):
    """The look of a series, and its name in the legend."""

    number: int
    name: str
    kind: str
    bars: bool
    line: bool
    area: bool
    stroke: Markup
    pattern: str
    symbol: str
    symbol_kind: str


TRUTH = LegendEntry(
    number=-1,
    name="the truth itself",
    kind="truth",
    bars=False,
    line=False,
    area=False,
    stroke=Markup(""),
    pattern="",
    symbol="M-4.5-4h9l-4.5 7z",
    symbol_kind="",
)


def entry_of(chart: Chart, series: Series, number: int) -> LegendEntry:
    """Return the look of a series, by its number in the chart or by its colour."""
    look, turn = series.look, number if series.colour is None else series.colour
    dash = {Look.LINE: _DASHES[turn % len(_DASHES)], Look.DASHED: "6 4", Look.DOTTED: "2 3"}.get(look, "")
    bars = look is Look.BARS
    several = bars and sum(each.look is Look.BARS for each in chart.series) > 1
    symbol = _CROSS if look is Look.CROSSES else _SYMBOLS[turn % len(_SYMBOLS)]
    return LegendEntry(
        number=number,
        name=series.name,
        kind=f"s{turn % NUM_COLOURS + 1}",
        bars=bars,
        line=look in _LINES,
        area=look in AREAS,
        stroke=Markup(' stroke-dasharray="{}"').format(dash) if dash else Markup(""),
        pattern=_PATTERNS[turn % len(_PATTERNS)] if several else "",
        symbol="" if look in {Look.AREA, Look.SHADE, Look.DOTTED} else symbol,
        symbol_kind={Look.CROSSES: "cross", Look.DASHED: "hollow"}.get(look, "symbol"),
    )
