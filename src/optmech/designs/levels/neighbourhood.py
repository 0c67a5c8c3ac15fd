"""Noise near the best: a search that moves one value, or it and its mirror image, to another first level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.time_left import time_is_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.base.arrays import Floats, Integers
    from optmech.designs.levels.circle import Circle

_NEVER = 99
"""The first level of a value without mass."""
# Mass and leaks count a little besides their maximum, so that a step may prepare the next one.
_BESIDES = 1e-3
_STEP = 1e-12
# The price of mass beyond what is allowed, where the least delta is sought.
_PENALTY = 10.0


class Neighbourhood:
    """Values within some steps of zero, and what noise on levels from given first levels is worth."""

    def __init__(self, circle: Circle, last: int) -> None:
        self.circle, self.last = circle, last
        near = [value for value, level in enumerate(circle.steps) if level is not None and level <= self.last]
        place = {value: each for each, value in enumerate(near)}
        self.values, beyond = np.array(near), len(near)
        self.before, self.after = (
            np.array([[place.get(moved[value], beyond) for value in near] for moved in table])
            for table in (circle.before, circle.after)
        )
        self.images = np.array([place.get(circle.images[value], beyond) for value in near])
        self.steps = np.array([circle.steps[value] for value in near])
        self._weights = np.append(circle.ratio ** np.arange(_NEVER), 0.0)

    def levels(self, firsts: Integers) -> Integers:
        """Return the levels of values that are reached from their first levels on, shape (cases, values)."""
        cases, size = firsts.shape
        levels = np.full((cases, size + 1), _NEVER, dtype=np.int16)
        levels[:, 0] = 0
        for level in range(1, _NEVER):
            stands = levels == level - 1
            if not stands.any():
                break
            reached = np.zeros((cases, size), dtype=bool)
            for before in self.before:
                reached |= stands[:, before]
            new = reached & (firsts <= level) & (levels[:, :-1] == _NEVER)
            levels[:, :-1][new] = level
        return levels

    def worth(self, levels: Integers) -> tuple[Floats, Floats]:
        """Return what noise on levels is worth, and the same with what prepares a step."""
        circle, masses = self.circle, self._weights[levels]
        mass, leaks, total = masses.sum(axis=1), np.zeros(len(levels)), np.zeros(len(levels))
        for after in self.after:
            leak = np.where(levels[:, after] > levels[:, :-1] + 1, masses[:, :-1], 0.0).sum(axis=1)
            leaks, total = np.maximum(leaks, leak), total + leak
        besides = leaks + total / len(self.after)
        if circle.delta is not None:
            worth = np.maximum(mass, leaks / circle.delta)
            return worth, worth + _BESIDES * (mass + besides / circle.delta)
        assert circle.inverse is not None  # noqa: S101 - one of the two is given
        excess = np.maximum(mass - circle.inverse, 0.0)
        worth = leaks / circle.inverse
        return np.where(excess > 0, np.inf, worth), worth + _BESIDES * besides + _PENALTY * excess

    def descend(self, firsts: Integers, most_steps: int = 60) -> tuple[float, Integers]:
        """Return what the best noise is worth that single moves lead to, and its levels.

        All noise that was looked at counts, also beside the way.
        """
        found = self.levels(firsts[None])
        worth, merits = self.worth(found)
        best, levels, merit = float(worth[0]), found[0], float(merits[0])
        for _ in range(most_steps):
            moves = self._moves(firsts)
            if not len(moves) or time_is_up():
                break
            found = self.levels(moves)
            worth, merits = self.worth(found)
            least, pick = int(np.argmin(worth)), int(np.argmin(merits))
            if worth[least] < best:
                best, levels = float(worth[least]), found[least]
            if merits[pick] >= merit - _STEP:
                break
            merit, firsts = float(merits[pick]), moves[pick]
        return best, levels

    def _moves(self, firsts: Integers) -> Integers:
        """Return first levels in which a value, or it and its image, has another one, a row for each."""
        movable = np.flatnonzero(self.steps >= 2)  # noqa: PLR2004 - the distances stand on level 1
        moves = np.repeat(firsts[None], 6 * len(movable), axis=0)
        each, images = np.arange(len(movable)) * 6, self.images[movable]
        inside = images < len(self.values)
        for kind, level in enumerate((self.steps, self.steps + 1, np.full(len(firsts), _NEVER))):
            for pair in (0, 1):
                rows = each + 2 * kind + pair
                moves[rows, movable] = level[movable]
                if pair:
                    moves[rows[inside], images[inside]] = level[movable[inside]]
        return moves

    def best_of_balls(self) -> dict[int, int]:
        """Return the levels of the best noise that moves lead to from all values within some steps."""
        found = []
        for radius in range(1, self.last + 1):
            firsts: Integers = np.where(self.steps <= radius, self.steps, _NEVER)
            found.append(self.descend(firsts))
        return self.mapping(min(found, key=lambda each: each[0])[1])

    def mapping(self, levels: Integers) -> dict[int, int]:
        """Return the level of each value that has mass."""
        pairs = zip(self.values.tolist(), levels[:-1].tolist(), strict=True)
        return {value: level for value, level in pairs if level < _NEVER}

    def firsts_of(self, levels: Mapping[int, int]) -> Integers:
        """Return first levels at which given noise is reached."""
        return np.array([levels.get(value, _NEVER) for value in self.values.tolist()])
