"""Multipliers that are computed: truths of a row hand on what their reduced cost is above zero.

Law: under pure privacy, with neighbours k steps apart or less, ``M[r,f+k] <= F M[r,f]`` may have any
multiplier y >= 0. It takes ``F y`` off the reduced cost of (r, f), and adds y to that of (r, f+k). So in each
row the truths before `first` give all that they have, in order, and those behind `last` the other way: to the
truth k steps nearer to the middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from optmech.base.blocks import Excess, Ratio
from optmech.proofs.multipliers import require
from optmech.question.kinds.kind import reach_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.arrays import Integers, Whole
    from optmech.proofs.multipliers import Leaf
    from optmech.rules import Rules

_NO_CHAINS = "only pure privacy within a reach has chains, with multipliers of the sums"
_ENDS = "chains of a row must end at two of its truths, the first at the other or before it"


class Gift(NamedTuple):
    """The multipliers that one truth gives to another, of some of the rows that are looked at."""

    rows: Integers
    taker: int
    giver: int
    multipliers: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """The chains of a leaf: who gives, and how far.

    `one` and `upper` are 1 and F on the scale of costs.
    """

    first: Integers
    last: Integers
    reach: int
    one: int
    upper: int

    @classmethod
    def of(cls, rules: Rules, leaf: Leaf, one: int, upper: int) -> Chains | None:
        """Return the chains of a leaf, ``None`` where it has none."""
        if leaf.chains is None:
            return None
        first, last = leaf.chains
        privacy = rules.privacy[0]
        reach = reach_of(rules.problem.query) if rules.heaviest == 1 else None
        keeps_ratios = isinstance(privacy, Ratio) and privacy.excess is Excess.NONE
        has_sums = leaf.totals is not None and leaf.means is not None
        require(keeps_ratios and reach is not None and has_sums, _NO_CHAINS)
        assert reach is not None  # noqa: S101 - just required
        responses, truths = rules.shape
        require(first.shape == last.shape == (responses,), _ENDS)
        require((first >= 0).all() and (last < truths).all() and (first <= last).all(), _ENDS)
        require((first <= truths - reach).all() and (last >= reach - 1).all(), _ENDS)
        return cls(first=first, last=last, reach=reach, one=one, upper=upper)

    def hand_on(self, costs: Whole, begin: int = 0) -> None:
        """Change the reduced costs of some rows, from `begin` on, by the multipliers of their chains."""
        for _ in self.steps(costs, begin):
            pass

    def steps(self, costs: Whole, begin: int = 0) -> Iterator[Gift]:
        """Do so truth by truth, and yield the multipliers of each."""
        rows = slice(begin, begin + len(costs))
        first, last = self.first[rows], self.last[rows]
        for truth in range(int(first.max())):
            yield self._give(costs, np.flatnonzero(first > truth), truth, truth + self.reach)
        for truth in range(costs.shape[1] - 1, int(last.min()), -1):
            yield self._give(costs, np.flatnonzero(last < truth), truth, truth - self.reach)

    def _give(self, costs: Whole, rows: Integers, giver: int, taker: int) -> Gift:
        multipliers = np.maximum(costs[rows, giver] // self.upper, 0)
        costs[rows, giver] -= multipliers * self.upper
        costs[rows, taker] += multipliers * self.one
        return Gift(rows, taker, giver, multipliers)
