"""Noise values, the steps between them that privacy compares, and noise that stands on levels.

Values are positions on a circle or torus, 0 for none. Masses are in units of the mass of 0, so that noise on
levels l has mass ``sum a^l`` with a = e^-epsilon. T = 1/f(0) is no less: the rest is spread without a leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.rules.noise_question import NoiseQuestion


@dataclass(frozen=True, kw_only=True)
class Circle:
    """Values, and what is asked of noise.

    Attributes
    ----------
    distances : tuple of int
        Positions of the distances.
    after, before : tuple of tuple of int
        For each distance mu and value p the values p + mu and p - mu.
    images : tuple of int
        For each value p the value -p.
    ratio : float
        e^-epsilon.
    delta : float or None
        The mass that may leak; ``None`` where the least delta is sought.
    inverse : float or None
        The largest 1/f(0), where the least delta is sought.
    """

    distances: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    before: tuple[tuple[int, ...], ...]
    images: tuple[int, ...]
    ratio: float
    delta: float | None
    inverse: float | None = None

    @classmethod
    def of(cls, question: NoiseQuestion, ratio: float) -> Circle:
        """Return the values of a question."""
        moved, images = question.moved(), question.mirrored()
        before = images[moved[:, images]]
        inverse = None
        if question.at_most is not None:
            inverse = (question.other_cost - question.truth_cost) / (question.other_cost - question.at_most)
        return cls(
            distances=question.distances,
            after=tuple(map(tuple, moved.tolist())),
            before=tuple(map(tuple, before.tolist())),
            images=tuple(images.tolist()),
            ratio=ratio,
            delta=None if question.delta is None else float(question.delta),
            inverse=None if inverse is None else float(inverse),
        )

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.images)

    @cached_property
    def steps(self) -> tuple[int | None, ...]:
        """The least number of distances that add up to each value, ``None`` where none do."""
        steps: list[int | None] = [None] * self.size
        ring, number = [0], 0
        while ring:
            for value in ring:
                steps[value] = number
            number += 1
            ring = sorted(
                {after[value] for value in ring for after in self.after if steps[after[value]] is None}
            )
        return tuple(steps)

    @cached_property
    def is_its_image(self) -> bool:
        """Whether the distances are the same both ways."""
        return {self.images[step] for step in self.distances} == set(self.distances)

    def worth(self, mass: float, leak: float) -> float:
        """Return what is minimised, of noise with a mass and a largest leak: T, or delta.

        Where delta is sought a mass of more than `inverse` is worth nothing.
        """
        if self.delta is not None:
            return max(mass, leak / self.delta)
        assert self.inverse is not None  # noqa: S101 - one of the two is given
        return leak / self.inverse if mass <= self.inverse else float("inf")

    def worth_of(self, levels: Mapping[int, int]) -> float:
        """Return the worth of noise on levels, by value."""
        weights = {value: self.ratio**level for value, level in levels.items()}
        leaks = [
            sum(
                weight
                for value, weight in weights.items()
                if levels.get(after[value], levels[value] + 2) > levels[value] + 1
            )
            for after in self.after
        ]
        return self.worth(sum(weights.values()), max(leaks))
