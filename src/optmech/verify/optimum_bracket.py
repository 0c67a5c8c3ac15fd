"""What a certificate, or a matrix of doubles, says of the optimum of its problem."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.privacy_loss import largest_excess, largest_hockey_stick, largest_leak
from optmech.question.objective import ExpectedLoss, LeastDelta
from optmech.question.privacy import (
    ApproximatePrivacy,
    PerOutcomePrivacy,
    Reading,
    SymmetricRows,
)
from optmech.theorems.consistency import Bracket
from optmech.verify.tolerances import OBJECTIVE_ROUNDING, STRUCTURE_ROUNDING

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

__all__ = ["proved_bracket", "recomputed_bracket"]

_PRINTED = "nothing follows, for what the printed program asks for is not recomputed in floating point"


def proved_bracket(certificate: Certificate) -> Bracket:
    """Return objective and bound of a certificate, both exact."""
    return Bracket(upper=certificate.objective, lower=certificate.bound)


def recomputed_bracket(mechanism: Mechanism, problem: Problem, failures: tuple[str, ...]) -> Bracket:
    """Return the objective of a matrix, recomputed in floating point; of a lower bound nothing is known.

    What the checks let pass can make an objective smaller than any that is kept exactly: mass that is missing
    or misplaced, charged with the largest loss, and a bounded cost that is exceeded by its rounding.

    Parameters
    ----------
    mechanism : Mechanism
        Of the shape of the problem.
    problem : Problem
        What it answers.
    failures : tuple of str
        Names of the checks that fail. A matrix that is not private may well be below the optimum.
    """
    objective = problem.objective
    if isinstance(objective, LeastDelta):
        value = _delta(mechanism, problem)
        slack = OBJECTIVE_ROUNDING if objective.cost is not None or problem.bounds else STRUCTURE_ROUNDING
    else:
        value = objective.value(mechanism.matrix)
        weight = float(np.sum(objective.weights)) if isinstance(objective, ExpectedLoss) else 1.0
        slack = STRUCTURE_ROUNDING * weight * float(np.max(objective.loss))
    trouble = f"nothing follows, for the matrix fails: {', '.join(failures)}" if failures else ""
    trouble = trouble or (_PRINTED if _is_printed(problem) else "")
    if value is None:
        return Bracket(upper=None, trouble=trouble)
    return Bracket(
        upper=Fraction(value), rounding=Fraction(slack + OBJECTIVE_ROUNDING * abs(value)), trouble=trouble
    )


def _is_printed(problem: Problem) -> bool:
    """Whether the question is of a program as printed, which asks for more or for less than a definition."""
    privacy = problem.privacy
    return (
        getattr(privacy, "reading", None) is Reading.PRINTED
        or getattr(privacy, "rows", None) is SymmetricRows.PAPER
    )


def _delta(mechanism: Mechanism, problem: Problem) -> float | None:
    """Return the delta that a matrix spends of the problem's own privacy, where floating point has it."""
    matrix, query, privacy = mechanism.matrix, problem.query, problem.privacy
    if _is_printed(problem):
        return None
    factors = privacy.factors(query.weights)
    if isinstance(privacy, PerOutcomePrivacy):
        return largest_excess(matrix, query.pairs, factors).value
    if isinstance(privacy, ApproximatePrivacy):
        return largest_hockey_stick(matrix, query.pairs, factors).value
    return largest_leak(matrix, query.pairs, factors).value
