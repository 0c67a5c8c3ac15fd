"""Noise on a lattice, then thresholds: the mechanism of a `NoiseCertificate`, read and drawn from.

Drawing
-------
    U uniform on [0, 2**bits), in whole numbers;  Z <= l  where  U < cumulative[l]
    beyond a list with tails, one period further for each time that a coin of probability `tail` says so

Only the first 63 bits of U are drawn at once; the others follow where a threshold begins with the same bits.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import inf
from operator import sub
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.distribution import FAR, Distribution, too_many_columns
from optmech.mechanisms.sampling.words import random_text
from optmech.proofs.chain.steps import steps_of, upper_objective
from optmech.question.chain_question import ChainQuestion, no_chain_question
from optmech.question.privacy.loss import Worst, log_ratio
from optmech.question.problems.question import question

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.mechanisms.distribution import Columns
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.chain.certificate import NoiseCertificate
    from optmech.question.query import Query

_BITS, _BYTES = 63, 8
_BLOCK = 1 << 16
# Longer shares count as several: a column far out in a tail may have thousands, each of a million bits.
_LONG = 1 << 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RemappedNoise(Distribution):
    """Noise on whole numbers in a row, then a remap that never decreases."""

    certificate: NoiseCertificate  # whose noise and thresholds are the distribution
    _heads: Integers = field(init=False)
    _below: Floats = field(init=False)
    _above: Floats = field(init=False)

    def __post_init__(self) -> None:
        query, noise = self.certificate.problem.query, self.certificate.noise
        one, shift = noise.one, noise.bits - _BITS
        never, always = noise.ends(len(query.truths))
        thresholds = np.array([never, *self.certificate.thresholds, always], dtype=np.int64)
        heads = [value >> shift if shift > 0 else value << -shift for value in noise.cumulative]
        self._set(
            limits=np.where(thresholds <= never, -FAR, np.where(thresholds >= always, FAR, thresholds)),
            period=noise.period,
            _heads=np.array([min(head, (1 << _BITS) - 1) for head in heads], dtype=np.int64),
            _below=np.array([value / one for value in noise.cumulative]),
            _above=np.array([(one - value) / one for value in noise.cumulative]),
        )

    def _share(self, place: int) -> Fraction:
        return self.certificate.noise.share(place)

    def _shares(self, places: Integers) -> tuple[Floats, Floats]:
        noise = self.certificate.noise
        left = np.maximum(-((places - noise.first) // noise.period), 0)
        right = np.maximum(-((noise.last - places) // noise.period), 0)
        inside = places - noise.first + noise.period * (left - right)
        decay = noise.tail / noise.one
        below, above = self._below[inside] * decay**left, self._above[inside] * decay**right
        return np.where(right > 0, 1 - above, below), np.where(left > 0, 1 - below, above)

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
        steps = steps_of(whole, certificate.noise, certificate.thresholds)
        return float(upper_objective(whole, certificate.noise, steps))

    def privacy_loss(self, query: Query) -> Worst:
        """Return the privacy loss between truths one apart: that of the noise.

        Infinite where the noise has no tails: then some answer is possible at one truth only.
        """
        self._check(query)
        noise = self.certificate.noise
        weights = [after - before for before, after in pairwise(noise.cumulative)]
        if not noise.tail or not all(weights):
            return Worst(value=inf, truth=0, neighbour=1)
        beside = zip(weights[noise.period :], weights, strict=False)
        losses = [log_ratio(max(pair), min(pair)) for pair in beside]
        return Worst(value=max(*losses, log_ratio(noise.one, noise.tail)), truth=0, neighbour=1)

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
        noise = self._noise(places.size, random_bytes).reshape(places.shape)
        responses: Integers = self.limits[1:-1].searchsorted(places * self.period + noise)
        return responses

    def _noise(self, number: int, random_bytes: RandomBytes) -> Integers:
        """Return so many draws of the noise."""
        noise = np.empty(number, np.int64)
        for start in range(0, number, _BLOCK):
            block = noise[start : start + _BLOCK]
            words = np.frombuffer(random_text(random_bytes, _BYTES * block.size), dtype="<u8")
            heads = (words >> np.uint64(1)).astype(np.int64)
            block[:] = self._heads.searchsorted(heads, side="right")
            unsure = self._heads[np.maximum(block - 1, 0)] == heads
            unsure |= (block == 0) | (block == len(self._heads))
            for place in np.flatnonzero(unsure).tolist():
                block[place] = self._settle(int(heads[place]), random_bytes)
            block += self.certificate.noise.first
        return noise

    def _settle(self, head: int, random_bytes: RandomBytes) -> int:
        """Draw the other bits of U, and in a tail how far out it is; return the place from the first on."""
        noise = self.certificate.noise
        rest = max(noise.bits - _BITS, 0)
        value = head << rest | _uniform(1 << rest, random_bytes) if rest else head >> (_BITS - noise.bits)
        cumulative = noise.cumulative
        place = bisect_right(cumulative, value)
        if not noise.tail or cumulative[0] <= value < cumulative[-1]:
            return place
        # In a tail each period of places shares what is left as the one further in does.
        period, steps = noise.period, 0
        while _uniform(noise.one, random_bytes) < noise.tail:
            steps += 1
        before, after = noise.tail_weights()
        if value < cumulative[0]:
            return _pick(before, random_bytes) + 1 - period * (steps + 1)
        return len(cumulative) + _pick(after, random_bytes) + period * steps

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


def _uniform(size: int, random_bytes: RandomBytes) -> int:
    """Return a uniform number below `size`, by rejection."""
    bits = (size - 1).bit_length()
    length, mask = (bits + 7) // 8, (1 << bits) - 1
    while True:
        value = int.from_bytes(random_text(random_bytes, length), "little") & mask
        if value < size:
            return value


def _pick(weights: list[int], random_bytes: RandomBytes) -> int:
    """Return a position with a probability as its weight."""
    value = _uniform(sum(weights), random_bytes)
    for place, weight in enumerate(weights):
        if value < weight:
            return place
        value -= weight
    raise AssertionError
