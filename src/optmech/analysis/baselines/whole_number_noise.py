"""Noise on whole numbers, its tails without cancellation, clamped to a grid of equal steps or folded there.

Clamping releases ``min(max(0, q + noise), n)``, Kadam et al. 2024 (55). The law of the answer is

    M[0, q] = F(-q),   M[k, q] = f(k - q),   M[n, q] = 1 - F(n - q - 1)

for noise with the probabilities f and the distribution function F. The paper prints ``1 - F(n - q)`` in the
last row of (56), which loses ``f(n - q)``: columns then sum to 0.82 and less at alpha = 0.7, n = 8. All
clamped outcomes of geometric noise share one ratio, so that clamping leaves its privacy as it is.

Source: Ghosh, Roughgarden, Sundararajan 2009 (geometric mechanism); Kadam et al. 2024 (55)-(56); Cormode,
Kulkarni, Srivastava 2018 (explicit fair mechanism). The last formula is as `reference/croft.md`, 3e, recalls
and checks it; their paper was not at hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

import numpy as np

from optmech.analysis.baselines.baseline import NoiseDistribution, baseline, positive_epsilon, sensitivity
from optmech.base.errors import NotAcceptedError
from optmech.designs.closed_form import explicit_fair as explicit_fair_matrix
from optmech.question.answers import are_points

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from optmech.analysis.baselines.baseline import Exact
    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number
    from optmech.question.query import Query


class WholeNumberNoise(NoiseDistribution, Protocol):
    """Noise on the whole numbers."""

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """A query whose responses are points, equally spaced, with every truth on a multiple of the step.

    `shifts`, shape (num_responses, num_truths), counts the steps by which a response lies above a truth.
    `distances` are the numbers of steps between neighbours, increasing.
    """

    shifts: Integers
    distances: tuple[int, ...]

    @property
    def reach(self) -> int:
        """Number of steps that one person can move the answer."""
        return self.distances[-1]


def lattice_of(query: Query) -> Lattice:
    """Return the grid of a query; NotAcceptedError if it has none that is even, with all truths on it."""
    sensitivity(query)
    points = [category.midpoint for category in query.responses]
    steps = {high - low for low, high in pairwise(points)}
    flat = all(category.lower == category.upper for category in query.responses)
    if len(steps) == 1 and flat:
        step = steps.pop()
        positions = [(truth - points[0]) / step for truth in query.truths]
        if all(position.denominator == 1 for position in positions):
            columns = np.array([int(position) for position in positions])
            apart = np.abs(columns[query.pairs[:, 0]] - columns[query.pairs[:, 1]])
            return Lattice(
                shifts=np.arange(len(points))[:, None] - columns[None, :],
                distances=tuple(np.unique(apart).tolist()),
            )
    message = (
        "whole-number noise needs two or more equally spaced points as responses and truths on their grid; "
        f"got {query.title}. For categories use a snapped mechanism."
    )
    raise NotAcceptedError(message)


def clamp(noise: WholeNumberNoise, shifts: Integers) -> Floats:
    """Return the matrix of additive noise clamped to the grid: Kadam (56) with the last row corrected."""
    matrix = np.array(noise.pmf(shifts), dtype=float)
    matrix[0] = noise.cdf(shifts[0])
    matrix[-1] = noise.sf(shifts[-1] - 1)  # as printed, 1 - F(n - q), the mass at n - q is lost
    return matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoSidedGeometric:
    """``P(k) = (1 - a) / (1 + a) a^|k|`` with ``a = e^-rate``, on all whole numbers.

    It is ``scipy.stats.dlaplace(rate)``, whose upper tail is ``1 - cdf`` and cancels.
    """

    rate: float

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        probability: Floats = math.tanh(self.rate / 2) * np.exp(-self.rate * np.abs(_whole(noise)))
        return probability

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that: ``a^(k+1) / (1 + a)`` from -1 on."""
        values = _whole(noise)
        total = 1.0 + math.exp(-self.rate)
        upper = np.exp(-self.rate * np.maximum(values + 1, 0)) / total
        lower = np.exp(-self.rate * np.maximum(-values, 0)) / total
        return np.where(values >= 0, upper, 1.0 - lower)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-_whole(noise) - 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SymmetricIntegerNoise:
    """Symmetric noise by its table: `half` has the probabilities of 0, 1, …, width."""

    half: Floats
    _tails: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Sum the tails from their ends, smallest first."""
        half = np.array(self.half, dtype=float)
        tails = np.append(np.cumsum(half[::-1])[::-1], 0.0)
        for name, array in (("half", half), ("_tails", tails)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def width(self) -> int:
        """Largest noise of the table."""
        return len(self.half) - 1

    @property
    def variance(self) -> float:
        """Mean squared noise."""
        return float(2 * (np.arange(len(self.half), dtype=float) ** 2 @ self.half))

    def pmf(self, noise: ArrayLike, /) -> Floats:
        """Probability of exactly this noise."""
        distance = np.abs(_whole(noise))
        half = np.append(self.half, 0.0)
        probability: Floats = half[np.minimum(distance, self.width + 1)]
        return probability

    def sf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise above that."""
        values = _whole(noise)
        beyond = np.clip(np.where(values >= 0, values + 1, -values), 0, self.width + 1)
        tails: Floats = self._tails[beyond]
        return np.where(values >= 0, tails, 1.0 - tails)

    def cdf(self, noise: ArrayLike, /) -> Floats:
        """Probability of noise at most so large."""
        return self.sf(-_whole(noise) - 1)


def noise_delta(noise: WholeNumberNoise, width: int, epsilon: float, distances: Iterable[int]) -> float:
    """Return the hockey-stick divergence of noise from itself shifted, the largest over `distances`.

    The noise is symmetric about zero or about one half, with no mass beyond `width`: both directions are then
    equal. Distances are positive steps between neighbours.
    """
    deltas = []
    for distance in distances:
        here = np.arange(-width - distance, width + distance + 1)
        excess = noise.pmf(here) - math.exp(epsilon) * noise.pmf(here - distance)
        deltas.append(float(np.maximum(excess, 0.0).sum()))
    return max(deltas)


def _whole(noise: ArrayLike) -> Integers:
    return np.asarray(noise, dtype=np.int64)


def geometric_noise(query: Query, epsilon: Number) -> TwoSidedGeometric:
    """Return geometric noise that spends epsilon: each step is less likely by ``e^(-epsilon / reach)``."""
    return TwoSidedGeometric(rate=float(positive_epsilon(epsilon) / lattice_of(query).reach))


@baseline("truncated geometric", "Ghosh et al. 2009; Kadam et al. 2024 (56), the last row corrected")
def truncated_geometric(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return geometric noise that spends epsilon, clamped to the grid."""
    noise = geometric_noise(query, epsilon)
    says = f"adds geometric noise with ratio {math.exp(-noise.rate):.6g} and clamps the sum to the grid"
    return says, clamp(noise, lattice_of(query).shifts)


@baseline("folded geometric", "Ghosh et al. 2009, folded as in diffprivlib's GeometricFolded")
def folded_geometric(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return geometric noise that spends epsilon, folded at the ends of the grid until it falls inside.

    Folding at 0 takes -1 for 1, at n it takes n + 1 for n - 1. The grid of n steps repeats after 2n, so that
    the images of a response on either side are one geometric series. Truths must lie between the responses.
    """
    noise, shifts = geometric_noise(query, epsilon), lattice_of(query).shifts
    last = query.num_responses - 1
    indices, truths = np.arange(last + 1)[:, None], -shifts[0]
    if (truths < 0).any() or (truths > last).any():
        message = (
            "folded noise needs every truth between the first and the last response; "
            f"got {query.title}. Add responses until they cover the truths."
        )
        raise NotAcceptedError(message)
    shift_part = noise.pmf(shifts + 2 * last) + noise.pmf(shifts - 2 * last)
    mirror_part = noise.pmf(2 * last - indices - truths) + noise.pmf(-indices - truths)
    mirror_part[[0, -1]] = 0.0  # the ends are their own images
    says = f"adds geometric noise with ratio {math.exp(-noise.rate):.6g} and folds the sum back at the ends"
    return says, noise.pmf(shifts) + (shift_part + mirror_part) / -math.expm1(-2 * last * noise.rate)


@baseline("explicit fair", "Cormode, Kulkarni, Srivastava 2018, the formula recalled and checked")
def explicit_fair(query: Query, epsilon: Exact) -> tuple[str, Floats]:
    """Return the explicit fair mechanism: the truth is equally likely to be told for each answer.

    With ``a = e^(-epsilon / reach)``, d the steps from truth j to the response, and b the steps from j to the
    nearer end of 0..n, an entry is ``y a^d`` where d < b, else ``y a^ceil((d + b) / 2)``; y makes columns sum
    to one.
    """
    reach = lattice_of(query).reach
    if not are_points(query.responses, query.truths):
        message = (
            "this mechanism needs responses that are the truths; "
            f"got {query.num_responses} responses for {query.num_truths} truths ({query.title})."
        )
        raise NotAcceptedError(message)
    matrix = explicit_fair_matrix(query.num_truths, float(epsilon), reach)
    return f"tells the truth with probability {matrix[0, 0]:.6g} at every truth", matrix
