"""A private matrix near the entries of an interior point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from optmech.base.arrays import Floats
    from optmech.designs.interior.row_program import RowProgram

_LEAST_SHARE = 2.0**-44
# Left of a delta for the rounding of doubles: of a column's sum, but at most a share of a smaller delta.
_LEFT, _MOST_LEFT = 2.0**-48, 0.25
_MOST_PASSES, _MOST_SLOPES = 200, 4


def matrix_of(program: RowProgram, entries: Floats, *, never: float) -> Floats:
    """Return the entries of all responses as a matrix whose columns sum to one.

    A response that is released less often than `never`, at every truth, is never released.
    """
    matrix = program.unfolded(_raised(program, np.maximum(entries, 0.0)))
    matrix[matrix.max(axis=1) < never] = 0.0
    columns: Floats = matrix / matrix.sum(axis=0)
    return columns


def _raised(program: RowProgram, entries: Floats) -> Floats:
    """Return the least entries above the given ones that keep the ratios of which nothing may be spent."""
    is_kept = np.ones(len(program.left), dtype=bool)
    is_kept[program.spending] = False
    kept = np.flatnonzero(is_kept)
    if not len(kept):
        return entries
    kept = kept[np.argsort(program.right[kept], kind="stable")]
    left, shares = program.left[kept], 1 / program.factors[kept, None]
    right, first = np.unique(program.right[kept], return_index=True)
    for _ in range(_MOST_PASSES):
        least = np.maximum.reduceat(entries[left] * shares, first, axis=0)
        if (entries[right] >= least).all():
            break
        entries = entries.copy()
        entries[right] = np.maximum(entries[right], least)
    return entries


def with_ratios_kept(program: RowProgram, matrix: Floats) -> Floats:
    """Return a matrix mixed with one that ignores the truth, so that ratios hold that have no delta."""
    kept = np.delete(np.arange(len(program.left)), program.spending)
    within, factors = matrix[:, program.order], program.factors[kept]
    constant = matrix.mean(axis=1, keepdims=True)
    over = np.maximum(within[:, program.left[kept]] - factors * within[:, program.right[kept]], 0.0)
    # With a share s of the other matrix there is (1 - s) over - s (E - 1) constant.
    shares = over / np.where(over > 0, over + (factors - 1) * constant, 1.0)
    share = shares.max(initial=0.0)
    mixed: Floats = (1 - share) * matrix + share * constant
    return mixed


def with_room(program: RowProgram, matrix: Floats) -> Floats:
    """Return a matrix mixed with one that ignores the truth, so that each delta is kept with room.

    Law: the excess of a pair falls at least in proportion to the share of what is left, for the other matrix
    has none. It is convex in the share, so that steps along its slope never go too far; a share in proportion
    to what they leave is the last.
    """
    constant = matrix.mean(axis=1, keepdims=True)
    mixed: Floats = (1 - _LEAST_SHARE) * matrix + _LEAST_SHARE * constant
    for number in range(_MOST_SLOPES + 1):
        spent, slopes, allowed = _spending(program, mixed, constant)
        over = spent > allowed
        if not over.any():
            break
        falls = slopes if number < _MOST_SLOPES else spent
        share = float(np.max((spent[over] - allowed[over]) / falls[over]))
        mixed = (1 - share) * mixed + share * constant
    return mixed


def _spending(program: RowProgram, matrix: Floats, constant: Floats) -> tuple[Floats, Floats, Floats]:
    """Return of each pair with a delta the excess, its fall for a share of the constant, and the limit."""
    within = matrix[:, program.order]
    left, right = program.left[program.spending], program.right[program.spending]
    factors = program.factors[program.spending]
    excess = within[:, left] - factors * within[:, right]
    positive = excess > 0
    spent: Floats = np.where(positive, excess, 0.0).sum(axis=0)
    slopes: Floats = spent + (factors - 1) * (positive * constant).sum(axis=0)
    deltas = program.deltas[program.budgets.of]
    return spent, slopes, deltas - np.minimum(_LEFT, _MOST_LEFT * deltas)
