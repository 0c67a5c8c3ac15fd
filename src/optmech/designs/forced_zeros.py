"""Entries that are zero in every mechanism of a question, and the rules that imply it, in order.

Law
---
    x[r,g] = 0 gives x[r,f] = 0                      where a ratio without an excess compares f with g
    x[high] = 0 gives x[low] = 0                     of an order
    sum a x <= b gives x[r,f] = 0 where a[r,f] > c_f,   c_f = least a in column f,   if sum_f c_f = b

since columns sum to one: ``sum (a - c) x <= 0``, and no term of it is negative. The least in a column is that
of entries that are not zero yet; a is 0 where a rule does not contain an entry. A total gives this in both
directions, and a bounded loss is such a sum. Beside an entry that is at least one all others of its column
are 0.

To a solver a zero row under pure privacy is multipliers as large as a power of e^epsilon. It is given the
zeros, and `proof_of_zeros` makes the multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.blocks import Limit, Total
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Marks
    from optmech.question.problem import Problem
    from optmech.rules import Rules

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A rule that makes entries zero, and the quantities that these are.

    `kind` and `subscripts` identify its multiplier: of ``"privacy"`` its number, response, truth and
    neighbour; of ``"order"`` the lower entry and the higher one; of ``"sums"`` and ``"means"`` the row; of
    ``"bounds"`` the loss and the truth; of ``"totals"`` the column. In all but privacy a multiplier of
    ``scale`` is worth `weights` at entries, and shifts what the sum of a column is worth by `shifts`. With a
    `sign` of -1 an equation is taken the other way.
    """

    kind: str
    subscripts: tuple[int, ...]
    quantities: frozenset[int]
    weights: dict[int, int] = field(default_factory=dict)
    shifts: dict[int, int] = field(default_factory=dict)
    scale: int = 1
    sign: int = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ForcedZeros:
    """Entries that must be zero, flat, with the reason of each that no limit states, in the order of proof.

    `rules` are those of the question, `closed` the same with the zeros as one more limit.
    """

    entries: Marks
    reasons: tuple[Reason, ...]
    rules: Rules
    closed: Rules


@lru_cache(maxsize=2)  # the program and its proof ask for those of one problem
def forced_zeros(problem: Problem) -> ForcedZeros:
    """Return the zeros of a question about any matrix; of noise none are looked for.

    >>> import optmech as om
    >>> never = om.LinearRule("never 2 of 0", {(2, 0): 1}, "=", 0)
    >>> forced_zeros(om.question(om.count(2), 1, rules=[never])).entries.tolist()  # nor of any other truth
    [False, False, False, False, False, False, True, True, True]
    """
    rules = compile_rules(problem)
    zeros = _Zeros(rules)
    if not rules.structural:
        zeros.follow()
    limit = Limit(name="forced zeros", entries=np.flatnonzero(zeros.entries), most=_ZERO)
    closed = replace(rules, demands=(*rules.demands, limit)) if zeros.reasons else rules
    return ForcedZeros(entries=zeros.entries, reasons=tuple(zeros.reasons), rules=rules, closed=closed)


class _Zeros:
    """The zeros that are known so far."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.reasons = rules, list[Reason]()
        self.names = rules.quantities.names.ravel()
        self.entries: Marks = (rules.quantities.most == 0)[self.names].astype(bool)
        self._order = np.argsort(self.names, kind="stable")
        self._starts = np.searchsorted(self.names[self._order], np.arange(len(rules.quantities.least) + 1))

    def follow(self) -> None:
        """Find what follows until nothing more does."""
        rows, number = list(_rows(self.rules)), -1
        while number < len(self.reasons) and not self._is_impossible:
            number = len(self.reasons)
            for row, right in rows:
                self._of_row(row, right)
            if self.entries.any():
                self._of_comparisons()

    @property
    def _is_impossible(self) -> bool:
        """Whether nothing is left to release at some truth."""
        return bool(self.entries.reshape(self.rules.shape).all(axis=0).any())

    def _add(self, reason: Reason) -> None:
        self.reasons.append(reason)
        for quantity in reason.quantities:
            self.entries[self._order[self._starts[quantity] : self._starts[quantity + 1]]] = True

    def _of_row(self, row: Reason, right: Fraction) -> None:
        truths = self.rules.shape[1]
        columns: dict[int, list[int]] = {}
        for entry in row.weights:
            columns.setdefault(entry % truths, []).append(entry)
        least = {}
        for truth, entries in columns.items():
            alive = [row.weights[entry] for entry in entries if not self.entries[entry]]
            if len(alive) < np.count_nonzero(~self.entries[truth::truths]):
                alive.append(0)
            if not alive:
                return
            least[truth] = min(alive)
        if sum(least.values()) != right * row.scale:
            return
        new = frozenset(
            int(self.names[entry])
            for truth, most in least.items()
            for entry in range(truth, len(self.names), truths)
            if not self.entries[entry] and row.weights.get(entry, 0) > most
        )
        if new:
            self._add(replace(row, quantities=new, shifts=least))

    def _of_comparisons(self) -> None:
        truths, before = self.rules.shape[1], -1
        while before < len(self.reasons) and not self._is_impossible:
            before = len(self.reasons)
            for order in self.rules.orders:
                new = self.entries[order.high] & ~self.entries[order.low]
                for low, high in zip(order.low[new].tolist(), order.high[new].tolist(), strict=True):
                    weights = {low: 1, high: -1}
                    self._compare("order", (*divmod(low, truths), *divmod(high, truths)), low, weights)
            for number, own in enumerate(self.rules.each_privacy):
                if not own.is_pure:
                    continue
                responses = own.privacy[0].responses
                table = self.entries.reshape(self.rules.shape)
                new = table[:, own.pairs[:, 1]] & ~table[:, own.pairs[:, 0]]
                for response, pair in np.argwhere(new).tolist():
                    if responses is None or response in responses:
                        truth, other = own.pairs[pair].tolist()
                        subscripts = (number, response, truth, other)
                        self._compare("privacy", subscripts, response * truths + truth)

    def _compare(
        self, kind: str, subscripts: tuple[int, ...], low: int, weights: dict[int, int] | None = None
    ) -> None:
        if not self.entries[low]:
            quantity = frozenset([int(self.names[low])])
            self._add(Reason(kind=kind, subscripts=subscripts, quantities=quantity, weights=weights or {}))


def _rows(rules: Rules) -> Iterator[tuple[Reason, Fraction]]:
    """Yield the weighted sums that are at most a number, as reasons for nothing yet, and the number."""
    none, subscripts, truths = frozenset[int](), 0, rules.shape[1]
    for block in (*rules.sums, *([] if rules.means is None else [rules.means])):
        kind = "means" if block is rules.means else "sums"
        start = 0 if kind == "means" else subscripts
        subscripts += len(block.right)
        sums: list[dict[int, int]] = [{} for _ in block.right]
        each = (block.rows.tolist(), block.entries.tolist(), block.coefficients.tolist())
        for row, entry, weight in zip(*each, strict=True):
            sums[row][entry] = sums[row].get(entry, 0) + weight
        for row, weights in enumerate(sums):
            for sign in (1, -1) if isinstance(block, Total) else (1,):
                signed = {entry: sign * weight for entry, weight in weights.items()}
                reason = Reason(
                    kind=kind,
                    subscripts=(start + row,),
                    quantities=none,
                    weights=signed,
                    scale=block.scale,
                    sign=sign,
                )
                yield reason, sign * block.right[row]
    for number, loss in enumerate(rules.bounds):
        costs, scale = loss.costs.table.ravel().tolist(), loss.costs.scale
        for truth in range(truths if loss.each else 1):
            step = truths if loss.each else 1
            weights = {entry: costs[entry] for entry in range(truth, len(costs), step) if costs[entry]}
            reason = Reason(
                kind="bounds", subscripts=(number, truth), quantities=none, weights=weights, scale=scale
            )
            yield reason, loss.most
    names = rules.quantities.names.ravel()
    for entry in np.flatnonzero((rules.quantities.least == 1)[names]).tolist():
        yield Reason(kind="totals", subscripts=(entry % truths,), quantities=none, weights={entry: -1}), -_ONE
