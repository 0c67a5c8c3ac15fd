"""The level program of modular noise, which grows by levels of single values.

Model
-----
With a = e^-epsilon, T = 1/f(0), and z[q,l] = 1 where value q stands on level l or before, as
`docs/theory/levels.md` derives:

    min   T, or delta, + costs of slacks
    s.t.  1 + sum_q sum_l a^l (z[q,l] - z[q,l-1]) <= T                      mass
          e[p,mu,l] >= z[p,l] - z[p,l-1] - z[p+mu,l+1]                      leak
          sum_(p,l) a^l e[p,mu,l] <= delta T                 each mu        budget
          z[q,l] <= z[q,l+1]                                                order
          coefficients times leaks, or masses <= whole number + slack       cut

Value q has the levels from its Cayley distance up to its top; z is 1 for the distances themselves. A leak is
charged where both of its values have the level that it is about. Cuts hold for noises that are worth the
cap. A slack costs more, so that each choice of levels has a solution, and no better one needs a slack.
Where delta is sought T is a number, and mass has a slack, too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optmech.models.solvers.growing import GrowingHighs

if TYPE_CHECKING:
    from optmech.designs.levels.circle import Circle
    from optmech.proofs.levels.tree import CountingCut

# The cost of a violated cut, and of mass beyond what is allowed, in caps.
_TIMES, _TIMES_MASS = 8.0, 1e4
_INF = float("inf")


@dataclass(slots=True, eq=False)
class LevelProgram:
    """The program, and the solver that holds it.

    `tops` is the last level of each value that has one. `standing` is the column of z of a value and level;
    `leaks` the row of a value, distance and level, distances being counted from 0. Cuts of leaks have a row
    for each distance.
    """

    circle: Circle
    cap: float
    leak_cuts: tuple[CountingCut, ...]
    mass_cuts: tuple[CountingCut, ...]
    tops: dict[int, int] = field(default_factory=dict)
    standing: dict[tuple[int, int], int] = field(default_factory=dict)
    leaks: dict[tuple[int, int, int], int] = field(default_factory=dict)
    solver: GrowingHighs = field(default_factory=GrowingHighs)
    mass: int = field(init=False)
    budgets: list[int] = field(init=False)
    of_leak_cuts: list[list[int]] = field(init=False)
    of_mass_cuts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with T, the mass of zero, and empty budgets and cuts."""
        solver, circle = self.solver, self.circle
        worth = solver.add_column(1.0, 0.0, _INF, {})
        if circle.delta is not None:
            self.mass = solver.add_row(-_INF, -1.0, {worth: -1.0})
            budget = {worth: -circle.delta}
        else:
            assert circle.inverse is not None  # noqa: S101 - one of the two is given
            self.mass = self._row_with_slack(circle.inverse - 1, _TIMES_MASS)
            budget = {worth: -circle.inverse}
        self.budgets = [solver.add_row(-_INF, 0.0, budget) for _ in circle.distances]
        self.of_leak_cuts = [
            [self._row_with_slack(cut.most) for _ in circle.distances] for cut in self.leak_cuts
        ]
        self.of_mass_cuts = [self._row_with_slack(cut.most) for cut in self.mass_cuts]
        for step in circle.distances:
            self.raise_to(step, 1)

    def _row_with_slack(self, most: float, times: float = _TIMES) -> int:
        slack = self.solver.add_column(times * self.cap, 0.0, _INF, {})
        return self.solver.add_row(-_INF, float(most), {slack: -1.0})

    def raise_to(self, value: int, level: int) -> None:
        """Give a value its levels up to one; distances have but the first."""
        first = self.circle.steps[value]
        if first is None or value == 0 or (first == 1 and self.tops.get(value)):
            return
        for each in range(max(first, self.tops.get(value, 0) + 1), level + 1):
            self._add_level(value, each)

    def _add_level(self, value: int, level: int) -> None:
        """Add a last level to a value, and what leaks from it and to it."""
        circle, solver, weight = self.circle, self.solver, self.circle.ratio**level
        last = self.standing.get((value, level - 1))
        entries = {self.mass: weight}
        if last is not None:
            solver.change_entry(self.mass, last, weight / circle.ratio - weight)
        for cut, row in zip(self.mass_cuts, self.of_mass_cuts, strict=True):
            if cut.at(level):
                entries[row] = float(cut.at(level))
            if last is not None and cut.at(level) != 0:
                solver.change_entry(row, last, float(cut.at(level - 1) - cut.at(level)))
        column = solver.add_column(0.0, float(level == 1), 1.0, entries)
        if last is not None:
            solver.add_row(-_INF, 0.0, {last: 1.0, column: -1.0})
        self.standing[value, level], self.tops[value] = column, level
        for distance, before in enumerate(circle.before):
            self._add_leak(before[value], distance, level - 1)
            self._add_leak(value, distance, level)

    def _add_leak(self, value: int, distance: int, level: int) -> None:
        """Charge for what leaks, where both values have the level and it is not charged yet."""
        after = self.standing.get((self.circle.after[distance][value], level + 1))
        if after is None or (value, level) not in self.standing or (value, distance, level) in self.leaks:
            return
        entries = {self.budgets[distance]: self.circle.ratio**level}
        for cut, rows in zip(self.leak_cuts, self.of_leak_cuts, strict=True):
            if cut.at(level):
                entries[rows[distance]] = float(cut.at(level))
        leak = self.solver.add_column(0.0, 0.0, 1.0, entries)
        row = {leak: 1.0, after: 1.0, self.standing[value, level]: -1.0}
        if (value, level - 1) in self.standing:
            row[self.standing[value, level - 1]] = 1.0
        self.leaks[value, distance, level] = self.solver.add_row(0.0, _INF, row)

    def raise_where_free(self, levels: dict[int, int]) -> int:
        """Give further levels to where noise on levels leaks without a charge; return how many."""
        before = len(self.standing)
        for value, level in sorted(levels.items()):
            for after in self.circle.after:
                target = after[value]
                if levels.get(target, level + 2) > level + 1:
                    self.raise_to(target, level + 1)
                    if self.circle.is_its_image:
                        self.raise_to(self.circle.images[target], level + 1)
        return len(self.standing) - before
