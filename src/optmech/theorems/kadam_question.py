"""Read a problem in the letters of Kadam et al., and return a formula's value as that of a theorem.

With noise added modulo the number of answers, two neighbouring answers ``f`` and ``g`` ask
``noise(eta) <= e^epsilon noise(eta + (f - g))`` of every noise value, Kadam (8), whichever pair they are.
So of the neighbours only the set of distances counts.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optmech.question.losses import ExpectedLoss, LeastDelta
from optmech.question.privacy import ProbabilisticPrivacy, PurePrivacy, Reading
from optmech.theorems.kadam_staircase import circulant
from optmech.theorems.powers import Doubles, Powers
from optmech.theorems.theorem import Form, other_structure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.base.arrays import Floats
    from optmech.base.logarithm import Logarithm
    from optmech.question.problem import Problem
    from optmech.theorems.theorem import Condition


# Weights that are typed as decimals add up to one only so closely.
_WEIGHT_ROUNDING = 1e-9


class Letters(NamedTuple):
    """The letters of Kadam et al. for a problem of modular noise."""

    epsilon: Fraction | Logarithm
    modulus: int
    """Number of answers, the paper's n + 1."""
    distances: tuple[int, ...]
    """Distances between neighbouring answers modulo their number, Kadam (6), increasing."""
    delta: Fraction
    """The given delta, 0 for pure privacy."""
    accuracy: Fraction
    """Probability of the truth that a least-delta problem asks for at least."""
    is_definition: bool
    """Whether each distance has its own budget, as Definition 2 asks."""
    is_shared: bool
    """Whether all distances share the indicators, as MILP (13) is printed; at delta = 0 both are (14)."""

    @property
    def cycle(self) -> int:
        """Number of noise values that a walk by the first distance meets, the paper's N."""
        return cycle_length(self.modulus, self.distances[0])

    @property
    def size_and_largest(self) -> tuple[int, int]:
        """The paper's n, and the largest distance."""
        return self.modulus - 1, self.distances[-1]

    @property
    def steps(self) -> int:
        """The paper's b + r."""
        n, largest = self.size_and_largest
        return sum(divmod(n, largest))


def cycle_length(modulus: int, distance: int) -> int:
    """Return the number of noise values on a walk by `distance`, the paper's N."""
    return modulus // gcd(modulus, distance)


def letters_of(problem: Problem) -> Letters:
    """Return the letters of a problem that `error_rate` or `least_delta` lets pass."""
    privacy, pairs, modulus = problem.privacy, problem.query.pairs, problem.query.num_truths
    at_most = problem.objective.at_most if isinstance(problem.objective, LeastDelta) else None
    reading = privacy.reading if isinstance(privacy, ProbabilisticPrivacy) else None
    return Letters(
        epsilon=privacy.epsilon,
        modulus=modulus,
        distances=tuple(np.unique((pairs[:, 0] - pairs[:, 1]) % modulus).tolist()),
        delta=(privacy.delta if reading else None) or Fraction(0),
        accuracy=1 - (at_most or Fraction(0)),
        is_definition=reading is not Reading.PRINTED,
        is_shared=reading is not Reading.DEFINITION,
    )


def condition(holds: Callable[[Letters], bool], otherwise: str) -> Condition:
    """Return the condition that the letters meet a requirement, and the sentence if they do not."""
    return lambda problem: None if holds(letters_of(problem)) else otherwise


def closed_form(formula: Callable[[Powers[Any], Letters], Any]) -> Form:
    """Return a formula of powers of e^-epsilon and the letters as the value of a theorem."""
    return Form.of(formula, letters_of)


def noise_matrix(masses: Callable[[Doubles, Letters], Sequence[float]]) -> Callable[[Problem], Floats]:
    """Return the mechanism that adds noise of these masses, each for its noise 0, 1, ..., to the truth."""
    return lambda problem: circulant(masses(Doubles(problem.privacy.epsilon), letters_of(problem)))


def error_rate(problem: Problem) -> str | None:
    """Say why this is not a problem of least error rate (10) over modular noise, or return ``None``."""
    if not isinstance(problem.objective, ExpectedLoss):
        return f"the objective is {problem.objective}; this applies to the least error rate."
    return _objection(problem)


def least_delta(problem: Problem) -> str | None:
    """Say why this is not a problem of least delta at a bounded error rate (15), or return ``None``."""
    if not isinstance(problem.objective, LeastDelta) or problem.objective.at_most is None:
        return f"the objective is {problem.objective}; this applies to least delta at a bounded error rate."
    if problem.objective.at_most < 0:
        return "the error rate may not exceed a negative number; no mechanism meets that."
    return _objection(problem)


pure = condition(lambda of: of.delta == 0, "delta is positive; this applies to delta = 0.")
definition = condition(
    lambda of: of.is_definition, "all distances share their indicators; this applies to Definition 2."
)
as_printed = condition(
    lambda of: of.is_shared, "each distance has its own budget; this applies to the program as printed."
)
bounded = condition(
    lambda of: of.distances == tuple(range(1, of.distances[-1] + 1)),
    "the distances are not 1, 2, ... up to a largest one.",
)
"""A one-sided bounded difference, Kadam Definition 6."""


def _objection(problem: Problem) -> str | None:
    if (strange := other_structure(problem, {"modular"}, "noise added modulo their number")) is not None:
        return strange
    if not isinstance(problem.privacy, (PurePrivacy, ProbabilisticPrivacy)):
        return f"the privacy is {problem.privacy}; this applies to probabilistic or pure privacy."
    if problem.properties:
        return f"{', '.join(sorted(problem.properties))} is asked for; this applies to privacy alone."
    if not len(problem.query.pairs):
        return "no two answers are neighbours; there is nothing to protect."
    return None if _costs_error_rate(problem) else "the cost is not the error rate."


def _costs_error_rate(problem: Problem) -> bool:
    """Whether the expected loss of circulant noise is ``1 - noise(0)``, Kadam (10)."""
    loss, size = problem.loss, problem.query.num_truths
    if loss is None or loss.loss.shape != (size, size):
        return False
    truths = np.arange(size)
    # Row eta holds the loss of noise eta at each truth.
    turns = loss.loss[(truths[:, None] + truths[None, :]) % size, truths[None, :]]
    return bool(np.allclose(turns @ loss.weights, np.sign(truths), rtol=0.0, atol=_WEIGHT_ROUNDING))
