"""A strictly feasible point of any question, and which rules have none: implicit equalities.

Model
-----
    max   sum t - small s
    s.t.  a_i x - b_i s + t_i <= 0        rule i: orders, privacy, bounds, limits
          sums x = right s
          x, s >= 0,  0 <= t <= 1

All rules are those of a cone, so a rule that some mechanism keeps with room is kept with room 1 by a large
multiple of it, and by the sum of such multiples together with all others of its kind. A rule with t = 0 in
the optimum therefore holds with equality in every mechanism.

A solver takes a room of less than its tolerance for none. Then, with s = 1 and one t for all rules, its
optimum is refined: rooms of 1e-12 are found, and the mechanism that has them keeps every rule.

Where privacy allows a delta, each ratio is first to be kept altogether, as by pure privacy: then mixing with
the mechanism takes from every excess. Where no mechanism does that, the rules are taken as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.time_left import time_is_up
from optmech.designs.refinement import refine
from optmech.designs.repair.families import (
    RowFamily,
    RowKind,
    choices_of,
    limits_of,
    orders_of,
    pick,
    privacies_of,
    ratios_of,
    widen,
)
from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.options import SolveOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.repair.quantity_rules import QuantityRules
    from optmech.models.linear_model import LinearModel

# The weight of a small total beside room: of two optima the one with more room, relatively, is taken.
_SMALL = 1e-6
_HALF = 0.5
# The share of a small limit that may be left to what ratios hold far below it; less than the least is none.
_SMALL_PART, _LEAST_UNIT = 1e-4, 1e-13
# A small room is found after this many steps of refinement; below the rounding of doubles it counts as none.
_REFINEMENTS, _LEAST_ROOM = 2, 1e-13
# Less room than this, relatively, may be the rounding of doubles.
_LITTLE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrictInterior:
    """A mechanism that keeps with room every rule that has any."""

    values: Floats  # of each quantity
    tied: Integers  # orders without room, shape (number, 2): the two are equal in every mechanism
    fixed: Floats  # the only value that a quantity can have, NaN where there are several
    equal: frozenset[int] = frozenset()  # inequalities without room: equations in every mechanism
    lacking: frozenset[RowKind] = frozenset()  # other rules that no mechanism keeps with room
    has_small_room: bool = False  # less than solvers tell from none

    @classmethod
    def at(cls, quantity_rules: QuantityRules, values: Floats) -> StrictInterior:
        """Return given values, as if they had room in all but what limits fix."""
        fixed = np.where(quantity_rules.least == quantity_rules.most, quantity_rules.least, np.nan)
        return cls(values=values, tied=quantity_rules.orders[:0], fixed=fixed)

    @property
    def is_strict(self) -> bool:
        """Whether every rule has room."""
        return not (len(self.tied) or self.equal or self.lacking or np.isfinite(self.fixed).any())

    def halfway(self, other: StrictInterior) -> StrictInterior:
        """Return half of each: it has room wherever one of them has."""
        common = set(map(tuple, self.tied.tolist())) & set(map(tuple, other.tied.tolist()))
        return StrictInterior(
            values=(self.values + other.values) / 2,
            tied=np.array(sorted(common), dtype=np.int64).reshape(-1, 2),
            fixed=np.where(np.isfinite(other.fixed), self.fixed, np.nan),
            equal=self.equal & other.equal,
            lacking=self.lacking & other.lacking,
        )


def strict_interiors(
    quantity_rules: QuantityRules, ratios: Sequence[float], mask: Marks
) -> Iterator[StrictInterior]:
    """Yield mechanisms with room, the best first: where a delta is sought also one that needs none.

    Where there are choices, `mask` says which ratios are to be kept. A violated ratio stays so, and may not
    grow: a mechanism that keeps all would fill it. There is a ratio for each privacy.
    """
    rules, ratio = quantity_rules.rules, ratios[0]
    pure = rules.is_pure
    always = [
        RowFamily(RowKind.INEQUALITIES, *quantity_rules.inequalities),
        *limits_of(quantity_rules),
        *orders_of(quantity_rules),
        RowFamily(RowKind.LOSSES, *quantity_rules.bounds),
    ]
    if rules.choice is not None:
        own = choices_of(quantity_rules, ratio, mask)
        families = [*always, *own, *privacies_of(quantity_rules, ratios, 1)]
        yield from _roomy(quantity_rules, families, small=True)
        if not mask.all():
            second = _solve(quantity_rules, [*always, ratios_of(quantity_rules, min(ratios), mask | True)])
            yield from () if second is None else (second,)
        return
    even = _even(quantity_rules, ratio)
    if even is None:  # what keeps the ratios of the smallest epsilon keeps those of all others
        families = [*always, ratios_of(quantity_rules, ratio, mask | True)]
        kept = _roomy(quantity_rules, families, small=pure)
    else:
        kept = iter((even,))
    if pure:
        yield from kept
        return
    strict = next(kept, None)
    if strict is not None and strict.is_strict:
        yield strict
        return
    for loose in _roomy(quantity_rules, [*always, *privacies_of(quantity_rules, ratios, 0)], small=True):
        yield loose if strict is None or loose.has_small_room else strict.halfway(loose)
    if strict is not None:
        yield strict


def _roomy(
    quantity_rules: QuantityRules, families: list[RowFamily], *, small: bool
) -> Iterator[StrictInterior]:
    """Yield the values with the most room; first half of them, where a small limit leaves rules little.

    A quantity bounded by a delta or another small number has little room, and so has all that is tied to it:
    a millionth of the total is not worth its cost. Last come values with a `small` room: no multiple of it
    can be told from none.
    """
    limits = [family.limits for family in families] + [quantity_rules.sums.right.astype(float)]
    sizes = np.abs(np.concatenate(limits))
    unit = float(sizes[sizes > 0].min(initial=1.0))
    first = _solve(quantity_rules, families)
    if first is not None:
        for part in (1.0, _SMALL_PART) if unit < 1 and not first.is_strict else ():
            second = _solve(quantity_rules, families, unit=max(unit * part, _LEAST_UNIT))
            yield from () if second is None else (first.halfway(second),)
        yield first
    if small and (first is None or not first.is_strict):
        yield from _small_room(quantity_rules, families, first)


def _small_room(
    quantity_rules: QuantityRules, families: list[RowFamily], first: StrictInterior | None
) -> Iterator[StrictInterior]:
    """Yield values with a small room in all rules, or in those that leave one after the first values."""
    everywhere = _solve(quantity_rules, families, alike=True)
    if everywhere is not None:
        yield everywhere
    elif first is not None:
        most = [family._replace(has_room=_has_room(family, first)) for family in families]
        elsewhere = _solve(quantity_rules, most, alike=True)
        yield from () if elsewhere is None else (replace(elsewhere, tied=first.tied, fixed=first.fixed),)


def _has_room(family: RowFamily, interior: StrictInterior) -> Marks | bool:
    """Return a mask of the rows of a family that an interior does not turn into equations, ties or values."""
    match family.kind:
        case RowKind.INEQUALITIES:
            unequal: Marks = ~np.isin(np.arange(len(family.limits)), list(interior.equal))
            return unequal
        case RowKind.LEAST | RowKind.MOST:
            varies: Marks = ~np.isfinite(interior.fixed[family.matrix.indices])
            return varies
        case RowKind.ORDERS:
            return not len(interior.tied)
        case _:
            return family.has_room


def _even(quantity_rules: QuantityRules, ratio: float) -> StrictInterior | None:
    """Return the mechanism that ignores the truth, if it has room in every rule."""
    share = 1 / quantity_rules.rules.shape[0]
    values = np.full(quantity_rules.size, share)
    inside = (quantity_rules.least < share - _LITTLE).all() and (quantity_rules.most > share + _LITTLE).all()
    sums, right = quantity_rules.sums.doubles, quantity_rules.sums.right.astype(float)
    # In doubles 101 times 1/101 is not one; exact sums are made of whole numbers, behind the mixing.
    fits = inside and not len(quantity_rules.orders) and np.allclose(sums @ values, right, _LITTLE, _LITTLE)
    is_tight = any(  # on the border of a rule doubles may lie on either side
        (matrix @ values >= right - _LITTLE * (abs(matrix) @ values)).any()
        for matrix, right in (quantity_rules.inequalities, quantity_rules.bounds)
    )
    has_room = fits and not is_tight and ratio > 1
    return StrictInterior.at(quantity_rules, values) if has_room else None


def _solve(
    quantity_rules: QuantityRules, families: list[RowFamily], *, alike: bool = False, unit: float = 1.0
) -> StrictInterior | None:
    """Return the values with the most room, ``None`` where the program has no solution.

    A room of one is a `unit` of what rules without a limit compare. With `alike` all rules have the same room
    t, and s is one: that tells rooms apart which are very small.
    """
    size, width = quantity_rules.size, max(family.matrix.shape[1] for family in families)
    matrix = sparse.vstack([widen(family.matrix, width) for family in families], format="csr")
    limits = np.concatenate([family.limits for family in families])
    # A limit of a millionth is kept with room like any other.
    scale = 1 / np.where(limits == 0, unit, np.clip(np.abs(limits), 0.0, 1.0))
    most = np.concatenate([np.full(len(family.limits), family.has_room, dtype=float) for family in families])
    number, (fixed,) = len(limits), np.nonzero(quantity_rules.least == quantity_rules.most)
    if alike:  # what compares fixed values has the room that it has
        varies = np.ones(width)
        varies[fixed] = 0.0
        most *= abs(matrix) @ varies > 0
    rooms = sparse.csr_array(most[:, None]) if alike else sparse.eye_array(number, format="csr")
    free = rooms.shape[1]
    sums = sparse.vstack([quantity_rules.sums.doubles, pick(fixed, 1.0, size)], format="csr")
    right = np.concatenate([quantity_rules.sums.right.astype(float), quantity_rules.least[fixed]])
    rows = [
        [scale[:, None] * matrix, -(scale * limits)[:, None], rooms],
        [widen(sums, width), -right[:, None], sparse.csr_array((len(right), free))],
    ]
    largest = np.r_[np.full(width, np.inf), 1.0 if alike else np.inf, np.ones(1) if alike else most]
    model = unnamed_program(
        "strict-interior",
        np.concatenate([np.zeros(width), [_SMALL], np.full(free, -1.0)]),
        sparse.vstack([sparse.hstack(row) for row in rows], format="csr"),
        rows=(np.concatenate([np.full(number, -np.inf), np.zeros(len(right))]), 0.0),
        columns=(np.concatenate([np.zeros(width), [1.0], np.zeros(free)]), largest),
    )
    point = _point(model, to_more_digits=alike)
    if point is None or (alike and point[-1] < _LEAST_ROOM):
        return None
    room = np.where(most > 0, 1.0, 0.0) if alike else point[width + 1 :]
    interior = _read(quantity_rules, families, np.clip(point[:width], 0.0, None) / point[width], room)
    return replace(interior, has_small_room=alike)


def _point(model: LinearModel, *, to_more_digits: bool) -> Floats | None:
    """Return an optimum, to more digits than a solver's tolerance if need be; ``None`` if time is up."""
    if time_is_up():
        return None
    solution = Highs().solve(model, SolveOptions())
    if solution.values is None and solution.status is not Status.INFEASIBLE:
        solution = Highs().solve(model, SolveOptions(presolve=False))
    values = solution.values
    is_rough = values is not None and model.violation(values) > SolveOptions().feasibility_tolerance
    for _ in range(_REFINEMENTS if to_more_digits or is_rough else 0):
        solution = refine(model, solution, lambda step: Highs().solve(step, SolveOptions())) or solution
    return solution.values


def _read(
    quantity_rules: QuantityRules, families: list[RowFamily], values: Floats, room: Floats
) -> StrictInterior:
    fixed = np.where(quantity_rules.least == quantity_rules.most, quantity_rules.least, np.nan)
    tied, equal, end = quantity_rules.orders[:0], np.arange(0), 0
    lacking: set[RowKind] = set()
    for family in families:
        start, end = end, end + len(family.limits)
        has_none = room[start:end] < _HALF
        tight = has_none & family.has_room
        if family.kind is RowKind.INEQUALITIES:
            equal = np.flatnonzero(has_none)
        elif family.kind in {RowKind.LEAST, RowKind.MOST}:
            fixed[family.matrix.indices[tight]] = np.abs(family.limits[tight])
        elif family.kind is RowKind.ORDERS:
            tied = quantity_rules.orders[tight]
        elif family.kind is RowKind.PRIVACY and not family.limits.any():
            # Two zeros are as private as can be.
            alive = abs(family.matrix[tight]) @ values[: family.matrix.shape[1]] > 0
            lacking |= {RowKind.PRIVACY} if alive.any() else set()
        elif tight.any():
            lacking.add(family.kind)
    return StrictInterior(
        values=values[: quantity_rules.size],
        tied=tied,
        fixed=fixed,
        equal=frozenset(equal.tolist()),
        lacking=frozenset(lacking),
    )
