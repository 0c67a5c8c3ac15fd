"""Limits where no unbiased estimator exists, or none of use: from a function biased to one side.

Model
-----
    min   sum_t w_t m(t) + lambda (high - low)     m(t) = sum_j P(j | t) g(j),   low <= g(j) <= high
    s.t.  m(t) >= v(t)                             for each truth t
    lambda = sqrt(log(1 / tail) / (2 N))

A sum of g over N independent releases is then at least the sum of the true values v, but for
sqrt(log(1 / tail) / 2 sum (high - low)^2), with probability `tail` at most (Hoeffding 1963), whatever g is:
so the solver is not trusted. Its doubles become fractions, and a constant is added that keeps every m(t).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.models.linear_model import Block, LinearModel
from optmech.models.solvers.interface import installed_solvers
from optmech.models.solvers.options import SolveOptions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optmech.release.estimates.likelihoods import Likelihoods

_ROUNDING = 1 + 1e-12


@dataclass(frozen=True, kw_only=True)
class OneSided:
    """A function of the response whose mean is at least a value, at every truth.

    Attributes
    ----------
    values : tuple of Fraction
        One for each response.
    spread : Fraction
        The largest of them less the smallest.
    usual : Fraction
        Its mean where all truths are as probable.
    """

    values: tuple[Fraction, ...]
    spread: Fraction
    usual: Fraction

    def total(self, counts: Mapping[int, int]) -> Fraction:
        """Return its sum over releases, from how many there are of each response."""
        return sum((number * self.values[response] for response, number in counts.items()), Fraction(0))


def shortfall(squares: Fraction, tail: Fraction) -> Fraction:
    """Return how far a sum falls below its mean, but for a tail, from the sum of the squares of spreads.

    Examples
    --------
    >>> float(round(shortfall(Fraction(100), Fraction(1, 40)), 2))
    13.58
    """
    return Fraction(sqrt(log(1 / tail) / 2 * float(squares)) * _ROUNDING)


def one_sided(likelihoods: Likelihoods, wanted: Sequence[Fraction], people: int, tail: Fraction) -> OneSided:
    """Return the function of least limit for as many releases, whose mean is at least the wanted value.

    Parameters
    ----------
    likelihoods : Likelihoods
        The mechanism.
    wanted : sequence of Fraction, shape (num_truths,)
        The value at each truth.
    people : int
        The number of releases that its sum is of.
    tail : Fraction
        The probability that the limit may fail.

    Examples
    --------
    A mechanism that says nothing leaves a share between 0 and 1:

    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> silent = Likelihoods(responses=(0, 1), truths=(0, 1, 2), weights=((1, 1),) * 3)
    >>> found = one_sided(silent, [Fraction(1), Fraction(0), Fraction(0)], 50, Fraction(1, 40))
    >>> [float(value) for value in found.values]
    [1.0, 1.0]
    """
    rate = float(shortfall(Fraction(1, people), tail))
    possible, number = likelihoods.possible, len(likelihoods.truths)
    shares = likelihoods.matrix[list(possible)].T
    width = len(possible)
    below = np.column_stack([np.eye(width), -np.ones(width), np.zeros(width)])  # g >= low
    above = np.column_stack([-np.eye(width), np.zeros(width), np.ones(width)])  # g <= high
    means = np.column_stack([shares, np.zeros((number, 2))])
    model = LinearModel(
        name="one-sided",
        columns=(
            Block(name="g", indices=np.arange(width)[:, None]),
            Block(name="low", indices=[[]]),  # type: ignore[arg-type]
            Block(name="high", indices=[[]]),  # type: ignore[arg-type]
        ),
        rows=tuple(
            Block(name=name, indices=np.arange(len(block))[:, None])
            for name, block in (("above", below), ("below", above), ("mean", means))
        ),
        cost=np.concatenate([shares.mean(axis=0), [-rate, rate]]),
        offset=0.0,
        matrix=sparse.csr_array(np.vstack([below, above, means])),
        row_lower=np.concatenate([np.zeros(2 * width), np.array(list(map(float, wanted)))]),
        row_upper=np.full(2 * width + number, np.inf),
        column_lower=np.full(width + 2, -np.inf),
        column_upper=np.full(width + 2, np.inf),
        integer=np.zeros(width + 2, dtype=bool),
    )
    solution = installed_solvers()[0].solve(model, SolveOptions())
    values = np.zeros(width) if solution.values is None else np.nan_to_num(solution.values[:width])
    found = values.tolist()
    return _kept(likelihoods, wanted, list(map(Fraction, found)))


def _kept(likelihoods: Likelihoods, wanted: Sequence[Fraction], found: list[Fraction]) -> OneSided:
    """Return the function raised by a constant, so that it keeps its rule exactly."""
    values = [Fraction(0)] * len(likelihoods.responses)
    for response, value in zip(likelihoods.possible, found, strict=True):
        values[response] = value
    means = [
        sum((weight * value for weight, value in zip(column, values, strict=True)), Fraction(0)) / total
        for column, total in zip(likelihoods.weights, likelihoods.totals, strict=True)
    ]
    lacking = max(value - mean for value, mean in zip(wanted, means, strict=True))
    return OneSided(
        values=tuple(value + lacking for value in values),
        spread=max(found) - min(found),
        usual=sum(means, Fraction(0)) / len(means) + lacking,
    )
