"""Cells that tile the line around the responses of a query, and continuous noise cut into them.

The tiling: between two responses the border lies halfway, between two categories halfway through the gap
(at the common end, where there is none). The first and last cells reach to infinity when noise is snapped to
the boundary. Where the range must be finite, they end where their category ends; a single point is the middle
of its cell, so that on Croft's grids every cell has the width of one step and the range sticks out by half a
step on each side.

Source: Croft, Sack, Shi 2020, Definitions 2 and 4 and section 4.3. With cells that leave gaps, which their
R.2 allows, columns would not sum to one.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.homes import differences

if TYPE_CHECKING:
    from optmech.analysis.baselines.baseline import NoiseDistribution
    from optmech.base.arrays import Floats
    from optmech.question.query import Query


# Below the median of the noise lower tails are precise, above it upper tails.
_MEDIAN = 0.5

SNAPPED = " and moves what falls outside the range to its nearest response"
"""Words on `snap`, to stand behind a word on the noise."""


def cell_edges(query: Query) -> tuple[Fraction, ...]:
    """Return the ends of the cells, one more than there are responses, increasing."""
    categories = query.responses
    inner = [(low.upper + high.lower) / 2 for low, high in pairwise(categories)]
    first, last = categories[0], categories[-1]
    # A point is the middle of its cell; a lone point gets a cell of width one.
    below = inner[0] - first.upper if inner else Fraction(1, 2)
    above = last.lower - inner[-1] if inner else Fraction(1, 2)
    lower = first.lower if first.lower < first.upper else first.lower - below
    upper = last.upper if last.lower < last.upper else last.upper + above
    return (lower, *inner, upper)


def edge_offsets(query: Query) -> Floats:
    """Return the distance of each edge above each truth, shape (num_responses + 1, num_truths).

    Each number is the double nearest the exact difference, so that equal distances are equal numbers.
    """
    return _offsets(cell_edges(query), query)


def range_offsets(query: Query) -> Floats:
    """Return the same where the first cell begins with the first response and the last ends with the last.

    A library that is told the range 0..n draws from there and rounds: the cells at its ends are half as wide.
    NotAcceptedError if the range is a single point, or a truth lies outside.
    """
    lower, upper = query.responses[0].lower, query.responses[-1].upper
    if lower == upper or query.truths[0] < lower or query.truths[-1] > upper:
        message = (
            "noise kept in a range needs two or more responses, with every truth between the first and the "
            f"last; got {query.title}. Add responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    return _offsets((lower, *cell_edges(query)[1:-1], upper), query)


def _offsets(edges: tuple[Fraction, ...], query: Query) -> Floats:
    above, scale = differences(edges, query.truths)
    offsets: Floats = (above / scale).astype(float)
    return offsets


def mass_between(noise: NoiseDistribution, lower: Floats, upper: Floats) -> Floats:
    """Return the probability of noise from `lower` to `upper`, precise far out in either tail.

    A difference of two values of ``cdf`` near one would cancel to zero there, and the privacy loss of the
    matrix would seem infinite.
    """
    left, right = noise.cdf(lower), noise.sf(upper)
    in_upper_tail = noise.sf(lower) - right
    in_lower_tail = noise.cdf(upper) - left
    return np.where(
        left >= _MEDIAN,
        in_upper_tail,
        np.where(right >= _MEDIAN, in_lower_tail, 1.0 - left - right),
    )


def snap(noise: NoiseDistribution, offsets: Floats) -> Floats:
    """Return the matrix of additive noise whose values outside the range go to the nearest response.

    Croft (16): the first cell begins at minus infinity, the last one ends at infinity. `offsets` are those of
    `edge_offsets`, or some of their columns.
    """
    inner = offsets[1:-1]
    if not len(inner):
        return np.ones((1, offsets.shape[1]))
    middle = mass_between(noise, inner[:-1], inner[1:])
    matrix: Floats = np.vstack([noise.cdf(inner[0]), middle, noise.sf(inner[-1])])
    return matrix
