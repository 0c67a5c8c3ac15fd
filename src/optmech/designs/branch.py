"""A proof of optimality by cases: branch and bound with a dual solution at every leaf.

Probabilistic privacy is not convex: a ratio is kept, or the whole mass of its outcome is paid for. A node of
the tree has decided some choices. Its relaxation lets the others pay for their excess alone
(`models.formulations.cases`); its duals prove a bound for all mechanisms that the decisions allow
(docs/certificate.md). The node of the least bound is split next, until that bound is as good as the objective
of the given mechanism, or the tree is too large: then it proves a weaker bound.

No claim of a mixed-integer solver enters. At some nodes the open choices are decided as the solution nearly
does; the program of these decisions gives a mechanism, and the best one is handed out where it is better than
the given one. Where the objective given is not the optimum, the tree proves a bound near the optimum itself.

A relaxation states no more than a leaf of the proof can say: the bound that its duals prove is its optimum,
but for rounding. Where it has no solution, the duals of the least violation of its rows, multiplied up, prove
any bound.

Size, as measured: 1 to 70 leaves for modular noise of a modulus up to 13 and distances 1, 2, 3, both ways,
and some 50 of one of 128, distances 1, 3, 5, 6 and costs that grow with distance; of any matrix 90 for a
count 0..4 and 290 for one 0..5 at epsilon 0.5 and delta 0.1.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.reached import reach
from optmech.base.time_left import seconds_left
from optmech.designs.duals import leaf_of_duals, of_choices
from optmech.models.formulations.cases import KEPT, OPEN, PAID, Cases
from optmech.models.origin import BlockPart
from optmech.models.solution import Status
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.options import SolveOptions
from optmech.models.solvers.warm import WarmHighs
from optmech.proofs.file_limits import DEPTH
from optmech.proofs.multipliers import Split

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats
    from optmech.models.formulations.cases import Decisions
    from optmech.proofs.multipliers import Leaf, Tree
    from optmech.rules import Rules

# A node is a leaf where its bound is this near the objective, relatively: objectives are rounded, too.
_NEAR = 1e-8
# The same for objectives near zero: what doubles lose in sums of probabilities.
_TINY = 1e-14
# A mass below this is rounding: the solution has decided.
_NO_MASS = 1e-11
# A choice whose excess is a smaller share of its mass is more nearly kept than paid.
_MOSTLY_PAID = 0.5
# The choices of each of the first nodes are decided so, then of one in so many.
_FIRST_DECIDED, _DECIDED_EACH = 20, 20
# A budget that does not bind here may bind in a child node.
_LEAST_WEIGHT = 1e-3
# A violation of rows below this may be none.
_ROUNDING = 1e-9
# The largest number of multipliers in a proof: some ten megabytes.
_MOST_MULTIPLIERS = 250_000
# Seconds for the first relaxation, however late it is, and for one that is begun just before the deadline.
_LEAST_TIME = 0.5
_SETTINGS = SolveOptions(presolve=False, feasibility_tolerance=1e-10, optimality_tolerance=1e-10)


class Search(NamedTuple):
    """The proof, ``None`` if no relaxation was solved, and a better mechanism than the given one, if any.

    `smaller` returns the proof of the first cases, at most so many: its bound is weaker.
    """

    tree: Tree | None
    matrix: Floats | None
    smaller: Callable[[int], Tree] | None = None


@dataclass(slots=True, eq=False)
class _Node:
    """Decisions, and the relaxation below them.

    `duals` prove the bound; those of a node whose relaxation was not solved are the node's above.
    """

    bound: float
    decisions: Decisions
    duals: Floats
    values: Floats
    split: tuple[int, _Node, _Node] | None = None
    leaves: int = 0  # of the tree with this split

    @property
    def depth(self) -> int:
        """Number of decisions made."""
        return int(np.count_nonzero(self.decisions))


def search(rules: Rules, objective: float, *, most_leaves: int = 4000, seconds: float = 20.0) -> Search:
    """Return multipliers that prove a bound near the optimum, and a better mechanism than the given one.

    The tree is a proposal until `optmech.proofs.bound.proved_bound` has checked it.

    It is complete once its bound comes within a relative 1e-8 of the objective. With more leaves, or after
    more seconds, it proves less. A NotAcceptedError says that the question has no choices.
    """
    cases = Cases.of(rules)
    if not Highs().available():
        return Search(None, None)
    most = min(most_leaves, max(_MOST_MULTIPLIERS // cases.number, 1))
    left = seconds_left()
    seconds = seconds if left is None else min(seconds, left)
    return _Growing(cases, objective).search(rules, most, time.perf_counter() + seconds)


def _goal(objective: float) -> float:
    """Return the bound from which on a node is a leaf, where an objective is reached."""
    return objective - _NEAR * abs(objective) - _TINY


class _Growing:
    """The tree as it grows, the node of the least bound first."""

    def __init__(self, cases: Cases, objective: float) -> None:
        self.cases = cases
        self.goal = _goal(objective)
        self.better: Floats | None = None
        self._solver = WarmHighs(_SETTINGS)

    def search(self, rules: Rules, most_leaves: int, deadline: float) -> Search:
        root = self._node(np.zeros(self.cases.number, dtype=np.int8), deadline)
        if root is None:
            return Search(None, None)
        numbers, leaves = count(), 1  # of nodes alike the older one comes first
        nodes = [(root.bound, next(numbers), root)]
        while nodes[0][0] < self.goal:
            node = nodes[0][-1]
            reach(bound=node.bound)
            choice = self._next_choice(node)
            if choice is None:
                # A solution that has decided every choice is a mechanism, so no bound can be better.
                self.goal, self.better = node.bound, node.values
                break
            if leaves >= most_leaves or node.depth == DEPTH or time.perf_counter() > deadline:
                break
            if leaves <= _FIRST_DECIDED or leaves % _DECIDED_EACH == 0:
                self._decide_all(node, deadline)
            heappop(nodes)
            kept, paid = (self._child(node, choice, side, deadline) for side in (KEPT, PAID))
            leaves += 1
            node.split, node.leaves = (choice, kept, paid), leaves
            for part in (kept, paid):
                heappush(nodes, (part.bound, next(numbers), part))
        matrix = None if self.better is None else self.cases.formulation.matrix(self.better)
        return Search(self._tree(rules, root, leaves), matrix, partial(self._tree, rules, root))

    def _next_choice(self, node: _Node) -> int | None:
        """Return the choice farthest from a decision, or ``None`` if the solution has decided all."""
        excess, rest = self.cases.undecided(node.decisions, node.values)
        group = self.cases.formulation.layout.comparisons.group
        worth = np.maximum(-node.duals[self.cases.rows(BlockPart.BUDGETS)], 0.0) + _LEAST_WEIGHT
        merit = np.where((excess > _NO_MASS) & (rest > _NO_MASS), excess * rest * worth[group], 0.0)
        best = int(np.argmax(merit))
        return best if merit[best] > 0 else None

    def _decide_all(self, node: _Node, deadline: float) -> None:
        """Take the mechanism of the choices as a relaxation nearly decides them, where it is better."""
        excess, rest = self.cases.undecided(node.decisions, node.values)
        nearly: Decisions = np.where(excess > _MOSTLY_PAID * (excess + rest), PAID, KEPT).astype(np.int8)
        decisions = np.where(node.decisions == OPEN, nearly, node.decisions)
        answer = self._solver.solve(
            self.cases.program(decisions), max(deadline - time.perf_counter(), _LEAST_TIME)
        )
        if answer.status is not Status.OPTIMAL or answer.objective is None:
            return
        if answer.objective < self.goal:
            self.goal, self.better = _goal(answer.objective), answer.values
            reach(best=answer.objective)

    def _child(self, node: _Node, choice: int, side: int, deadline: float) -> _Node:
        """Return the node with one more decision; the bound of its parent also holds for it."""
        decisions = node.decisions.copy()
        decisions[choice] = side
        below = None if time.perf_counter() > deadline else self._node(decisions, deadline)
        if below is None or below.bound < node.bound:
            return _Node(node.bound, decisions, node.duals, (below or node).values)
        return below

    def _node(self, decisions: Decisions, deadline: float) -> _Node | None:
        """Return the bound that the relaxation proves, ``None`` if no solver answers."""
        left = max(deadline - time.perf_counter(), _LEAST_TIME)
        program = self.cases.program(decisions)
        answer, times = self._solver.solve(program, left), 1.0
        is_possible = answer.status is not Status.INFEASIBLE
        if not is_possible:
            answer = self._solver.solve(self.cases.least_violation(program), left)
        if answer.objective is None or answer.row_duals is None or answer.values is None:
            return None
        bound = answer.objective
        if not is_possible:
            if bound <= _ROUNDING:
                return None
            times, bound = 2 * (abs(self.goal) + 1) / bound, self.goal + 1
        return _Node(bound, decisions, answer.row_duals * times, answer.values)

    def _tree(self, rules: Rules, node: _Node, most_leaves: int) -> Tree:
        if node.split is None or node.leaves > most_leaves:
            return self._leaf(rules, node)
        choice, kept, paid = node.split
        parts = self._tree(rules, kept, most_leaves), self._tree(rules, paid, most_leaves)
        return Split(comparison=self.cases.subscripts(choice), kept=parts[0], violated=parts[1])

    def _leaf(self, rules: Rules, node: _Node) -> Leaf:
        own = of_choices(self.cases, node.decisions, node.duals, seeks_delta=rules.seeks_delta)
        return leaf_of_duals(self.cases.formulation, node.duals, own)
