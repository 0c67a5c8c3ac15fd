"""A flow up the levels of a ray without a program: exact where levels fall on both sides of one peak.

Truths of one level give to those one level up, within reach. A giver serves an interval of takers, so what is
lacking is covered, taker by taker along the range, by whoever serves no one soon (earliest deadline first):
what can be covered at all is. The rest goes to the taker nearest to the peak, from where most can be served
on the next level.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers


def staircase_flow(
    costs: Floats, levels: Integers, reach: int, factor: float, peak: int
) -> tuple[Integers, Integers, Floats, float]:
    """Return rules ``x[taker] <= factor x[giver]`` with weights, and what is then lacking anywhere.

    They come as takers, givers, weights and the lack. The costs of a row are those left after the prices, and
    the levels are its cheapest ray's; `peak` is a truth on the highest level.
    """
    flow = _Flow(rest=costs.tolist(), rules={}, reach=reach, factor=factor)
    by_level: dict[int, list[int]] = {}
    for truth, level in enumerate(levels.tolist()):
        by_level.setdefault(level, []).append(truth)
    for level in sorted(by_level)[:-1]:
        givers, takers = by_level[level], by_level.get(level + 1, [])
        flow.cover(givers, takers)
        flow.pass_on(givers, takers, peak)
    taker, giver = np.array(list(flow.rules), dtype=np.int64).reshape(-1, 2).T
    lack = 0.0 - sum(amount for amount in flow.rest if amount < 0)
    return taker, giver, np.array(list(flow.rules.values()), dtype=float), lack


@dataclass(frozen=True, slots=True, kw_only=True)
class _Flow:
    """Surplus or deficit of each truth, and the weights that led to it, by taker and giver."""

    rest: list[float]
    rules: dict[tuple[int, int], float]
    reach: int
    factor: float

    def cover(self, givers: list[int], takers: list[int]) -> None:
        """Cover what takers lack, along the range; the giver that serves no one beyond comes first."""
        last = takers[-1] if takers else -1
        for taker in takers:
            while self.rest[taker] < 0:
                able = [giver for giver in self._near(taker, givers) if self.rest[giver] > 0]
                if not able:
                    break
                giver = min(able, key=lambda giver: (min(giver + self.reach, last), -giver))
                if self.rest[giver] > -self.rest[taker] * self.factor:
                    self._give(taker, giver, -self.rest[taker])
                    self.rest[taker] = 0.0
                else:
                    self._give(taker, giver, self.rest[giver] / self.factor)
                    self.rest[giver] = 0.0

    def pass_on(self, givers: list[int], takers: list[int], peak: int) -> None:
        """Give the rest to the taker nearest to the peak."""
        for giver in givers:
            near = self._near(giver, takers)
            if self.rest[giver] > 0 and near:
                taker = min(near, key=lambda taker: abs(taker - peak))
                self._give(taker, giver, self.rest[giver] / self.factor)
                self.rest[giver] = 0.0

    def _near(self, truth: int, others: list[int]) -> list[int]:
        return others[bisect_left(others, truth - self.reach) : bisect_right(others, truth + self.reach)]

    def _give(self, taker: int, giver: int, weight: float) -> None:
        self.rules[taker, giver] = self.rules.get((taker, giver), 0.0) + weight
        self.rest[giver] -= weight * self.factor
        self.rest[taker] += weight
