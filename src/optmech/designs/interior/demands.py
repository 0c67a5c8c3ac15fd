"""Further demands of a question on the entries of its rows: orders, limits and weighted sums.

Demands
-------
    orders   x[low] <= x[high]                      within a row, or between a row and the next
    limits   s x[entry] <= most,  s = 1 or -1
    zeros    x[entry] = 0                           such entries are taken out, and rules that they keep
    sums     sum a x <= b,  or = b                  bounds on losses, means, entries that are equal, own rules

Orders are ratios without an epsilon, and limits stand at one entry: both are eliminated with the rows. Sums
have prices, beside those of totals and budgets.

Where half a turn of the matrix changes nothing of the question, demands on a half of the rows stand for all.
Two demands of the question are then one, and share its multiplier.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy import sparse

from optmech.base.blocks import Tie, Total

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.designs.forced_zeros import ForcedZeros
    from optmech.rules import Rules

# A coefficient that so little is left of by folding is none.
_NOTHING = 1e-14


class EntryOrders(NamedTuple):
    """Entries that are at most others; `of` and `share` are those of each order of the question."""

    low: Integers
    high: Integers
    of: Integers
    share: Floats


class EntryLimits(NamedTuple):
    """Entries times a sign that are at most a number."""

    entries: Integers
    signs: Floats
    most: Floats


class EntrySums(NamedTuple):
    """Weighted sums that are at most a number, or equal it.

    For each sum of the question `of` is the one that stands for it, -1 where that is nothing, and `share` is
    the part of its multiplier that it gets.
    """

    table: sparse.csr_array  # shape (sums, entries)
    right: Floats
    is_equation: Marks
    of: Integers
    share: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Demands:
    """The demands of a question besides privacy and totals, on entries in some order."""

    orders: EntryOrders
    limits: EntryLimits
    sums: EntrySums
    zeros: Marks  # of each entry

    @classmethod
    def of(cls, forced: ForcedZeros) -> Self:
        """Return the demands as the question has them, on entries row by row."""
        rules, zeros = forced.rules, forced.entries
        size = len(zeros)
        low, high = (
            np.concatenate([np.zeros(0, dtype=np.int64), *(getattr(order, end) for order in rules.orders)])
            for end in ("low", "high")
        )
        is_open = ~zeros[low]  # else a zero keeps the order
        least, most = np.zeros(size), np.ones(size)
        if rules.demanded_limits is not None:
            least, most = (np.asarray(each, dtype=float) for each in rules.demanded_limits)
        below = np.flatnonzero((least < most) & (most < 1) & ~zeros)
        above = np.flatnonzero((least > 0) & ((least < most) | zeros))  # of a zero it says that demands clash
        return cls(
            EntryOrders(
                low[is_open], high[is_open], np.where(is_open, np.cumsum(is_open) - 1, -1), 1.0 * is_open
            ),
            EntryLimits(
                np.concatenate([below, above]),
                np.repeat([1.0, -1.0], [len(below), len(above)]),
                np.concatenate([most[below], -least[above]]),
            ),
            _sums(forced, least, most),
            zeros,
        )

    def is_kept_by(self, image: Integers) -> bool:
        """Whether they are the same of entries and of their images."""
        orders, limits, sums = self.orders, self.limits, self.sums
        pairs = set(zip(orders.low.tolist(), orders.high.tolist(), strict=True))
        turned = set(zip(image[orders.low].tolist(), image[orders.high].tolist(), strict=True))
        at = set(zip(limits.entries.tolist(), limits.signs.tolist(), limits.most.tolist(), strict=True))
        others = zip(image[limits.entries].tolist(), limits.signs.tolist(), limits.most.tolist(), strict=True)
        return (
            pairs == turned
            and at == set(others)
            and np.array_equal(self.zeros, self.zeros[image])
            and set(_keys(sums)) == set(_keys(sums._replace(table=_moved(sums.table, image, len(image)))))
        )

    def folded(self, entry: Integers, image: Integers, size: int) -> Self:
        """Return the demands on entries that stand for those of the question, `size` of them.

        Sums count an entry and its image by halves: of a row that is its own image they are two entries, and
        a sum and its image would else have two prices of which only the mean is known.
        """
        orders, limits, table = self.orders, self.limits, self.sums.table
        table = (_moved(table, entry, size) + _moved(table, entry[image], size)) / 2
        own, of, times = np.unique(
            np.column_stack([entry[orders.low], entry[orders.high]]),
            axis=0,
            return_inverse=True,
            return_counts=True,
        )
        of = np.append(of.reshape(-1), -1)[orders.of]
        zeros = np.zeros(size, dtype=bool)
        zeros[entry] = self.zeros
        at = np.column_stack([entry[limits.entries], limits.signs, limits.most])
        _, first = np.unique(at, axis=0, return_index=True)
        return replace(
            self,
            orders=EntryOrders(own[:, 0], own[:, 1], of, orders.share / np.append(times, 1)[of]),
            limits=EntryLimits(entry[limits.entries][first], limits.signs[first], limits.most[first]),
            sums=_alike_once(self.sums._replace(table=_cleaned(table, _sizes(self.sums.table)))),
            zeros=zeros,
        )

    @property
    def are_none(self) -> bool:
        """Whether nothing is demanded."""
        of_entries = len(self.orders.low) + len(self.limits.most) + int(self.zeros.sum())
        return not (of_entries or len(self.sums.right))

    def violation(self, entries: Floats) -> float:
        """Return the largest violation by entries, flat, relative to the largest coefficient of a sum."""
        sums, limits = self.sums, self.limits
        over = sums.table @ entries - sums.right
        over = np.where(sums.is_equation, np.abs(over), over) / _sizes(sums.table)
        return max(
            float((entries[self.orders.low] - entries[self.orders.high]).max(initial=0.0)),
            float((limits.signs * entries[limits.entries] - limits.most).max(initial=0.0)),
            float(entries[self.zeros].max(initial=0.0)),
            float(over.max(initial=0.0)),
        )


def _sums(forced: ForcedZeros, least: Floats, most: Floats) -> EntrySums:
    """Return the sums of a question: own rules, means, bounded losses, ties, and limits that are equal.

    Where a sum is the reason of zeros, these and the totals keep it: nothing of it is left.
    """
    rules = forced.rules
    rows, truths = rules.shape
    parts: list[tuple[Floats, Integers, Integers, Floats, bool]] = []
    for block in (*rules.sums, *([] if rules.means is None else [rules.means])):
        coefficients = np.array([float(each) / block.scale for each in block.coefficients.tolist()])
        right = np.array([float(each) for each in block.right.tolist()])
        parts.append((coefficients, block.rows, block.entries, right, isinstance(block, Total)))
    every = np.arange(rows * truths)
    for loss in rules.bounds:
        of = every % truths if loss.each else 0 * every
        right = np.full(loss.num_sums, float(loss.most))
        parts.append((loss.doubles.ravel(), of, every, right, False))
    for tie in (block for block in rules.blocks if isinstance(block, Tie)):
        number = np.arange(len(tie.left))
        signs = np.repeat([1.0, -1.0], len(number))
        entries = np.concatenate([tie.left, tie.right])
        parts.append((signs, np.tile(number, 2), entries, np.zeros(len(number)), True))
    equal = np.flatnonzero((least == most) & ~forced.entries & (least < 1))
    parts.append((np.ones(len(equal)), np.arange(len(equal)), equal, least[equal], True))
    starts = np.cumsum([0, *(len(right) for _, _, _, right, _ in parts)])
    table = sparse.csr_array(
        (
            np.concatenate([part[0] for part in parts]),
            (
                np.concatenate([part[1] + start for part, start in zip(parts, starts, strict=False)]),
                np.concatenate([part[2] for part in parts]),
            ),
        ),
        shape=(int(starts[-1]), rows * truths),
    )
    alive = 1.0 - forced.entries
    kept = np.ones(table.shape[0])
    kept[_reasons(forced)] = 0.0
    table = sparse.csr_array(sparse.diags_array(kept) @ table @ sparse.diags_array(alive))
    table.eliminate_zeros()
    table.sort_indices()
    return EntrySums(
        table,
        np.concatenate([part[3] for part in parts]),
        np.repeat([part[4] for part in parts], [len(part[3]) for part in parts]),
        np.arange(table.shape[0]),
        np.ones(table.shape[0]),
    )


def _reasons(forced: ForcedZeros) -> list[int]:
    """Return the places of the sums that zeros follow from."""
    starts = np.cumsum(_numbers(forced.rules))
    places = []
    for reason in forced.reasons:
        match reason.kind:
            case "sums":
                places.append(reason.subscripts[0])
            case "means":
                places.append(int(starts[0]) + reason.subscripts[0])
            case "bounds":
                places.append(int(starts[1 + reason.subscripts[0]]) + reason.subscripts[1])
            case _:
                pass
    return places


def _numbers(rules: Rules) -> list[int]:
    """Return the number of own rules, of means, and of sums of each bounded loss."""
    means = 0 if rules.means is None else len(rules.means.right)
    return [sum(len(block.right) for block in rules.sums), means, *(loss.num_sums for loss in rules.bounds)]


def multipliers_by_part(rules: Rules, prices: Floats) -> tuple[Floats, Floats, tuple[Floats, ...]]:
    """Return the multipliers of own rules, of means, and of each bounded loss, from those of all sums."""
    own, means, *bounds = np.split(prices, np.cumsum(_numbers(rules)))[:-1]
    return own, means, tuple(bounds)


def _moved(table: sparse.csr_array, entry: Integers, size: int) -> sparse.csr_array:
    """Return sums of entries that stand where others stood."""
    coo = table.tocoo()
    moved = sparse.csr_array((coo.data, (coo.row, entry[coo.col])), shape=(table.shape[0], size))
    moved.sort_indices()
    return moved


def _cleaned(table: sparse.csr_array, sizes: Floats) -> sparse.csr_array:
    """Return sums without coefficients of which nothing is left, next to the size of each."""
    own = sparse.csr_array(table)
    row = np.repeat(np.arange(own.shape[0]), np.diff(own.indptr))
    own.data[np.abs(own.data) <= _NOTHING * sizes[row]] = 0.0
    own.eliminate_zeros()
    own.sort_indices()
    return own


def _sizes(table: sparse.csr_array) -> Floats:
    """Return the largest coefficient of each sum, one where it has none."""
    sizes: Floats = np.asarray(abs(table).max(axis=1).todense()).reshape(-1)
    return np.where(sizes > 0, sizes, 1.0)


def _keys(sums: EntrySums) -> Iterator[tuple[bytes, bytes, float, bool]]:
    """Yield what tells sums apart; an equation and its negative are the same."""
    table = sums.table
    for number, (right, is_equation) in enumerate(zip(sums.right, sums.is_equation, strict=True)):
        own = slice(table.indptr[number], table.indptr[number + 1])
        sign = _sign(table.data[own], is_equation=is_equation)
        values = sign * table.data[own] + 0.0
        yield table.indices[own].tobytes(), values.tobytes(), float(sign * right) + 0.0, bool(is_equation)


def _sign(coefficients: Floats, *, is_equation: bool) -> float:
    return -1.0 if is_equation and len(coefficients) and coefficients[0] < 0 else 1.0


def _alike_once(sums: EntrySums) -> EntrySums:
    """Return the sums of which none is nothing, and no two are alike, with coefficients of at most one."""
    table = sums.table
    first: dict[object, int] = {}
    kept: list[int] = []
    of = np.full(len(sums.right), -1)
    for number, key in enumerate(_keys(sums)):
        right = sums.right[number]
        clashes = right != 0 if sums.is_equation[number] else right < 0
        if clashes or table.indptr[number] < table.indptr[number + 1]:
            if key not in first:
                first[key] = len(kept)
                kept.append(number)
            of[number] = first[key]
    signs = np.array(
        [
            _sign(table.data[table.indptr[k] : table.indptr[k + 1]], is_equation=bool(is_equation))
            for k, is_equation in enumerate(sums.is_equation)
        ]
    )
    sizes = _sizes(table)
    own = np.array(kept, dtype=np.int64)
    scale = (signs / sizes)[own]
    times = np.bincount(of[of >= 0], minlength=len(own))
    share = np.where(of >= 0, signs / sizes / np.maximum(times[of], 1) if len(own) else 0.0, 0.0)
    return EntrySums(
        sparse.csr_array(sparse.diags_array(scale) @ table[own]) if len(own) else table[:0],
        sums.right[own] * scale,
        sums.is_equation[own],
        of,
        share,
    )
