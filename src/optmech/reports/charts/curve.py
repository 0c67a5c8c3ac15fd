"""The exact curve delta(epsilon) of a mechanism, with the epsilon that was asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.curve import checked_epsilon, rounded_up
from optmech.base.numbers import as_text
from optmech.reports.charts.frame import axis, framed, short, tooltip

if TYPE_CHECKING:
    from optmech.analysis.composition import PrivacyCurve
    from optmech.base.numbers import Number

__all__ = ["curve_points", "privacy_curve_chart"]

_POINTS = 96
# A delta this much smaller than the first is not seen on a linear axis.
_SMALL = 1 / 50


def curve_points(curve: PrivacyCurve, epsilon: Number) -> list[tuple[float, float]]:
    """Return points of the curve, from 0 to beyond `epsilon` and to where delta ends to fall.

    Each delta is rounded up to a double.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from optmech.analysis.composition import PrivacyCurve
    >>> curve = PrivacyCurve(
    ...     ratios=(Fraction(3), Fraction(1, 3)), masses=(Fraction(3, 4), Fraction(1, 4))
    ... )
    >>> curve_points(curve, 1)[0], curve_points(curve, 1)[-1]
    ((0.0, 0.5), (1.5, 0.0))
    """
    asked = float(checked_epsilon(epsilon))
    # Few curves go on far beyond the epsilon that was asked for, and those tell nothing there.
    last = max(1.5 * asked, min(curve.last, 4 * asked)) or 1.0
    grid = {last * number / _POINTS for number in range(_POINTS + 1)} | {asked}
    corners = (math.log(ratio) for ratio in curve.ratios if ratio > 1)
    grid |= {corner for corner in corners if corner < last} if len(curve.ratios) < _POINTS else set()
    return [(at, rounded_up(curve.delta(at))) for at in sorted(grid)]


def privacy_curve_chart(curve: PrivacyCurve, epsilon: Number) -> dict[str, Any]:
    """Return the curve delta(epsilon) as a line, and where it is at the epsilon of the question.

    Parameters
    ----------
    curve : PrivacyCurve
        From `optmech.privacy_curve`.
    epsilon : str, int, float, Fraction or Logarithm
        What was asked for.

    Raises
    ------
    ProblemError
        If `epsilon` is negative or no number.

    Examples
    --------
    >>> import optmech as om
    >>> curve = om.privacy_curve(om.design(om.croft(om.count(3), epsilon=1)).certificate)
    >>> privacy_curve_chart(curve, 1)["series"][0]["name"]
    'delta'
    """
    exactly = checked_epsilon(epsilon)
    points = curve_points(curve, exactly)
    asked, spent = float(exactly), rounded_up(curve.delta(exactly))
    logarithmic = 0 < spent < points[0][1] * _SMALL
    kept = [[short(at), short(delta)] for at, delta in points if delta > 0 or not logarithmic]
    name = as_text(exactly)
    return framed(
        f"A falling line: the least delta at each epsilon. At epsilon {name} delta is {spent:.4g}.",
        tooltip=tooltip("axis"),
        grid={"left": 12, "right": 24, "top": 32, "bottom": 12},
        xAxis=axis("epsilon", min=0, max=short(points[-1][0])),
        yAxis=axis("delta", "log" if logarithmic else "value", **({} if logarithmic else {"min": 0})),
        series=[
            {
                "type": "line",
                "name": "delta",
                "data": kept,
                "showSymbol": False,
                "lineStyle": {"width": 2},
                "areaStyle": {"opacity": 0.12},
                "markLine": {
                    "silent": True,
                    "symbol": "none",
                    "lineStyle": {"type": "dashed"},
                    "label": {"formatter": f"epsilon {name}", "position": "end"},
                    "data": [{"xAxis": short(asked)}],
                },
                "markPoint": {
                    "silent": True,
                    "symbol": "circle",
                    "symbolSize": 11,
                    "label": {"show": False},
                    "data": [{"coord": [short(asked), short(spent)]}] if spent or not logarithmic else [],
                },
            }
        ],
    )
