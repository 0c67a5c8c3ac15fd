"""The exact curve delta(epsilon) of a mechanism, with the epsilon that was asked for."""

from __future__ import annotations

from dataclasses import replace
from math import isclose, isfinite, log
from typing import TYPE_CHECKING

from optmech.analysis.composition.curve import checked_epsilon, rounded_up
from optmech.analysis.composition.pairs import privacy_curve
from optmech.base.numbers import Number, as_text
from optmech.reports.charts.chart import Axis, Chart, Look, Mark, Series

if TYPE_CHECKING:
    from optmech.analysis.composition import PrivacyCurve
    from optmech.proofs.certificate import Certificate

_POINTS = 192
# Where it is not smooth, unless that is nearly everywhere.
_MOST_CORNERS = 400
# A delta this much smaller than the first is not seen on a linear axis.
_SMALL = 1 / 50


def curve_points(curve: PrivacyCurve, epsilon: Number) -> list[tuple[float, float]]:
    """Return points of the curve, from 0 to beyond `epsilon` and to where delta ends to fall.

    Each delta is rounded up to a double.
    """
    asked_epsilon = float(checked_epsilon(epsilon))
    # Few curves extend far beyond the requested epsilon, and those have no information there.
    last = max(1.5 * asked_epsilon, min(curve.last, 4 * asked_epsilon)) or 1.0
    grid = {last * number / _POINTS for number in range(_POINTS + 1)} | {asked_epsilon}
    # A ratio may be too large for a double.
    corners = (log(ratio.numerator) - log(ratio.denominator) for ratio in curve.ratios if ratio > 1)
    if len(curve.ratios) <= _MOST_CORNERS:
        grid |= {corner for corner in corners if corner < last and not isclose(corner, asked_epsilon)}
    return [(at, rounded_up(curve.delta(at))) for at in sorted(grid)]


def privacy_curve_chart(curve: PrivacyCurve, epsilon: Number) -> Chart:
    """Return the curve delta(epsilon) as a line, and where it is at the epsilon of the question.

    ProblemError if `epsilon` is negative or no number.
    """
    exactly = checked_epsilon(epsilon)
    points = curve_points(curve, exactly)
    asked_epsilon, delta_there = float(exactly), rounded_up(curve.delta(exactly))
    logarithmic = 0 < delta_there < points[0][1] * _SMALL
    drawn_points = [point for point in points if point[1] > 0 or not logarithmic]
    name = as_text(exactly)
    across, deltas = zip(*drawn_points, strict=True)
    return Chart(
        description=f"A falling line: the least delta at each epsilon. At epsilon {name} delta is "
        f"{delta_there:.4g}.",
        x=Axis(title="epsilon", high=points[-1][0]),
        y=Axis(
            title="delta",
            low=min(deltas) if logarithmic else 0.0,
            high=max(deltas),
            logarithmic=logarithmic,
        ),
        series=(Series(name="delta", across=across, values=deltas, look=Look.AREA),),
        mark=Mark(
            at=asked_epsilon,
            text=f"epsilon {name}",
            height=delta_there if delta_there or not logarithmic else None,
        ),
    )


def privacy_chart(certificate: Certificate) -> Chart:
    """Return the proved delta at each epsilon, for one use of a certified mechanism.

    Every point of the line is exact, rounded up to a double: delta is the least one at that epsilon, over all
    neighbours and all sets of responses. One more point is the promise, and the legend says from which
    epsilon on delta is 0. The promise of a delta for each outcome by itself, or of probabilistic privacy, is
    another definition: its point need not lie on the line or above it, and the legend says so.

    All neighbours are compared exactly: a second for a hundred truths, a minute for four hundred.
    ProblemError if the neighbours have weights, or the query has none or too many of them.
    """
    curve = privacy_curve(certificate)
    privacy = certificate.problem.privacy
    chart = privacy_curve_chart(curve, privacy.epsilon)
    delta = float(certificate.delta if privacy.delta is None else privacy.delta)
    pure = curve.epsilon(0)
    other = "" if privacy.is_usual else " (another definition: no point of this curve)"
    (line,) = chart.series
    assert chart.mark is not None  # noqa: S101 - the curve has one
    name = "delta of this mechanism, proved" + (f": 0 from epsilon {pure:.6g} on" if isfinite(pure) else "")
    promise = Series(
        name=f"promised: {privacy}{other}",
        across=(float(privacy.epsilon),),
        values=(delta,),
        look=Look.POINTS,
    )
    is_drawn = delta > 0 or not chart.y.logarithmic
    return replace(
        chart,
        y=replace(
            chart.y, low=min(chart.y.low, delta) if is_drawn else chart.y.low, high=max(chart.y.high, delta)
        ),
        series=(replace(line, name=name), *([promise] if is_drawn else [])),
        mark=replace(chart.mark, height=None),  # the promise is drawn there
        title="Delta at each epsilon\none use, all neighbours, proved",
    )
