"""Loss of noise on counts too large for a matrix, from distributions in time linear in the answers.

Model
-----
Noise Z is symmetric with the probabilities p and the tails s(k) = P(Z > k); f is the true answer.

    E l(|R - f|) = l(0) p(0) + A(f) + A(n - f),
    A(m) = sum_(0<k<m) l(k) p(k) + l(m) s(m - 1),   A(0) = l(0) s(0)
    P(R = r | f) = p(r - f) inside,   s(f - 1) at r = 0,   s(n - f - 1) at r = n

A ratio of neighbours is one of p(k) and p(k+1), or of s(k-1) and s(k); the sum over r of what exceeds
e^epsilon times the neighbour's is one of p, between two ends, and the end 0: at n the neighbour has more.
Source: Kadam et al. 2024 (55)-(56), its last row corrected; definitions of pure and approximate privacy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.cells import mass_between
from optmech.analysis.baselines.continuous_noise import (
    laplace_noise,
    snapped_laplace,
    snapped_staircase,
    staircase_noise,
)
from optmech.analysis.baselines.discrete_gaussian import (
    calibrated_parameter,
    clamped_gaussian,
    discrete_gaussian,
)
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.baselines.whole_number_noise import geometric_noise, truncated_geometric
from optmech.analysis.comparison.row import ComparisonRow, privacy_instead, row_of
from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy.loss import TIE
from optmech.question.queries import count
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.baselines.baseline import Baseline, NoiseDistribution
    from optmech.analysis.baselines.whole_number_noise import WholeNumberNoise
    from optmech.base.arrays import Floats
    from optmech.designs.design import Design
    from optmech.question.problem import Problem

# With more answers the errors of the optimum at each truth take a minute.
_MOST_ANSWERS = 100_001
_BIT = count(1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClampedNoise:
    """Noise added to a count and clamped to its range, whose neighbours are one apart.

    `name` and `says` are those of a `Baseline`. The noise Z is symmetric about zero: `masses` are P(Z = k)
    and `tails` P(Z >= k) for k = 0, 1, ..., the largest answer. `most_epsilon` is the epsilon of pure privacy
    of the noise by its formula, infinite where it has none: clamping spends no more. It tells what doubles
    cannot where probabilities fall below 1e-308.

    Examples
    --------
    >>> noise = CLAMPED_NOISES["truncated-geometric"](2, 1.0, None)
    >>> noise.mean_losses(np.array([0.0, 1.0, 2.0])).round(4).tolist(), round(noise.spent_epsilon, 12)
    ([0.3679, 0.5379, 0.3679], 1.0)
    """

    name: str
    says: str
    masses: Floats
    tails: Floats
    most_epsilon: float = math.inf

    def mean_losses(self, losses: Floats) -> Floats:
        """Return the expected loss at each truth, of the losses at the distances 0, 1, ..."""
        tails = self.tails.copy()
        tails[0] = self.tails[1]  # the noise of 0 is counted once, by itself
        inside = losses * self.masses
        inside[0] = 0.0
        one_side = np.cumsum(inside) - inside + losses * tails
        mean: Floats = losses[0] * self.masses[0] + one_side + one_side[::-1]
        return mean

    @property
    def spent_epsilon(self) -> float:
        """Smallest epsilon of pure privacy, recomputed, at most that of the formula."""
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = [np.log(self.masses), np.log(self.tails)]
            apart = max(float(np.abs(np.diff(values)).max()) for values in logs)
        return self.most_epsilon if math.isnan(apart) else min(apart, self.most_epsilon)

    def spent_delta(self, epsilon: float) -> float:
        """Return the smallest delta at `epsilon`, recomputed."""
        factor, last = math.exp(epsilon), len(self.masses) - 1
        noise = np.arange(1 - last, last)  # of responses strictly between the ends, from -f + 1 to n - f - 1
        here, before = self.masses[np.abs(noise)], self.masses[np.abs(noise - 1)]
        sums = np.append(0.0, np.cumsum(np.maximum(here - factor * before, 0.0)))
        truths = np.arange(last)
        inside = sums[2 * last - 1 - truths] - sums[last - truths]
        end = np.maximum(self.tails[:-1] - factor * self.tails[1:], 0.0)
        return float((inside + end).max())


def _whole(
    baseline: Baseline, noise: WholeNumberNoise, last: int, most_epsilon: float = math.inf
) -> ClampedNoise:
    """Return the noise of a baseline, called as on a count 0..1, which has a matrix."""
    indices = np.arange(last + 1)
    masses, tails = noise.pmf(indices), noise.sf(indices - 1)
    return ClampedNoise(
        name=baseline.name, says=baseline.says, masses=masses, tails=tails, most_epsilon=most_epsilon
    )


def _rounded(baseline: Baseline, noise: NoiseDistribution, last: int, most_epsilon: float) -> ClampedNoise:
    """Return the same of continuous noise in steps of the grid, rounded to the nearest whole number."""
    indices = np.arange(last + 1, dtype=float)
    masses, tails = mass_between(noise, indices - 0.5, indices + 0.5), noise.sf(indices - 0.5)
    return ClampedNoise(
        name=baseline.name, says=baseline.says, masses=masses, tails=tails, most_epsilon=most_epsilon
    )


def _gaussian(last: int, epsilon: float, delta: Fraction) -> ClampedNoise:
    parameter = calibrated_parameter(epsilon, delta, (1,))
    baseline = clamped_gaussian(_BIT, epsilon, parameter=parameter)
    return _whole(baseline, discrete_gaussian(parameter), last)


CLAMPED_NOISES: dict[str, Callable[[int, float, Fraction], ClampedNoise]] = {
    "truncated-geometric": lambda last, epsilon, _: _whole(
        truncated_geometric(_BIT, epsilon), geometric_noise(_BIT, epsilon), last, epsilon
    ),
    "snapped-laplace": lambda last, epsilon, _: _rounded(
        snapped_laplace(_BIT, epsilon), laplace_noise(_BIT, epsilon), last, epsilon
    ),
    "snapped-staircase": lambda last, epsilon, _: _rounded(
        snapped_staircase(_BIT, epsilon), staircase_noise(_BIT, epsilon), last, epsilon
    ),
    "clamped-gaussian": _gaussian,
}
"""Those of the baselines that are such noise, by the same names: of the largest answer, epsilon and delta."""


def need_large_count(problem: Problem) -> None:
    """Refuse what is too large for a matrix, and no count with a loss of the distance and nothing more."""
    shape, reason = Shape.of(problem), None
    if shape.path is None:
        reason = "its true answers must be its responses, in a row, each the neighbour of the next"
    elif problem.asks - {"delta", "objective"}:
        reason = "it must ask for nothing but epsilon and delta"
    elif shape.losses_by_distance is None:
        reason = "its loss must be expected, and of the distance alone"
    elif shape.path.number > _MOST_ANSWERS:
        reason = f"it must have at most {_MOST_ANSWERS:,} answers"
    if reason is not None:
        message = (
            "`problem` must have a matrix of at most 4,000,000 entries to be compared, or be compared by "
            f"distributions, for which {reason}; got {problem}. Compare a smaller range, up to 0..1999."
        )
        raise NotAcceptedError(message)


def rows_of_noise(
    problem: Problem, optimum: Design, distance: Fraction | None, delta: Fraction
) -> tuple[ComparisonRow, list[ComparisonRow], dict[str, str]]:
    """Return the row of the optimum, those of noise clamped to the range, and why others have none.

    Properties of a distribution are not looked at: the rows name none.
    """
    objective, query = problem.objective, problem.query
    assert isinstance(objective, ExpectedLoss)  # noqa: S101 - `need_large_count` has looked
    losses, path = Shape.of(problem).losses_by_distance, query.path()
    assert losses is not None  # noqa: S101 - as above
    steps = None if distance is None or path is None else int(distance // path.step)
    far = None if steps is None else (np.arange(len(losses)) > steps).astype(float)
    best = optimum.lower_bound, optimum.objective
    epsilon = float(problem.privacy.epsilon)
    rows = []
    for key, build in CLAMPED_NOISES.items():
        noise = build(query.num_truths - 1, epsilon, delta)
        spent_epsilon = noise.spent_epsilon
        spent_delta = 0.0 if spent_epsilon <= epsilon + TIE else noise.spent_delta(epsilon)
        private, mean = spent_delta <= float(problem.privacy.delta or 0), noise.mean_losses(losses)
        rows.append(
            row_of(
                objective,
                mean,
                None if far is None else noise.mean_losses(far),
                best,
                key=key,
                value=float(mean @ objective.weights),
                name=noise.name,
                says=noise.says,
                spent_epsilon=spent_epsilon,
                spent_delta=spent_delta,
                spent_delta_at=as_text(problem.privacy.epsilon),
                private=private,
                privacy="private" if private else privacy_instead(problem.privacy, spent_delta),
                made_for_delta=delta if key == "clamped-gaussian" else None,
            )
        )
    reason = "it needs a matrix, which is too large for this count. Compare a range up to 0..1999."
    refused = {key: reason for key in BASELINES if key not in CLAMPED_NOISES}
    return _optimum_row(objective, losses, optimum, steps, best), rows, refused


def _optimum_row(
    objective: ExpectedLoss,
    losses: Floats,
    optimum: Design,
    steps: int | None,
    best: tuple[float, float],
) -> ComparisonRow:
    mechanism = optimum.mechanism
    assert optimum.certificate is not None  # noqa: S101 - as above
    return row_of(
        objective,
        mechanism.loss_by_truth(losses),
        None if steps is None else mechanism.probability_beyond(Fraction(steps)),
        best,
        key="optimum",
        value=optimum.objective,
        provenance=Provenance.PROVED,
        name="the optimum",
        says="was given as a distribution",
        spent_epsilon=mechanism.effective_epsilon(optimum.problem.query),
        spent_delta=float(optimum.certificate.delta),
        spent_delta_at=as_text(optimum.problem.privacy.epsilon),
        private=True,
        privacy="private",
    )
