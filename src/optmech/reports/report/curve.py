"""The privacy curve of a report, drawn and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.analysis.composition import privacy_curve
from optmech.analysis.composition.curve import rounded_up
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text
from optmech.reports.charts import chart_svg, privacy_curve_chart

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.composition import PrivacyCurve
    from optmech.question.problem import Problem

__all__ = ["curve_of"]

_QUARTERS = (0, 1, 2, 3, 4, 5, 6, 8)
_NUM_DELTAS = 4


def curve_of(source: Any, problem: Problem, *, is_certified: bool) -> dict[str, Any] | str:  # noqa: ANN401
    """Return the chart and the rows of a curve, of whatever has one, or a sentence on why there is none."""
    if problem.query.is_weighted:
        return "neighbours have weights here, and a curve is for neighbours that all count alike."
    try:
        curve = privacy_curve(source)
    except (NotAcceptedError, ProblemError) as trouble:
        return str(trouble)
    epsilon = problem.privacy.epsilon
    return {
        "chart": chart_svg(privacy_curve_chart(curve, epsilon), "chart-curve"),
        "rows": [
            (*_point(curve, epsilon, quarter), "proved" if is_certified else "recomputed")
            for quarter in _QUARTERS
        ],
    }


def _point(curve: PrivacyCurve, epsilon: Fraction | Logarithm, quarter: int) -> tuple[str, str]:
    """Return so many quarters of the epsilon that was asked, and the delta there."""
    if quarter == _NUM_DELTAS:
        value = "" if not isinstance(epsilon, Logarithm) else f" = {float(epsilon):.4g}"
        return f"{as_text(epsilon)}{value}, as asked", at_most(rounded_up(curve.delta(epsilon)), 6)
    at = float(epsilon) * quarter / _NUM_DELTAS
    return f"{at:.4g}", at_most(rounded_up(curve.delta(repr(at))), 6)
