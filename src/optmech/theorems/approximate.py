"""Probability of the truth at all truths under (epsilon, delta)-differential privacy, on any graph.

Let d(r, c) be the least number of steps from truth r to truth c, a step from f to g where (f, g) is a pair of
neighbours, and ``m(c) = sum_r e^(-epsilon d(r, c))`` over the truths from which c can be reached.

    delta = 0        the truth is told with probability at most 1 / m(c) at the worst truth
    hockey-stick     with at most delta + (1 - delta) / m(c)

Proof, for every mechanism that tells each truth with probability x or more, each by a separate response.
Write h(r,f,g) for ``max(0, M[r,f] - E M[r,g])``; over r they sum to delta at most. Take for each truth but c
one first step of a shortest way to c. Along the ways ``M[r,g] >= e^-epsilon (M[r,f] - h(r,f,g))``, so the
response of truth r has under c at least ``x e^(-epsilon d(r,c))`` less ``h(r,f,g) e^(-epsilon d(f,c))`` for
each step (f, g) on its way. These responses differ, and add up to at most one under c. Each step is charged
``delta e^(-epsilon d(f,c))`` at most in all, so ``1 >= x m(c) - delta (m(c) - 1)``.

Least delta is the same read backwards: ``delta >= (x - 1 / m) / (1 - 1 / m)``.

It is attained by telling the truth with probability delta, and else by a mechanism for delta = 0 that has
``x = 1 / m``, m the largest:

    circle    neighbours look the same from every truth: the noise ``e^(-epsilon d) / m``, `kadam_any`
    reach k   counts with k records a person, means: the explicit fair mechanism of Cormode, Kulkarni,
              Srivastava 2018, section 4, its powers of e^-epsilon divided by k and rounded up

Proof for reach k, where all truths within k steps are neighbours. Explicit fair has the same powers in every
column, so its columns still have one sum. Along a row a power changes by one at most from truth to truth, by
k from neighbour to neighbour, and divided by k and rounded up by one: private. In the column of the truth c
in the middle the power is the number of truths to c; divided by k and rounded up it is ``d(r, c)``. The sum
is m(c).

On a circle the error rate averaged over all truths alike is no smaller: averaging a mechanism over all
shifts leaves its error rate as it is, makes it tell each truth equally often, and keeps it private, as a
hockey-stick divergence is convex.

Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, for the definition; the closed forms are in no paper.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from optmech.question.graphs import path_lengths
from optmech.question.shape import Shape
from optmech.theorems import approximate_question as ask
from optmech.theorems.powers import Amount, Powers, larger
from optmech.theorems.similarity import similarity
from optmech.theorems.theorem import Form, LossPrices, proved_lower_bound, proved_optimum

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.question.problem import Problem

Counts = list[tuple[int, ...]]


def centre_counts(steps: NDArray[np.float64]) -> Counts:
    """Return for each truth how many others lie 0, 1, 2, ... steps from it: ``m - 1`` as a sum of powers."""
    counts = [column[np.isfinite(column)].astype(int) for column in steps.T]
    return sorted({(0, *np.bincount(column)[1:].tolist()) for column in counts})


def pure_error_rate(powers: Powers[Amount], counts: Counts) -> Amount:
    """Return the least error rate at delta = 0, ``1 - 1 / m`` for the largest m."""
    rest = reduce(larger, map(powers.total, counts))  # m less one
    return rest / (1 + rest)


def least_error_rate(powers: Powers[Amount], counts: Counts, delta: Fraction) -> Amount:
    """Return the least error rate at the worst truth: ``(1 - delta) (1 - 1 / m)`` for the largest m."""
    return powers.number(1 - delta) * pure_error_rate(powers, counts)


def least_delta(powers: Powers[Amount], counts: Counts, accuracy: Fraction) -> Amount:
    """Return the least delta at which every truth can be told with a probability of `accuracy`."""
    return larger(powers.number(0), 1 - powers.number(1 - accuracy) / pure_error_rate(powers, counts))


def noise_on_a_circle(steps: NDArray[np.float64], epsilon: float, delta: float) -> NDArray[np.float64]:
    """Return the best mechanism where neighbours look the same from every truth."""
    noise = similarity(steps, epsilon)
    return _with_the_truth(noise / noise.sum(axis=0), delta)


def fair_within_reach(size: int, epsilon: float, delta: float, reach: int = 1) -> NDArray[np.float64]:
    """Return the best mechanism for `size` truths in a row: explicit fair, or the truth.

    For d steps between response and truth, and b from the truth to the nearer end, the power of
    ``e^-epsilon`` is d where d < b and else ``ceil((d + b) / 2)``, over `reach`, rounded up.

    >>> fair_within_reach(3, 1.0, 0.0).round(4).tolist()
    [[0.5761, 0.2119, 0.2119], [0.2119, 0.5761, 0.2119], [0.2119, 0.2119, 0.5761]]
    """
    place = np.arange(size)
    away = np.abs(place[:, None] - place[None, :])
    to_end = np.minimum(place, size - 1 - place)[None, :]
    power = np.where(away < to_end, away, (away + to_end + 1) // 2)
    mass = np.exp(-epsilon * -(-power // reach))
    return _with_the_truth(mass / mass.sum(axis=0), delta)


def _with_the_truth(mechanism: NDArray[np.float64], delta: float) -> NDArray[np.float64]:
    mixture: NDArray[np.float64] = delta * np.eye(len(mechanism)) + (1 - delta) * mechanism
    return mixture


def _matrix(problem: Problem, delta: float) -> NDArray[np.float64]:
    epsilon = float(problem.privacy.epsilon)
    if ask.is_circle(problem):
        return noise_on_a_circle(path_lengths(problem.query), epsilon, delta)
    return fair_within_reach(problem.query.num_truths, epsilon, delta, Shape.of(problem).reach or 1)


def _rate_letters(problem: Problem) -> tuple[Fraction, Counts, Fraction]:
    return ask.error_cost(problem), centre_counts(path_lengths(problem.query)), ask.given_delta(problem)


def _delta_letters(problem: Problem) -> tuple[Counts, Fraction]:
    return centre_counts(path_lengths(problem.query)), 1 - ask.bounded_error_rate(problem)


def _prices(problem: Problem) -> LossPrices | None:
    """Return the charges of the proof in the module, or of its average over all shifts of a circle."""
    if not problem.structure.is_free:
        return None
    steps = path_lengths(problem.query)
    near = similarity(steps, float(problem.privacy.epsilon))
    totals = near.sum(axis=0)
    size, centre = len(steps), int(totals.argmax())
    share, prior = np.full((size, size), 1 / size), None
    if ask.worst_only(problem):
        share = np.broadcast_to(np.eye(size)[centre], (size, size))
        prior = near[:, centre] / totals[centre]
    if problem.least_loss is not None:
        cost = float(ask.error_cost(problem))
        return LossPrices(cost * share / totals[centre], prior=prior)
    # Budgets sum to (m - 1) / m, and delta is worth one.
    if not problem.bounds or totals[centre] == 1:
        return None
    return LossPrices(
        share / (totals[centre] - 1),
        bound_multiplier=totals[centre] / (totals[centre] - 1) / float(ask.bounded_error_cost(problem)),
        prior=prior,
    )


_RATE = Form.of(lambda powers, of: powers.number(of[0]) * least_error_rate(powers, *of[1:]), _rate_letters)
_DELTA = Form.of(lambda powers, of: least_delta(powers, *of), _delta_letters)

THEOREMS = (
    proved_optimum(
        name="approximate-error-rate",
        source="approximate, on (epsilon, delta)-differential privacy; Cormode et al. 2018 for a path",
        says=(
            "Telling the truth with probability delta, else using the best pure mechanism, has the least "
            "error rate where neighbours look the same from every truth, and at the worst count or mean."
        ),
        conditions=(ask.error_rate, ask.has_mechanism),
        form=_RATE,
        matrix=lambda problem: _matrix(problem, float(ask.given_delta(problem))),
        prices=_prices,
    ),
    proved_optimum(
        name="approximate-least-delta",
        source="approximate, on (epsilon, delta)-differential privacy, turned round like Kadam (15)",
        says="At a bounded error rate no mechanism has a smaller delta than that mixture.",
        conditions=(ask.least_delta_bounded, ask.has_mechanism),
        form=_DELTA,
        matrix=lambda problem: _matrix(problem, _DELTA.value(problem)),
        prices=_prices,
        reads=frozenset({"bounds"}),
    ),
    proved_lower_bound(
        name="approximate-error-rate-bound",
        source="approximate, on (epsilon, delta)-differential privacy",
        says="With any neighbours the truth that most others are near is told no more often than so.",
        conditions=(ask.error_rate, ask.worst),
        form=_RATE,
    ),
    proved_lower_bound(
        name="approximate-least-delta-bound",
        source="approximate, on (epsilon, delta)-differential privacy",
        says="With any neighbours a bounded error rate at every truth needs at least so much delta.",
        conditions=(ask.least_delta_bounded, ask.worst),
        form=_DELTA,
        reads=frozenset({"bounds"}),
    ),
)
