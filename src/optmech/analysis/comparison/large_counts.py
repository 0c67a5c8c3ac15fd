"""What noise costs on a count that has no matrix: by distributions, without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.analysis.baselines.clamped_noise import CLAMPED_NOISES
from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.comparison.row import Row, privacy_instead, row_of
from optmech.analysis.distribution_errors import beyond as errors_beyond
from optmech.analysis.distribution_errors import reach
from optmech.base.errors import NotAcceptedError
from optmech.base.provenance import Provenance
from optmech.mechanisms.distribution import Distribution
from optmech.question.distance_loss import losses_by_distance
from optmech.question.losses import ExpectedLoss
from optmech.question.privacy.loss import TIE

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.arrays import Floats
    from optmech.designs.design import Design
    from optmech.question.problem import Problem


# Of more answers the errors of the optimum at each truth take a minute.
_MOST_ANSWERS = 100_001


def need_large_count(problem: Problem) -> None:
    """Refuse what is too large for a matrix, and no count with a loss of the distance and nothing more."""
    query, objective, path = problem.query, problem.objective, problem.query.path()
    trouble = None
    if path is None or (query.home != np.arange(query.num_responses)).any():
        trouble = "its true answers must be its responses, in a row, each the neighbour of the next"
    elif problem.properties or not problem.is_plain or not problem.structure.is_free:
        trouble = "it must ask for nothing but epsilon and delta"
    elif not isinstance(objective, ExpectedLoss) or losses_by_distance(objective.loss) is None:
        trouble = "its loss must be expected, and of the distance alone"
    elif path.number > _MOST_ANSWERS:
        trouble = f"it must have at most {_MOST_ANSWERS:,} answers"
    if trouble is not None:
        message = (
            "`problem` must have a matrix of at most 4,000,000 entries to be compared, or be compared by "
            f"distributions, for which {trouble}; got {problem}. Compare a smaller range, up to 0..1999."
        )
        raise NotAcceptedError(message)


def rows_of_noise(
    problem: Problem, optimum: Design, distance: Fraction | None, delta: Fraction
) -> tuple[Row, list[Row], dict[str, str]]:
    """Return the row of the optimum, those of noise clamped to the range, and why others have none.

    Properties of a distribution are not looked at: the rows name none.
    """
    objective, query = problem.objective, problem.query
    assert isinstance(objective, ExpectedLoss)  # noqa: S101 - `need_large_count` has looked
    losses = losses_by_distance(objective.loss)
    assert losses is not None  # noqa: S101 - as above
    path = query.path()
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
                private=private,
                privacy="private" if private else privacy_instead(problem.privacy, spent_delta),
                made_for_delta=delta if key == "clamped-gaussian" else None,
            )
        )
    reason = "it needs a matrix, which a count of so many answers has not. Compare a range up to 0..1999."
    refused = {key: reason for key in BASELINES if key not in CLAMPED_NOISES}
    return _optimum_row(objective, losses, optimum, steps, best), rows, refused


def _optimum_row(
    objective: ExpectedLoss,
    losses: Floats,
    optimum: Design,
    steps: int | None,
    best: tuple[float, float],
) -> Row:
    mechanism = optimum.mechanism
    assert isinstance(mechanism, Distribution)  # noqa: S101 - of a count without a matrix
    assert optimum.certificate is not None  # noqa: S101 - as above
    mean = np.full(len(objective.weights), losses[0])
    for distance in range(reach(mechanism)):
        if losses[distance + 1] != losses[distance]:
            mean += (losses[distance + 1] - losses[distance]) * errors_beyond(mechanism, distance)
    return row_of(
        objective,
        mean,
        None if steps is None else errors_beyond(mechanism, steps),
        best,
        key="optimum",
        value=optimum.objective,
        provenance=Provenance.PROVED,
        name="the optimum",
        says="was given as a distribution",
        spent_epsilon=mechanism.effective_epsilon(optimum.problem.query),
        spent_delta=float(optimum.certificate.delta),
        private=True,
        privacy="private",
    )
