"""The unbiased estimator of least expected variance, or the proof that there is none.

Model
-----
    find g with   sum_j P(j | i) g(j) = v(i)    for each truth i
    of least      sum_i w(i) sum_j P(j | i) g(j)^2,    w a prior

Responses with proportional likelihoods have one g (Rao 1945, Blackwell 1947). With B the probabilities of
such groups, and Q the diagonal of their probabilities under the prior, g = Q^-1 B' l where B Q^-1 B' l = v.

By the alternative of Fredholm there is no g exactly where some multipliers y of truths have

    sum_i y(i) P(j | i) = 0    for each response j,    and    sum_i y(i) v(i) = 1

All of it is solved in whole numbers by FLINT.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from flint import fmpq_mat, fmpz, fmpz_mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.estimates.likelihoods import Likelihoods


@dataclass(frozen=True, kw_only=True)
class NoUnbiasedEstimator:
    """The proof that no function of the response has a mean equal to the value at every truth.

    Attributes
    ----------
    multipliers : tuple of Fraction
        One for each truth: these multiples of the columns add up to zero, and those of the values to one.
    """

    multipliers: tuple[Fraction, ...]

    def __str__(self) -> str:
        used = sum(map(bool, self.multipliers))
        return (
            f"no unbiased estimator exists: multiples of {used} columns of the mechanism add up to zero, and "
            "the same multiples of their true values do not"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class UnbiasedEstimator:
    """An unbiased estimator: a number for each response, whose mean at each truth is the value there.

    Attributes
    ----------
    likelihoods : Likelihoods
        The mechanism.
    values : tuple of Fraction
        The estimated value at each truth.
    estimates : tuple of Fraction
        The estimate for each response, 0 for those that no truth leads to.
    """

    likelihoods: Likelihoods
    values: tuple[Fraction, ...]
    estimates: tuple[Fraction, ...]

    @cached_property
    def whole(self) -> tuple[tuple[int, ...], int]:
        """The estimates in whole numbers over one denominator: long fractions are slow to add."""
        scale = lcm(*(value.denominator for value in self.estimates))
        return tuple(value.numerator * (scale // value.denominator) for value in self.estimates), scale

    def mean(self, truth: int) -> Fraction:
        """Return the mean of the estimate at a truth, which is the value there."""
        numerators, scale = self.whole
        return self._mean(numerators, scale, truth)

    def variance(self, truth: int) -> Fraction:
        """Return the variance of the estimate at a truth, exactly."""
        return self.covariance(self, truth)

    def covariance(self, other: UnbiasedEstimator, truth: int) -> Fraction:
        """Return the covariance at a truth with another estimate from the same response, exactly."""
        scale = self.whole[1] * other.whole[1]
        return self._mean(_products(self, other), scale, truth) - self.values[truth] * other.values[truth]

    def _mean(self, numerators: Sequence[int], scale: int, truth: int) -> Fraction:
        weights = self.likelihoods.weights[truth]
        total = sum(weight * numerator for weight, numerator in zip(weights, numerators, strict=True))
        return Fraction(total, scale * self.likelihoods.totals[truth])


def _products(first: UnbiasedEstimator, second: UnbiasedEstimator) -> tuple[int, ...]:
    return tuple(one * two for one, two in zip(first.whole[0], second.whole[0], strict=True))


def unbiased_estimator(
    likelihoods: Likelihoods, values: Sequence[Fraction], prior: Sequence[Fraction]
) -> UnbiasedEstimator | NoUnbiasedEstimator:
    """Return the unbiased estimator of least expected variance, or the proof that there is none.

    A prior that makes some possible response impossible cannot weigh it: then all truths weigh the same.

    Parameters
    ----------
    likelihoods : Likelihoods
        The mechanism.
    values : sequence of Fraction, shape (num_truths,)
        The value to estimate, at each truth.
    prior : sequence of Fraction, shape (num_truths,)
        Zero or more.

    Examples
    --------
    Randomised response with odds of 3 to 1, and a mechanism that says nothing:

    >>> from optmech.release.estimates.likelihoods import Likelihoods
    >>> half, values = [Fraction(1, 2)] * 2, [Fraction(0), Fraction(1)]
    >>> told = Likelihoods(responses=(0, 1), truths=(0, 1), weights=((3, 1), (1, 3)))
    >>> unbiased_estimator(told, values, half).estimates
    (Fraction(-1, 2), Fraction(3, 2))
    >>> silent = Likelihoods(responses=(0, 1), truths=(0, 1), weights=((1, 1), (1, 1)))
    >>> unbiased_estimator(silent, values, half).multipliers
    (Fraction(-1, 1), Fraction(1, 1))
    """
    groups, totals = likelihoods.alike, likelihoods.totals
    masses = [[sum(column[j] for j in group) for group in groups] for column in likelihoods.weights]
    wanted = [value * total for value, total in zip(values, totals, strict=True)]
    of_group = _only_solution(masses, wanted)
    if of_group is None:
        transposed = [list(row) for row in zip(*masses, strict=True)]
        multipliers = any_solution([*transposed, wanted], [0] * len(groups) + [1])
        if multipliers is not None:
            shares = zip(multipliers, totals, strict=True)
            return NoUnbiasedEstimator(multipliers=tuple(multiplier * total for multiplier, total in shares))
        of_group = _least_variance(masses, totals, wanted, prior)
    estimates = [Fraction(0)] * len(likelihoods.responses)
    for group, estimate in zip(groups, of_group, strict=True):
        for response in group:
            estimates[response] = estimate
    return UnbiasedEstimator(likelihoods=likelihoods, values=tuple(values), estimates=tuple(estimates))


def _only_solution(matrix: list[list[int]], wanted: list[Fraction]) -> list[Fraction] | None:
    """Return the solution of a square system that has one, else None."""
    if len(matrix) != len(matrix[0]):
        return None
    scale = lcm(*(value.denominator for value in wanted))
    right = fmpz_mat([[fmpz(int(value * scale))] for value in wanted])
    try:
        solution = fmpz_mat(matrix).solve(right)
    except ZeroDivisionError:
        return None
    return [_fraction(solution[at, 0]) / scale for at in range(len(wanted))]


def any_solution(
    matrix: Sequence[Sequence[Fraction | int]], wanted: Sequence[Fraction | int]
) -> list[Fraction] | None:
    """Return a solution of a system, or None where it has none."""
    rows = [_whole([*row, right]) for row, right in zip(matrix, wanted, strict=True)]
    unknowns = len(rows[0]) - 1
    reduced, rank = fmpq_mat(fmpz_mat(rows)).rref()
    solution = [Fraction(0)] * unknowns
    for row in range(rank):
        pivot = next(at for at in range(unknowns + 1) if reduced[row, at])
        if pivot == unknowns:
            return None
        solution[pivot] = _fraction(reduced[row, unknowns])
    return solution


def _least_variance(
    masses: list[list[int]], totals: Sequence[int], wanted: list[Fraction], prior: Sequence[Fraction]
) -> list[Fraction]:
    """Return the estimate of least expected variance for each group of responses, by normal equations."""
    common = lcm(*totals)
    scaled = [[mass * (common // total) for mass in row] for row, total in zip(masses, totals, strict=True)]
    expected = [
        sum(weight * mass for weight, mass in zip(prior, column, strict=True))
        for column in zip(*scaled, strict=True)
    ]
    if not all(expected):
        expected = [Fraction(sum(column)) for column in zip(*scaled, strict=True)]
    normal = [
        [
            sum((Fraction(a * b) / q for a, b, q in zip(one, two, expected, strict=True)), Fraction(0))
            for two in masses
        ]
        for one in masses
    ]
    multipliers = any_solution(normal, wanted)
    assert multipliers is not None  # noqa: S101 - the range is that of the system, which has a solution
    return [
        sum((factor * mass for factor, mass in zip(multipliers, column, strict=True)), Fraction(0)) / q
        for column, q in zip(zip(*masses, strict=True), expected, strict=True)
    ]


def _whole(row: Sequence[Fraction | int]) -> list[int]:
    """Return a row times a number that makes it whole."""
    scale = lcm(*(Fraction(value).denominator for value in row))
    return [int(value * scale) for value in row]


def _fraction(value: object) -> Fraction:
    """Return a rational number of FLINT."""
    return Fraction(int(value.p), int(value.q))  # type: ignore[attr-defined]
