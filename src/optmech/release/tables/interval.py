"""Which true answers may have led to a release: an interval that holds the truth with a given probability.

Model
-----
    A(t) is the shortest row of responses, best centred on t, with P(response in A(t) | t) >= level
    the interval of a response r goes from the least to the largest t with r in A(t)

Whatever the true answer t, what is released is in A(t) with probability `level` at least, and then t is in
the interval: a confidence interval after Neyman 1937, without a prior. It is computed from what is released
and from the mechanism, which is public, so that it spends nothing. Of a distribution without a matrix A(t) is
what noise between two quantiles leads to. Sums of probabilities are exact; of geometric noise the half-width
comes from doubles, with room for their rounding.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.numbers import as_text, exact
from optmech.mechanisms.sampling import whole_weights
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.release.tables.column_mechanisms import (
    DistributionColumn,
    MatrixColumn,
    holds_run,
    need_typed_column,
    typed_column,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.base.numbers import Number
    from optmech.mechanisms.distribution import Distribution
    from optmech.release.tables.column_mechanisms import ColumnMechanism

    Positions = NDArray[np.int64]

_ROOM = 1e-9
_MEANING = (
    "Whatever the true answer of a row is, its interval holds it with at least this probability. Intervals "
    "are computed from the released answers and spend nothing."
)


def level_of(interval: Number) -> Fraction:
    """Return with which probability an interval is to hold the true answer: ProblemError."""
    level = exact(interval, "interval")
    if not 0 < level < 1:
        raise broken_rule("interval", "be a probability between 0 and 1, such as 0.95", as_text(level))
    return level


def columns_of_limits(column: str) -> list[str]:
    """Return the columns of the ends of intervals."""
    return [f"{column}_low", f"{column}_high"]


def interval_in_log(level: Fraction, column: str) -> dict[str, Any]:
    """Return what a log says of intervals."""
    return {"level": as_text(level), "columns": columns_of_limits(column), "meaning": _MEANING}


class Limits:
    """The ends of the interval of each response of a mechanism, whose true answers are numbers on a scale.

    The interval holds the true answer with probability `level` at least. NotAcceptedError if the answers have
    no order, or nothing is known of it.
    """

    def __init__(self, law: ColumnMechanism, level: Fraction) -> None:
        if law.labels or not law.has_ends:
            trouble = (
                "without a certificate nobody knows the order of the answers"
                if law.has_ends is None
                else "answers without an order have no interval"
            )
            message = f"`interval` must be left out: {trouble}."
            raise NotAcceptedError(message)
        self._law = law
        self._level = level
        self._ends = _ends(law, level) if isinstance(law, MatrixColumn) else None

    def of(self, responses: pa.Array, kind: pa.DataType) -> list[pa.Array]:
        """Return the lower and the upper end for each release, of a type that holds all true answers."""
        if pa.types.is_dictionary(responses.type):  # read from a file, with the answers of all groups in it
            responses = responses.dictionary_decode()
        encoded = responses.dictionary_encode()
        return [
            need_typed_column([Fraction(self._law.values[place]) for place in places.tolist()], kind).take(
                encoded.indices
            )
            for places in self._positions(encoded.dictionary)
        ]

    def _positions(self, responses: pa.Array) -> tuple[Positions, Positions]:
        if isinstance(self._law, DistributionColumn):
            first, last = int(self._law.values[0]), len(self._law.values) - 1
            counts = np.array(
                [int(Fraction(str(value))) - first for value in responses.to_pylist()], np.int64
            )
            low, high = _of_noise(self._law.mechanism, counts, self._level)
            return np.clip(np.minimum(low, high), 0, last), np.clip(np.maximum(low, high), 0, last)
        assert isinstance(self._law, MatrixColumn)  # noqa: S101 - there is nothing else
        assert self._ends is not None  # noqa: S101 - of such a law
        names = typed_column(self._law.mechanism.responses, responses.type)
        places = pc.index_in(responses, names).to_numpy()
        return self._ends[0][places], self._ends[1][places]


def limits_type(laws: list[ColumnMechanism], kind: pa.DataType) -> pa.DataType:
    """Return the type of the ends of intervals: that of the releases where it holds all true answers."""
    for law in laws:
        values = law.values
        held = (
            holds_run(values[0], values[-1], kind)
            if isinstance(values, range)
            else typed_column(values, kind) is not None
        )
        if not held:
            return pa.float64()
    return kind


def _ends(law: MatrixColumn, level: Fraction) -> tuple[Positions, Positions]:
    """Return for each response the positions of the least and of the largest true answer in its interval."""
    mechanism = law.mechanism
    weights = whole_weights(mechanism.matrix, mechanism.exact)
    number, (low, high) = len(mechanism.responses), np.full((2, len(mechanism.responses)), -1)
    distances = np.full(number, np.inf)
    for truth, value in enumerate(mechanism.truths):
        start, stop = _shortest(weights[:, truth].tolist(), list(mechanism.responses), value, level)
        places = np.arange(number)
        away = np.maximum(np.maximum(start - places, places - stop), 0)
        inside = away == 0
        low[inside & ((low < 0) | (distances > 0))] = truth
        high[inside] = truth
        # A response of no truth's row keeps the truths whose rows are nearest.
        nearer = ~inside & (away < distances)
        low[nearer], high[nearer] = truth, truth
        high[~inside & (away == distances)] = truth
        distances = np.minimum(distances, away)
    return low, high


def _shortest(
    weights: list[int], responses: list[Fraction], truth: Fraction, level: Fraction
) -> tuple[int, int]:
    """Return the first and the last response of the shortest row that has the level."""
    sums = [0, *accumulate(weights)]
    mass = level * sums[-1]
    best: tuple[Fraction, Fraction, int, int] | None = None
    stop = 0
    for start in range(len(weights)):
        while stop < len(weights) and sums[stop + 1] - sums[start] < mass:
            stop += 1
        if stop == len(weights):
            break
        first, last = responses[start], responses[stop]
        best_range = last - first, abs(first + last - 2 * truth), start, stop
        best = best_range if best is None else min(best, best_range)
    assert best is not None  # noqa: S101 - all responses together have probability one
    return best[2:]


def _of_noise(mechanism: Distribution, responses: Positions, level: Fraction) -> tuple[Positions, Positions]:
    """Return the least and the largest true answer from which noise of this level leads to each response."""
    certificate = mechanism.certificate
    # Of noise Z it is after < Z <= until, as probably as the level says.
    if isinstance(certificate, GeometricCertificate):
        until = _reach(certificate, level)
        after = -until - 1
    else:
        assert isinstance(certificate, NoiseCertificate)  # noqa: S101 - there is no third
        noise, tail = certificate.noise, (1 - level) / 2
        after = _first(lambda place: noise.below(place)[1] > tail * noise.one) - 1
        until = _first(lambda place: noise.below(place)[0] >= (1 - tail) * noise.one)
    low, high = mechanism.limits[responses], mechanism.limits[responses + 1]
    return -((until - 1 - low) // mechanism.period), (high - after - 1) // mechanism.period


def _first(is_true: Callable[[int], bool]) -> int:
    """Return the first whole number of which something holds that holds from there on."""
    reach = 1
    while is_true(-reach) or not is_true(reach):
        reach *= 2
    return bisect_left(range(-reach, reach + 1), 1, key=lambda place: int(is_true(place))) - reach


def _reach(certificate: GeometricCertificate, level: Fraction) -> int:
    """Return the least h with P(noise beyond h) = 2 a^(h + 1) / (1 + a) at most what the level leaves."""
    decay = float(certificate.decay.value)
    if decay <= 0:
        return 0
    steps = math.log(float(1 - level) * (1 + decay) / 2) / math.log(decay)
    return max(0, math.ceil(steps + _ROOM) - 1)
