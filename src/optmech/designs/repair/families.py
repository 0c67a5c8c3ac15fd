"""The demands of a question on its quantities as families of rows ``matrix x <= limits``, in doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from optmech.base.arguments import Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.repair.quantity_rules import QuantityRules


class RowKind(Word):
    """The rules that a family of rows states, as an error calls them."""

    INEQUALITIES = "inequalities"
    LEAST = "least"
    MOST = "most"
    ORDERS = "orders"
    LOSSES = "bounds on losses"
    PRIVACY = "privacy"
    EXCESS = "excess"


class RowFamily(NamedTuple):
    """Rules ``matrix x <= limits``, their kind, and whether they should have room."""

    kind: RowKind
    matrix: sparse.csr_array
    limits: Floats
    has_room: Marks | bool = True


def limits_of(quantity_rules: QuantityRules) -> Iterator[RowFamily]:
    """Yield the least and the largest value of quantities that have several."""
    least, most, size = quantity_rules.least, quantity_rules.most, quantity_rules.size
    low, high = np.flatnonzero(least < most), np.flatnonzero((least < most) & (most < 1))
    yield RowFamily(kind=RowKind.LEAST, matrix=pick(low, -1.0, size), limits=-least[low])
    yield RowFamily(kind=RowKind.MOST, matrix=pick(high, 1.0, size), limits=most[high])


def orders_of(quantity_rules: QuantityRules) -> Iterator[RowFamily]:
    """Yield the orders between quantities."""
    low, high = quantity_rules.orders.T
    matrix = pick(low, 1.0, quantity_rules.size) - pick(high, 1.0, quantity_rules.size)
    yield RowFamily(kind=RowKind.ORDERS, matrix=matrix, limits=np.zeros(len(low)))


def ratios_of(quantity_rules: QuantityRules, ratio: float, mask: Marks) -> RowFamily:
    """Return that some ratios are kept."""
    left, right, weights = quantity_rules.comparisons
    times = np.broadcast_to(weights[:, None], mask.shape)[mask]
    triples = np.column_stack([left[mask], right[mask], times])
    left, right, times = np.unique(triples[triples[:, 0] != triples[:, 1]], axis=0).T
    size = quantity_rules.size
    matrix = pick(left, ratio ** -times.astype(float), size) - pick(right, 1.0, size)
    return RowFamily(kind=RowKind.PRIVACY, matrix=matrix, limits=np.zeros(len(left)))


def choices_of(quantity_rules: QuantityRules, ratio: float, mask: Marks) -> Iterator[RowFamily]:
    """Yield that what is kept stays so, and that the mass of what is violated is paid for."""
    yield ratios_of(quantity_rules, ratio, mask)
    choice, (left, _, _) = quantity_rules.rules.choice, quantity_rules.comparisons
    pair, paid_entries = np.nonzero(~mask)[0], left[~mask]
    if choice is not None and choice.delta is not None:
        shape = (len(mask), quantity_rules.size)
        masses = sparse.csr_array((np.ones(len(paid_entries)), (pair, paid_entries)), shape=shape)
        yield RowFamily(kind=RowKind.PRIVACY, matrix=masses, limits=np.full(len(mask), float(choice.delta)))


def privacies_of(quantity_rules: QuantityRules, ratios: Sequence[float], first: int) -> Iterator[RowFamily]:
    """Yield the rows of the privacies from `first` on; none of them leaves a choice."""
    start = quantity_rules.size
    for own, ratio in zip(quantity_rules.each_privacy[first:], ratios[first:], strict=True):
        if own.rules.is_pure:
            yield ratios_of(own, ratio, np.ones(own.comparisons[0].shape, dtype=bool))
        else:
            families = list(_spending(own, ratio, start))
            start = max((start, *(family.matrix.shape[1] for family in families)))
            yield from families


def _spending(quantity_rules: QuantityRules, ratio: float, start: int) -> Iterator[RowFamily]:
    """Yield the rows of allowed excesses; for sums with a column for each excess from `start` on."""
    rules, (left, right, weights) = quantity_rules.rules, quantity_rules.comparisons
    if rules.delta is None:
        return
    (pairs, num_compared), number, delta = left.shape, left.size, float(rules.delta)
    times = np.repeat(weights, num_compared).astype(float)
    size = quantity_rules.size
    over = pick(left.ravel(), 1.0, size) - pick(right.ravel(), ratio**times, size)
    if not rules.has_budgets:
        yield RowFamily(kind=RowKind.PRIVACY, matrix=over, limits=np.full(number, delta))
        return
    excess = sparse.hstack([widen(over, start), -sparse.eye_array(number)], format="csr")
    index = start + np.arange(number)
    entries_of_sums = (np.ones(number), (np.repeat(np.arange(pairs), num_compared), index))
    sums = sparse.csr_array(entries_of_sums, shape=(pairs, excess.shape[1]))
    yield RowFamily(kind=RowKind.EXCESS, matrix=excess, limits=np.zeros(number), has_room=False)
    yield RowFamily(kind=RowKind.PRIVACY, matrix=sums, limits=np.full(pairs, delta))


def pick(indices: Integers, weights: Floats | Integers | float, size: int) -> sparse.csr_array:
    """Return a row for each index, with its weight there."""
    number = len(indices)
    data = np.broadcast_to(np.asarray(weights, float), (number,))
    return sparse.csr_array((data, (np.arange(number), indices)), shape=(number, size))


def widen(matrix: sparse.csr_array, width: int) -> sparse.csr_array:
    """Return the matrix with columns of zeros at its end."""
    return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))
