"""Numbers with names as dots in rows, each on the bar of its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.reports.charts.chart import Axis, Chart, Look, Series

if TYPE_CHECKING:
    from collections.abc import Sequence

# Numbers that begin above this share of the largest one are shown without zero.
_FAR = 0.5


def dot_plot(
    names: Sequence[str],
    numbers: Sequence[float],
    intervals: Sequence[tuple[float | None, float | None]] = (),
    *,
    title: str,
    rows_are: str = "",
) -> Chart:
    """Return a chart with a row for each name: a dot at its number, and the bar of its interval.

    Parameters
    ----------
    names : sequence of str
        From the top down.
    numbers : sequence of float
        As many, finite, in units of the axis.
    intervals : sequence of pairs of float, optional
        The ends of each interval, ``None`` where one is open; without them there are dots alone.
    title : str
        Title of the axis of numbers.
    rows_are : str, optional
        Title of the names.

    Examples
    --------
    >>> chart = dot_plot(["Aller", "Beck"], [3, 8], [(1, 5), (6, None)], title="visits")
    >>> chart.x.low, chart.x.high, chart.series[0].values
    (0.0, 8.0, (0.0, 1.0))
    >>> chart.description
    'Dots on bars, a row for each of 2 names: visits from 3 to 8, each with its interval.'
    """
    ends = [end for interval in intervals for end in interval if end is not None]
    low, high = min([*numbers, *ends]), max([*numbers, *ends])
    if not 0 < _FAR * high < low:
        low, high = min(low, 0), max(high, 0)
    dots = "Dots on bars" if intervals else "Dots"
    further = ", each with its interval" if intervals else ""
    span = f"{min(numbers):.10g} to {max(numbers):.10g}"
    around = Axis(title=title, low=low, high=high).ticks()
    return Chart(
        description=f"{dots}, a row for each of {len(names)} names: {title} from {span}{further}.",
        x=Axis(title=title, low=around[0], high=around[-1]),
        y=Axis(title=rows_are, names=tuple(names)),
        series=(
            Series(
                name="",
                across=tuple(map(float, numbers)),
                values=tuple(map(float, range(len(names)))),
                intervals=tuple(intervals),
                look=Look.POINTS,
            ),
        ),
        title=title,
    )
