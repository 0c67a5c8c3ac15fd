"""The nearest table without negative numbers, in the metric of the noise, with the released total kept.

Model
-----
    min  (q - y)' (sum_A P_A / s_A) (q - y)     y the released cells, s_A the variance of interaction A
    s.t. q >= 0, sum q = max(sum y, 0)

Averages over axes apply the metric, so that tables of any size have one (alternating directions). Its whole
numbers are those of the running sum, and then pairs of cells move a unit while that brings them nearer.
It is made from released numbers and the certificate alone. Small counts are raised, and large ones lowered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.question.tables.margins import subsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from optmech.base.arrays import Floats, Integers
    from optmech.question.tables.margins import Axes

_STEP, _NEAR, _ROUNDS, _WORK = 1.5, 0.01, 2_000, 1 << 27


def nearest_without_negative(released: Integers, variances: Mapping[Axes, Fraction]) -> Integers:
    """Return the nearest table of whole numbers of at least zero.

    >>> from fractions import Fraction
    >>> each = {frozenset(): Fraction(1), frozenset({0}): Fraction(1)}
    >>> nearest_without_negative(np.array([9, -3, 1, 0]), each).tolist()
    [7, 0, 0, 0]
    """
    total = max(int(released.sum()), 0)
    if released.min() >= 0:
        return released
    cells = float(variances[frozenset(range(released.ndim))])
    precision = {part: cells / float(variance) for part, variance in variances.items()}
    near = _nearest(released.astype(float), precision, total)
    ends = np.floor(np.cumsum(near.ravel()) * (total / max(near.sum(), 1e-300)) + 0.5).astype(np.int64)
    ends[-1] = total
    whole = np.diff(np.minimum(ends, total), prepend=0).reshape(released.shape)
    return _moved(whole, released, precision)


def largest_of(margins: Iterable[Axes]) -> Axes:
    """Return the margin of which all others are sums; NotAcceptedError where there is none."""
    listed = [*margins]
    largest = max(listed, key=len)
    if not all(margin <= largest for margin in listed):
        message = "`no_negative` must be left out: no published margin has all others as its sums."
        raise NotAcceptedError(message)
    return largest


def margins_without_negative(
    released: Mapping[Axes, Integers], variances: Mapping[Axes, Fraction]
) -> dict[Axes, Integers]:
    """Return the nearest margins without negative numbers, which add up; NotAcceptedError as `largest_of`."""
    largest = largest_of(released)
    parts = {part: variances[part] for part in subsets(largest)}
    places = {axis: place for place, axis in enumerate(sorted(largest))}
    near = nearest_without_negative(
        released[largest], {frozenset(places[axis] for axis in part): value for part, value in parts.items()}
    )
    return {
        margin: near.sum(axis=tuple(places[axis] for axis in largest - margin), dtype=np.int64)
        for margin in released
    }


def _nearest(released: Floats, precision: Mapping[Axes, float], total: int) -> Floats:
    """Return the nearest table of real numbers, nearly."""
    solved = {part: 1 / (weight + _STEP) for part, weight in precision.items()} | {frozenset(): 0.0}
    pull, mean = _applied(released, precision), total / released.size
    near, gap = np.maximum(released, 0), np.zeros_like(released)
    for _ in range(_ROUNDS):
        free = _applied(pull + _STEP * (near - gap), solved) + mean
        before, near = near, np.maximum(free + gap, 0)
        gap += free - near
        if max(np.abs(free - near).max(), np.abs(near - before).max()) < _NEAR:
            break
    return near


def _applied(table: Floats, weights: Mapping[Axes, float]) -> Floats:
    """Return the sum of the interactions of a table with weights: sum_A w_A P_A."""
    every = frozenset(range(table.ndim))
    result = np.zeros(())
    for kept in subsets(every):  # P_A = sum_(S in A) (-1)^|A - S| mean over the axes that are not in S
        weight = sum((-1) ** len(part - kept) * weights[part] for part in weights if kept <= part)
        result = result + weight * table.mean(axis=tuple(every - kept), keepdims=True)
    return result


def _moved(whole: Integers, released: Integers, precision: Mapping[Axes, float]) -> Integers:
    """Return whole numbers that are nearer: units move from cells with too much to cells with too little."""
    slope = _applied((whole - released).astype(float), precision).ravel()
    flat, many = whole.ravel(), max(whole.size // 8, 1)
    for _ in range(_WORK // whole.size + 1):
        least = np.argpartition(slope, many - 1)[:many]
        most = np.argpartition(np.where(flat > 0, -slope, np.inf), many - 1)[:many]
        step = np.zeros_like(flat)
        step[least] += 1
        step[most[flat[most] > 0]] -= 1
        if step.sum() == 0:
            change = _applied(step.reshape(whole.shape).astype(float), precision).ravel()
            if 2 * step @ slope + step @ change < -_NEAR:
                flat, slope = flat + step, slope + change
                continue
        if many == 1:
            break
        many //= 2
    return flat.reshape(whole.shape)
