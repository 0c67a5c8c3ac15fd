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
from dataclasses import dataclass
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
from optmech.release.tables.column_mechanisms import DistributionColumn, MatrixColumn, typed_column

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from optmech.base.numbers import Number
    from optmech.proofs.distribution_certificate import DistributionCertificate
    from optmech.release.tables.column_mechanisms import ColumnMechanism

    Positions = NDArray[np.int64]

_ROOM = 1e-9


_MEANING = (
    "Whatever the true answer of a row is, its interval holds it with at least this probability. Intervals "
    "are computed from the released answers and spend nothing."
)


@dataclass(frozen=True, slots=True)
class Interval:
    """With which probability an interval holds the true answer, and the columns of its ends."""

    level: Fraction
    columns: tuple[str, str]

    @classmethod
    def of(cls, level: Number | None, column: str) -> Interval | None:
        """Return the interval of a column, if one was asked for: ProblemError."""
        if level is None:
            return None
        value = exact(level, "interval")
        if not 0 < value < 1:
            raise broken_rule("interval", "be a probability between 0 and 1, such as 0.95", as_text(value))
        return cls(value, (f"{column}_low", f"{column}_high"))

    @property
    def description(self) -> dict[str, Any]:
        """What a log says of it."""
        return {"level": as_text(self.level), "columns": list(self.columns), "meaning": _MEANING}


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

    def of(self, responses: pa.Array) -> tuple[pa.Array, pa.Array]:
        """Return the lower and the upper end for each release, of its type where that holds them."""
        if pa.types.is_dictionary(responses.type):
            responses = responses.dictionary_decode()
        dictionary = responses.dictionary_encode()
        kind = limits_type([self._law], responses.type)
        low, high = self._positions(dictionary.dictionary)
        return self._typed_column(low, kind).take(dictionary.indices), self._typed_column(high, kind).take(
            dictionary.indices
        )

    def _positions(self, responses: pa.Array) -> tuple[Positions, Positions]:
        if isinstance(self._law, DistributionColumn):
            first, last = int(self._law.values[0]), len(self._law.values) - 1
            counts = np.array(
                [int(Fraction(str(value))) - first for value in responses.to_pylist()], np.int64
            )
            low, high = _of_noise(self._law.mechanism.certificate, counts, self._level)
            return np.clip(np.minimum(low, high), 0, last), np.clip(np.maximum(low, high), 0, last)
        assert isinstance(self._law, MatrixColumn)  # noqa: S101 - there is nothing else
        assert self._ends is not None  # noqa: S101 - of such a law
        names = typed_column(self._law.mechanism.responses, responses.type)
        places = pc.index_in(responses, names).to_numpy()
        return self._ends[0][places], self._ends[1][places]

    def _typed_column(self, positions: Positions, kind: pa.DataType) -> pa.Array:
        values: list[Any] = [Fraction(self._law.values[place]) for place in positions.tolist()]
        column = typed_column(values, kind) if values else pa.array([], kind)
        assert column is not None  # noqa: S101 - the type was asked before
        return column


def limits_type(laws: list[ColumnMechanism], kind: pa.DataType) -> pa.DataType:
    """Return the type of the ends of intervals: that of the releases where it holds all true answers."""
    for law in laws:
        ends = [Fraction(law.values[place]) for place in (0, -1)]
        values = ends if isinstance(law.values, range) else [*law.values]
        if typed_column(values, kind) is None:
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


def _of_noise(
    certificate: DistributionCertificate, responses: Positions, level: Fraction
) -> tuple[Positions, Positions]:
    """Return the least and the largest true answer from which noise of this level leads to each response."""
    if isinstance(certificate, GeometricCertificate):
        reach = _reach(certificate, level)
        low, high = (np.searchsorted(certificate.remap, responses, side) for side in ("left", "right"))
        return low - reach, high - 1 + reach
    assert isinstance(certificate, NoiseCertificate)  # noqa: S101 - there is no third
    noise, tail = certificate.noise, (1 - level) / 2
    # Of Z with P(Z <= a) <= tail and P(Z > b) <= tail it is a < Z <= b, as probably as the level says.
    after = _first(lambda place: noise.below(place)[1] > tail * noise.one) - 1
    until = _first(lambda place: noise.below(place)[0] >= (1 - tail) * noise.one)
    never, always = noise.ends(len(certificate.thresholds) + 1)
    far = (len(certificate.thresholds) + 2) * noise.period + abs(after) + abs(until)
    ends = [-far if end <= never else far if end >= always else end for end in certificate.thresholds]
    below, above = np.array([-far, *ends])[responses], np.array([*ends, far])[responses]
    return -((until - 1 - below) // noise.period), (above - after - 1) // noise.period


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
