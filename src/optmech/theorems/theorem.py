"""The claim of a theorem about a problem, in one form for all papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from optmech.base.arguments import Word
from optmech.base.logarithm import Logarithm
from optmech.theorems.powers import Doubles, Exact, Powers, enclose

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from fractions import Fraction

    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem

Letters = TypeVar("Letters")

Condition = Callable[["Problem"], str | None]
"""Given a problem, a sentence that says why a theorem does not apply, or ``None`` where it does."""


def other_structure(problem: Problem, words: AbstractSet[str], applies_to: str) -> str | None:
    """Say that a theorem applies to other structures than a problem's, ``None`` where that is among them."""
    if problem.structure.word in words:
        return None
    return f"the structure is {problem.structure}; this applies to {applies_to}."


class Relation(Word):
    """Relation of a theorem's value to the optimum of its problem."""

    EQUAL = "equals the optimum"
    AT_MOST = "is at most the optimum"
    AT_LEAST = "is at least the optimum"


class Truth(Word):
    """The truth value of a statement, as far as it is known."""

    PROVED = "proved"
    """A proof is printed in the source, or given in the docstring of the function."""
    NUMERICAL = "no counter-example found"
    """It held wherever it was computed; it has no proof."""
    FALSE = "false as printed"
    """There is a counter-example; a corrected statement stands beside it."""


class ExactOptimum(NamedTuple):
    """An optimum and its proof in rational numbers, for optima that no double can hold."""

    matrix: NDArray[Any]
    """Probabilities as `Fraction`, shape (num_responses, num_truths)."""
    multipliers: dict[tuple[int, int, int], Fraction]
    """For response r and neighbours f, g what ``M[r,f] <= e^epsilon M[r,g]`` is worth, if anything."""


class WholeNumbers(NamedTuple):
    """Probabilities as integers over one denominator."""

    numerators: NDArray[Any]
    """Python integers, shape (num_responses, num_truths)."""
    denominator: int


class LossPrices(NamedTuple):
    """A proof in doubles where each truth has a response: outcomes are followed along shortest ways.

    Along a shortest way of truth r to truth c, ``M[r,c] >= e^(-epsilon d(r,c)) M[r,r]`` but for what is paid
    from delta on the way. So often as the charge of (r, c) says, that is added to the objective.
    """

    charges: NDArray[np.float64]
    """Not negative, shape (num_truths, num_truths); the diagonal is not read."""
    bound_multiplier: float = 0.0
    """Multiplier of a bounded mean loss, or of all truths together of a bounded worst loss."""
    prior: NDArray[np.float64] | None = None
    """Least favourable prior, shape (num_truths,), where a worst loss is least or bounded."""


class Form(NamedTuple):
    """The value of a theorem, in both kinds of number."""

    value: Callable[[Problem], float]
    """Given a problem the theorem applies to, the value in floating point, stable over the whole domain."""
    ball: Callable[[Problem, int], arb] | None = None
    """Given a problem and a number of digits, the value as a ball that encloses it, at least so precise."""

    @classmethod
    def of(
        cls, formula: Callable[[Powers[Any], Letters], Any], letters: Callable[[Problem], Letters]
    ) -> Form:
        """Return a formula of powers of e^-epsilon, and of what else it reads of a problem, in both kinds."""

        def value(problem: Problem) -> float:
            epsilon = problem.privacy.epsilon
            powers = Exact(epsilon) if isinstance(epsilon, Logarithm) else Doubles(epsilon)
            return float(formula(powers, letters(problem)))

        def ball(problem: Problem, digits: int) -> arb:
            of = letters(problem)
            enclosed: arb = enclose(lambda powers: formula(powers, of), problem.privacy.epsilon, digits)
            return enclosed

        return cls(value, ball)

    @classmethod
    def at(
        cls,
        value: Callable[..., float],
        ball: Callable[..., arb],
        letters: Callable[[Problem], tuple[Any, ...]],
    ) -> Form:
        """Return functions of epsilon, of what else they read of a problem, and in balls of digits."""
        return cls(
            lambda problem: value(float(problem.privacy.epsilon), *letters(problem)),
            lambda problem, digits: ball(problem.privacy.epsilon, *letters(problem), digits),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A closed form for the optimum of some problems.

    Attributes
    ----------
    name : str
        Short and unique, such as ``"sadeghi-theorem-3"``.
    source : str
        Paper, theorem and equation numbers.
    says : str
        The statement, in one sentence without symbols that are not explained.
    relation : Relation
        The relation of its value to the optimum where it applies.
    truth : Truth
        Its standing.
    conditions : tuple of Condition
        Conditions on a problem; each may rely on those before it.
    form : Form
        The value, in doubles and, if it is known so, in balls.
    matrix : Callable or None
        Given a problem, a mechanism matrix, shape (num_responses, num_truths), that attains the value.
        Absent for bounds and for values without a mechanism.
    exact : Callable or None
        Given a problem and a rational in place of ``e^epsilon``, what attains and proves the value there.
    whole : Callable or None
        Given a problem and a rational that is at most ``e^epsilon``, a mechanism in integers that keeps all
        demands exactly, and attains the value but for rounding.
    prices : Callable or None
        Given a problem, what proves the value, ``None`` where that is not known of this problem.
    counter_example : str
        For a statement that is false: where, and by how much.
    reads : frozenset of str
        The ``Problem.demands`` that the conditions look at; it does not apply to problems with others.
    of_any_size : bool
        Whether it applies to counts that are too large for a matrix, too.
    most_truths_in_balls : int or None
        With more truths `ball` takes longer than a few hundredths of a second, and `value` does not.
    too_long : Condition
        Given a problem that meets the others, why `value` takes long or has few digits, or ``None``.
    """

    name: str
    source: str
    says: str
    relation: Relation
    truth: Truth
    conditions: tuple[Condition, ...]
    form: Form
    matrix: Callable[[Problem], NDArray[np.float64]] | None = None
    exact: Callable[[Problem, Fraction], ExactOptimum] | None = None
    whole: Callable[[Problem, Fraction], WholeNumbers] | None = None
    prices: Callable[[Problem], LossPrices | None] | None = None
    counter_example: str = ""
    reads: frozenset[str] = frozenset()
    of_any_size: bool = False
    most_truths_in_balls: int | None = None
    too_long: Condition = lambda _: None

    def objection(self, problem: Problem) -> str | None:
        """Say why the theorem says nothing of a problem, or return ``None``: the first condition missed."""
        return self._missed(problem) or self.too_long(problem)

    def delay(self, problem: Problem) -> str | None:
        """Say why nothing but time or digits keeps the theorem from a problem, or return ``None``."""
        return None if self._missed(problem) else self.too_long(problem)

    def _missed(self, problem: Problem) -> str | None:
        if problem.query.is_large and not self.of_any_size:
            return "it applies to matrices, and there are too many true answers for one"
        if not problem.demands <= self.reads:
            return "it knows no limits, further bounds, weights of neighbours or other properties"
        objections = (condition(problem) for condition in self.conditions)
        return next((objection for objection in objections if objection is not None), None)

    def value(self, problem: Problem) -> float:
        """Return the value for a problem that it applies to, in floating point."""
        return self.form.value(problem)

    def ball(self, problem: Problem, digits: int) -> arb:
        """Return the value as a ball of at least `digits` digits.

        An `ArithmeticError` says that the form has no balls, or that they cannot decide between two cases.
        """
        if self.form.ball is None:
            message = f"{self.name} is known in floating point only."
            raise ArithmeticError(message)
        return self.form.ball(problem, digits)


proved_optimum = partial(Theorem, relation=Relation.EQUAL, truth=Truth.PROVED)
"""Return a theorem that gives the optimum, proved."""
proved_lower_bound = partial(Theorem, relation=Relation.AT_MOST, truth=Truth.PROVED)
"""Return a theorem whose value no mechanism is below, proved."""
proved_upper_bound = partial(Theorem, relation=Relation.AT_LEAST, truth=Truth.PROVED)
"""Return a theorem whose value some mechanism attains or is below, proved."""
