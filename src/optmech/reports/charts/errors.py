"""Error of the release at each truth: mean, bias and a quantile, or the frequency of errors."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.utility import error_quantiles, errors_by_truth
from optmech.base.arguments import an_instance, flag, takes
from optmech.mechanisms.mechanism import Mechanism
from optmech.reports.charts.chart import Axis, Chart, Look, Series
from optmech.reports.charts.matrix_view import truth_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.arrays import Floats


MEASURES = ("mean error", "RMSE", "bias", "95 % of errors within")
"""Charts for numbers, in units of the answer; bias is signed, the others are not."""
WRONG = "probability of a wrong answer"
"""Charts where distances between answers mean nothing."""

_QUANTILE = 0.95
_TITLE = "Error of the answer\nrecomputed in floating point"
_MOST_POINTS = 1000


def error_measures(mechanism: Mechanism) -> dict[str, Floats]:
    """Return for each of `MEASURES` its value at each truth, recomputed, shape (num_truths,).

    The response is taken at face value: the error is response less truth, on the line of numbers. Where
    answers are on a circle, or have labels, use `probability_of_error`.
    """
    measures = errors_by_truth(mechanism)
    values = (
        measures.mean_absolute_error,
        np.sqrt(measures.variance + measures.bias**2),
        measures.bias,
        error_quantiles(mechanism, [_QUANTILE])[0],
    )
    return dict(zip(MEASURES, values, strict=True))


def probability_of_error(mechanism: Mechanism) -> Floats:
    """Return for each truth the probability of another answer, shape (num_truths,).

    A truth that is no response is never released.

    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> answer = MatrixMechanism(matrix=[[0.75, 0.5], [0.25, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> probability_of_error(answer).tolist()
    [0.25, 0.5]
    """
    return mechanism.probability_beyond(Fraction(0))


@takes(mechanism=an_instance(Mechanism), ordered=flag)
def error_chart(mechanism: Mechanism, *, ordered: bool = True) -> Chart:
    """Return the error at each true answer as lines, in units of the answer, recomputed in floating point.

    The mean error, its root mean square, the bias, which is the mean of release less truth, and the distance
    within which 95 % of releases are. Where answers have labels, or are not `ordered`, such as residues, the
    probability of a wrong one as bars.

    >>> import optmech as om
    >>> half = om.MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> error_chart(half).series[0].values
    (0.5, 0.5)
    """
    if mechanism.labels or not ordered:
        return _bars({WRONG: mechanism})
    measures = error_measures(mechanism)
    lines = [_line(name, mechanism, values) for name, values in measures.items()]
    mean = measures["mean error"]
    text = (
        "Lines over the true answer: mean error, root mean squared error, bias, and the distance that 95 % "
        f"of errors keep. The mean error lies between {mean.min():.4g} and {mean.max():.4g}."
    )
    return chart_of_lines(text, lines, "error, in units of the answer")


def errors_side_by_side(mechanisms: Mapping[str, Mechanism]) -> Chart:
    """Return the mean error of mechanisms, by name, a line for each; of wrong labels the probability."""
    if any(mechanism.labels for mechanism in mechanisms.values()):
        return _bars(mechanisms)
    mean = MEASURES[0]
    lines = [_line(name, each, error_measures(each)[mean]) for name, each in mechanisms.items()]
    text = f"Lines over the true answer: {mean} of {', '.join(mechanisms)}."
    return chart_of_lines(text, lines, f"{mean}, in units of the answer")


def _line(name: str, mechanism: Mechanism, values: Floats) -> Series:
    """Return a line; of very many true answers those near both ends, and some between."""
    indices = np.arange(len(values))
    if len(indices) > _MOST_POINTS:
        between = np.linspace(0, len(indices) - 1, _MOST_POINTS // 2).round().astype(int)
        quarter = _MOST_POINTS // 4
        indices = np.unique(np.concatenate([indices[:quarter], between, indices[-quarter:]]))
    across = tuple(float(mechanism.truths[index]) for index in indices.tolist())
    return Series(name=name, across=across, values=tuple(values[indices].tolist()))


def chart_of_lines(text: str, lines: list[Series], title: str) -> Chart:
    """Return lines over the true answer, with room for all of them and for zero."""
    ends = [index for line in lines for index in line.across]
    heights = [0.0, *(value for line in lines for value in line.values)]
    return Chart(
        description=text,
        x=Axis(title="true answer", low=min(ends), high=max(ends)),
        y=Axis(title=title, low=min(heights), high=max(heights)),
        series=tuple(lines),
        title=_TITLE,
    )


def _bars(mechanisms: Mapping[str, Mechanism]) -> Chart:
    names = list(dict.fromkeys(name for each in mechanisms.values() for name in truth_names(each)))
    indices = {name: index for index, name in enumerate(names)}
    return Chart(
        description="Bars over the true answer: the probability that something else is released.",
        x=Axis(
            title="true answer",
            names=tuple(names),
            numeric=not any(each.labels for each in mechanisms.values()),
        ),
        y=Axis(title=WRONG),
        series=tuple(
            Series(
                name=name,
                across=tuple(indices[truth] for truth in truth_names(mechanism)),
                values=tuple(probability_of_error(mechanism).tolist()),
                look=Look.BARS,
            )
            for name, mechanism in mechanisms.items()
        ),
        title=_TITLE,
    )
