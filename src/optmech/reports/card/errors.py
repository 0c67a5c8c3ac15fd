"""How far what is released lies from the true answer, in whole numbers and without rounding.

Of a certified matrix everything here is proved. Of doubles it is exact for the doubles as they stand, each
column over its own sum, as samples are drawn; of that nothing is proved.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.mechanisms.sampling import dyadic_weights
from optmech.reports.card.number import Number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.query import Query

    Integers = NDArray[Any]

LEVELS = (50, 90, 95, 99)
"""Per cent of the released answers of which the error is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantile:
    """How large an error is, but for a small share of the released answers.

    Attributes
    ----------
    percent : int
        So many per cent of the released answers are not farther away, whatever the true answer.
    error : Number
        The largest over the true answers.
    """

    percent: int
    error: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Errors of a mechanism. Distances are absent where answers are no numbers.

    Attributes
    ----------
    measure : str
        What an error is, a sentence.
    truth_probability, truth_probability_least : Number or None
        The probability of releasing the response that holds the true answer: averaged over all true answers
        alike, and the least. Absent where a true answer is in no response.
    mean, root_mean_square : Number or None
        Averaged over all true answers alike.
    worst_mean : Number or None
        The largest mean error, over the true answers.
    worst_truth : str
        The true answer that has it, the first of several; empty where it is absent.
    bias : Number or None
        The mean of released less true answer where it is farthest from zero. Absent on a circle too.
    biased_truth : str
        The true answer that has it; empty where there is none, or no bias.
    quantiles : tuple of Quantile
        At `LEVELS`.
    """

    measure: str
    truth_probability: Number | None = None
    truth_probability_least: Number | None = None
    mean: Number | None = None
    root_mean_square: Number | None = None
    worst_mean: Number | None = None
    worst_truth: str = ""
    bias: Number | None = None
    biased_truth: str = ""
    quantiles: tuple[Quantile, ...] = ()


def errors_of(
    mechanism: Mechanism, query: Query, *, circular: bool = False, is_certified: bool = False
) -> Errors:
    """Return the errors of a mechanism, in whole numbers where it has them.

    Of a `circular` query the last answer is next to the first. All is proved where `is_certified` says that a
    certificate proves what the mechanism is.

    Examples
    --------
    >>> from optmech.mechanisms.mechanism import Mechanism
    >>> from optmech.question.queries import count
    >>> answer = Mechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> errors = errors_of(answer, count(1))
    >>> errors.mean.value, errors.bias.value, [quantile.error.value for quantile in errors.quantiles]
    (0.25, 0.25, [0.0, 1.0, 1.0, 1.0])
    """
    provenance = Provenance.PROVED if is_certified else Provenance.RECOMPUTED
    weights = dyadic_weights(mechanism.matrix) if mechanism.exact is None else mechanism.exact.numerators
    totals = weights.sum(axis=0)
    shares: dict[str, Any] = {}
    if (query.home >= 0).all():
        right = _ratios(weights[query.home, np.arange(query.num_truths)], totals)
        shares = {
            "truth_probability": Number.of(sum(right, Fraction(0)) / len(right), provenance),
            "truth_probability_least": Number.of(min(right), provenance),
        }
    if query.labels:
        return Errors(measure="An error is any other answer than the true one.", **shares)
    errors, scale = _signed_errors(query)
    sizes = np.abs(errors)
    if circular:
        sizes = np.minimum(sizes, query.num_truths * scale - sizes)
    names = list(map(as_text, query.truths))
    means = _ratios((sizes * weights).sum(axis=0), totals, scale)
    squares = _ratios((sizes * sizes * weights).sum(axis=0), totals, scale * scale)
    worst = max(range(len(means)), key=means.__getitem__)
    if not circular:
        biases = _ratios((errors * weights).sum(axis=0), totals, scale)
        most = max(range(len(biases)), key=lambda truth: abs(biases[truth]))
        shares |= {
            "bias": Number.of(biases[most], provenance),
            "biased_truth": names[most] if biases[most] else "",
        }
    square = sum(squares, Fraction(0)) / len(squares)
    return Errors(
        measure="An error is how far the released answer lies from the true one"
        + (", around the circle." if circular else ", in units of the answer."),
        mean=Number.of(sum(means, Fraction(0)) / len(means), provenance),
        root_mean_square=Number(value=math.sqrt(square), provenance=Provenance.RECOMPUTED),
        worst_mean=Number.of(means[worst], provenance),
        worst_truth=names[worst],
        quantiles=_quantiles(sizes, scale, weights, totals, provenance),
        **shares,
    )


def _signed_errors(query: Query) -> tuple[Integers, int]:
    """Return response less truth as whole numbers over a scale, midpoints standing for responses."""
    points = [response.midpoint for response in query.responses]
    scale = math.lcm(*(value.denominator for value in (*points, *query.truths)))
    rows = np.array([int(value * scale) for value in points], dtype=object)
    columns = np.array([int(value * scale) for value in query.truths], dtype=object)
    return rows[:, None] - columns[None, :], scale


def _ratios(values: Integers, totals: Integers, scale: int = 1) -> list[Fraction]:
    return [
        Fraction(int(value), int(total) * scale)
        for value, total in zip(values.tolist(), totals.tolist(), strict=True)
    ]


def _quantiles(
    sizes: Integers, scale: int, weights: Integers, totals: Integers, provenance: Provenance
) -> tuple[Quantile, ...]:
    """Return the least error that is not exceeded with each probability, the largest over the truths."""
    largest = dict.fromkeys(LEVELS, 0)
    for size, weight, total in zip(sizes.T.tolist(), weights.T.tolist(), totals.tolist(), strict=True):
        order = sorted(range(len(size)), key=size.__getitem__)
        sums = list(accumulate(map(weight.__getitem__, order)))
        for level, before in largest.items():
            first = bisect_left(sums, -(-level * total // 100))
            largest[level] = max(before, size[order[first]])
    return tuple(
        Quantile(percent=level, error=Number.of(Fraction(int(error), scale), provenance))
        for level, error in largest.items()
    )
