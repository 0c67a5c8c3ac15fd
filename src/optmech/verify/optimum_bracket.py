"""Bracket the optimum of a problem from a certificate, or from a matrix of doubles."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.theorems.consistency import Bracket
from optmech.verify.report import OBJECTIVE_ROUNDING, STRUCTURE_ROUNDING

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem


def proved_bracket(certificate: Certificate) -> Bracket:
    """Return objective and bound of a certificate, both exact."""
    return Bracket(upper=certificate.objective, lower=certificate.bound)


def recomputed_bracket(mechanism: Mechanism, problem: Problem, failures: tuple[str, ...]) -> Bracket:
    """Return the objective of a matrix, recomputed in floating point; of a lower bound nothing is known.

    Errors that the checks let pass can make an objective smaller than any that is kept exactly: mass that is
    missing or misplaced, charged with the largest loss, and a bounded cost that is exceeded by its rounding.
    `failures` names the checks that fail: a matrix that is not private may well be below the optimum.
    """
    loss = problem.objective.as_loss
    reason = f"nothing follows, for the matrix fails: {', '.join(failures)}" if failures else ""
    if loss is not None:
        slack = STRUCTURE_ROUNDING * loss.total * float(np.max(loss.loss))
    else:
        is_bounded = problem.objective.demands or problem.bounds
        slack = OBJECTIVE_ROUNDING if is_bounded else STRUCTURE_ROUNDING
    value = problem.value(mechanism.matrix)
    return Bracket(
        upper=Fraction(value), rounding=Fraction(slack + OBJECTIVE_ROUNDING * abs(value)), reason=reason
    )
