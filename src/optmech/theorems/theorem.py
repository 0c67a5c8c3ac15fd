"""What a theorem says of a problem, in one form for all papers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from optmech.base.arguments import Word

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    from optmech.question.problem import Problem

__all__ = ["ExactOptimum", "Relation", "Theorem", "Truth"]


class Relation(Word):
    """How the value of a theorem stands to the optimum of the problem it speaks of."""

    EQUAL = "equals the optimum"
    AT_MOST = "is at most the optimum"
    AT_LEAST = "is at least the optimum"


class Truth(Word):
    """What is known of a statement."""

    PROVED = "proved"
    """A proof is printed in the source, or given in the docstring of the function."""
    NUMERICAL = "no counter-example found"
    """It held wherever it was computed; nobody has proved it."""
    FALSE = "false as printed"
    """There is a counter-example; a corrected statement stands beside it."""


class ExactOptimum(NamedTuple):
    """An optimum and its proof in rational numbers, for optima that no double can hold."""

    matrix: NDArray[Any]
    """Probabilities as `Fraction`, shape (num_responses, num_truths)."""
    multipliers: dict[tuple[int, int, int], Fraction]
    """For response r and neighbours f, g what ``M[r,f] <= e^epsilon M[r,g]`` is worth, if anything."""


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
        What it says, in one sentence without symbols that are not explained.
    relation : Relation
        How its value stands to the optimum where it applies.
    truth : Truth
        What is known of it.
    objection : Callable
        Given a problem, a sentence that says why the theorem does not apply, or ``None`` where it does.
    value : Callable
        Given a problem it applies to, the value in floating point, stable over the whole domain.
    ball : Callable or None
        Given a problem and a number of digits, the value as a ball that encloses it, at least so precise.
    matrix : Callable or None
        Given a problem, a mechanism matrix, shape (num_responses, num_truths), that attains the value.
        Absent for bounds and for values without a mechanism.
    exact : Callable or None
        Given a problem and a rational in place of ``e^epsilon``, what attains and proves the value there.
    counter_example : str
        For a statement that is false: where, and by how much.
    reads_bounds : bool
        Whether `objection` looks at ``problem.bounds``; no other theorem speaks of a problem that has some.
    most_truths_in_balls : int or None
        Of more truths `ball` takes longer than a few hundredths of a second, and `value` does not.
    """

    name: str
    source: str
    says: str
    relation: Relation
    truth: Truth
    objection: Callable[[Problem], str | None]
    value: Callable[[Problem], float]
    ball: Callable[[Problem, int], arb] | None = None
    matrix: Callable[[Problem], NDArray[np.float64]] | None = None
    exact: Callable[[Problem, Fraction], ExactOptimum] | None = None
    counter_example: str = ""
    reads_bounds: bool = False
    most_truths_in_balls: int | None = None

    def __post_init__(self) -> None:
        """Let no theorem speak of a problem that asks for more than its paper knows."""
        objection = self.objection

        def guarded(problem: Problem) -> str | None:
            known = replace(problem, bounds=()) if self.reads_bounds else problem
            if not known.is_plain:
                return "it knows no limits, further bounds, weights of neighbours or other properties"
            return objection(problem)

        object.__setattr__(self, "objection", guarded)
