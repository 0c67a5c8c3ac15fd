"""Elimination of the entries of all rows at once, block by block, without cancellation.

Each row has a symmetric matrix ``K = diag(s/x) + A' W A``. It is nearly singular along the row itself, since
tight rules tie all entries of a private row. Scaled by the row, ``X K X`` has off-diagonals ``-m``, which are
not positive, and its row sums are known to all digits from the slacks. Elimination carries these two and
never the diagonal, so that nothing cancels:

    for i in order:  d_i = sum_i + sum_j m_ij;   sum_j += m_ij sum_i / d_i;   m_jl += m_ij m_il / d_i

with j, l behind i. Source: Grassmann, Taksar, Heyman 1985, for Markov chains. Places are eliminated in the
blocks of a dissection: within a block one by one, behind it all at once by products of matrices, whose
entries are not negative either.

The factors are ``X K X = L D L'``. Prices have the system ``G' X (X K X)^-1 X G``, which is ``F' F`` with
``F = D^-1/2 L^-1 X G``. In a block F has the prices of the places below it alone, so that most of it is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from scipy.linalg.blas import dsyrk

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.interior.fronts import Front, Fronts


@dataclass(frozen=True, slots=True, eq=False)
class Elimination:
    """The factors of all rows: pivots, shape (rows, places), and of each block the inverse.

    The inverse, shape (rows, own places and places behind, own places), takes right-hand sides of a block
    through its elimination, and on to the places behind.
    """

    fronts: Fronts
    pivots: Floats
    inverses: tuple[Floats, ...]

    @classmethod
    def of(cls, fronts: Fronts, row_sums: Floats, couplings: Floats) -> Self | None:
        """Return the factors, ``None`` where rounding leaves a pivot that is not positive.

        Row sums have the shape (places, rows). Couplings, shape (pairs of places, rows), are in the order of
        `fronts.couplings`.
        """
        sums = np.ascontiguousarray(row_sums.T)
        pivots = np.empty_like(sums)
        inverses = []
        left: dict[int, Floats] = {}
        for number, front in enumerate(fronts):
            own, size = front.own, front.block.size
            block = _assembled(front, couplings, left, len(sums))
            panel = block[:, :size]
            of_block = sums[:, front.places]
            pivots[:, own] = _eliminated(panel, of_block)
            if not (pivots[:, own] > 0).all():
                return None
            sums[:, front.block.behind] = of_block[:, size:]
            ahead = panel[:, :, size:].transpose(0, 2, 1)
            left[number] = block[:, size:, size:] + (ahead * pivots[:, None, own]) @ panel[:, :, size:]
            inverse = _inverse(panel[:, :, :size])
            inverses.append(np.concatenate([inverse, ahead @ inverse], axis=1))
        return cls(fronts, pivots, tuple(inverses))

    def solve(self, right: Floats) -> Floats:
        """Return the solutions of all rows, for right-hand sides of the shape (places, rows)."""
        solution = np.ascontiguousarray(right.T)
        steps = list(zip(self.fronts, self.inverses, strict=True))
        for front, inverse in steps:
            own, size = front.own, front.block.size
            moved = (inverse @ solution[:, own, None])[:, :, 0]
            solution[:, own] = moved[:, :size]
            solution[:, front.block.behind] += moved[:, size:]
        solution /= self.pivots
        for front, inverse in reversed(steps):
            solution[:, front.own] = (solution[:, None, front.places] @ inverse)[:, 0]
        return np.ascontiguousarray(solution.T)

    def of_prices(self, coefficients: Floats) -> Floats:
        """Return ``G' (X K X)^-1 G``, summed over the rows, of coefficients in the order of the fronts."""
        system = np.zeros((self.fronts.coefficients.width,) * 2)
        left: dict[int, Floats] = {}
        rows = len(self.pivots)
        for number, (front, inverse) in enumerate(zip(self.fronts, self.inverses, strict=True)):
            own, size = front.own, front.block.size
            right = np.zeros((rows, len(front.places), len(front.prices)))
            at, price = front.at_coefficients
            right[:, at, price] = coefficients[front.coefficients].T
            for child in front.children:
                right[:, child.places[:, None], child.prices] += left.pop(child.number)
            solved = inverse @ right[:, :size]
            left[number] = right[:, size:] + solved[:, size:]
            scaled = solved[:, :size] / np.sqrt(self.pivots[:, own, None])
            upper = dsyrk(1.0, scaled.reshape(rows * size, -1).T, lower=True).T
            system[front.prices[:, None], front.prices] += upper
        return system + np.triu(system, 1).T


def _assembled(front: Front, couplings: Floats, left: dict[int, Floats], rows: int) -> Floats:
    """Return the couplings of a block, own and those that its children leave, shape (rows, places, places).

    They are symmetric behind the own places, and right of the diagonal in these. The diagonal means nothing.
    """
    places = len(front.places)
    block = np.zeros((rows, places, places))
    at, other = front.at_couplings
    block[:, at, other] = couplings[front.couplings].T
    for child in front.children:
        block[:, child.places[:, None], child.places] += left.pop(child.number)
    return block


def _eliminated(panel: Floats, sums: Floats) -> Floats:
    """Return the pivots of a panel, shape (rows, own places, places), and make its couplings multipliers."""
    _, size, _ = panel.shape
    pivots = np.empty(panel.shape[:2])
    for i in range(size):
        pivots[:, i] = sums[:, i] + panel[:, i, i + 1 :].sum(axis=1)
        couplings = panel[:, i, i + 1 :].copy()
        panel[:, i, i + 1 :] /= pivots[:, i, None]
        multipliers = panel[:, i, i + 1 :]
        sums[:, i + 1 :] += multipliers * sums[:, i, None]
        if i + 1 < size:
            panel[:, i + 1 :, i + 1 :] += multipliers[:, : size - i - 1, None] * couplings[:, None, :]
    return pivots


def _inverse(multipliers: Floats) -> Floats:
    """Return ``1 + N' + N'^2 + ...``, the inverse of ``1 - N'``, N being what is right of the diagonal."""
    size = multipliers.shape[1]
    power = np.triu(multipliers, 1).transpose(0, 2, 1)
    inverse: Floats = np.eye(size) + power
    length = 2
    while length < size:
        power = power @ power
        inverse = inverse + power @ inverse
        length *= 2
    return inverse
