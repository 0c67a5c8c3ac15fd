"""A proof by cases that no modular noise does better: branch and bound whose every leaf is a dual solution.

Probabilistic privacy is not convex: a ratio is kept, or the whole mass of its outcome is paid for. A node of
the tree has decided that of some ratios. Its relaxation lets the others pay for their excess alone; its duals
prove a bound for all noise that the decisions allow (docs/certificate.md). Where that is as good as the
objective of the mechanism found, the node is a leaf. Else one ratio more is decided, both ways.

No claim of a mixed-integer solver enters. Where the objective given is not the optimum the tree still
proves a bound near the optimum itself, or as much as the objective where that is smaller.

Size, as measured: 1 to 70 leaves for a modulus up to 13 and distances 1, 2, 3, both ways.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.designs.branch_cases import KEPT, VIOLATED, Cases
from optmech.designs.branch_relaxation import Answer, relax
from optmech.proofs.multipliers import BITS, Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem

    Decisions = NDArray[np.int8]

__all__ = ["Search", "search"]

# A node is a leaf where its bound is this near the objective, relatively: objectives are rounded, too.
_NEAR = 1e-8
# The same for objectives near zero: what doubles lose in sums of probabilities.
_TINY = 1e-14
# A mass below this is rounding: the noise has decided.
_NO_MASS = 1e-13
# A budget that binds nothing today may bind below.
_LEAST_WEIGHT = 1e-3


class Search(NamedTuple):
    """The proof, ``None`` where it grew too large, and noise better than what was given, if there is some."""

    tree: Tree | None
    noise: Floats | None


class _GivenUpError(Exception):
    """The tree outgrew its limits."""


def search(problem: Problem, objective: float, *, most_leaves: int = 4000, seconds: float = 20.0) -> Search:
    """Return multipliers that prove a bound near the optimum, and better noise than the one found.

    The tree is a proposal until `optmech.proofs.bound.proved_bound` has checked it.

    A node is a leaf once its bound comes within a relative 1e-8 of the objective of the mechanism found. With
    more leaves, or after more seconds, it is given up.

    Raises
    ------
    NotAcceptedError
        If the problem is another one.
    """
    cases = Cases.of(problem)
    nothing = np.zeros(len(cases.mass), dtype=np.int8)
    root = relax(cases, nothing, objective)
    if root is None:
        return Search(None, None)
    goal = objective - _NEAR * abs(objective) - _TINY
    growing = _Growing(cases, goal, most_leaves, time.perf_counter() + seconds)
    try:
        tree: Tree | None = growing.tree(nothing, root)
    except _GivenUpError:
        tree = None
    return Search(tree, growing.better)


@dataclass(slots=True)
class _Growing:
    """The tree as it grows, depth first."""

    cases: Cases
    goal: float
    leaves_left: int
    deadline: float
    better: Floats | None = None

    def tree(self, decisions: Decisions, answer: Answer) -> Tree:
        """Return the proof of all noise below the decisions."""
        place = None if answer.bound >= self.goal else self._next_decision(decisions, answer)
        if place is None:
            self.leaves_left -= 1
            if self.leaves_left < 0:
                raise _GivenUpError
            # Noise that has decided everything is a mechanism: no bound can be better than its objective.
            if answer.bound < self.goal:
                self.goal, self.better = answer.bound, answer.noise
            return self.cases.leaf(answer.multipliers)
        kept, violated = (self._half(decisions, answer, place, side) for side in (KEPT, VIOLATED))
        comparison = self.cases.comparison(place)
        return Split(comparison=comparison, kept=self.tree(*kept), violated=self.tree(*violated))

    def _next_decision(self, decisions: Decisions, answer: Answer) -> int | None:
        """Return the decision farthest from either side, or ``None`` where the noise has made all."""
        excess, rest = self.cases.in_doubt(decisions, answer.noise)
        weight = answer.multipliers.budget.astype(float) * 2.0**-BITS + _LEAST_WEIGHT
        doubtful = (excess > _NO_MASS) & (rest > _NO_MASS)
        merit = np.where(doubtful, excess * rest * weight[self.cases.budget], 0.0)
        best = int(np.argmax(merit))
        return best if merit[best] > 0 else None

    def _half(self, decisions: Decisions, answer: Answer, place: int, side: int) -> tuple[Decisions, Answer]:
        """Return the decisions with one more, and what is known below them."""
        if time.perf_counter() > self.deadline:
            raise _GivenUpError
        next_decisions = decisions.copy()
        next_decisions[place] = side
        relaxation = relax(self.cases, next_decisions, self.goal)
        # What is known above holds below, too. It is more where a solver failed, or its duals are rough.
        whole = self.cases.clip(next_decisions, answer.multipliers)
        bound = self.cases.bound(next_decisions, whole)
        if relaxation is None or relaxation.bound < bound:
            noise = (relaxation or answer).noise
            return next_decisions, Answer(multipliers=whole, bound=bound, noise=noise)
        return next_decisions, relaxation
