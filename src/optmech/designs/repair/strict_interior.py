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

Where privacy allows a delta, each ratio is first to be kept altogether, as by pure privacy: then mixing with
the mechanism takes from every excess. Where no mechanism does that, the rules are taken as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.models.linear_model import unnamed_program
from optmech.models.solution import Status
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.options import SolveOptions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.repair.quantity_rules import QuantityRules

# What a small total is worth beside room: of two optima the one with more room, relatively, is taken.
_SMALL = 1e-6
_HALF = 0.5
# The share of a small limit that may be left to what ratios hold far below it; less than the least is none.
_SMALL_PART, _LEAST_UNIT = 1e-4, 1e-13
# Less room than this, relatively, may be the rounding of doubles.
_LITTLE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StrictInterior:
    """A mechanism that keeps with room every rule that has any."""

    values: Floats  # of each quantity
    tied: Integers  # orders without room, shape (number, 2): the two are equal in every mechanism
    fixed: Floats  # the only value that a quantity can have, NaN where there are several
    equal: frozenset[int] = frozenset()  # inequalities without room: equations in every mechanism
    lacking: frozenset[str] = frozenset()  # other rules that no mechanism keeps with room

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


class _Family(NamedTuple):
    """Rules ``matrix x <= limits``, what they are called, and whether they should have room."""

    name: str
    matrix: sparse.csr_array
    limits: Floats
    has_room: Marks | bool = True


def strict_interiors(
    quantity_rules: QuantityRules, ratios: Sequence[float], mask: Marks
) -> Iterator[StrictInterior]:
    """Yield mechanisms with room, the best first: where a delta is sought also one that needs none.

    Of choices `mask` says which ratios are to be kept. What is violated stays so, and may not grow: a
    mechanism that keeps all would fill it. There is a ratio for each privacy.
    """
    rules, ratio = quantity_rules.rules, ratios[0]
    inequalities = _Family("inequalities", *quantity_rules.inequalities)
    always = [
        inequalities,
        *_limits(quantity_rules),
        *_orders(quantity_rules),
        _Family("bounds on losses", *quantity_rules.bounds),
    ]
    if rules.choice is not None:
        own = _choice_family(quantity_rules, ratio, mask)
        families = [*always, *own, *_privacies(quantity_rules, ratios, 1)]
        for first in _roomy(quantity_rules, families):
            if first.lacking:  # a room so small that no multiple of it can be told from none
                unequal = ~np.isin(np.arange(len(inequalities.limits)), list(first.equal))
                again = [inequalities._replace(has_room=unequal), *families[1:]]
                yield _solve(quantity_rules, again, alike=True) or first
            else:
                yield first
        if not mask.all():
            second = _solve(quantity_rules, [*always, _ratios(quantity_rules, min(ratios), mask | True)])
            yield from () if second is None else (second,)
        return
    even = _even(quantity_rules, ratio)
    if even is None:  # what keeps the ratios of the smallest epsilon keeps those of all others
        kept = _roomy(quantity_rules, [*always, _ratios(quantity_rules, ratio, mask | True)])
    else:
        kept = iter((even,))
    if rules.is_pure:
        yield from kept
        return
    strict = next(kept, None)
    if strict is not None and strict.is_strict:
        yield strict
        return
    for loose in _roomy(quantity_rules, [*always, *_privacies(quantity_rules, ratios, 0)]):
        yield loose if strict is None else strict.halfway(loose)
    if strict is not None:
        yield strict


def _roomy(quantity_rules: QuantityRules, families: list[_Family]) -> Iterator[StrictInterior]:
    """Yield the values with the most room; first half of them, where a small limit leaves rules little.

    What is at most a delta or another small number has little room, and so has all that is tied to it: a
    millionth of the total is not worth its cost.
    """
    limits = [family.limits for family in families] + [quantity_rules.sums.right.astype(float)]
    sizes = np.abs(np.concatenate(limits))
    unit = float(sizes[sizes > 0].min(initial=1.0))
    first = _solve(quantity_rules, families)
    if first is None:
        return
    for part in (1.0, _SMALL_PART) if unit < 1 and not first.is_strict else ():
        second = _solve(quantity_rules, families, unit=max(unit * part, _LEAST_UNIT))
        yield from () if second is None else (first.halfway(second),)
    yield first


def _privacies(quantity_rules: QuantityRules, ratios: Sequence[float], first: int) -> Iterator[_Family]:
    """Yield what the privacies from `first` on ask; none of them leaves a choice."""
    start = quantity_rules.size
    for own, ratio in zip(quantity_rules.each_privacy[first:], ratios[first:], strict=True):
        if own.rules.is_pure:
            yield _ratios(own, ratio, np.ones(own.comparisons[0].shape, dtype=bool))
        else:
            families = list(_spending(own, ratio, start))
            start = max((start, *(family.matrix.shape[1] for family in families)))
            yield from families


def _even(quantity_rules: QuantityRules, ratio: float) -> StrictInterior | None:
    """Return the mechanism that says nothing, where it has room in everything."""
    share = 1 / quantity_rules.rules.shape[0]
    values = np.full(quantity_rules.size, share)
    inside = (quantity_rules.least < share - _LITTLE).all() and (quantity_rules.most > share + _LITTLE).all()
    sums, right = quantity_rules.sums.doubles, quantity_rules.sums.right.astype(float)
    fits = inside and not len(quantity_rules.orders) and (sums @ values == right).all()
    is_tight = any(  # on the border of a rule doubles may lie on either side
        (matrix @ values >= right - _LITTLE * (abs(matrix) @ values)).any()
        for matrix, right in (quantity_rules.inequalities, quantity_rules.bounds)
    )
    has_room = fits and not is_tight and ratio > 1
    return StrictInterior.at(quantity_rules, values) if has_room else None


def _pick(places: Integers, weights: Floats | Integers | float, size: int) -> sparse.csr_array:
    """Return a row for each place, with its weight there."""
    number = len(places)
    data = np.broadcast_to(np.asarray(weights, float), (number,))
    return sparse.csr_array((data, (np.arange(number), places)), shape=(number, size))


def _limits(quantity_rules: QuantityRules) -> Iterator[_Family]:
    least, most, size = quantity_rules.least, quantity_rules.most, quantity_rules.size
    low, high = np.flatnonzero(least < most), np.flatnonzero((least < most) & (most < 1))
    yield _Family(name="least", matrix=_pick(low, -1.0, size), limits=-least[low])
    yield _Family(name="most", matrix=_pick(high, 1.0, size), limits=most[high])


def _orders(quantity_rules: QuantityRules) -> Iterator[_Family]:
    low, high = quantity_rules.orders.T
    matrix = _pick(low, 1.0, quantity_rules.size) - _pick(high, 1.0, quantity_rules.size)
    yield _Family(name="orders", matrix=matrix, limits=np.zeros(len(low)))


def _ratios(quantity_rules: QuantityRules, ratio: float, mask: Marks, sign: float = 1.0) -> _Family:
    """Return that some ratios are kept, or by a sign of -1 that they are not."""
    left, right, weights = quantity_rules.comparisons
    times = np.broadcast_to(weights[:, None], mask.shape)[mask]
    triples = np.column_stack([left[mask], right[mask], times])
    left, right, times = np.unique(triples[triples[:, 0] != triples[:, 1]], axis=0).T
    size = quantity_rules.size
    matrix = _pick(left, ratio ** -times.astype(float), size) - _pick(right, 1.0, size)
    return _Family(name="privacy", matrix=sign * matrix, limits=np.zeros(len(left)))


def _choice_family(quantity_rules: QuantityRules, ratio: float, mask: Marks) -> Iterator[_Family]:
    """Yield that what is kept stays so, and that the mass of what is violated is paid for."""
    yield _ratios(quantity_rules, ratio, mask)
    choice, (left, _, _) = quantity_rules.rules.choice, quantity_rules.comparisons
    pair, paid_entries = np.nonzero(~mask)[0], left[~mask]
    if choice is not None and choice.shared:  # one decision about all ratios of a mass, which is paid once
        yield _ratios(quantity_rules, ratio, ~mask, sign=-1.0)
        paid_entries = np.unique(paid_entries)
        pair = 0 * paid_entries
    if choice is not None and choice.delta is not None:
        shape = (len(mask), quantity_rules.size)
        masses = sparse.csr_array((np.ones(len(paid_entries)), (pair, paid_entries)), shape=shape)
        yield _Family(name="privacy", matrix=masses, limits=np.full(len(mask), float(choice.delta)))


def _spending(quantity_rules: QuantityRules, ratio: float, start: int) -> Iterator[_Family]:
    """Yield what ratios may exceed; for sums with a column for each excess from `start` on."""
    rules, (left, right, weights) = quantity_rules.rules, quantity_rules.comparisons
    if rules.delta is None:
        return
    (pairs, num_compared), number, delta = left.shape, left.size, float(rules.delta)
    times = np.repeat(weights, num_compared).astype(float)
    size = quantity_rules.size
    over = _pick(left.ravel(), 1.0, size) - _pick(right.ravel(), ratio**times, size)
    if not rules.has_budgets:
        yield _Family(name="privacy", matrix=over, limits=np.full(number, delta))
        return
    excess = sparse.hstack([_widen(over, start), -sparse.eye_array(number)], format="csr")
    place = start + np.arange(number)
    entries_of_sums = (np.ones(number), (np.repeat(np.arange(pairs), num_compared), place))
    sums = sparse.csr_array(entries_of_sums, shape=(pairs, excess.shape[1]))
    yield _Family(name="excess", matrix=excess, limits=np.zeros(number), has_room=False)
    yield _Family(name="privacy", matrix=sums, limits=np.full(pairs, delta))


def _solve(
    quantity_rules: QuantityRules, families: list[_Family], *, alike: bool = False, unit: float = 1.0
) -> StrictInterior | None:
    """Return the values with the most room, ``None`` where the program has no solution.

    A room of one is a `unit` of what rules without a limit compare. With `alike` all rules have the same room
    t, and s is one: that tells rooms apart which are very small.
    """
    size, width = quantity_rules.size, max(family.matrix.shape[1] for family in families)
    matrix = sparse.vstack([_widen(family.matrix, width) for family in families], format="csr")
    limits = np.concatenate([family.limits for family in families])
    # A limit of a millionth is kept with room like any other.
    scale = 1 / np.where(limits == 0, unit, np.clip(np.abs(limits), 0.0, 1.0))
    most = np.concatenate([np.full(len(family.limits), family.has_room, dtype=float) for family in families])
    number, (fixed,) = len(limits), np.nonzero(quantity_rules.least == quantity_rules.most)
    rooms = sparse.csr_array(most[:, None]) if alike else sparse.eye_array(number, format="csr")
    free = rooms.shape[1]
    sums = sparse.vstack([quantity_rules.sums.doubles, _pick(fixed, 1.0, size)], format="csr")
    right = np.concatenate([quantity_rules.sums.right.astype(float), quantity_rules.least[fixed]])
    rows = [
        [scale[:, None] * matrix, -(scale * limits)[:, None], rooms],
        [_widen(sums, width), -right[:, None], sparse.csr_array((len(right), free))],
    ]
    largest = np.r_[np.full(width, np.inf), 1.0 if alike else np.inf, np.ones(1) if alike else most]
    model = unnamed_program(
        "strict-interior",
        np.concatenate([np.zeros(width), [_SMALL], np.full(free, -1.0)]),
        sparse.vstack([sparse.hstack(row) for row in rows], format="csr"),
        rows=(np.concatenate([np.full(number, -np.inf), np.zeros(len(right))]), 0.0),
        columns=(np.concatenate([np.zeros(width), [1.0], np.zeros(free)]), largest),
    )
    solution = Highs().solve(model, SolveOptions())
    if solution.values is None and solution.status is not Status.INFEASIBLE:
        solution = Highs().solve(model, SolveOptions(presolve=False))
    point = solution.values
    if point is None:
        return None
    room = np.full(number, float(point[-1] > 0)) if alike else point[width + 1 :]
    return _read(quantity_rules, families, np.clip(point[:width], 0.0, None) / point[width], room)


def _widen(matrix: sparse.csr_array, width: int) -> sparse.csr_array:
    """Return the matrix with columns of zeros at its end."""
    return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _read(
    quantity_rules: QuantityRules, families: list[_Family], values: Floats, room: Floats
) -> StrictInterior:
    fixed = np.where(quantity_rules.least == quantity_rules.most, quantity_rules.least, np.nan)
    tied, equal, lacking, end = quantity_rules.orders[:0], np.arange(0), set(), 0
    for family in families:
        start, end = end, end + len(family.limits)
        has_none = room[start:end] < _HALF
        tight = has_none & family.has_room
        if family.name == "inequalities":
            equal = np.flatnonzero(has_none)
        elif family.name in {"least", "most"}:
            fixed[family.matrix.indices[tight]] = np.abs(family.limits[tight])
        elif family.name == "orders":
            tied = quantity_rules.orders[tight]
        elif family.name == "privacy" and not family.limits.any():
            # Two zeros are as private as can be.
            alive = abs(family.matrix[tight]) @ values[: family.matrix.shape[1]] > 0
            lacking |= {family.name} if alive.any() else set()
        elif tight.any():
            lacking.add(family.name)
    return StrictInterior(
        values=values[: quantity_rules.size],
        tied=tied,
        fixed=fixed,
        equal=frozenset(equal.tolist()),
        lacking=frozenset(lacking),
    )
