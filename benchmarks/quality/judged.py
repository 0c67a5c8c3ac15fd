"""One question designed, and held to its bound, to the theorems and to the baselines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import optmech as om
from benchmarks.quality.rivals import Rival, rivals
from optmech.designs.chain.theorem import CHAIN
from optmech.question.losses import LeastDelta
from optmech.theorems.registry import THEOREMS
from optmech.theorems.theorem import Relation, Truth

if TYPE_CHECKING:
    from benchmarks.quality.questions import Question

__all__ = ["Judged", "judged", "relative"]

# A closed form in doubles, and an optimum that certifying moved by its repair.
THEOREM_RULE = 1e-9
# Solvers keep rows to an absolute 1e-9: a delta below it is proved to that, not to a share of itself.
RESOLVED_DELTA = 1e-9
# A baseline that *is* the optimum differs from it by the repair and the rounding of its own sum.
IMPROVEMENT_RULE = -1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The known results for one question.

    Attributes
    ----------
    optimum : float
        Objective of the design, *proved*.
    gap : float
        Gap to the *proved* lower bound, relative unless `absolute`; infinite where nothing is proved.
    theorems : dict of float
        For each theorem that gives the optimum, the distance of the two, relative unless `absolute`.
    absolute : bool
        Whether the optimum is a delta too small for relative gaps.
    improvements : dict of float or str
        For each baseline by how much of its loss the design loses less, or why it is no rival.
    """

    question: Question
    engine: str
    optimum: float
    gap: float
    absolute: bool
    theorems: dict[str, float]
    improvements: dict[str, float | str]

    def broken(self) -> list[str]:
        """Return a sentence for each rule that is not kept."""
        name = f"{self.question.family}, {self.question.name}"
        results = []
        if not self.gap <= self.question.gap_rule:
            results.append(
                f"{name}: the proved gap must be at most {self.question.gap_rule:g}; got {self.gap:.2e}"
            )
        for theorem, gap in self.theorems.items():
            if not gap <= THEOREM_RULE:
                results.append(f"{name}: {theorem} must be met within {THEOREM_RULE:g}; got {gap:.2e}")
        for rival, gain in self.improvements.items():
            if isinstance(gain, float) and not gain >= IMPROVEMENT_RULE:
                results.append(f"{name}: the improvement over {rival} must not be negative; got {gain:.2e}")
        return results


def judged(question: Question) -> Judged:
    """Return the design of a question beside all that it can be held to."""
    problem = question.problem
    design = om.design(problem)
    bound = design.lower_bound if design.lower_bound_standing == "proved" else -float("inf")
    small = isinstance(problem.objective, LeastDelta) and design.objective < RESOLVED_DELTA

    def distance(value: float) -> float:
        return abs(design.objective - value if small else relative(value, design.objective))

    return Judged(
        question=question,
        engine=design.engine,
        optimum=design.objective,
        gap=distance(bound),
        absolute=small,
        theorems={
            theorem.name: distance(theorem.value(problem))
            for theorem in (*THEOREMS, CHAIN)
            if theorem.relation is Relation.EQUAL
            and theorem.truth is not Truth.FALSE
            and theorem.objection(problem) is None
        },
        improvements={rival.name: _gain(rival, design.objective) for rival in rivals(problem)},
    )


def relative(value: float, optimum: float) -> float:
    """Return by how much `value` exceeds the optimum, as a share of the larger: zero where both are zero."""
    largest = max(abs(value), abs(optimum))
    return (value - optimum) / largest if math.isfinite(largest) and largest > 0 else value - optimum


def _gain(rival: Rival, optimum: float) -> float | str:
    return rival.objection or relative(rival.value, optimum)
