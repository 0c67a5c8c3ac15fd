"""The least matrix above a given one that keeps ratios, orders and ties: Croft et al. 2020 (4), (10)-(15).

All these rules have the form ``M[a] >= c M[b]`` with c at most one: privacy with ``c = 1/E``, properties with
``c = 1``. So raising entries until nothing changes ends, and gives the least such matrix. Matrices that keep
the rules form a cone: sums and positive multiples keep them as well.

This is floating point: rounding later checks the result in whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.base.arrays import Floats
    from optmech.rules import Rules


__all__ = ["envelope"]


def envelope(matrix: Floats, rules: Rules, ratio: float) -> Floats:
    """Return the least matrix above `matrix`, which is not negative, that keeps all of it.

    Between neighbours ``P <= ratio^weight Q``, where `ratio` is ``e^epsilon`` or a little less.
    """
    entries = np.array(matrix, order="F")  # most is done by columns
    steps = (_privacy(rules, ratio), *rules.envelopes)
    for _ in range(2 * sum(matrix.shape)):
        before = entries.copy()
        for step in steps:
            step(entries)
        if np.array_equal(before, entries):
            break
    return np.ascontiguousarray(entries)


def _privacy(rules: Rules, ratio: float) -> Callable[[Floats], None]:
    pairs, weights = rules.pairs, rules.weights
    if not rules.is_weighted and rules.is_complete:
        return lambda matrix: np.copyto(matrix, np.maximum(matrix, matrix.max(axis=1, keepdims=True) / ratio))
    reach = int(np.abs(pairs[:, 0] - pairs[:, 1]).max(initial=1))
    if not rules.is_weighted and len(pairs) == reach * (2 * rules.shape[1] - reach - 1):  # all within reach
        return lambda matrix: _within(matrix, reach, ratio)
    # Within a group of one step no column appears twice on a side.
    marks = np.column_stack([pairs[:, 1] - pairs[:, 0], weights])
    kinds, kind = np.unique(marks, axis=0, return_inverse=True)
    groups = [(*pairs[kind.ravel() == k].T, ratio ** float(kinds[k, 1])) for k in range(len(kinds))]

    def along(matrix: Floats) -> None:
        for truths, neighbours, factor in groups:
            matrix[:, neighbours] = np.maximum(matrix[:, neighbours], matrix[:, truths] / factor)

    return along


def _within(matrix: Floats, reach: int, ratio: float) -> None:
    """Raise for neighbours within a reach: all goes straight up or down, so that one pass each way is all."""
    for columns in (matrix, matrix[:, ::-1]):
        for f in range(columns.shape[1] - 1):
            beyond = columns[:, f + 1 : f + 1 + reach]
            np.maximum(beyond, columns[:, f, None] / ratio, out=beyond)
