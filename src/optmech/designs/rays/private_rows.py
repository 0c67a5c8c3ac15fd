"""A question for the ray engine: the cost of each entry, and the cone of private rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log2
from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.rays.coupling import Coupling
from optmech.designs.rays.within_reach import cheapest_of_all_pairs, cheapest_within_reach
from optmech.question.properties import ROW_MONOTONE, SYMMETRIC
from optmech.question.properties.monotone import truths_below_and_above
from optmech.question.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Floats, Integers, Marks
    from optmech.question.problem import Problem


@dataclass(frozen=True, slots=True, eq=False)
class RowRules:
    """Pairs of entries of a row, one at most the other: neighbours, and with row monotony an order.

    Neighbours are all truths within `reach` steps, so their mirror images are neighbours as well.
    The order has two truths for each response: a row does not fall up to the first, nor rise from the second.
    """

    order: tuple[Integers, Integers] | None
    pairs: Integers

    @classmethod
    def of(cls, problem: Problem) -> RowRules:
        """Return the rules of a problem."""
        if ROW_MONOTONE not in problem.properties:
            return cls(None, problem.query.pairs)
        ends = np.array(truths_below_and_above(problem.query))
        return cls((ends[:, 0], ends[:, 1]), problem.query.pairs)

    def are_mirrored(self, last: int) -> bool:
        """Whether half a turn of the matrix changes none of them."""
        return self.order is None or np.array_equal(self.order[0], last - self.order[1][::-1])

    def with_images(self, last: int) -> RowRules:
        """Return these rules and their mirror images."""
        if self.order is None:
            return self
        rising, falling = self.order
        order = np.maximum(rising, last - falling[::-1]), np.minimum(falling, last - rising[::-1])
        return RowRules(order, self.pairs)

    def hold(self, row: Integers, taker: Integers, giver: Integers, *, steep: bool) -> Marks:
        """Return a mask of entries (row, taker) bounded by (row, giver), times e^epsilon if `steep`."""
        size = int(self.pairs.max(initial=0)) + 1
        if steep:
            return np.isin(taker * size + giver, self.pairs[:, 0] * size + self.pairs[:, 1])
        if self.order is None:
            return np.zeros(len(row), dtype=bool)
        rises = (taker < giver) & (giver <= self.order[0][row])
        mask: Marks = rises | ((taker > giver) & (giver >= self.order[1][row]))
        return mask


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrivateRows:
    """Costs, or the losses of a worst truth, and the cone of private rows.

    Where turning the matrix by half a turn changes nothing of the question there is an optimal matrix that
    this leaves as it is, and one of two mirror images stands for both. Where a mechanism must be symmetric,
    costs are means over both images, and rules hold for both, which makes it so.
    """

    costs: (
        Floats  # weighted losses, or those of a worst truth as they are, in units of `unit`, a power of two
    )
    unit: float
    epsilon: float
    home: Integers  # for each response the truth that it answers best: rows are measured there
    order: tuple[Integers, Integers] | None
    mirrored: bool
    reach: int  # neighbours are all truths within this many steps
    pairs: Integers
    coupling: Coupling | None
    row_rules: RowRules  # the question's own, without mirror images
    symmetric: bool

    @classmethod
    def of(cls, problem: Problem) -> PrivateRows:
        """Return the rows of a problem to which there is no `objection`."""
        worst, home = Shape.of(problem).worst_loss, problem.query.home
        costs = problem.costs if worst is None else worst.loss
        own_rules = RowRules.of(problem)
        symmetric, last = SYMMETRIC in problem.properties, problem.query.num_truths - 1
        rules, is_mirrored = own_rules, symmetric
        if symmetric:
            costs, rules = (costs + costs[::-1, ::-1]) / 2, own_rules.with_images(last)
        else:
            is_mirrored = np.array_equal(costs, costs[::-1, ::-1]) and own_rules.are_mirrored(last)
            if not problem.properties <= {ROW_MONOTONE}:
                is_mirrored &= np.array_equal(home, len(costs) - 1 - home[::-1])
        unit = _unit(costs)
        return cls(
            costs=costs / unit,
            unit=unit,
            epsilon=float(problem.privacy.epsilon),
            home=costs.argmin(axis=1),
            order=rules.order,
            mirrored=is_mirrored,
            reach=Shape.of(problem).reach or 1,
            pairs=rules.pairs,
            coupling=Coupling.of(problem, mirrored=is_mirrored),
            row_rules=own_rules,
            symmetric=symmetric,
        )

    @property
    def num_priced(self) -> int:
        """Number of responses priced: half of them, the middle one included, where mirrored."""
        return (len(self.costs) + 1) // 2 if self.mirrored else len(self.costs)

    @property
    def has_plain_rows(self) -> bool:
        """Whether nothing is asked of a mechanism but privacy."""
        return self.coupling is None and self.order is None and not self.symmetric

    def stated_as(
        self, response: int, taker: Integers, giver: Integers, *, steep: bool
    ) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Yield where the question states rules that a priced response has, in it and in its mirror image.

        Entries that must equal their mirror images share the rules of both.
        """
        last_response, last_truth = self.costs.shape[0] - 1, self.costs.shape[1] - 1
        row = np.full(len(taker), response)
        mine, image = (row, taker, giver), (last_response - row, last_truth - taker, last_truth - giver)
        sides = [(mine, image), (image, mine)]
        for here, there in sides if self.mirrored and 2 * response != last_response else sides[:1]:
            if self.symmetric:
                mask = self.row_rules.hold(*here, steep=steep)
                yield tuple(np.where(mask, one, other) for one, other in zip(here, there, strict=True))
            else:
                yield here

    def cheapest(self, prices: Floats) -> tuple[Floats, Integers]:
        """Return for each priced response the least of ``sum_f (costs[f] - prices[f]) x[f]`` over rays x.

        It comes as a multiple of the entry at home, with the levels of a ray that costs so little.
        """
        reduced_costs = self.costs[: self.num_priced] - prices
        home = self.home[: self.num_priced]
        order = None
        if self.order is not None:
            order = self.order[0][: self.num_priced], self.order[1][: self.num_priced]
        factor = float(np.exp(self.epsilon))
        if self.reach == reduced_costs.shape[1] - 1 and order is None:
            return cheapest_of_all_pairs(reduced_costs, home, factor)
        return cheapest_within_reach(reduced_costs, home, self.reach, factor, order)


def _unit(costs: Floats) -> float:
    """Return the mean cost of each truth's second best response, to a power of two: errors are about that."""
    second = np.sort(costs, axis=0)[min(1, len(costs) - 1)].mean()
    largest = float(costs.max(initial=0.0))
    size = float(second) if second > 0 else largest
    return 2.0 ** floor(log2(size)) if size > 0 else 1.0
