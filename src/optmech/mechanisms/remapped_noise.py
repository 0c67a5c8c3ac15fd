"""Noise on a lattice, then thresholds: the mechanism of a `NoiseCertificate`, read and drawn from.

Model
-----
    F(l) = P(Z <= l) is listed; beyond both ends F, and 1 - F, shrink by `tail` from period to period
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import inf, log, log1p
from operator import sub
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.distribution import FAR, Distribution, too_many_columns
from optmech.mechanisms.nearest_doubles import NearestDoubles
from optmech.mechanisms.noise_draws import NoiseDraws
from optmech.proofs.chain.steps import steps_of, upper_objective
from optmech.proofs.chain.tail_walk import TailWalk, is_walked
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.grid import LARGEST_MATRIX
from optmech.question.privacy.loss import Worst, log_ratio
from optmech.question.problems.question import question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.mechanisms.distribution import Columns
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.chain.certificate import NoiseCertificate
    from optmech.proofs.chain.noise import Noise
    from optmech.question.query import Query

# Longer shares count as several: a column far out in a tail may have thousands, each of a million bits.
_LONG = 1 << 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RemappedNoise(Distribution):
    """Noise on whole numbers in a row, then a remap that never decreases."""

    certificate: NoiseCertificate  # whose noise and thresholds are the distribution
    _draws: NoiseDraws = field(init=False)
    _below: Floats = field(init=False)
    _above: Floats = field(init=False)
    _logarithm: float = field(init=False)

    def __post_init__(self) -> None:
        query, noise = self.certificate.problem.query, self.certificate.noise
        one = noise.one
        never, always = noise.ends(len(query.truths))
        thresholds = np.array([never, *self.certificate.thresholds, always], dtype=np.int64)
        self._set(
            limits=np.where(thresholds <= never, -FAR, np.where(thresholds >= always, FAR, thresholds)),
            period=noise.period,
            _draws=NoiseDraws(noise, len(query.truths)),
            _below=np.array([value / one for value in noise.cumulative]),
            _above=np.array([(one - value) / one for value in noise.cumulative]),
            _logarithm=_logarithm(noise),
        )

    def _share(self, place: int) -> Fraction:
        return self.certificate.noise.share(place)

    def _shares(self, places: Integers) -> tuple[Floats, Floats]:
        noise = self.certificate.noise
        left = np.maximum(-((places - noise.first) // noise.period), 0)
        right = np.maximum(-((noise.last - places) // noise.period), 0)
        inside = places - noise.first + noise.period * (left - right)
        below, above = self._below[inside] * self._power(left), self._above[inside] * self._power(right)
        return np.where(right > 0, 1 - above, below), np.where(left > 0, 1 - below, above)

    def _power(self, steps: Integers) -> Floats:
        # However slowly a tail shrinks, nothing lies beyond an infinite limit.
        finite = steps < FAR // (4 * self.period)
        powers: Floats = np.where(steps > 0, np.exp(self._logarithm * np.maximum(steps, 1)) * finite, 1.0)
        return powers

    def _between(self, low: Integers, high: Integers, truths: Integers) -> Floats:
        """As `Distribution._between`, to the last digits where noise is all tails.

        On one side of the list it is ``share t^near (1 - t^length)``, without a difference of numbers.
        """
        noise = self.certificate.noise
        if not noise.is_all_tails:
            return super(RemappedNoise, self)._between(low, high, truths)
        starts, stops = (np.clip(limit - truths, -FAR, FAR) for limit in (low, high))
        beside = []
        for share, near, far in (
            (self._below[0], noise.first - np.minimum(stops, noise.first), noise.first - starts),
            (self._above[-1], np.maximum(starts, noise.last) - noise.last, stops - noise.last),
        ):
            inside = -np.expm1(self._logarithm * np.maximum(far - near, 0))
            length = np.where(far < FAR // 4, inside, far > near)
            beside.append(share * self._power(near) * length)
        middle = (starts < noise.last) & (stops >= noise.last)
        left, right = beside
        between: Floats = left + right + middle * ((noise.cumulative[1] - noise.cumulative[0]) / noise.one)
        return between

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the matrix alone
        """Compute the matrix of the doubles nearest to its probabilities, where it is small."""
        number = len(self.truths)
        if name != "matrix" or number**2 > LARGEST_MATRIX:
            return super(RemappedNoise, self).__getattr__(name)
        matrix, shifts = np.zeros((number, number)), self.period * np.arange(number)
        low, high = self.limits[:-1], self.limits[1:]
        ends = np.column_stack([low == -FAR, high == FAR, high - low])
        for (is_first, is_last, _), rows in _alike(ends[low < high], np.flatnonzero(low < high)):
            # What a response has at a truth is a matter of where one of its finite limits is from there.
            places = (high if is_first else low)[rows][:, None] - shifts
            matrix[rows] = self._near(places, rows[0], is_first=bool(is_first), is_last=bool(is_last))
        return matrix

    def _near(self, places: Integers, row: int, *, is_first: bool, is_last: bool) -> Floats:
        """Return the probabilities of responses as wide as one of them, by where their limits are."""
        if is_first and is_last:
            return np.ones(places.shape)
        width = int(self.limits[row + 1] - self.limits[row])
        between, start = NearestDoubles(self.certificate.noise).between, int(places.min())
        values = np.zeros(int(places.max()) - start + 1)
        is_met = np.zeros(len(values), dtype=bool)
        is_met[places - start] = True
        for at in np.flatnonzero(is_met).tolist():
            place = at + start
            if is_first:
                values[at] = between(None, place)
            else:
                values[at] = between(place, None if is_last else place + width)
        near: Floats = values[places - start]
        return near

    def weights(self, truth: int) -> list[int]:
        """As `Distribution.weights`."""
        noise, shift = self.certificate.noise, self.period * self._place(truth, "truth")
        below = [
            noise.one * (limit > 0) if abs(limit) == FAR else noise.below(limit - shift)[0]
            for limit in self.limits.tolist()
        ]
        return [after - before for before, after in pairwise(below)]

    def expected_loss(self, loss: str | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
        """Return the average loss of one of the distance alone that nowhere decreases, in linear time.

        Raises
        ------
        NotAcceptedError
            If it is another loss.

        Examples
        --------
        >>> import optmech as om
        >>> mechanism = om.design(om.question(om.count(5000), 1, delta="1e-6")).mechanism
        >>> round(mechanism.expected_loss("absolute"), 6), round(mechanism.expected_loss("squared"), 6)
        (0.850633, 1.840205)
        """
        problem = self.certificate.problem
        privacy = [problem.privacy, *problem.further_privacy]
        problem_of_loss = question(problem.query, privacy=privacy, loss=loss, prior=prior)
        trouble = no_chain_question(problem_of_loss)
        if trouble is not None:
            message = f"`loss` must be one of the distance alone that nowhere decreases; {trouble}."
            raise NotAcceptedError(message)
        certificate, whole = self.certificate, ChainQuestion.of(problem_of_loss)
        if is_walked(whole, certificate.noise, problem.privacies):
            upper = certificate.factor.upper
            noise, thresholds = certificate.noise, certificate.thresholds
            return float(TailWalk(whole, noise, thresholds, upper, is_limited=False).objective())
        steps = steps_of(whole, certificate.noise, certificate.thresholds)
        return float(upper_objective(whole, certificate.noise, steps))

    def privacy_loss(self, query: Query) -> Worst:
        """Return the privacy loss between truths one apart: that of the noise.

        Infinite where the noise has no tails: then some answer is possible at one truth only.
        """
        self._check(query)
        noise = self.certificate.noise
        pairs = [pair for pair in noise.step_pairs[0] if any(pair)]
        if not (noise.tail and all(map(all, pairs))):
            return Worst(value=inf, truth=0, neighbour=1)
        losses = [log_ratio(max(pair), min(pair)) for pair in pairs]
        return Worst(value=max([*losses, log_ratio(noise.one, noise.tail)]), truth=0, neighbour=1)

    def _shift_delta(self, factor: Fraction) -> Fraction:
        """As `Distribution._shift_delta`."""
        return self.certificate.noise.delta_spent(factor)

    def neighbour_columns(self, query: Query, most: int) -> tuple[list[Columns], Integers]:
        """As `Distribution.neighbour_columns`."""
        self._check(query)
        noise, finite = self.certificate.noise, self.limits[np.abs(self.limits) < FAR]
        shifts = noise.period * np.arange(len(self.truths) - 1)
        # Before the first of these, and after the last, a shift changes all by one and the same factor.
        starts = np.maximum(finite.searchsorted(shifts + noise.first + noise.period) - 1, 0)
        stops = finite.searchsorted(shifts + noise.last, side="right") + 1
        place_of: dict[bytes, int] = {}
        windows: list[Integers] = []
        places = np.empty(len(shifts), dtype=np.int64)
        entries = 0
        for truth, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
            window = finite[start:stop] - shifts[truth]
            key = window.tobytes()
            if key not in place_of:
                entries += (len(window) + 1) * self._length(window)
                if entries > most:
                    raise too_many_columns(most)
                place_of[key] = len(windows)
                windows.append(window)
            places[truth] = place_of[key]
        return [self._columns(window.tolist()) for window in windows], places

    def _length(self, window: Integers) -> int:
        """Return as how many entries a share counts: far out in a tail its bits are those of many periods."""
        noise = self.certificate.noise
        if not (noise.tail and len(window)):
            return 1
        beyond = max(noise.first - int(window[0]), int(window[-1]) - noise.last, 0)
        return 1 + beyond // noise.period * noise.bits // _LONG

    def _responses_at(self, places: Integers, random_bytes: RandomBytes) -> Integers:
        noise = self._draws.draw(places.size, random_bytes).reshape(places.shape)
        responses: Integers = self.limits[1:-1].searchsorted(places * self.period + noise)
        return responses

    def _columns(self, places: list[int]) -> Columns:
        """Return what lies between places of the noise, and of the noise one truth further on."""
        noise = self.certificate.noise
        here = self._below_places(places)
        beside = self._below_places([place - noise.period for place in places])
        return list(map(sub, here[1:], here)), list(map(sub, beside[1:], beside))

    def _below_places(self, places: list[int]) -> list[int]:
        """Return F before all places, at them and beyond them, in whole numbers over the last."""
        noise = self.certificate.noise
        if not (noise.tail and places) or noise.first <= places[0] <= places[-1] <= noise.last:
            listed = np.clip(np.array(places) - noise.first, 0, len(noise.cumulative) - 1)
            return [0, *map(noise.cumulative.__getitem__, listed.tolist()), noise.one]
        shares = [*map(noise.share, places), Fraction(1)]
        scale = max(share.denominator for share in shares)  # all are powers of two
        return [0, *(share.numerator * (scale // share.denominator) for share in shares)]


def _alike(kinds: Integers, rows: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield each kind once, with the rows that are of it."""
    different, which = np.unique(kinds, axis=0, return_inverse=True)
    for place, kind in enumerate(different):
        yield kind, rows[which.ravel() == place]


def _logarithm(noise: Noise) -> float:
    """Return the logarithm of a tail's decay, to the last digits; of none it is minus infinity."""
    if not noise.tail:
        return -inf
    near_one = 2 * noise.tail > noise.one
    return log1p(-(noise.one - noise.tail) / noise.one) if near_one else log(noise.tail / noise.one)
