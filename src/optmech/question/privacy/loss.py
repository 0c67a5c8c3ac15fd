"""Four measures of the difference between columns of neighbouring truths, each with its worst entry.

Below, P and Q are the columns of an ordered pair of neighbours and E is ``e^epsilon``. A factor may be given
for each pair. All numbers are *recomputed* in floating point from the matrix; a zero beside a positive entry
makes the loss infinite.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.question.epsilon import exact_epsilon, exponential

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optmech.base.arrays import Floats, Integers
    from optmech.base.numbers import Number


# Probabilistic privacy jumps where a ratio equals E: a ratio within this relative distance counts as kept,
# so the guarantee stands at epsilon + 1e-9.
TIE = 1e-9

# Solvers keep rows within 1e-9 at best; delta of one outcome is such a row.
DELTA_ROUNDING = 1e-8
# A delta of a millionth is held to more digits: up to the rounding of a sum of doubles.
SUM_ROUNDING = 1e-15

# The logarithm of the largest double, rounded down.
_LARGEST_EXPONENT = 709
# Entries compared at once: they fit into a processor's cache, and a million pairs need no gigabyte.
_CHUNK = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """The largest value over all pairs of neighbours, zero if there are none, and where it is attained.

    `response` is absent where the measure sums over responses.
    """

    value: float
    truth: int = 0
    neighbour: int = 0
    response: int | None = None


def largest_privacy_loss(matrix: Floats, pairs: Integers, weights: Integers | int = 1) -> Worst:
    """Return the largest ``log(P(r) / Q(r))``: infinite where Q(r) is zero and P(r) is not.

    Between neighbours with a weight it is divided by that: the epsilon that the matrix needs.
    """
    with np.errstate(divide="ignore"):
        return largest_log_ratio(np.log(matrix), pairs, weights)


def largest_log_ratio(logs: Floats, pairs: Integers, weights: Integers | int = 1) -> Worst:
    """Return the same from the logarithms of the entries, which may be of entries too small for a double."""

    def loss(p: Floats, q: Floats, times: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            difference = (p - q) / times
        # Two zeros do not differ: a response that neither truth gives reveals nothing.
        difference[np.isnan(difference)] = -np.inf
        return difference

    return _largest_entry(logs, pairs, loss, np.asarray(weights, dtype=float))


def log_ratio(large: int, small: int) -> float:
    """Return ``log(large / small)`` of positive whole numbers, whose ratio may be too large for a double.

    >>> round(log_ratio(10**400, 1) / 400, 6), log_ratio(10**20 + 1, 10**20)
    (2.302585, 1e-20)
    """
    if large < 2 * small:
        return math.log1p((large - small) / small)
    return math.log(large) - math.log(small)


def largest_excess(matrix: Floats, pairs: Integers, factor: Floats | float) -> Worst:
    """Return the largest ``P(r) - factor Q(r)`` over single responses, at least zero."""
    return _largest_entry(matrix, pairs, lambda p, q, times: p - times * q, factor)


def largest_hockey_stick(matrix: Floats, pairs: Integers, factor: Floats | float) -> Worst:
    """Return the largest hockey-stick divergence, the sum over r of ``max(0, P(r) - factor Q(r))``."""
    return _largest_sum(matrix, pairs, lambda p, q: np.maximum(p - q, 0.0), factor)


def largest_leak(matrix: Floats, pairs: Integers, factor: Floats | float) -> Worst:
    """Return the largest probability under P of a response with ``P(r) > factor Q(r)``."""
    return _largest_sum(matrix, pairs, lambda p, q: np.where(p > (1 + TIE) * q, p, 0.0), factor)


def factor_of(epsilon: Number) -> float:
    """Return ``e^epsilon``, of a large epsilon the largest power that is a double."""
    value = exact_epsilon(epsilon)
    if value < 0:
        raise broken_rule("epsilon", "be zero or more", as_text(value))
    # Beyond the largest double no ratio of doubles is excessive but one over zero, and 1e308 * 0 is 0.
    return exponential(value if value <= _LARGEST_EXPONENT else Fraction(_LARGEST_EXPONENT))


def _largest_entry(
    table: Floats,
    pairs: Integers,
    measure: Callable[[Floats, Floats, Floats], Floats],
    factor: Floats | float = 1.0,
) -> Worst:
    worst = Worst(value=0.0)
    for chunk, left, right, times in _chunks(table, pairs, factor):
        values = measure(left, right, times)
        value = float(values.max())
        if value < worst.value or value <= 0:
            continue
        # Among equal values take the first response, and for that the first pair.
        response = int(np.argmax((values == value).any(axis=0)))
        if value > worst.value or response < (worst.response or 0):
            truth, neighbour = chunk[int(np.argmax(values[:, response]))].tolist()
            worst = Worst(value=value, truth=truth, neighbour=neighbour, response=response)
    return worst


def _largest_sum(
    matrix: Floats,
    pairs: Integers,
    measure: Callable[[Floats, Floats], Floats],
    factor: Floats | float,
) -> Worst:
    worst = Worst(value=0.0)
    for chunk, left, right, times in _chunks(matrix, pairs, factor):
        sums = measure(left, times * right).sum(axis=1)
        pair = int(np.argmax(sums))
        if sums[pair] > worst.value:
            truth, neighbour = chunk[pair].tolist()
            worst = Worst(value=float(sums[pair]), truth=truth, neighbour=neighbour)
    return worst


def _chunks(
    table: Floats, pairs: Integers, factor: Floats | float
) -> Iterator[tuple[Integers, Floats, Floats, Floats]]:
    """Yield some pairs at a time: both columns of each as rows, and the factor that lies between them."""
    columns = np.ascontiguousarray(table.T)  # so that those of a pair lie in one piece of memory
    step = max(1, _CHUNK // len(table))
    factors = np.broadcast_to(np.asarray(factor, dtype=float), (len(pairs),))
    for start in range(0, len(pairs), step):
        chunk = pairs[start : start + step]
        yield chunk, columns[chunk[:, 0]], columns[chunk[:, 1]], factors[start : start + step, None]
