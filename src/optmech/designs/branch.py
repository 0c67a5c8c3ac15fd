"""A proof by cases that no modular noise does better: branch and bound whose every leaf is a dual solution.

Probabilistic privacy is not convex: a ratio is kept, or the whole mass of its outcome is paid for. A node of
the tree has decided that of some ratios. Its relaxation lets the others pay for their excess alone; its duals
prove a bound for all noise that the decisions allow (docs/certificate.md). Where that is as good as the
objective of the mechanism found, the node is a leaf. Else one ratio more is decided, both ways.

No claim of a mixed-integer solver enters. Where the objective given is not the optimum the tree still
proves a bound near the optimum itself, or as much as the objective where that is smaller.

Model of a node
---------------
    min   sum_n c_n x_n      (or delta, with  sum_n c_n x_n <= at_most:  cost)
    s.t.  sum_n x_n = 1                                         total
          x_n - E x_(n-g) - s_u <= 0                            ratio, for each noise n and neighbour g
          sum_open s_u + sum_violated x_n <= delta              budget
          x >= 0, s >= 0

u is the decision about the ratio (n, g). Where it is kept there is no s_u; where it is violated there is no
ratio, or in the printed reading the reversed one.

The program states no more than a leaf of the proof can say (docs/certificate.md): the bound that its duals
prove is its optimum, but for rounding. Where it has no solution, the duals of the least violation of its
rows, multiplied up, prove any bound.

Size, as measured: 1 to 70 leaves for a modulus up to 13 and distances 1, 2, 3, both ways.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.designs.branch_cases import KEPT, OPEN, VIOLATED, Cases, Multipliers
from optmech.designs.duals import whole_multipliers
from optmech.models.solvers.dense import SETTINGS, DenseAnswer, least_price
from optmech.proofs.multipliers import BITS, Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.base.arrays import Floats, Integers
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem

    Decisions = NDArray[np.int8]

# A node is a leaf where its bound is this near the objective, relatively: objectives are rounded, too.
_NEAR = 1e-8
# The same for objectives near zero: what doubles lose in sums of probabilities.
_TINY = 1e-14
# A mass below this is rounding: the noise has decided.
_NO_MASS = 1e-13
# A budget that binds nothing today may bind below.
_LEAST_WEIGHT = 1e-3
# A violation of rows below this may be none.
_ROUNDING = 1e-13


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


class Answer(NamedTuple):
    """Multipliers allowed at a node, what they prove but for rounding, and the noise of its relaxation.

    That is a solution, or what breaks the rows least.
    """

    multipliers: Multipliers
    bound: float
    noise: Floats


class _Program(NamedTuple):
    """Rows ``matrix @ columns <= limits``: masses, a slack for each open decision, delta where it is sought.

    `ratios` says which ratios have a row, `signs` which of them are reversed. The budgets come next.
    """

    matrix: Floats
    limits: Floats
    ratios: Integers
    signs: Floats


def relax(cases: Cases, decisions: Decisions, goal: float) -> Answer | None:
    """Return the optimum below the decisions, or ``None`` if no attempt finds it.

    Where nothing is possible below them, the bound is above `goal`.
    """
    program, size = _program(cases, decisions), len(cases.cost)
    prices = np.zeros(program.matrix.shape[1])
    if cases.delta is None:
        prices[-1] = 1.0
    else:
        prices[:size] = cases.cost
    # For the least violation of the rows: one more column that eases each of them.
    slack_matrix = np.hstack([program.matrix, np.full((len(program.matrix), 1), -1.0)])
    violation = np.append(np.zeros(len(prices)), 1.0)
    for setting in SETTINGS:
        answer = least_price(prices, program.matrix, program.limits, size, setting)
        if answer.is_optimal:
            return _answer(cases, decisions, program, answer, 1.0)
        if answer.is_infeasible:
            least = least_price(violation, slack_matrix, program.limits, size, setting)
            if least.is_optimal and least.value > _ROUNDING:
                return _answer(cases, decisions, program, least, 2 * (abs(goal) + 1) / least.value)
    return None


def _program(cases: Cases, decisions: Decisions) -> _Program:
    size, seeks_delta, has_bound = len(cases.cost), cases.delta is None, cases.at_most is not None
    mask = decisions[cases.decision] == VIOLATED
    ratios = np.flatnonzero(cases.is_printed | ~mask)
    signs = np.where(mask, -1.0, 1.0)[ratios]
    open_places, violations = np.flatnonzero(decisions == OPEN), np.flatnonzero(decisions == VIOLATED)
    slack = np.full(len(decisions), -1)
    slack[open_places] = size + np.arange(len(open_places))
    start, end = len(ratios), len(ratios) + cases.num_budgets
    matrix = np.zeros((end + has_bound, size + len(open_places) + seeks_delta))
    limits = np.zeros(len(matrix))
    rows = np.arange(start)
    np.add.at(matrix, (rows, cases.noise[ratios]), signs)
    np.add.at(matrix, (rows, cases.after[ratios]), -signs * cases.factor[ratios])
    slacks = slack[cases.decision[ratios]]
    matrix[rows[slacks >= 0], slacks[slacks >= 0]] = -1.0
    matrix[start + cases.budget[open_places], slack[open_places]] = 1.0
    matrix[start + cases.budget[violations], cases.mass[violations]] = 1.0
    if cases.delta is None:
        matrix[start:end, -1] = -1.0
    else:
        limits[start:end] = cases.delta
    if cases.at_most is not None:
        matrix[end, :size], limits[end] = cases.cost, cases.at_most
    return _Program(matrix=matrix, limits=limits, ratios=ratios, signs=signs)


def _answer(
    cases: Cases, decisions: Decisions, program: _Program, optimum: DenseAnswer, slack: float
) -> Answer:
    """Return the duals of `optimum` as multipliers, each `slack` so many times."""
    # What is no number or of the wrong sign is left out: nothing proves nothing, but never too much.
    weights = np.nan_to_num(np.maximum(optimum.multipliers, 0.0) * slack, posinf=0.0)
    start = len(program.ratios)
    end = start + cases.num_budgets
    ratio = np.zeros(len(cases.noise))
    ratio[program.ratios] = weights[:start] * program.signs
    multipliers = Multipliers(
        ratio=whole_multipliers(ratio),
        budget=whole_multipliers(weights[start:end]),
        cost=0 if cases.at_most is None else int(whole_multipliers(weights[end:])[0]),
    )
    clipped_multipliers = cases.clip(decisions, multipliers)
    noise = np.clip(optimum.columns[: len(cases.cost)], 0.0, 1.0)
    return Answer(
        multipliers=clipped_multipliers, bound=cases.bound(decisions, clipped_multipliers), noise=noise
    )
