"""Pseudo costs: by how much a bound rises, for each unit that a decision moves z."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

# Observations from which on a prediction is trusted; gains and distances below are none.
_TRUSTED = 3
_LEAST = 1e-7


@dataclass(slots=True)
class Gains:
    """Observed gains by value, level and side; a mirror image shares them."""

    total: dict[tuple[int, int, bool], float] = field(default_factory=lambda: defaultdict(float))
    number: dict[tuple[int, int, bool], int] = field(default_factory=lambda: defaultdict(int))

    def observe(self, keys: set[tuple[int, int]], *, stands: bool, gain: float, distance: float) -> None:
        """Add an observation to each of some values and levels."""
        for value, level in keys:
            self.total[value, level, stands] += max(gain, 0.0) / max(distance, _LEAST)
            self.number[value, level, stands] += 1

    def are_trusted(self, value: int, level: int) -> bool:
        """Whether both sides were observed often enough."""
        return min(self.number[value, level, stands] for stands in (False, True)) >= _TRUSTED

    def predicted(self, value: int, level: int, share: float) -> float:
        """Return the merit that is predicted for a decision about z = `share`."""
        down, up = (
            self.total[value, level, stands] / max(self.number[value, level, stands], 1)
            for stands in (False, True)
        )
        return merit(down * share, up * (1 - share))


def merit(down: float, up: float) -> float:
    """Return how good a decision is whose sides raise the bound by so much."""
    return max(down, _LEAST) * max(up, _LEAST)
