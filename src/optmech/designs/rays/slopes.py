"""Totals of columns combined so that the slopes of a ray vanish: a master program of few coefficients.

Law: on a slope of a ray entries k truths apart have the ratio ``E = e^epsilon``, so that there

    E x[f] + x[f] / E - x[f - k] - x[f + k] = 0,

and ``E x[f] - x[f + k] = 0`` at the first truths of a rising slope, as at the last ones of a falling slope.
These combinations are as many as truths, independent of each other (their table is diagonally dominant) and
symmetric, so that prices of truths are the same combinations of their duals. A staircase keeps only those
near its plateau.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats

# Programs with fewer truths are solved at once as they are.
_LEAST_TRUTHS = 200
# With more truths within reach, or a smaller epsilon, little vanishes, or digits do.
_LEAST_STEPS, _LEAST_EPSILON = 8, 0.05
_MOST_EPSILON = 10.0


class Slopes(NamedTuple):
    """The combinations for neighbours within `reach`; `factor` is e^epsilon."""

    reach: int
    factor: float

    @classmethod
    def of(cls, truths: int, reach: int, epsilon: float) -> Slopes | None:
        """Return the combinations where they are worth it, else ``None``."""
        is_long = truths >= _LEAST_TRUTHS and truths >= _LEAST_STEPS * reach
        if not (is_long and _LEAST_EPSILON <= epsilon <= _MOST_EPSILON):
            return None
        return cls(reach, float(np.exp(epsilon)))

    def combine(self, values: Floats) -> Floats:
        """Return the combinations of the values of each truth, along the last axis.

        Scaled so that those of ones are one, but at the ends.

        >>> Slopes(1, 2.0).combine(np.array([0.25, 0.5, 1.0, 1.0, 1.0, 0.5]))
        array([0., 0., 2., 1., 2., 0.])
        """
        reach, diagonal = self.reach, self.factor + 1 / self.factor
        combined = diagonal * values
        combined[..., :reach] = self.factor * values[..., :reach]
        combined[..., -reach:] = self.factor * values[..., -reach:]
        combined[..., :-reach] -= values[..., reach:]
        combined[..., reach:] -= values[..., :-reach]
        scaled: Floats = combined / (diagonal - 2)
        return scaled
