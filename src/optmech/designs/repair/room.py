"""A mechanism with room in every rule that has any, of any question; and which rules have none.

Model
-----
    max   sum t - small s
    s.t.  a_i x - b_i s + t_i <= 0        rule i: orders, privacy, bounded losses, limits
          sums x = rights s
          x, s >= 0,  0 <= t <= 1

As in `interior` the rules are those of a cone, so that a rule which some mechanism keeps with room has t = 1,
and one with t = 0 holds with equality in every mechanism.

Where privacy allows a delta, each ratio is first asked to be kept altogether, as by pure privacy: then mixing
with the mechanism takes from every excess. Where no mechanism does that, its true rules are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.designs.repair.linear_rules import LinearRules
    from optmech.question.problem import Problem

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Marks = NDArray[np.bool_]

__all__ = ["Room", "rooms"]

# What a small total is worth beside room: of two optima the one with more room, relatively, is taken.
_SMALL = 1e-6
_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Room:
    """A mechanism with room.

    Attributes
    ----------
    values : ndarray, shape (num_quantities,)
        Of each quantity.
    tied : ndarray of int, shape (number, 2)
        Orders without room: the two are equal in every mechanism.
    fixed : ndarray of float, shape (num_quantities,)
        The only value that a quantity can have, NaN where there are several.
    lacking : tuple of str
        Other rules that no mechanism keeps with room.
    """

    values: Floats
    tied: Integers
    fixed: Floats
    lacking: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Family:
    """Rules ``matrix x <= limits``, what they are called, and whether they should have room."""

    name: str
    matrix: sparse.csr_array
    limits: Floats
    has_room: bool = True


def rooms(problem: Problem, rules: LinearRules, ratio: float, kept: Marks) -> list[Room]:
    """Return mechanisms with room, the best first: where a delta is sought also one that needs none.

    Parameters
    ----------
    problem : Problem
        The question.
    rules : LinearRules
        Its rules.
    ratio : float
        ``e^epsilon``, or a little less.
    kept : ndarray of bool, shape of `rules.left`
        Under probabilistic privacy: which ratios are to be kept.
    """
    even = None if problem.privacy.has_choices else _even(problem, rules, ratio)
    if even is not None:
        return [even]
    always = [*_limits(rules), *_orders(rules), *_losses(rules)]
    every = np.ones(rules.left.shape, dtype=bool)
    strict = _solved(rules, [*always, _ratios(rules, ratio, every)])
    delta = getattr(problem.privacy, "delta", None)
    if problem.privacy.has_choices:  # what is violated stays so and may not grow: a private one would fill it
        always.append(_ratios(rules, ratio, kept))
        if delta is not None:
            always.append(_masses(rules, ~kept, float(delta)))
        return [each for each in (_solved(rules, always), strict) if each is not None]
    if problem.privacy.is_pure or (strict is not None and not _lacks(strict)):
        return [] if strict is None else [strict]
    if delta is not None:
        if problem.privacy.sums_excess:
            always += _budgets(rules, ratio, float(delta))
        else:
            always.append(_excesses(rules, ratio, float(delta)))
    loose = _solved(rules, always)
    found = [_both(strict, loose), strict if delta is None else None]
    return [each for each in found if each is not None]


def _even(problem: Problem, rules: LinearRules, ratio: float) -> Room | None:
    """Return the mechanism that says nothing, where it has room in everything."""
    number = problem.query.num_responses
    values = np.full(len(rules.found.least), 1 / number)
    limited = len(rules.orders) or (rules.found.least != 0).any() or (rules.found.most != 1).any()
    fits = (rules.sums.astype(float) @ values == rules.rights.astype(float)).all()
    if limited or not fits or (rules.losses @ values >= rules.at_most).any() or ratio <= 1:
        return None
    return Room(
        values=values,
        tied=rules.orders,
        fixed=np.full(len(values), np.nan),
        lacking=(),
    )


def _lacks(found: Room) -> bool:
    return bool(len(found.tied) or len(found.lacking) or np.isfinite(found.fixed).any())


def _both(one: Room | None, other: Room | None) -> Room | None:
    """Return half of each: it has room wherever one of them has."""
    if one is None or other is None:
        return one or other
    tied = set(map(tuple, one.tied.tolist())) & set(map(tuple, other.tied.tolist()))
    return Room(
        values=(one.values + other.values) / 2,
        tied=np.array(sorted(tied), dtype=np.int64).reshape(-1, 2),
        fixed=np.where(np.isfinite(other.fixed), one.fixed, np.nan),
        lacking=tuple(sorted(set(one.lacking) & set(other.lacking))),
    )


def _pick(places: Integers, weights: NDArray[Any] | float, size: int) -> sparse.csr_array:
    """Return a row for each place, with its weight there."""
    number = len(places)
    data = np.broadcast_to(np.asarray(weights, float), (number,))
    return sparse.csr_array((data, (np.arange(number), places)), shape=(number, size))


def _limits(rules: LinearRules) -> list[_Family]:
    least, most = rules.found.least.astype(float), rules.found.most.astype(float)
    size, open_ = len(least), least < most
    low, high = np.flatnonzero(open_), np.flatnonzero(open_ & (most < 1))
    return [
        _Family(name="least", matrix=_pick(low, -1.0, size), limits=-least[low]),
        _Family(name="most", matrix=_pick(high, 1.0, size), limits=most[high]),
    ]


def _orders(rules: LinearRules) -> list[_Family]:
    size, (low, high) = len(rules.found.least), rules.orders.T
    matrix = _pick(low, 1.0, size) - _pick(high, 1.0, size)
    return [_Family(name="orders", matrix=matrix, limits=np.zeros(len(low)))]


def _losses(rules: LinearRules) -> list[_Family]:
    return [_Family(name="bounds on losses", matrix=sparse.csr_array(rules.losses), limits=rules.at_most)]


def _ratios(rules: LinearRules, ratio: float, kept: Marks) -> _Family:
    weights = np.broadcast_to(rules.weights[:, None], kept.shape)[kept]
    listed = np.column_stack([rules.left[kept], rules.right[kept], weights])
    left, right, times = np.unique(listed[listed[:, 0] != listed[:, 1]], axis=0).T
    size = len(rules.found.least)
    matrix = _pick(left, ratio ** -times.astype(float), size) - _pick(right, 1.0, size)
    return _Family(name="privacy", matrix=matrix, limits=np.zeros(len(left)))


def _excesses(rules: LinearRules, ratio: float, delta: float) -> _Family:
    size, times = len(rules.found.least), np.repeat(rules.weights, rules.left.shape[1])
    matrix = _pick(rules.left.ravel(), 1.0, size) - _pick(rules.right.ravel(), ratio**times, size)
    return _Family(name="privacy", matrix=matrix, limits=np.full(rules.left.size, delta))


def _masses(rules: LinearRules, violated: Marks, delta: float) -> _Family:
    pair, _ = np.nonzero(violated)
    ones = np.ones(len(pair))
    shape = (len(violated), len(rules.found.least))
    matrix = sparse.csr_array((ones, (pair, rules.left[violated])), shape=shape)
    return _Family(name="privacy", matrix=matrix, limits=np.full(len(violated), delta))


def _budgets(rules: LinearRules, ratio: float, delta: float) -> list[_Family]:
    """Return the rules of approximate privacy, with a column for each excess after those of quantities."""
    number, (pairs, compared) = rules.left.size, rules.left.shape
    over = sparse.hstack([_excesses(rules, ratio, 0.0).matrix, -sparse.eye_array(number)], format="csr")
    pair = np.repeat(np.arange(pairs), compared)
    place = len(rules.found.least) + np.arange(number)
    summed = sparse.csr_array((np.ones(number), (pair, place)), shape=(pairs, over.shape[1]))
    return [
        _Family(name="excess", matrix=over, limits=np.zeros(number), has_room=False),
        _Family(name="privacy", matrix=summed, limits=np.full(pairs, delta)),
    ]


def _solved(rules: LinearRules, families: list[_Family]) -> Room | None:
    """Return the values with the most room."""
    size = len(rules.found.least)
    width = max(family.matrix.shape[1] for family in families)
    matrix = sparse.vstack([_widened(family.matrix, width) for family in families], format="csr")
    limits = np.concatenate([family.limits for family in families])
    most = np.concatenate([np.full(len(family.limits), float(family.has_room)) for family in families])
    number = len(limits)
    fixed = np.flatnonzero(rules.found.least == rules.found.most)
    known = sparse.vstack([sparse.csr_array(rules.sums.astype(float)), _pick(fixed, 1.0, size)], format="csr")
    rights = np.concatenate([rules.rights, rules.found.least[fixed]]).astype(float)
    answer = scipy.optimize.linprog(  # loaded when it is first used
        np.concatenate([np.zeros(width), [_SMALL], np.full(number, -1.0)]),
        A_ub=sparse.hstack([matrix, -limits[:, None], sparse.eye_array(number)], format="csr"),
        b_ub=np.zeros(number),
        A_eq=_widened(
            sparse.hstack([_widened(known, width), -rights[:, None]], format="csr"), width + 1 + number
        ),
        b_eq=np.zeros(len(rights)),
        bounds=[(0, None)] * width + [(1, None)] + [(0, end) for end in most],
    )
    if answer.x is None or not answer.x[width] > 0:
        return None
    values, left = np.clip(answer.x[:width], 0.0, None) / answer.x[width], answer.x[width + 1 :]
    return _read(rules, families, values, left)


def _widened(matrix: sparse.csr_array, width: int) -> sparse.csr_array:
    """Return the matrix with columns of zeros at its end."""
    return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))


def _read(rules: LinearRules, families: list[_Family], values: Floats, left: Floats) -> Room:
    fixed = rules.found.least.astype(float)
    fixed[rules.found.least != rules.found.most] = np.nan
    tied, lacking, end = rules.orders[:0], set(), 0
    for family in families:
        start, end = end, end + len(family.limits)
        tight = (left[start:end] < _HALF) & family.has_room
        if family.name in {"least", "most"}:
            fixed[family.matrix.indices[tight]] = np.abs(family.limits[tight])
        elif family.name == "orders":
            tied = rules.orders[tight]
        elif not family.limits.any() and family.name == "privacy":
            # Two zeros are as private as can be.
            alive = abs(family.matrix[tight]) @ values[: family.matrix.shape[1]] > 0
            lacking |= {family.name} if alive.any() else set()
        elif tight.any():
            lacking.add(family.name)
    return Room(
        values=values[: len(rules.found.least)], tied=tied, fixed=fixed, lacking=tuple(sorted(lacking))
    )
