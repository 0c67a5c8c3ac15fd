"""Choose the part of a mechanism that the page draws: all of a matrix, some of a distribution."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, singledispatch
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.utility import error_quantiles, errors_by_truth, probability_within
from optmech.base.numbers import as_text
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.reports.charts.chart import Series
from optmech.reports.charts.errors import chart_of_lines, error_chart
from optmech.reports.charts.matrix_view import (
    MatrixView,
    matrix_chart,
    near,
    response_names,
    truth_names,
    with_truth,
)
from optmech.reports.charts.response_distribution import response_column

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.charts.chart import Chart
    from optmech.reports.studio.reading import Answer

MEASURES = (
    "mean distance from the truth",
    "… at the worst true value",
    "largest bias",
    "chance of the exact truth, at least",
    "90 % of releases are within",
)
"""Values recomputed for each design."""
_LEVELS = (0.9, 0.95)
# A level is reached when the summed probabilities miss it by no more than their rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class View:
    """The charts of a design: of a matrix all, of a distribution a part.

    A slider chooses among `truths`. The view has those of `MEASURES` that mean something. `left_out` is a
    sentence on the true answers that are not looked at, empty where all are.
    """

    mechanism: Mechanism
    matrix: MatrixView
    truths: tuple[str, ...]
    errors: Chart
    measures: dict[str, float]
    left_out: str = ""

    is_whole = True
    """Whether all of the mechanism is drawn, not a part."""

    @property
    def ends(self) -> tuple[int, int] | None:
        """The first and the last true answer where any between may be asked for, else ``None``."""
        return None

    def has(self, truth: str) -> bool:
        """Whether a true answer is one of this mechanism."""
        return truth in self.truths

    def column(self, truth: str) -> Chart | None:  # noqa: ARG002 - a part of it is drawn by another view
        """Return the chart of the releases at a true answer where that stands alone, else ``None``."""
        return None

    def released(self, truth: str) -> dict[str, float]:
        """Return the released answers at a true answer, with probabilities."""
        column = self.mechanism.matrix[:, self.truths.index(truth)].tolist()
        return dict(zip(response_names(self.mechanism), column, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoiseView(View):
    """The charts of noise, near some true answers; any other may be asked for."""

    mechanism: NoiseMechanism

    is_whole = False

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last true answer."""
        return int(self.mechanism.truths[0]), int(self.mechanism.truths[-1])

    def has(self, truth: str) -> bool:
        """Whether a true answer is one of this mechanism."""
        first, last = self.ends
        return truth.isdecimal() and first <= int(truth) <= last

    def column(self, truth: str) -> Chart:
        """Return the chart of the released answers at any true answer."""
        part = self._part(truth)
        title = f"released less true answer, which is {truth}"
        return response_column(part, part.truths.index(truth), title, part.responses.index("0"))

    def released(self, truth: str) -> dict[str, float]:
        """Return the released answers near a true answer, with probabilities."""
        part = self._part(truth)
        index = part.truths.index(truth)
        chances = zip(part.responses, part.probabilities[:, index].tolist(), strict=True)
        # A value outside the range has probability 0.
        return {as_text(part.values[index] + int(offset)): chance for offset, chance in chances if chance}

    def _part(self, truth: str) -> MatrixView:
        """Return the part that is drawn, this true answer among it."""
        return self.matrix if truth in self.truths else with_truth(self.matrix, self.mechanism, int(truth))


@lru_cache(maxsize=32)
def view_of(design: Answer) -> View:
    """Return the charts of a design, cached."""
    return _view(design.mechanism)


@singledispatch
def _view(mechanism: Mechanism) -> View:
    right = float(probability_within(mechanism, 0).min())
    if mechanism.labels:
        numbers: tuple[float | None, ...] = (None, None, None, right, None)
    else:
        errors = errors_by_truth(mechanism)
        numbers = (
            float(errors.mean_absolute_error.mean()),
            float(errors.mean_absolute_error.max()),
            float(abs(errors.bias).max()),
            right,
            float(error_quantiles(mechanism, _LEVELS[:1]).max()),
        )
    measures = zip(MEASURES, numbers, strict=True)
    return View(
        mechanism=mechanism,
        truths=truth_names(mechanism),
        matrix=matrix_chart(mechanism),
        errors=error_chart(mechanism),
        measures={name: value for name, value in measures if value is not None},
    )


@_view.register(NoiseMechanism)
def _(mechanism: NoiseMechanism) -> NoiseView:
    part, _ = near(mechanism)
    first, size = int(mechanism.truths[0]), len(mechanism.truths)
    means, biases, rights, within = [], [], [], []
    for index in part.positions:
        column, errors = mechanism.column(first + index), np.arange(size) - index
        sums = np.bincount(np.abs(errors), weights=column)
        means.append(float(np.abs(errors) @ column))
        biases.append(float(errors @ column))
        rights.append(float(column[index]))
        within.append(np.searchsorted(np.cumsum(sums), np.array(_LEVELS) - _ROUNDING).tolist())
    values = {"mean error": means, "bias": biases, "95 % of errors within": [each[1] for each in within]}
    across = tuple(map(float, part.values))
    lines = [Series(name=name, across=across, values=tuple(map(float, of))) for name, of in values.items()]
    text = f"Lines over the true answer: {', '.join(values)}. {part.left_out}"
    mean = mechanism.expected_loss("absolute")
    numbers = (mean, max(means), max(map(abs, biases)), min(rights), float(max(each[0] for each in within)))
    return NoiseView(
        mechanism=mechanism,
        truths=part.truths,
        matrix=part,
        errors=chart_of_lines(text, lines, "in units of the answer"),
        measures=dict(zip(MEASURES, numbers, strict=True)),
        left_out=part.left_out,
    )
