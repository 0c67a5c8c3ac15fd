"""Round a solver's matrix to an exactly private one: large matrices of any form, pure privacy.

1. *Envelope*: the least matrix above the solver's that keeps all ratios and properties. A zero beside a
   positive entry is raised; nothing below `FLOOR` is kept apart, so that a few more bits than a double hold
   everything. Its columns sum to 1 + d_f, with d_f about the solver's tolerance.
2. *Balance*: sums of one by scaling what tight rules hold together, where the solver's answer allows it.
3. *Dividing* each column by its sum, where nothing but ratios is to be kept.
4. *Mixing*: all is scaled down to make room for a share t of an interior mechanism, which keeps every rule
   with something to spare, and for what each column then lacks.

Sums of matrices that keep the rules keep them, so t need only be so large that there is room for the d_f: the
repair costs about (largest d_f) / (room), relatively.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from optmech.base.slices import row_slices
from optmech.base.time_left import time_is_up
from optmech.designs.repair.groups import Groups
from optmech.designs.repair.quantity_rules import QuantityRules
from optmech.designs.repair.rounding import BITS, FLOOR, GUARD, MARGIN, guarded_ratio, rounded_down, shares
from optmech.designs.repair.strict_interior import StrictInterior
from optmech.designs.repair.sums import balance
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.violation import violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.proofs.enclosure import Enclosure
    from optmech.rules import Rules

# A response with smaller probabilities at every truth is dropped.
_NEVER = 1e-11
# Sums that differ by a smaller share are mended by dividing: half of the room that ratios leave.
_ALIKE = MARGIN / 2


def pure_matrices(rules: Rules, raw: Floats, factor: Enclosure) -> Iterator[tuple[float, ExactMatrix]]:
    """Yield matrices that break nothing, each with the share of an interior mechanism that it took.

    The rules are without a structure, under pure privacy; the solver's probabilities may be any.
    """
    ratio = guarded_ratio(factor)
    sound = np.clip(np.nan_to_num(raw, nan=0.0, posinf=0.0, neginf=0.0), 0.0, 1.0)
    # With properties every response has a positive probability: a column is completed at fixed entries.
    is_given = (sound.max(axis=1) > _NEVER) | bool(rules.demands)
    if not is_given.any():
        return
    entries = envelope(np.where(is_given[:, None], np.maximum(sound, FLOOR), 0.0), rules, ratio)
    if rules.demands or not _are_alike(entries.sum(axis=0), rules):
        entries = with_sums_of_one(entries, rules, ratio)
    columns = entries.sum(axis=0)
    if not columns.min() > 0:
        return
    quotient = None if rules.demands else _divide(entries)
    if quotient is not None and violation(rules, quotient, factor) is None:
        yield 0.0, quotient
    quantity_rules = QuantityRules.of(rules)
    values, inside = quantity_rules.means(entries), quantity_rules.means(_interior(rules, ratio, is_given))
    takers = quantity_rules.means(_takers(rules)) if rules.demands else values
    groups = Groups.of(quantity_rules, StrictInterior.at(quantity_rules, inside), takers)
    for share in shares(float(1 - columns.min() / columns.max())):
        if time_is_up():
            return
        matrix = groups.complete((1 - share - GUARD) / columns.max() * values + share * inside)
        if matrix is not None and violation(rules, matrix, factor) is None:
            yield share, matrix


def envelope(matrix: Floats, rules: Rules, ratio: float) -> Floats:
    """Return the least matrix above `matrix`, which is not negative, that keeps ratios, orders and ties.

    All these rules, Croft et al. 2020 (4), (10)-(15), have the form ``M[a] >= c M[b]`` with c at most one:
    privacy with ``c = 1/E``, properties with ``c = 1``. So raising entries until nothing changes ends, and
    gives the least such matrix. ``E`` is `ratio`, ``e^epsilon`` or a little less, in floating point.
    """
    entries = np.array(matrix, order="F")  # most is done by columns
    steps = (_raise_ratios(rules, ratio), *rules.envelopes)
    for _ in range(2 * sum(matrix.shape)):
        before = entries.copy()
        for step in steps:
            step(entries)
        if np.array_equal(before, entries):
            break
    return np.ascontiguousarray(entries)


def _raise_ratios(rules: Rules, ratio: float) -> Callable[[Floats], None]:
    pairs, weights = rules.pairs, rules.weights
    if rules.is_even:
        return lambda matrix: np.copyto(matrix, np.maximum(matrix, matrix.max(axis=1, keepdims=True) / ratio))
    reach = int(np.abs(pairs[:, 0] - pairs[:, 1]).max(initial=1))
    if rules.heaviest == 1 and len(pairs) == reach * (2 * rules.shape[1] - reach - 1):  # all within reach
        return lambda matrix: _raise_within(matrix, reach, ratio)
    # Within a group of one step no column appears twice on a side.
    marks = np.column_stack([pairs[:, 1] - pairs[:, 0], weights])
    kinds, kind = np.unique(marks, axis=0, return_inverse=True)
    groups = [(*pairs[kind.ravel() == k].T, ratio ** float(kinds[k, 1])) for k in range(len(kinds))]

    def along(matrix: Floats) -> None:
        for truths, neighbours, factor in groups:
            matrix[:, neighbours] = np.maximum(matrix[:, neighbours], matrix[:, truths] / factor)

    return along


def _raise_within(matrix: Floats, reach: int, ratio: float) -> None:
    """Raise for neighbours within a reach: all goes straight up or down, so that one pass each way is all."""
    for columns in (matrix, matrix[:, ::-1]):
        for f in range(columns.shape[1] - 1):
            beyond = columns[:, f + 1 : f + 1 + reach]
            np.maximum(beyond, columns[:, f, None] / ratio, out=beyond)


def with_sums_of_one(matrix: Floats, rules: Rules, ratio: float) -> Floats:
    """Return a matrix that keeps its rules and whose columns sum to one, or to what they did before."""
    truths = np.tile(np.arange(rules.shape[1]), rules.shape[0])
    sums = sparse.csr_array((np.ones(matrix.size), (truths, np.arange(matrix.size))))
    tight = partial(_tight, rules, ratio)
    return balance(matrix.ravel(), sums, np.ones(rules.shape[1]), tight).reshape(matrix.shape)


def _are_alike(sums: Floats, rules: Rules) -> bool:
    """Whether neighbouring sums differ by less than ratios leave room for, so that dividing will do."""
    truths, neighbours = rules.pairs.T
    return bool((np.abs(sums[truths] - sums[neighbours]) <= _ALIKE * sums[neighbours]).all())


def _divide(entries: Floats) -> ExactMatrix:
    """Return each column over its own sum, in whole numbers: sums of doubles are not exact enough."""
    whole = rounded_down(entries)
    sums = whole.sum(axis=0)
    for rows in row_slices(whole.shape):
        whole[rows] = whole[rows] * 2**BITS // sums
    whole[entries.argmax(axis=0), np.arange(len(sums))] += 2**BITS - whole.sum(axis=0)
    return ExactMatrix(numerators=whole, denominator=2**BITS)


def _interior(rules: Rules, ratio: float, is_given: Marks) -> Floats:
    """Return a mechanism with room in ratios, and in the demands of properties at the entries of `_takers`.

    On a grid that is its own answer the k-th nearest response is less likely than the truth by a factor
    ``decay**k``, two at one distance sharing alike. Each column holds the same numbers, and along a row k
    changes by at most two from truth to truth, so that with ``decay**4 = 1 / ratio`` half of each ratio is
    left. On other grids all responses are alike, or where the truth is always as likely, it is a little
    likelier than all the rest.
    """
    number, truths = rules.shape
    matrix = np.repeat(1.0 * is_given[:, None], truths, axis=1)
    if rules.demands and np.array_equal(rules.home, np.arange(number)):
        reach = int(np.abs(rules.pairs[:, 0] - rules.pairs[:, 1]).max(initial=1))
        decay = ratio ** (-0.25 / reach)
        position = np.arange(number)
        distance = np.abs(position[:, None] - position[None, :])
        edge = np.minimum(position, number - 1 - position)[None, :]
        pair = (decay ** np.maximum(2 * distance - 1, 0) + decay ** (2 * distance)) / 2
        matrix = np.where(distance <= edge, pair, decay ** (distance + edge))
    elif (rules.home >= 0).all():
        own = rules.quantities.names[rules.home, np.arange(truths)]
        if (own == own[0]).all():  # else symmetry may forbid it
            matrix[rules.home, np.arange(truths)] += min((ratio - 1) / 2, 1.0)
    quotient: Floats = matrix / matrix.sum(axis=0).max()  # one number, which keeps equal entries equal
    return quotient


def _takers(rules: Rules) -> Floats:
    """Return the ranks of entries that may complete their column: the truth's, then those beside it."""
    distance = np.abs(np.arange(rules.shape[0])[:, None] - rules.home[None, :])
    return np.where(rules.home < 0, 0.0, np.select([distance == 0, distance == 1], [0.5, 0.25]))


def _tight(rules: Rules, ratio: float, values: Floats, room: float) -> tuple[Integers, Integers]:
    """Return entries, row by row, that ties or rules with little room hold together."""
    index = np.arange(values.size).reshape(rules.shape)
    if rules.is_even:  # the largest and the least of a row stand for all
        rows, matrix = np.arange(rules.shape[0]), values.reshape(rules.shape)
        most, least = index[rows, matrix.argmax(axis=1)], index[rows, matrix.argmin(axis=1)]
        each = index.ravel()
        high = np.concatenate([np.repeat(most, rules.shape[1]), each])
        low = np.concatenate([each, np.repeat(least, rules.shape[1])])
        factors = np.full(len(high), ratio)
    else:
        high, low = (index[:, rules.pairs[:, side]].ravel() for side in (0, 1))
        factors = np.tile(ratio ** rules.weights.astype(float), rules.shape[0])
    for order in rules.orders:
        high, low = np.concatenate([high, order.low]), np.concatenate([low, order.high])
        factors = np.concatenate([factors, np.ones(len(order.low))])
    near = values[high] >= factors * (1 - room) * values[low]
    _, first, name = np.unique(rules.quantities.names, return_index=True, return_inverse=True)
    one, other = [high[near], index.ravel()], [low[near], first[name.ravel()]]
    return np.concatenate(one), np.concatenate(other)
