"""What `verify` recomputes of a distribution, in doubles and without its matrix.

Truths one apart are neighbours, and most pairs of them look alike: each different pair of columns is held to
the definition once, all sets of responses among them, as the sum of what exceeds e^epsilon times the other.
Where too many differ, one shift of the noise is: what is made of noise spends no more than the noise.
"""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.base.numbers import as_text
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.privacy.loss import factor_of
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.verify.report import EPSILON_ROUNDING, OBJECTIVE_ROUNDING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from optmech.mechanisms.distribution import Distribution
    from optmech.proofs.certificate import Certificate
    from optmech.question.privacy import Privacy
    from optmech.question.problem import Problem

    Pairs = list[tuple[NDArray[np.float64], NDArray[np.float64]]]

_MOST_ENTRIES = 2_000_000


def is_question_of(certificate: Certificate, problem: Problem) -> bool:
    """Whether the problem of a distribution's certificate is this one, asked without lists of its answers."""
    own = certificate.problem
    if own is problem:
        return True
    same = (own.query.title, own.privacies, own.properties) == (
        problem.query.title,
        problem.privacies,
        problem.properties,
    )
    return same and no_chain_question(problem) is None and ChainQuestion.of(own) == ChainQuestion.of(problem)


def distribution_checks(mechanism: Distribution, problem: Problem) -> Iterator[Check]:
    """Yield what a matrix would be held to: its grid, privacy, properties and objective."""
    size = f"{len(mechanism.responses)} responses and {len(mechanism.truths)} truths"
    text = f"{size}, as in {problem.query.title}; a distribution without a matrix"
    yield Check.recomputed("grid", holds=True, value=float(len(mechanism.truths)), text=text)
    pairs = [] if problem.privacy.is_pure and not problem.further_privacy else _pairs(mechanism, problem)
    for privacy in problem.privacies:
        if privacy.is_pure:
            yield epsilon_check(privacy, mechanism.effective_epsilon(problem.query))
        elif pairs is None:
            yield delta_check(
                privacy, mechanism.shift_delta(privacy.epsilon), "of the noise, before the remap"
            )
        else:
            yield delta_check(privacy, _spent_delta(pairs, privacy))
    if ZERO_STAYS_ZERO in problem.properties:
        gap = float(1 - mechanism.probability(0, 0))
        yield Check.recomputed(
            str(ZERO_STAYS_ZERO), holds=gap == 0, value=gap, text=f"missed by at most {gap:.1e}"
        )
    certificate, loss = mechanism.certificate, problem.loss
    assert loss is not None  # noqa: S101 - distributions are made for no other objective
    proved_objective = float(certificate.objective)
    prior = None if loss.weights_name == "sum" else loss.weights_name or loss.weights
    value = mechanism.expected_loss(loss.loss_name or loss.loss, prior)
    holds = abs(value - proved_objective) <= OBJECTIVE_ROUNDING * max(proved_objective, 1.0)
    text = f"the objective is {value:.15g}, proved to be at most {proved_objective:.15g}"
    yield Check.recomputed("expected loss", holds=holds, value=value, text=text)


def _pairs(mechanism: Distribution, problem: Problem) -> Pairs | None:
    """Return the pairs of columns of neighbours, ``None`` where too many differ to look at each."""
    try:
        columns, _ = mechanism.neighbour_columns(problem.query, _MOST_ENTRIES)
    except NotAcceptedError:
        return None
    return [(_shares(truth), _shares(after)) for truth, after in columns]


def _shares(weights: list[int]) -> NDArray[np.float64]:
    whole = sum(weights)
    return np.array([weight / whole for weight in weights])


def _spent_delta(pairs: Pairs, privacy: Privacy) -> float:
    factor = factor_of(privacy.epsilon)
    return max(
        float(np.maximum(one - factor * other, 0).sum())
        for pair in pairs
        for one, other in (pair, pair[::-1])
    )


def epsilon_check(privacy: Privacy, value: float, place: str = "") -> Check:
    """Return whether every ratio is kept; the worst is at a place of a matrix."""
    holds = value <= float(privacy.epsilon) + EPSILON_ROUNDING
    if place and isinf(value):
        text = f"{place}: the privacy loss is infinite"
    else:
        relation = "is within" if holds else "exceeds"
        text = f"effective epsilon {value:.12g} {relation} {as_text(privacy.epsilon)}"
        text += "" if holds or not place else f": {place}"
    return Check.recomputed(privacy.criterion, holds=holds, value=value, text=text)


def delta_check(privacy: Privacy, value: float, place: str = "") -> Check:
    """Return whether no more than delta is spent, by the definition of the privacy."""
    delta = privacy.delta
    holds = None if delta is None else value <= float(delta) + privacy.rounding
    limit = "sought" if delta is None else f"required {as_text(delta)}"
    text = f"delta {value:.12g} at epsilon {as_text(privacy.epsilon)} ({limit})"
    text += f", {place}" if place and value > 0 else ""
    return Check.recomputed(privacy.criterion, holds=holds, value=value, text=text)
