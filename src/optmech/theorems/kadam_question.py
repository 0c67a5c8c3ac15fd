"""What Kadam et al. need to know of a problem: modulus, distances, delta and the wanted accuracy.

With noise added modulo the number of answers, two neighbouring answers ``f`` and ``g`` ask
``noise(eta) <= e^epsilon noise(eta + (f - g))`` of every noise value, Kadam (8), whichever pair they are.
So of the neighbours only the set of distances counts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.losses import ExpectedLoss, LeastDelta
from optmech.question.privacy import ProbabilisticPrivacy, PurePrivacy, Reading
from optmech.question.structures import ModularNoise

if TYPE_CHECKING:
    from optmech.question.problem import Problem

__all__ = [
    "accuracy",
    "bounded_objection",
    "bounded_size",
    "delta",
    "distances",
    "error_rate_objection",
    "is_definition",
    "is_printed",
    "largest_distance",
    "leak_objection",
    "least_delta_objection",
    "modulus",
]

# Weights that are typed as decimals add up to one only so closely.
_WEIGHT_ROUNDING = 1e-9


def modulus(problem: Problem) -> int:
    """Return the number of answers, the paper's n + 1."""
    return problem.query.num_truths


def distances(problem: Problem) -> tuple[int, ...]:
    """Return the distances between neighbouring answers modulo their number, Kadam (6), increasing.

    Examples
    --------
    >>> from optmech.question.queries import residues
    >>> from types import SimpleNamespace
    >>> distances(SimpleNamespace(query=residues(7, [1, 3])))
    (1, 3, 4, 6)
    """
    pairs = problem.query.pairs
    return tuple(np.unique((pairs[:, 0] - pairs[:, 1]) % modulus(problem)).tolist())


def delta(problem: Problem) -> Fraction:
    """Return the given delta, 0 for pure privacy."""
    if isinstance(problem.privacy, ProbabilisticPrivacy) and problem.privacy.delta is not None:
        return problem.privacy.delta
    return Fraction(0)


def accuracy(problem: Problem) -> Fraction:
    """Return the probability of the truth that a least-delta problem asks for at least."""
    if not isinstance(problem.objective, LeastDelta) or problem.objective.at_most is None:
        message = f"`objective` must be least delta at a bounded error rate; got {problem.objective}."
        raise NotAcceptedError(message)
    return 1 - problem.objective.at_most


def largest_distance(problem: Problem) -> int | None:
    """Return the largest distance of a one-sided bounded difference, Kadam Definition 6, else ``None``.

    Then the distances are 1, 2, ..., `largest_distance`.
    """
    found = distances(problem)
    return len(found) if found and found == tuple(range(1, len(found) + 1)) else None


def bounded_size(problem: Problem) -> tuple[int, int]:
    """Return the paper's n and the largest distance of a bounded difference."""
    return modulus(problem) - 1, largest_distance(problem) or 0


def bounded_objection(problem: Problem) -> str | None:
    """Say that this is no one-sided bounded difference, or return ``None``."""
    found = largest_distance(problem)
    return "the distances are not 1, 2, ... up to a largest one." if found is None else None


def is_definition(problem: Problem) -> bool:
    """Whether each distance has its own budget, as Definition 2 asks."""
    return isinstance(problem.privacy, PurePrivacy) or (
        isinstance(problem.privacy, ProbabilisticPrivacy) and problem.privacy.reading is Reading.DEFINITION
    )


def is_printed(problem: Problem) -> bool:
    """Whether all distances share the indicators, as MILP (13) is printed; at delta = 0 both are (14)."""
    return isinstance(problem.privacy, PurePrivacy) or (
        isinstance(problem.privacy, ProbabilisticPrivacy) and problem.privacy.reading is Reading.PRINTED
    )


def error_rate_objection(problem: Problem) -> str | None:
    """Say why this is not a problem of least error rate (10) over modular noise, or return ``None``."""
    if not isinstance(problem.objective, ExpectedLoss):
        return f"the objective is {problem.objective}; this speaks of the least error rate."
    return _objection(problem)


def least_delta_objection(problem: Problem) -> str | None:
    """Say why this is not a problem of least delta at a bounded error rate (15), or return ``None``."""
    if not isinstance(problem.objective, LeastDelta) or problem.objective.at_most is None:
        return f"the objective is {problem.objective}; this speaks of least delta at a bounded error rate."
    if problem.objective.at_most < 0:
        return "the error rate may not exceed a negative number; no mechanism meets that."
    return _objection(problem)


def leak_objection(problem: Problem) -> str | None:
    """Say that something may leak, or return ``None`` at delta = 0."""
    return None if delta(problem) == 0 else "delta is positive; this speaks of delta = 0."


def _objection(problem: Problem) -> str | None:
    if not isinstance(problem.structure, ModularNoise):
        return f"the structure is {problem.structure}; this speaks of noise added modulo their number."
    if not isinstance(problem.privacy, (PurePrivacy, ProbabilisticPrivacy)):
        return f"the privacy is {problem.privacy}; this speaks of probabilistic or pure privacy."
    if problem.properties:
        return f"{', '.join(sorted(problem.properties))} is asked for; this speaks of privacy alone."
    if not distances(problem):
        return "no two answers are neighbours; there is nothing to protect."
    if not _costs_error_rate(problem):
        return "the cost is not the error rate."
    return None


def _costs_error_rate(problem: Problem) -> bool:
    """Whether the expected loss of circulant noise is ``1 - noise(0)``, Kadam (10)."""
    loss, size = problem.loss, modulus(problem)
    if loss is None or loss.loss.shape != (size, size):
        return False
    truths = np.arange(size)
    # Row eta holds the loss of noise eta at each truth.
    shifted = loss.loss[(truths[:, None] + truths[None, :]) % size, truths[None, :]]
    costs = shifted @ loss.weights
    return bool(np.allclose(costs, np.sign(truths), rtol=0.0, atol=_WEIGHT_ROUNDING))
