"""Elimination of the entries of all rows at once, without cancellation.

Each row has a symmetric matrix ``K = diag(s/x) + A' W A``. It is nearly singular along the row itself, since
tight rules tie all entries of a private row. Scaled by the row, ``X K X`` has off-diagonals ``-m``, which are
not positive, and its row sums are known to all digits from the slacks. Elimination carries these two and
never the diagonal, so that nothing cancels:

    for i in order:  d_i = sum_i + sum_j m_ij;   sum_j += m_ij sum_i / d_i;   m_jl += m_ij m_il / d_i

with j, l behind i. Source: Grassmann, Taksar, Heyman 1985, for Markov chains.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats

_AHEAD = 1


@dataclass(frozen=True, slots=True, eq=False)
class Elimination:
    """The factors L D L' of all rows: pivots (places, rows), and multipliers (places, ahead, rows).

    The multiplier ``[i, d - 1]`` takes what stands at place i on to place ``i + d``.
    """

    pivots: Floats
    ahead: Floats

    @classmethod
    def of(cls, row_sums: Floats, couplings: Floats) -> Self | None:
        """Return the factors, ``None`` where rounding leaves a pivot that is not positive.

        Row sums have the shape (places, rows). Couplings ``[i, d - 1]`` are m between i and ``i + d``, of the
        shape (places, width, rows). Both are overwritten.
        """
        places, width, _ = couplings.shape
        pivots = np.empty_like(row_sums)
        for i in range(places):
            reach = min(width, places - 1 - i)
            pivots[i] = row_sums[i] + couplings[i].sum(axis=0)
            if not (pivots[i] > 0).all():
                return None
            multipliers = couplings[i, :reach] / pivots[i]
            row_sums[i + 1 : i + 1 + reach] += multipliers * row_sums[i]
            for d in range(1, reach):
                couplings[i + d, : reach - d] += multipliers[d - 1] * couplings[i, d:reach]
            couplings[i, :reach] = multipliers
        return cls(pivots, couplings)

    def solve(self, right: Floats) -> Floats:
        """Return the solutions of all rows, for right-hand sides of the shape (places, rows)."""
        solution = right.copy()
        places, width, _ = self.ahead.shape
        for i in range(places):
            reach = min(width, places - 1 - i)
            solution[i + 1 : i + 1 + reach] += self.ahead[i, :reach] * solution[i]
        solution /= self.pivots
        for i in range(places - 2, -1, -1):
            reach = min(width, places - 1 - i)
            solution[i] += (self.ahead[i, :reach] * solution[i + 1 : i + 1 + reach]).sum(axis=0)
        return solution

    def solve_all(self, right: Floats) -> None:
        """Replace right-hand sides, of the shape (places, rows, columns), by the solutions of all rows."""
        places, width, _ = self.ahead.shape
        for i in range(places):
            reach = min(width, places - 1 - i)
            for d in range(1, reach + 1):
                multiplier = self.ahead[i, d - 1]
                if multiplier.any():
                    right[i + d] += multiplier[:, None] * right[i]
            right[i] /= self.pivots[i][:, None]
        for i in range(places - 2, -1, -1):
            reach = min(width, places - 1 - i)
            for d in range(1, reach + 1):
                right[i] += self.ahead[i, d - 1][:, None] * right[i + d]
