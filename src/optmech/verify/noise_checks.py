"""Checks of a distribution, whose privacy its certificate proves, without its matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.question.properties import ZERO_STAYS_ZERO
from optmech.verify.privacy_checks import proved_privacy
from optmech.verify.report import KEPT, OBJECTIVE_ROUNDING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.noise_mechanism import NoiseMechanism
    from optmech.question.problem import Problem


def noise_checks(mechanism: NoiseMechanism, problem: Problem) -> Iterator[Check]:
    """Yield the checks that a matrix would have: its grid, privacy, properties and objective."""
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
