"""A matrix of two numbers, one on its diagonal and one elsewhere, with a proof of two multipliers.

Laws
----
Every two of n truths are neighbours, each truth is its own response, and each error costs c. With a on the
diagonal and b elsewhere, over a + (n - 1) b, the loss at each truth is (n - 1) b c, a ratio a / b or b / a.

A multiplier y for each ``M[f,f] <= F M[f,g]``, g not f, and t for each sum of a column leave the reduced
costs ``(n - 1) y - t`` on the diagonal and ``w c - F y - t`` elsewhere, w the weight of a truth. Entries are
from 0 to 1, so that no mechanism loses less than n t and the negative ones of them. Of a worst truth a mean
is a bound.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import NotAcceptedError, ProblemError, VerificationError
from optmech.proofs.certificate import Certificate
from optmech.proofs.file_limits import beyond_limits, short
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.multipliers import Leaf, Rule, TwoMultipliers
from optmech.question.distance_loss import by_distance
from optmech.question.two_costs import cost_elsewhere, no_two_costs, over_truths
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.question.problem import Problem
    from optmech.rules import Rules


class TwoNumbers(ExactMatrix):
    """A square matrix of a number on the diagonal and one elsewhere; an `ExactMatrix` in all else.

    Its entries are views of one list: a matrix of any size takes the memory of a column.

    >>> TwoNumbers(3, home=5, other=1).numerators.tolist()
    [[5, 1, 1], [1, 5, 1], [1, 1, 5]]
    """

    __slots__ = ("home", "other")
    home: int
    other: int

    def __init__(self, size: int, *, home: int, other: int) -> None:
        total = home + (size - 1) * other
        if size < 2 or min(home, other) < 0 or not total:  # noqa: PLR2004 - two truths
            message = "a matrix of two numbers must have two truths or more, and numbers of zero or more."
            raise ProblemError(message)
        values: dict[str, Any] = {"home": home, "other": other, "denominator": total, "rays": None}
        values |= {"by_column": False, "_nearest": None, "numerators": self._table([home, other], size)}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @staticmethod
    def _table(numbers: list[Any], size: int) -> Any:  # noqa: ANN401 - of whole numbers or doubles
        return by_distance(np.array(numbers, dtype=object if type(numbers[0]) is int else float), size)

    def __reduce__(self) -> tuple[Any, ...]:
        return _two_numbers, (self.size, self.home, self.other)

    def nearest(self) -> Floats:
        """Return the probabilities as doubles, each the nearest to its fraction."""
        nearest: Floats = self._table([x / self.denominator for x in (self.home, self.other)], self.size)
        return nearest

    @property
    def size(self) -> int:
        """Number of truths, which are the responses."""
        return len(self.numerators)

    def logarithms(self) -> Floats:
        """Return the logarithm of each probability, also of those too small for a double."""
        logarithms = [log(x) - log(self.denominator) if x else -np.inf for x in (self.home, self.other)]
        table: Floats = self._table(logarithms, self.size)
        return table

    def sha256(self) -> str:
        """Return the SHA-256 of its size, its denominator and its two numbers as text."""
        text = f"{self.size}\n{self.denominator}\n{self.home} {self.other}"
        return hashlib.sha256(text.encode("ascii")).hexdigest()


def _two_numbers(size: int, home: int, other: int) -> TwoNumbers:
    return TwoNumbers(size, home=home, other=other)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TwoNumberCertificate(Certificate):
    """The facts about a matrix of two numbers that exact arithmetic confirmed.

    Attributes
    ----------
    matrix : TwoNumbers
        The mechanism, private.
    proof : TwoMultipliers or None
        Two multipliers that prove `bound`.

    Raises
    ------
    ProblemError
        If the question is none of two costs, or a number is beyond the limits of a certificate.
    VerificationError
        If the matrix is not private, or the multipliers are no proof.
    """

    matrix: TwoNumbers = field()
    proof: TwoMultipliers | None = None

    def __post_init__(self) -> None:
        problem, factor, matrix = self.problem, self.factor, self.matrix
        refusal = no_two_costs(problem) or beyond_limits(problem, factor)
        if refusal is not None:
            message = f"two numbers must be of a question of theirs; {refusal}. It cannot be certified."
            raise ProblemError(message)
        if factor.further or not factor.holds(problem.privacy.epsilon):
            message = f"the factor must enclose e^epsilon of {problem.privacy}; it does not."
            raise VerificationError(message)
        if matrix.size != problem.query.num_truths:
            message = f"the matrix must have {problem.query.num_truths:,} truths; it has {matrix.size:,}."
            raise VerificationError(message)
        low, high = sorted((matrix.home, matrix.other))
        if high > factor.lower * low:
            message = f"the matrix must keep the privacy of {problem}; it does not. It cannot be certified."
            raise VerificationError(message)
        bound = None if self.proof is None else short(self._bound(self.proof))
        objective = (
            self._weight
            * self._cost
            * matrix.size
            * Fraction(matrix.denominator - matrix.home, matrix.denominator)
        )
        if bound is not None and bound > objective:
            message = "the bound must not exceed the objective; one of them is not of this problem."
            raise VerificationError(message)
        for name, value in (("delta", Fraction(0)), ("objective", objective), ("bound", bound)):
            object.__setattr__(self, name, value)

    @property
    def _cost(self) -> Fraction:
        cost = cost_elsewhere(self.problem)
        assert cost is not None  # noqa: S101 - else it is refused
        return cost

    @property
    def _weight(self) -> Fraction:
        return Fraction(1, 1 if over_truths(self.problem) == "sum" else self.matrix.size)

    def _bound(self, proof: TwoMultipliers) -> Fraction:
        """Return what the multipliers prove; see the top of this file."""
        if proof.denominator <= 0 or proof.privacy < 0:
            message = "the multipliers must prove a bound; one is negative. Nothing follows from them."
            raise VerificationError(message)
        unit, size, y, t = proof.denominator, self.matrix.size, proof.privacy, proof.total
        home = (size - 1) * y - t
        other = self._weight * self._cost * unit - self.factor.upper * y - t
        return size * (t + min(home, 0) + (size - 1) * min(other, Fraction(0))) / unit

    @property
    def exact(self) -> ExactMatrix:
        """The `matrix`, every entry of which is one of the two numbers."""
        return self.matrix

    @property
    def rules(self) -> Rules:
        """The question compiled to the rules of a matrix, where that is not too large."""
        no_matrix = self.problem.query.no_matrix
        if no_matrix is not None:
            message = f"`certificate` must be of fewer true answers; {no_matrix}, and there are two numbers."
            raise NotAcceptedError(message)
        return compile_rules(self.problem)

    @property
    def entry_by_entry(self) -> Leaf | None:
        """The multipliers of each pair at home and of each column, over one denominator."""
        proof, size = self.proof, self.matrix.size
        if proof is None:
            return None
        times = size if over_truths(self.problem) == "worst" else 1  # so that a truth weighs a whole number
        pairs = self.problem.query.pairs
        places = np.column_stack([pairs[:, 0], pairs])
        weights = np.full(len(pairs), times * proof.privacy, dtype=object)
        return Leaf(
            rules={"privacy": Rule(places=places, weights=weights)},
            worst=np.full(size, proof.denominator, dtype=object) if times > 1 else None,
            totals=np.full(size, times * proof.total, dtype=object),
            denominator=times * proof.denominator,
        )

    @property
    def how(self) -> str:
        """The proof of the bound, described in a sentence."""
        if self.proof is None:
            return "No bound is proved."
        return (
            "Two multipliers, one for every pair of neighbours and one for every column, prove the bound for "
            "every mechanism of the question."
        )

    def is_about(self, problem: Problem) -> bool:
        """Whether it answers the same question, compared without a list of costs."""
        return self.problem is problem or _asked(self.problem) == _asked(problem)

    @property
    def deltas(self) -> tuple[Fraction, ...]:
        """Zero: privacy is pure."""
        return (self.delta,)

    @property
    def delta_of_sets(self) -> Fraction:
        """Zero: privacy is pure."""
        return self.delta


def _asked(problem: Problem) -> tuple[Any, ...]:
    if no_two_costs(problem) is not None:
        return (problem,)
    return problem.query, problem.privacies, cost_elsewhere(problem), over_truths(problem)
