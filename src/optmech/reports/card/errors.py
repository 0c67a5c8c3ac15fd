"""The exact distance of the released answer from the true one.

For a certified matrix everything here is proved. For doubles it is exact for the given doubles, with each
column over its sum as in draws; that is no proof.
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
from optmech.mechanisms.sampling import whole_weights
from optmech.question.homes import errors_of_entries
from optmech.release.tables.law_of_source import law_of
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
    """The error that this percentage of released answers does not exceed, at any true answer."""

    percent: int
    error: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Errors of a mechanism. Distances are absent where answers are no numbers.

    `measure` is a sentence that defines the error. The probability of releasing the response that holds the
    true answer is `truth_probability`, averaged over all true answers alike, and at least
    `truth_probability_least`; both are absent where a true answer is in no response. Averaged likewise are
    `mean` and `root_mean_square`; the largest mean error, `worst_mean`, is at `worst_truth`, the first of
    several. `bias` is the mean of released less true answer where it is farthest from zero, at
    `biased_truth`, and absent on a circle too. The `quantiles` are at `LEVELS`. Absent truths are empty.
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
    """Return the errors of a mechanism, exact where its probabilities are.

    In a `circular` query the last answer is next to the first. All is proved if `is_certified`: a certificate
    proves the mechanism.

    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> from optmech.question.queries import count
    >>> answer = MatrixMechanism(matrix=[[0.75, 0.25], [0.25, 0.75]], responses=(0, 1), truths=(0, 1))
    >>> errors = errors_of(answer, count(1))
    >>> errors.mean.value, errors.bias.value, [quantile.error.value for quantile in errors.quantiles]
    (0.25, 0.25, [0.0, 1.0, 1.0, 1.0])
    """
    provenance = Provenance.PROVED if is_certified else Provenance.RECOMPUTED
    weights = whole_weights(mechanism.matrix, mechanism.exact)
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
    errors, scale = errors_of_entries(query)
    sizes = np.abs(errors)
    if circular:
        sizes = np.minimum(sizes, query.num_truths * scale - sizes)
    names = list(map(as_text, query.truths))
    means = _ratios((sizes * weights).sum(axis=0), totals, scale)
    squares = _ratios((sizes * sizes * weights).sum(axis=0), totals, scale * scale)
    worst = max(range(len(means)), key=means.__getitem__)
    bias = law_of(mechanism).bias
    if bias is not None and not circular:
        shares |= {
            "bias": Number.of(bias.largest, provenance),
            "biased_truth": as_text(bias.truth) if bias.largest else "",
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
