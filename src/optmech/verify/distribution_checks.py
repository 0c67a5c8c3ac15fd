"""Checks of a distribution, whose privacy its certificate proves, without its matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.verify.privacy_checks import proved_privacy
from optmech.verify.report import KEPT, OBJECTIVE_ROUNDING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.distribution import Distribution
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem


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
    certificate, loss = mechanism.certificate, problem.loss
    yield from proved_privacy(certificate, mechanism)
    if ZERO_STAYS_ZERO in problem.properties:
        yield Check.proved(str(ZERO_STAYS_ZERO), value=0.0, text=KEPT)
    assert loss is not None  # noqa: S101 - distributions are made for no other objective
    proved_objective = float(certificate.objective)
    prior = None if loss.weights_name == "sum" else loss.weights_name or loss.weights
    value = mechanism.expected_loss(loss.loss_name or loss.loss, prior)
    holds = abs(value - proved_objective) <= OBJECTIVE_ROUNDING * max(proved_objective, 1.0)
    text = f"the objective is {value:.15g}, proved to be at most {proved_objective:.15g}"
    yield Check.recomputed("expected loss", holds=holds, value=value, text=text)
