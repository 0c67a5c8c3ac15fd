"""A matrix of whole numbers said in few: each row is a sum of rays, powers of one number.

Law: a ray is ``weight * E ** -steps``, with steps that differ by at most one between neighbours, and every
sum of rays is a private row. All is rounded down here, so that nothing is proved by this form: the matrix is
checked entry by entry, as any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Integers, Whole

STEP_BITS = 64
"""A step down is a factor over ``2**STEP_BITS``."""


@dataclass(frozen=True, slots=True)
class Ray:
    """A share of one ray: its numerator, and how many steps down each truth lies.

    Attributes
    ----------
    weight : int
        Zero or more, over the denominator of the matrix.
    first : int
        The steps of truth 0, zero or more.
    gaps : tuple of int
        Each says how many truths further the steps change: by one less where it is positive, by one more
        where it is negative.
    """

    weight: int
    first: int
    gaps: tuple[int, ...]

    @classmethod
    def of(cls, weight: int, steps: Integers) -> Ray:
        """Return the ray of steps that change by at most one from truth to truth.

        >>> Ray.of(3, np.array([1, 0, 0, 1])).gaps
        (1, -2)
        """
        changes = np.diff(steps)
        at = np.flatnonzero(changes)
        gaps = np.diff(np.concatenate([[-1], at])) * -changes[at]
        return cls(weight, int(steps[0]), tuple(gaps.tolist()))

    def steps(self, truths: int) -> Integers:
        """Return the steps of each truth.

        ValueError: they would begin beyond the truths, or change behind the last one or below zero.
        """
        gaps = np.array(self.gaps, dtype=np.int64)
        at = np.cumsum(np.abs(gaps))
        changes = np.zeros(truths, dtype=np.int64)
        if not (0 <= self.first <= truths and (gaps != 0).all() and (at < truths).all()):
            message = "steps of a ray must be those of its truths"
            raise ValueError(message)
        changes[at] = -np.sign(gaps)
        changes[0] = self.first
        steps: Integers = np.cumsum(changes)
        if steps.min() < 0:
            message = "steps of a ray must be zero or more"
            raise ValueError(message)
        return steps


@dataclass(frozen=True, slots=True, kw_only=True)
class RayMatrix:
    """Rays of each response, over one denominator; one response has what the columns then lack.

    Attributes
    ----------
    denominator : int
        Positive.
    step : int
        A step down is worth ``step / 2**STEP_BITS``, from 0 to 1.
    rest : int
        The response that has what columns lack.
    rows : tuple of tuples of Ray
        The rays of each response.
    truths : int
    """

    denominator: int
    step: int
    rest: int
    rows: tuple[tuple[Ray, ...], ...]
    truths: int

    def numerators(self) -> Whole:
        """Return the numerators, shape (num_responses, num_truths); each column sums to the denominator.

        ValueError: a number is beyond its limits. One that is negative means that a column has more than one.

        >>> flat, peak = Ray(2, 0, ()), Ray(2, 1, (1, -1))
        >>> rays = RayMatrix(denominator=8, step=2**63, rest=0, rows=((flat,), (peak,)), truths=3)
        >>> rays.numerators().tolist()
        [[7, 6, 7], [1, 2, 1]]
        """
        sound = self.denominator > 0 and 0 <= self.step <= 1 << STEP_BITS
        if not (sound and 0 <= self.rest < len(self.rows)):
            message = "numbers of a matrix of rays must be within their limits"
            raise ValueError(message)
        powers = [self.denominator]
        numerators = np.zeros((len(self.rows), self.truths), dtype=object)
        for response, rays in enumerate(self.rows):
            for ray in rays:
                numerators[response] += self._entries(ray, powers)
        numerators[self.rest] += self.denominator - numerators.sum(axis=0)
        return numerators

    def _entries(self, ray: Ray, powers: list[int]) -> Whole:
        if ray.weight < 0:
            message = "a weight must be zero or more"
            raise ValueError(message)
        steps = ray.steps(self.truths)
        most = int(steps.max())
        while len(powers) <= most:
            powers.append(powers[-1] * self.step >> STEP_BITS)
        shares = [ray.weight * power // self.denominator for power in powers[: most + 1]]
        entries: Whole = np.array(shares, dtype=object)[steps]
        return entries
