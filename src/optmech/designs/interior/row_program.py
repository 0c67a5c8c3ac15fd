"""A question as rows that only prices link: totals of columns, budgets of neighbours, and the worst loss.

Program
-------
    least    sum_rf c[r,f] x[r,f],  or  T with  sum_r c[r,f] x[r,f] <= T  of each truth f
    ratios   x[r,f] - E^w x[r,g] <= y[r,e]            of each response r and neighbours e = (f, g, w)
    budgets  sum_r y[r,e] <= delta
    totals   sum_r x[r,f] = 1

and further demands, see `demands`. Pure privacy has no y. Several privacies have ratios and budgets of their
own over the same neighbours.

Mirror image: where half a turn of the matrix changes nothing of the question, some optimum is its own image,
the mean of any optimum and its image. One response of two then stands for both, and so do two truths in the
totals, and two pairs of neighbours in the budgets. A `share` is how much a row, a truth of it or a pair of it
counts there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from optmech.base.blocks import Excess, Ratio
from optmech.designs.forced_zeros import forced_zeros
from optmech.designs.interior.demands import Demands
from optmech.designs.interior.dissection import Dissection, Effort
from optmech.question.shape import Shape
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.question.problem import Problem

HALF = 0.5


class Classes(NamedTuple):
    """Truths or pairs, some of which count together with their mirror images."""

    of: Integers  # the class of each
    share: Floats  # how much each counts: a half, or one where it is its own image
    number: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowProgram:
    """The program of a question, its truths in an order in which few are coupled by elimination.

    Rows are those of responses, or of the first half of them where mirrored. Pairs are those of each
    privacy after those of the one before.
    """

    costs: Floats  # of entries, shape (truths, rows), in units of `unit`
    unit: float
    has_level: bool
    dissection: Dissection  # of truths that are neighbours, or that orders compare within a row
    mirrored: bool
    num_responses: int
    left: Integers  # of each pair the place of the truth that is compared, and of its neighbour
    right: Integers
    factors: Floats  # e^(w epsilon) of each pair
    num_neighbours: int  # pairs of each privacy
    rows: Floats  # how many responses each row stands for
    truths: Classes
    spending: Integers  # the pairs that have a budget, and their budgets
    budgets: Classes
    deltas: Floats  # of each budget
    demands: Demands  # further ones, on entries place by place

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return the program of a question of pairs of epsilon and delta."""
        query, worst = problem.query, Shape.of(problem).worst_loss
        given = problem.costs if worst is None else worst.loss
        last = query.num_truths - 1
        image_of_pair = _images(query.pairs, query.weights, last)
        stated, turned = Demands.of(forced_zeros(problem)), np.arange(given.size)[::-1]
        mirrored = (
            image_of_pair is not None
            and np.array_equal(given, given[::-1, ::-1])
            and stated.is_kept_by(turned)
        )
        pairs, number = query.pairs, len(query.pairs)
        num_rows = (query.num_responses + 1) // 2 if mirrored else query.num_responses
        by_truth = _entries(num_rows, query.num_responses, np.arange(last + 1))
        ends = by_truth[np.column_stack([stated.orders.low, stated.orders.high])] // num_rows
        ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
        dissection = Dissection.of(
            np.concatenate([pairs, ends]),
            np.concatenate([query.weights, np.ones(len(ends), dtype=np.int64)]),
            last + 1,
        )
        order = dissection.order
        place = np.argsort(order)
        image = place[last - order] if mirrored else np.arange(last + 1)
        paired = image_of_pair if mirrored and image_of_pair is not None else np.arange(number)
        ratios = ratios_of(problem) or []
        at = [float(ratio.epsilon) for ratio in ratios]
        delta = [float(ratio.delta or 0) for ratio in ratios]
        spends = [k for k, each in enumerate(delta) if each > 0]
        spending = [k * number + np.arange(number) for k in spends]
        one = _classes(paired)
        unit = _unit(given)
        rows = np.full(num_rows, 2.0 if mirrored else 1.0)
        if mirrored and query.num_responses % 2:
            rows[-1] = 1.0
        entry = _entries(num_rows, query.num_responses, place)
        return cls(
            costs=np.ascontiguousarray(given[:num_rows, order].T) / unit,
            unit=unit,
            has_level=worst is not None,
            dissection=dissection,
            mirrored=mirrored,
            num_responses=query.num_responses,
            left=np.tile(place[pairs[:, 0]], len(at)),
            right=np.tile(place[pairs[:, 1]], len(at)),
            factors=np.concatenate([np.exp(epsilon * query.weights) for epsilon in at]),
            num_neighbours=number,
            rows=rows,
            truths=_classes(image),
            spending=np.concatenate(spending) if spends else np.zeros(0, dtype=np.int64),
            budgets=Classes(
                np.concatenate([k * one.number + one.of for k in range(len(spends))] or [one.of[:0]]),
                np.tile(one.share, len(spends)),
                one.number * len(spends),
            ),
            deltas=np.repeat([delta[k] for k in spends], one.number),
            demands=stated.folded(entry, turned if mirrored else turned[::-1], num_rows * query.num_truths),
        )

    @property
    def order(self) -> Integers:
        """The truth of the question at each place."""
        return self.dissection.order

    @property
    def effort(self) -> Effort:
        """At most the memory and the work of one step."""
        rows, sums = len(self.rows), len(self.demands.sums.right)
        if not self.rows_apart:
            return self.dissection.effort(rows, self.num_prices, sums)
        places = len(self.order)
        entries = places * rows
        return Effort(
            entries * max(self.num_prices, 2 * places), entries * places * max(self.num_prices, places)
        )

    @property
    def rows_apart(self) -> int:
        """The largest number of rows between entries that orders compare."""
        rows, orders = len(self.rows), self.demands.orders
        return int(np.abs(orders.low % rows - orders.high % rows).max(initial=0))

    @property
    def num_prices(self) -> int:
        """Prices that link the rows: of totals, of budgets, of the losses of truths, and of sums."""
        of_truths = self.truths.number * (2 if self.has_level else 1)
        return of_truths + self.budgets.number + len(self.demands.sums.right)

    @property
    def shares(self) -> Floats:
        """The weight of an entry in the total of its class of truths, shape (truths, rows)."""
        shares: Floats = self.truths.share[:, None] * self.rows
        return shares

    @property
    def shares_of_excess(self) -> Floats:
        """The weight of an excess in the budget of its class of pairs, shape (spending pairs, rows)."""
        shares: Floats = self.budgets.share[:, None] * self.rows
        return shares

    def unfolded(self, entries: Floats) -> Floats:
        """Return the matrix of all responses, truths in the order of the question."""
        matrix = np.empty((self.num_responses, len(self.order)))
        rows = len(self.rows)
        matrix[:rows, self.order] = entries.T
        if self.mirrored:
            matrix[rows:] = matrix[: self.num_responses - rows][::-1, ::-1]
        return matrix

    def folded(self, matrix: Floats) -> Floats:
        """Return the entries of a matrix of all responses place by place, flat."""
        entries: Floats = matrix[: len(self.rows), self.order].T.ravel()
        return entries


def ratios_of(problem: Problem) -> list[Ratio] | None:
    """Return the ratios of each privacy, ``None`` where one pays for more than sums of excesses."""
    ratios: list[Ratio] = []
    for block in compile_rules(problem).privacy:
        match block:
            case Ratio(responses=None, excess=Excess.NONE | Excess.SUM) if block.delta is not None:
                ratios.append(block)
            case _:
                return None
    return ratios


def _entries(num_rows: int, num_responses: int, place: Integers) -> Integers:
    """Return the entry that stands for each of the question, by the place of each truth."""
    entry = np.arange(num_rows)[:, None] + num_rows * place
    return np.concatenate([entry, entry[: num_responses - num_rows][::-1, ::-1]]).ravel()


def _images(pairs: Integers, weights: Integers, last: int) -> Integers | None:
    """Return the position of the mirror image of each pair, ``None`` where one is no pair of that weight."""
    codes = pairs[:, 0] * (last + 1) + pairs[:, 1]  # sorted, as the pairs are
    images = (last - pairs[:, 0]) * (last + 1) + last - pairs[:, 1]
    found = np.searchsorted(codes, images).clip(max=len(codes) - 1)
    is_image = (codes[found] == images) & (weights[found] == weights)
    return found if is_image.all() else None


def _classes(image: Integers) -> Classes:
    """Return the classes of what counts together with its image."""
    own = np.arange(len(image))
    first, of = np.unique(np.minimum(own, image), return_inverse=True)
    return Classes(of.astype(np.int64), np.where(image == own, 1.0, HALF), len(first))


def _unit(costs: Floats) -> float:
    """Return the mean cost of the second best response of each truth."""
    second = np.sort(costs, axis=0)[min(1, len(costs) - 1)].mean()
    return float(second) or float(costs.max(initial=0.0)) or 1.0
