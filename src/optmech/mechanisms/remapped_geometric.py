"""Geometric noise, clamped, then remapped: the mechanism of a `GeometricCertificate`, read and drawn from.

Distribution
------------
    P(Z = z) = (1 - a) / (1 + a) a^|z|,   P(Z > z) = a^(z + 1) / (1 + a) for z >= 0,   P(Z <= z) = P(Z >= -z)
    f + Z, clamped to 0..n, is released as the remap says: limits are where it rises, infinite at the ends

so that the draw j has probability ``w_j a^|j-f|``: the truncated geometric mechanism. The draws with one
answer stand in a row i..j-1, as the remap never decreases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.distribution import FAR, Distribution, too_many_columns
from optmech.mechanisms.geometric_noise import GeometricNoise
from optmech.proofs.geometric_sums import losses_of_draws, objective_of
from optmech.question.path_question import PathQuestion
from optmech.question.privacy.loss import Worst, log_ratio
from optmech.question.problems.question import question

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from optmech.base.arrays import Floats, Integers
    from optmech.mechanisms.distribution import Columns
    from optmech.mechanisms.sampling.words import RandomBytes
    from optmech.proofs.geometric_certificate import GeometricCertificate
    from optmech.question.query import Query

_BITS_OF_ENTRY = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RemappedGeometric(Distribution):
    """Geometric noise on whole numbers in a row, clamped, then a remap.

    Attributes
    ----------
    certificate : GeometricCertificate
        Its decay and remap are the distribution.
    """

    certificate: GeometricCertificate
    _noise: GeometricNoise = field(init=False)

    def __post_init__(self) -> None:
        starts, last = self._starts, len(self.certificate.remap) - 1
        limits = np.where(starts <= 0, -FAR, np.where(starts > last, FAR, starts - 1))
        self._set(limits=limits, period=1, _noise=GeometricNoise(self.certificate.decay, last))

    @property
    def _starts(self) -> Integers:
        """The first draw that is released as each response or a later one, and how many draws there are."""
        remap = self.certificate.remap
        return remap.searchsorted(np.arange(len(remap) + 1))

    def _share(self, place: int) -> Fraction:
        decay = self.certificate.decay.value
        tail = decay ** (place + 1 if place >= 0 else -place) / (1 + decay)
        return 1 - tail if place >= 0 else tail

    def _shares(self, places: Integers) -> tuple[Floats, Floats]:
        is_right = places >= 0
        tail = self._power(np.where(is_right, places + 1, -places)) / float(1 + self.certificate.decay.value)
        return np.where(is_right, 1 - tail, tail), np.where(is_right, tail, 1 - tail)

    def _between(self, low: Integers, high: Integers, truths: Integers) -> Floats:
        """As `Distribution._between`, to the last digits.

        On one side of the truth it is ``a^near (1 - a^length) / (1 + a)``, without a difference of numbers
        near one; around the truth it is one less both tails.
        """
        whole = float(1 + self.certificate.decay.value)
        steps = np.subtract(high, low, dtype=float)
        length = np.where(steps < FAR // 2, -np.expm1(self._logarithm * steps), 1.0)
        above, below = (self._power(near) * length for near in (low + 1 - truths, truths - high))
        around = whole - self._power(high + 1 - truths) - self._power(truths - low)
        inside: Floats = np.where(low >= truths, above, np.where(high < truths, below, around))
        return np.where(high > low, inside / whole, 0.0)

    def expected_loss(self, loss: str | ArrayLike, prior: str | ArrayLike | None = "uniform") -> float:
        """Return the average loss for a user with the given prior, in time linear in the number of truths.

        Parameters
        ----------
        loss, prior
            As in `Mechanism.expected_loss`; a loss of the distance alone that nowhere decreases.

        Raises
        ------
        NotAcceptedError
            If it is another loss.

        Examples
        --------
        >>> import optmech as om
        >>> mechanism = om.design(om.croft(om.count(5_000), "0.5", prior="uniform")).mechanism
        >>> round(mechanism.expected_loss("absolute"), 6), round(mechanism.expected_loss("squared"), 6)
        (1.917925, 7.82709)
        """
        problem = self.certificate.problem
        path_question = PathQuestion.of(
            question(problem.query, problem.privacy.epsilon, loss=loss, prior=prior)
        )
        losses = losses_of_draws(path_question, self.certificate.decay, self.certificate.remap.tolist())
        return float(objective_of(path_question, self.certificate.decay, losses))

    def privacy_loss(self, query: Query) -> Worst:
        """Return the privacy loss between truths one apart: that of the noise.

        That of what is released is the same where two answers in a row are not remapped, and never more.
        """
        self._check(query)
        decay = self.certificate.decay
        return Worst(value=log_ratio(1 << decay.bits, decay.numerator), truth=0, neighbour=1)

    def _shift_delta(self, factor: Fraction) -> Fraction:
        """As `Distribution._shift_delta`: what is up to the truth is likelier there by one factor."""
        decay = self.certificate.decay.value
        return max(Fraction(0), (1 - factor * decay) / (1 + decay))

    def neighbour_columns(self, query: Query, most: int) -> tuple[list[Columns], Integers]:
        """As `Distribution.neighbour_columns`.

        Draws up to a truth are likelier there, and those beyond it at the next one, by one factor each: where
        one answer stands for both sides there are three, elsewhere two.
        """
        self._check(query)
        remap, starts = self.certificate.remap, self._starts
        truths = np.arange(len(self.truths) - 1)
        same = remap[truths] == remap[truths + 1]
        before = np.where(same, truths - starts[remap[truths]], -1)
        after = np.where(same, starts[remap[truths] + 1] - truths, 0)
        ends = np.column_stack(
            [before, after, same & (before == truths), same & (truths + after == len(self.truths))]
        )
        kinds, places = np.unique(ends, axis=0, return_inverse=True)
        decay = self.certificate.decay
        if int((np.maximum(kinds[:, 0], 0) + kinds[:, 1]).sum()) * decay.bits > most * _BITS_OF_ENTRY:
            raise too_many_columns(most)
        return [_columns(decay.value, *kind) for kind in kinds.tolist()], places.ravel()

    def _responses_at(self, places: Integers, random_bytes: RandomBytes) -> Integers:
        noise = self._noise.draw(places.size, random_bytes).reshape(places.shape)
        responses: Integers = self.certificate.remap[np.clip(places + noise, 0, len(self.truths) - 1)]
        return responses

    @property
    def _logarithm(self) -> float:
        decay = self.certificate.decay.value
        return float(np.log1p(float(decay - 1))) if 2 * decay > 1 else float(np.log(float(decay)))

    def _power(self, exponents: Integers) -> Floats:
        # However little epsilon is, nothing lies beyond an infinite limit.
        powers: Floats = np.exp(self._logarithm * np.maximum(exponents, 0)) * (exponents < FAR // 2)
        return powers


def _columns(decay: Fraction, before: int, after: int, first: int, last: int) -> Columns:
    """Return the columns of a truth and the next, whose answers stand for draws from so far before it on."""
    if before < 0:
        top, bottom = decay.numerator, decay.denominator
        return [bottom, top], [top, bottom]
    pair = []
    for left, right in ((before + 1, after), (before + 2, after - 1)):
        # P(draw < start) = a^(truth - start + 1) / (1 + a), and likewise above
        lower = 0 if first else decay**left / (1 + decay)
        upper = 0 if last else decay**right / (1 + decay)
        parts = [Fraction(lower), 1 - lower - upper, Fraction(upper)]
        scale = math.lcm(*(part.denominator for part in parts))
        pair.append([int(part * scale) for part in parts])
    return pair[0], pair[1]
