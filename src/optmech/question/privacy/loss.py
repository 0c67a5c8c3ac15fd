"""How far the columns of neighbouring truths differ: four ways to measure it, each with its worst place.

Below, P and Q are the columns of an ordered pair of neighbours and E is ``e^epsilon``. A factor may be given
for each pair. All numbers are
*recomputed* in floating point from the matrix; a zero beside a positive entry counts as what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.question.epsilon import exact_epsilon, exponential

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from optmech.base.numbers import Number

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = [
    "DELTA_ROUNDING",
    "SUM_ROUNDING",
    "TIE",
    "Worst",
    "factor_of",
    "largest_excess",
    "largest_hockey_stick",
    "largest_leak",
    "largest_privacy_loss",
]

# Probabilistic privacy jumps where a ratio equals E: a ratio within this relative distance counts as kept,
# so the guarantee stands at epsilon + 1e-9.
TIE = 1e-9

# Solvers keep rows within 1e-9 at best; delta of one outcome is such a row.
DELTA_ROUNDING = 1e-8
# A delta of a millionth is held to more digits: up to the rounding of a sum of doubles.
SUM_ROUNDING = 1e-15

# The logarithm of the largest double, rounded down.
_LARGEST_EXPONENT = 709
# Entries compared at once, so that a million pairs do not need a gigabyte.
_CHUNK = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Worst:
    """A measured value and where it is largest.

    Attributes
    ----------
    value : float
        The largest value over all pairs of neighbours, zero if there are none.
    truth, neighbour : int
        Positions of the pair that attains it.
    response : int or None
        Position of the response that attains it, absent where the measure sums over responses.
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
        logs = np.log(matrix)

    def loss(left: Integers, right: Integers, times: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            difference = (logs[:, left] - logs[:, right]) / times
        # Two zeros differ by nothing: a response that neither truth gives tells them not apart.
        return np.where(np.isnan(difference), -np.inf, difference)

    return _largest_entry(matrix, pairs, loss, np.asarray(weights, dtype=float))


def largest_excess(matrix: Floats, pairs: Integers, factor: Floats | float) -> Worst:
    """Return the largest ``P(r) - factor Q(r)`` over single responses, at least zero."""

    def excess(left: Integers, right: Integers, times: Floats) -> Floats:
        return matrix[:, left] - times * matrix[:, right]

    return _largest_entry(matrix, pairs, excess, factor)


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
        message = f"`epsilon` must be zero or more; got {as_text(value)}."
        raise ProblemError(message)
    # Beyond the largest double no ratio of doubles is excessive but one over zero, and 1e308 * 0 is 0.
    return exponential(value if value <= _LARGEST_EXPONENT else Fraction(_LARGEST_EXPONENT))


def _largest_entry(
    matrix: Floats,
    pairs: Integers,
    measure: Callable[[Integers, Integers, Floats], Floats],
    factor: Floats | float = 1.0,
) -> Worst:
    worst = Worst(value=0.0)
    for chunk, times in _chunks(matrix, pairs, factor):
        values = measure(chunk[:, 0], chunk[:, 1], times)
        response, pair = np.unravel_index(int(np.argmax(values)), values.shape)
        if values[response, pair] > worst.value:
            truth, neighbour = chunk[pair].tolist()
            value = float(values[response, pair])
            worst = Worst(value=value, truth=truth, neighbour=neighbour, response=int(response))
    return worst


def _largest_sum(
    matrix: Floats,
    pairs: Integers,
    measure: Callable[[Floats, Floats], Floats],
    factor: Floats | float,
) -> Worst:
    worst = Worst(value=0.0)
    for chunk, times in _chunks(matrix, pairs, factor):
        sums = measure(matrix[:, chunk[:, 0]], times * matrix[:, chunk[:, 1]]).sum(axis=0)
        pair = int(np.argmax(sums))
        if sums[pair] > worst.value:
            truth, neighbour = chunk[pair].tolist()
            worst = Worst(value=float(sums[pair]), truth=truth, neighbour=neighbour)
    return worst


def _chunks(matrix: Floats, pairs: Integers, factor: Floats | float) -> Iterator[tuple[Integers, Floats]]:
    """Yield some pairs at a time, each with the factor that lies between its truths."""
    step = max(1, _CHUNK // len(matrix))
    factors = np.broadcast_to(np.asarray(factor, dtype=float), (len(pairs),))
    for start in range(0, len(pairs), step):
        yield pairs[start : start + step], factors[start : start + step]
