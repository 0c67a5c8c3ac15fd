"""Branch and bound on levels: decisions that a value stands on a level, the case of the least bound first.

The relaxation of a case is the level program under its decisions. The decision that raises both bounds most
is taken, as tried or as pseudo costs predict. Where distances are the same both ways, and decisions their own
mirror image, a value and its image are decided together: both, neither, or one of the two. A whole solution
that leaks to values beyond their last level gives them further levels; bounds of other cases stay bounds, and
are looked at again before they are used.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import VerificationError
from optmech.base.reached import reach
from optmech.base.time_left import overtime, time_is_up
from optmech.designs.levels.decisions import Decisions, Side
from optmech.designs.levels.gains import Gains, merit

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.designs.levels.neighbourhood import Neighbourhood
    from optmech.designs.levels.program import LevelProgram

# A case is done where its bound is this near the best noise, relatively.
_NEAR = 3e-10
# z this near zero or one is whole.
_WHOLE = 1e-7
# Decisions that are tried, of those that are farthest from whole.
_TRIED = 10
_MOST_CASES = 100_000
# Noise is sought near the solutions of so many cases, then of each so many.
_OFTEN, _SELDOM = 20, 20


@dataclass(slots=True, eq=False)
class LevelCase:
    """Decisions, and the relaxation under them: its bound, values and duals.

    `size` is the number of levels that the program had. `parts` are the cases of a `split`, the value and the
    level that are decided: where it stands, and where it does not; of a value and its image both, neither,
    one.
    """

    decisions: Decisions
    bound: float
    values: Floats
    duals: Floats
    size: int
    is_its_image: bool
    basis: Any
    split: tuple[int, int] | None = None
    parts: tuple[LevelCase, ...] = ()
    num_leaves: int = 0  # of the tree with this split


class LevelSearch:
    """The tree as it grows, and the best noise.

    The search starts from noise on `levels`, and is over where no noise is better than an `alternative`.
    """

    def __init__(
        self, program: LevelProgram, near: Neighbourhood, levels: dict[int, int], alternative: float
    ) -> None:
        self.program, self.near, self.best_levels = program, near, levels
        self.circle = program.circle
        self.best = min(self.circle.worth_of(levels), alternative)
        self.gains = Gains()
        self.num_cases = self.num_programs = 0
        self.num_leaves = 1
        self.least_open, self.least_whole = 0.0, float("inf")
        self._rounded: set[bytes] = set()
        self._read_standing()

    def _read_standing(self) -> None:
        standing = self.program.standing
        pairs = np.array([*standing], dtype=np.int64).reshape(-1, 2)
        self._of_value, self._of_level = pairs[:, 0], pairs[:, 1]
        self._columns: Integers = np.array([*standing.values()], dtype=np.int64)

    def _tell(self, bound: float) -> None:
        """Tell those who wait; the error rate is 1 - 1/T."""
        if self.circle.delta is None:
            reach(best=self.best, bound=bound)
        else:
            reach(best=1 - 1 / self.best, bound=1 - 1 / bound)

    @property
    def goal(self) -> float:
        """The bound from which on a case is done."""
        return self.best * (1 - _NEAR)

    def run(self) -> LevelCase | None:
        """Return the tree, whose least bound is near the best noise unless the time was up.

        ``None`` where it was up before the first program, which proves a bound, was solved.
        """
        with overtime():
            root = self._case(Decisions.none(self.circle.size), is_its_image=self.circle.is_its_image)
            if root is None and time_is_up():
                return None
        if root is None:
            message = "HiGHS gives no optimum of the first level program."
            raise VerificationError(message)
        numbers = count()
        heap = [(root.bound, next(numbers), root)]
        while heap and heap[0][0] < self.goal and not time_is_up() and self.num_cases < _MOST_CASES:
            bound, _, case = heappop(heap)
            self._tell(bound)
            self._look_again(case)
            if case.bound > bound + _WHOLE:
                heappush(heap, (case.bound, next(numbers), case))
                continue
            self.num_cases += 1
            self._round(case)
            fractional = self._fractional(case)
            if not len(fractional):
                if self._grow(case):
                    heappush(heap, (case.bound, next(numbers), case))
                else:
                    self.least_whole = min(self.least_whole, case.bound)
                continue
            self._split(case, fractional)
            for part in case.parts:
                heappush(heap, (part.bound, next(numbers), part))
        self.least_open = min([self.best, self.least_whole, *(bound for bound, _, _ in heap)])
        return root

    def _case(
        self, decisions: Decisions, *, is_its_image: bool, above: LevelCase | None = None
    ) -> LevelCase | None:
        """Return a case with its relaxation, solved from the basis of the case above."""
        lower, upper = decisions.bounds(self._of_value, self._of_level)
        lower[self._of_level == 1] = 1.0  # that of a distance
        self.num_programs += 1
        size = len(self._columns)
        basis = None if above is None or above.size != size else above.basis
        found = self.program.solver.solve(self._columns, lower, upper, basis)
        if found is None:
            return None
        return LevelCase(
            decisions, found.objective, found.values, found.duals, size, is_its_image, found.basis
        )

    def _look_again(self, case: LevelCase) -> None:
        """Solve a case again where the program has more levels by now."""
        if case.size == len(self._columns):
            return
        again = self._case(case.decisions, is_its_image=case.is_its_image)
        if again is not None and again.bound >= case.bound:
            case.bound, case.duals = again.bound, again.duals
        if again is not None:
            case.values, case.basis = again.values, again.basis
        case.size = len(self._columns)

    def _standing(self, case: LevelCase) -> Floats:
        return case.values[self._columns]

    def _fractional(self, case: LevelCase) -> Integers:
        z = self._standing(case)
        undecided = case.decisions.open_levels(self._of_value, self._of_level)
        return np.flatnonzero((np.minimum(z, 1 - z) > _WHOLE) & undecided)

    def _levels(self, case: LevelCase, share: float = 0.5) -> dict[int, int]:
        levels = {0: 0}
        z = self._standing(case)
        for value, level, stands in zip(
            self._of_value.tolist(), self._of_level.tolist(), (z > share).tolist(), strict=True
        ):
            if stands:
                levels[value] = min(level, levels.get(value, level))
        return levels

    def _round(self, case: LevelCase) -> None:
        """Look for a better noise near a solution."""
        firsts = self.near.firsts_of(self._levels(case))
        if firsts.tobytes() in self._rounded:
            return
        self._rounded.add(firsts.tobytes())
        often = self.num_cases <= _OFTEN or self.num_cases % _SELDOM == 0
        self._take(*self.near.descend(firsts, most_steps=60 if often else 0))

    def _take(self, best: float, found: Integers) -> None:
        if best < self.best * (1 - 1e-13):
            self.best, self.best_levels = best, self.near.mapping(found)

    def _grow(self, case: LevelCase) -> bool:
        """Give levels to values that a whole solution leaks to without a charge; whether there are any."""
        levels = self._levels(case)
        worth = self.circle.worth_of(levels)
        if worth < self.best:
            self.best, self.best_levels = worth, levels
        if self.program.raise_where_free(levels) == 0:
            return False
        self._read_standing()
        self._look_again(case)
        return True

    def _split(self, case: LevelCase, fractional: Integers) -> None:
        z = self._standing(case)
        levels = self._of_level[fractional]
        worth = np.minimum(z, 1 - z)[fractional] * self.circle.ratio**levels
        best, pick, kept = -1.0, -1, None
        for each in fractional[np.argsort(-worth, kind="stable")][:_TRIED].tolist():
            key, share, parts = self._key(each), float(z[each]), None
            if self.gains.are_trusted(*key):
                merits = self.gains.predicted(*key, share)
            else:
                parts = self._two(case, key, share)
                merits = merit(*(min(part.bound, self.best) - case.bound for part in parts))
            if merits > best:
                best, pick, kept = merits, each, parts
        key, share = self._key(pick), float(z[pick])
        image = self.circle.images[key[0]]
        if case.is_its_image and image != key[0]:
            case.parts = self._three(case, key, image)
        else:
            down, up = kept or self._two(case, key, share)
            case.parts = (up, down)
        self.num_leaves += len(case.parts) - 1
        case.split, case.num_leaves = key, self.num_leaves

    def _key(self, each: int) -> tuple[int, int]:
        return int(self._of_value[each]), int(self._of_level[each])

    def _two(self, case: LevelCase, key: tuple[int, int], share: float) -> tuple[LevelCase, LevelCase]:
        """Return the cases in which a value does not, and does, stand on a level."""
        value, level = key
        image = self.circle.images[value]
        keys = {key, (image, level)} if self.circle.is_its_image else {key}
        parts = []
        for stands, distance in ((False, share), (True, 1 - share)):
            stays = case.is_its_image and image == value
            part = self._part(case, [Side(value, level, stands)], is_its_image=stays)
            gain = min(part.bound, self.best) - case.bound
            self.gains.observe(keys, stands=stands, gain=gain, distance=distance)
            parts.append(part)
        return parts[0], parts[1]

    def _three(self, case: LevelCase, key: tuple[int, int], image: int) -> tuple[LevelCase, ...]:
        """Return the cases in which both of a value and its image, neither, or the value alone stands."""
        value, level = key
        sides = ((True, True), (False, False), (True, False))
        return tuple(
            self._part(case, [Side(value, level, one), Side(image, level, other)], is_its_image=one == other)
            for one, other in sides
        )

    def _part(self, case: LevelCase, sides: list[Side], *, is_its_image: bool) -> LevelCase:
        decisions = case.decisions.with_sides(sides)
        part = self._case(decisions, is_its_image=is_its_image, above=case)
        if part is None:  # the bound of the whole holds for its parts
            return LevelCase(
                decisions, case.bound, case.values, case.duals, case.size, is_its_image, case.basis
            )
        if part.bound < case.bound:
            part.bound, part.duals = case.bound, case.duals
        return part
