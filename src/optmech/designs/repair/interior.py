"""A mechanism with room in every rule that has any, on any grid, and which entries no mechanism tells apart.

Model
-----
    max   sum_i t_i - small s
    s.t.  c_i x[a_i] + t_i <= x[b_i]        rule i         privacy (c = 1/E), monotony (c = 1)
          sum_r x[r,f] = s                  total          for each truth f
          x, s >= 0,  0 <= t_i <= 1

All rules are those of a cone, so a rule that some mechanism keeps with room is kept with room 1 by a large
multiple of it, and by the sum of such multiples together with all others of its kind. A rule with t = 0 in
the optimum therefore holds with equality in every mechanism: its two entries are one. So are entries on a
circle of rules with c = 1, which is found first (fairness and symmetry are circles of two).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy
from scipy import sparse

from optmech.designs.repair.orders import orders

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.question.properties import Property
    from optmech.question.query import Query

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Marks = NDArray[np.bool_]

__all__ = ["Interior", "interior"]

# What a small total is worth beside room: of two optima the one with more room, relatively, is taken.
_SMALL = 1e-6
_HALF = 0.5
# Beyond this the program takes minutes.
_MOST_RULES = 30_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Interior:
    """A mechanism with room.

    Attributes
    ----------
    matrix : ndarray, shape (num_responses, num_truths)
        The same double in all entries of a group.
    group : ndarray of int, shape (num_responses, num_truths)
        Entries that are equal in every mechanism have one number; -1 where the response is never given.
    """

    matrix: Floats
    group: Integers


def interior(query: Query, ratio: float, properties: frozenset[Property], given: Marks) -> Interior | None:
    """Return a mechanism with room that gives the responses marked in `given`, or ``None`` if none is found.

    Parameters
    ----------
    query, properties
        As for `closure`.
    ratio : float
        ``e^epsilon``.
    given : ndarray of bool, shape (num_responses,)
    """
    shape = (query.num_responses, query.num_truths)
    inside = np.broadcast_to(given[:, None], shape).ravel()
    low, high = orders(query, properties)
    low, high = (ends[inside[low] & inside[high]] for ends in (low, high))
    links = sparse.coo_array((np.ones(len(low)), (low, high)), shape=(inside.size, inside.size))
    _, group = sparse.csgraph.connected_components(links, directed=True, connection="strong")
    place = np.arange(inside.size).reshape(shape)[given]
    beside = place[:, query.pairs[:, 0]].ravel(), place[:, query.pairs[:, 1]].ravel()
    if len(low) + len(beside[0]) > _MOST_RULES:
        return None
    ordered = _distinct(group, low, high)
    compared = _distinct(group, *beside)
    rules = np.concatenate([ordered, compared])
    shares = np.concatenate([np.ones(len(ordered)), np.full(len(compared), 1 / ratio)])
    total = _totals(group.reshape(shape), given)
    found = _with_room(rules, shares, total)
    if found is None:
        return None
    values, room = found
    tight = ordered[room[: len(ordered)] < _HALF]
    ties = sparse.coo_array((np.ones(len(tight)), (tight[:, 0], tight[:, 1])), shape=links.shape)
    _, joined = sparse.csgraph.connected_components(ties, directed=False)
    means = np.bincount(joined, values) / np.bincount(joined)  # equal but for the solver's tolerance
    entries = np.where(inside, means[joined[group]], 0.0)
    return Interior(matrix=entries.reshape(shape), group=np.where(inside, joined[group], -1).reshape(shape))


def _distinct(group: Integers, low: Integers, high: Integers) -> Integers:
    pairs = np.column_stack([group[low], group[high]])
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def _totals(group: Integers, given: Marks) -> sparse.csr_array:
    """Return how often each group stands in each column."""
    number, truths = int(given.sum()), group.shape[1]
    columns = np.tile(np.arange(truths), number)
    ones = np.ones(number * truths)
    return sparse.csr_array((ones, (columns, group[given].ravel())), shape=(truths, group.size))


def _with_room(rules: Integers, shares: Floats, total: sparse.csr_array) -> tuple[Floats, Floats] | None:
    """Return values of the groups and the room of each rule, from zero to one."""
    number, size = len(rules), total.shape[1]
    where = np.arange(number)
    rows = sparse.hstack(
        [
            sparse.csr_array((shares, (where, rules[:, 0])), shape=(number, size))
            - sparse.csr_array((np.ones(number), (where, rules[:, 1])), shape=(number, size)),
            sparse.csr_array((number, 1)),
            sparse.eye_array(number),
        ],
        format="csr",
    )
    sums = sparse.hstack(
        [total, np.full((total.shape[0], 1), -1.0), sparse.csr_array((total.shape[0], number))], format="csr"
    )
    answer = scipy.optimize.linprog(  # loaded when it is first used
        np.concatenate([np.zeros(size), [_SMALL], np.full(number, -1.0)]),
        A_ub=rows if number else None,
        b_ub=np.zeros(number) if number else None,
        A_eq=sums,
        b_eq=np.zeros(total.shape[0]),
        bounds=[(0, None)] * size + [(1, None)] + [(0, 1)] * number,
    )
    if answer.x is None or not answer.x[size] > 0:
        return None
    return np.clip(answer.x[:size], 0.0, None) / answer.x[size], answer.x[size + 1 :]
