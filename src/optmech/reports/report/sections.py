"""Sections of a report: errors, the privacy curve, and the released answers at a true answer."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.analysis.composition import PrivacyCurve, privacy_curve
from optmech.analysis.composition.curve import rounded_up
from optmech.analysis.utility import error_quantiles
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.logarithm import Logarithm
from optmech.base.number_format import at_most, percent, share_of
from optmech.base.numbers import as_text
from optmech.reports.charts.chart import cut, decimal_names
from optmech.reports.charts.curve import privacy_curve_chart
from optmech.reports.charts.errors import error_measures, probability_of_error
from optmech.reports.charts.matrix_view import MatrixView, truth_names
from optmech.reports.charts.response_distribution import response_column
from optmech.reports.charts.svg import chart_svg
from optmech.reports.markup import data

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.problem import Problem

_MOST_ROWS = 151


def sentences_of(mechanism: Mechanism, view: MatrixView, *, ordered: bool) -> list[str]:
    """Return a sentence for each truth that is shown."""
    measures = error_measures(mechanism) if ordered else {}
    wrong = probability_of_error(mechanism)
    sentences = []
    for index, (name, position) in enumerate(zip(view.truths, view.positions, strict=True)):
        column = view.probabilities[:, index]
        likeliest = int(column.argmax())
        others = float(np.delete(column, likeliest).sum())
        text = (
            f"When the true answer is {name}, the likeliest release is {view.responses[likeliest]}, with "
            f"probability {percent(share_of(float(column[likeliest]), others))}."
        )
        if ordered:
            mean, within = measures["mean error"][position], measures["95 % of errors within"][position]
            text += (
                f" The error is {mean:.3g} on average; 95 % of releases lie within {within:.4g} of the truth."
            )
        else:
            text += f" Another answer is released with probability {percent(float(wrong[position]))}."
        sentences.append(text)
    return sentences


def error_table(mechanism: Mechanism, *, ordered: bool) -> dict[str, Any]:
    """Return caption, head and rows of the errors, truth by truth."""
    names = truth_names(mechanism)
    measures = {"another answer": probability_of_error(mechanism)}
    caption = "Probability of another answer, recomputed"
    if ordered:
        half, most = error_quantiles(mechanism, [0.5, 0.99])
        measures |= {**error_measures(mechanism), "50 % within": half, "99 % within": most}
        caption = "Errors for each true answer, recomputed"
    step = -(-len(names) // _MOST_ROWS)
    rows = [
        (name, *(f"{values[index]:.4g}" for values in measures.values()))
        for index, name in list(enumerate(names))[::step]
    ]
    caption += f"; one in {step} is listed" if step > 1 else ""
    return {"caption": caption, "head": ("true answer", *measures), "rows": rows}


_QUARTERS = (0, 1, 2, 3, 4, 5, 6, 8)
_NUM_DELTAS = 4


def curve_of(source: Any, problem: Problem, *, is_certified: bool) -> dict[str, Any] | str:  # noqa: ANN401
    """Return the chart and the rows of a curve, or a sentence on why there is none."""
    if problem.query.heaviest > 1:
        return "neighbours have weights here, and a curve is for neighbours that all count alike."
    try:
        curve = privacy_curve(source)
    except (NotAcceptedError, ProblemError) as error:
        return str(error)
    epsilon = problem.privacy.epsilon
    return {
        "chart": chart_svg(privacy_curve_chart(curve, epsilon), "chart-curve"),
        "rows": [
            (*_point(curve, epsilon, quarter), "proved" if is_certified else "recomputed")
            for quarter in _QUARTERS
        ],
    }


def _point(curve: PrivacyCurve, epsilon: Fraction | Logarithm, quarter: int) -> tuple[str, str]:
    """Return a number of quarters of the epsilon that was asked, and the delta there."""
    if quarter == _NUM_DELTAS:
        value = "" if not isinstance(epsilon, Logarithm) else f" = {float(epsilon):.4g}"
        return f"{as_text(epsilon)}{value}, as asked", at_most(rounded_up(curve.delta(epsilon)), 6)
    at = float(epsilon) * quarter / _NUM_DELTAS
    return f"{at:.4g}", at_most(rounded_up(curve.delta(repr(at))), 6)


def response_distribution(
    view: MatrixView,
    sentences: list[str],
    marks: Sequence[int | None],
    axis: str = "released when the true answer is {}",
) -> dict[str, Any]:
    """Return the content for the truth in the middle, and the data for all others.

    There is a sentence for each truth that is shown, and a mark, which response it is, if any. In the name of
    the axis a truth stands for ``{}``.
    """
    first = len(view.truths) // 2
    names = decimal_names(view.truths) if view.values else view.truths
    axes = [axis.replace("{}", cut(truth)) for truth in names]
    rows = zip(view.responses, view.probabilities[:, first].tolist(), view.exactly, strict=True)
    content = {
        **view.content(),
        "values": list(map(float, view.values)),
        "told": sentences,
        "marks": marks,
        "axes": axes,
    }
    return {
        "shown": view,
        "first": first,
        "step": _step(view),
        "sentences": sentences,
        "released_chart": chart_svg(
            response_column(view, first, axes[first], marks[first]), "chart-released"
        ),
        "column": [(name, f"{entry:.6g}", exactly[first]) for name, entry, exactly in rows],
        "data": data(content, "content"),
    }


def _step(view: MatrixView) -> str:
    """Return the step of truths, where they are evenly spaced numbers that a box can hold."""
    steps = {high - low for low, high in pairwise(view.values)}
    if len(steps) != 1 or any("/" in as_text(value) for value in (*view.values, *steps)):
        return ""
    return as_text(steps.pop())
