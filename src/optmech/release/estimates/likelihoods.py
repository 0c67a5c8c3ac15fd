"""The exact probability of each response at each truth, in whole numbers.

Model
-----
    P(response j | truth i) = weights[i][j] / totals[i]

Where rows released as 0 were left out, all of it is conditional on the row being shown: the response 0, and
truths that are never shown, are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.mechanisms.mechanism import Mechanism

MOST_ENTRIES = 12_000
"""Responses times truths of the largest mechanism whose estimates are exact in every column."""


@dataclass(frozen=True, kw_only=True)
class Likelihoods:
    """Probabilities of responses in whole numbers.

    Attributes
    ----------
    responses, truths : tuple of Fraction
        The numbers of both, increasing.
    weights : tuple of tuple of int
        The weight of each response, for each truth.
    labels : tuple of str
        Names of truths and responses that are no numbers; else empty.
    """

    responses: tuple[Fraction, ...]
    truths: tuple[Fraction, ...]
    weights: tuple[tuple[int, ...], ...]
    labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, mechanism: Mechanism, *, shown_only: bool = False) -> Likelihoods:
        """Return the probabilities of a mechanism, with `shown_only` given that the response is not 0."""
        truths = mechanism.labels or mechanism.truths
        columns = [tuple(mechanism.weights(truth)) for truth in truths]
        whole = cls(
            responses=mechanism.responses,
            truths=mechanism.truths,
            weights=tuple(columns),
            labels=mechanism.labels,
        )
        return whole.given_shown() if shown_only else whole

    def given_shown(self) -> Likelihoods:
        """Return the probabilities given that the response is not 0."""
        columns = [
            [weight if response else 0 for weight, response in zip(column, self.responses, strict=True)]
            for column in self.weights
        ]
        seen = [truth for truth, column in enumerate(columns) if any(column)]
        return Likelihoods(
            responses=self.responses,
            truths=tuple(self.truths[truth] for truth in seen),
            weights=tuple(tuple(columns[truth]) for truth in seen),
            labels=tuple(self.labels[truth] for truth in seen if self.labels),
        )

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The sum of the weights at each truth."""
        return tuple(map(sum, self.weights))

    def probability(self, response: int, truth: int) -> Fraction:
        """Return the probability of a response at a truth, both by position."""
        return Fraction(self.weights[truth][response], self.totals[truth])

    @cached_property
    def possible(self) -> tuple[int, ...]:
        """The positions of the responses that some truth can lead to."""
        return tuple(
            response
            for response in range(len(self.responses))
            if any(column[response] for column in self.weights)
        )

    @cached_property
    def matrix(self) -> Floats:
        """The probabilities in doubles, each the nearest, shape (num_responses, num_truths)."""
        columns = zip(self.weights, self.totals, strict=True)
        return np.array([[weight / total for weight in column] for column, total in columns]).T

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """Groups of possible responses whose likelihoods are proportional: they say the same of the truth."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for response in self.possible:
            row = [column[response] for column in self.weights]
            divisor = gcd(*row)
            groups.setdefault(tuple(weight // divisor for weight in row), []).append(response)
        return tuple(map(tuple, groups.values()))
