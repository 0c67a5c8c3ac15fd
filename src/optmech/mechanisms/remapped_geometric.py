"""Geometric noise, clamped, then remapped: the mechanism of a `GeometricCertificate`, read and drawn from.

Distribution
------------
    P(Z = z) = (1 - a) / (1 + a) a^|z|,   s(k) = P(Z >= k)
    s(k) = a^k / (1 + a) for k >= 0,   1 - a^(1-k) / (1 + a) for k <= 0
    P(f + Z, clamped to 0..n, is in i..j-1) = s(i - f) - s(j - f),   where s is 1 at i = 0 and 0 at j = n + 1

so that the draw j has probability ``w_j a^|j-f|``: the truncated geometric mechanism. The draws with one
answer stand in a row i..j-1, as the remap never decreases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from optmech.mechanisms.distribution import Distribution, too_many_columns
from optmech.mechanisms.geometric_noise import GeometricNoise
from optmech.proofs.geometric_sums import losses_of_draws, objective_of
from optmech.question.path_question import PathQuestion
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
    _starts: Integers = field(init=False)
    _noise: GeometricNoise = field(init=False)

    def __post_init__(self) -> None:
        remap, query = self.certificate.remap, self.certificate.problem.query
        for name, value in (
            ("responses", query.truths),
            ("truths", query.truths),
            ("_starts", remap.searchsorted(np.arange(len(remap) + 1))),
            ("_noise", GeometricNoise(self.certificate.decay, len(remap) - 1)),
        ):
            object.__setattr__(self, name, value)

    def probability(self, response: int, truth: int) -> Fraction:
        """As `Distribution.probability`.

        The rational has `certificate.decay.bits` bits for each step between them: beyond some thousand steps,
        which takes a second, `column` has the double.
        """
        place, truth = self._place(response, "response"), self._place(truth, "truth")
        decay = self.certificate.decay.value

        def at_least(draw: int) -> Fraction:
            if not 0 < draw < len(self.truths):
                return Fraction(draw == 0)
            distance = draw - truth
            tail = decay ** (distance if distance > 0 else 1 - distance) / (1 + decay)
            return tail if distance > 0 else 1 - tail

        start, stop = self._starts[place : place + 2].tolist()
        return at_least(start) - at_least(stop)

    def column(self, truth: int) -> Floats:
        """Return the probability of each response at a truth as doubles, shape (num_truths,)."""
        place = self._place(truth, "truth")
        return self._probabilities(self._starts[:-1], self._starts[1:], np.array(place))

    def row(self, response: int) -> Floats:
        """Return the probability of a response at each truth as doubles, shape (num_truths,)."""
        place = self._place(response, "response")
        start, stop = self._starts[place : place + 2]
        return self._probabilities(start, stop, np.arange(len(self.truths)))

    def tails(self, places: Integers, truths: Integers) -> tuple[Floats, Floats]:
        """As `Distribution.tails`."""
        start = self._starts[places + 1]
        distance, decay = start - truths, float(self.certificate.decay.value)
        outer = self._power(np.where(distance > 0, distance, 1 - distance)) / (1 + decay)
        above = np.where(distance > 0, outer, 1 - outer)
        below = np.where(distance > 0, 1 - outer, outer)
        nothing, everything = start == 0, start == len(self.truths)
        return (
            np.where(nothing, 0.0, np.where(everything, 1.0, below)),
            np.where(nothing, 1.0, np.where(everything, 0.0, above)),
        )

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
        >>> mechanism = om.design(om.croft(om.count(100_000), "0.5", prior="uniform")).mechanism
        >>> round(mechanism.expected_loss("absolute"), 6), round(mechanism.expected_loss("squared"), 6)
        (1.918979, 7.834981)
        """
        problem = self.certificate.problem
        path_question = PathQuestion.of(
            question(problem.query, problem.privacy.epsilon, loss=loss, prior=prior)
        )
        losses = losses_of_draws(path_question, self.certificate.decay, self.certificate.remap.tolist())
        return float(objective_of(path_question, self.certificate.decay, losses))

    def effective_epsilon(self, query: Query) -> float:
        """Return the epsilon of pure privacy between truths one apart: that of the noise, in doubles.

        That of what is released is the same where two answers in a row are not remapped, and never more.
        """
        self._check(query)
        return -math.log(self.certificate.decay.value)

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
        remap, truths = self.certificate.remap, np.arange(len(self.truths) - 1)
        same = remap[truths] == remap[truths + 1]
        before = np.where(same, truths - self._starts[remap[truths]], -1)
        after = np.where(same, self._starts[remap[truths] + 1] - truths, 0)
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

    def _probabilities(self, starts: Integers, stops: Integers, places: Integers) -> Floats:
        """Return the probability of a draw in start..stop-1 as doubles, for arrays that broadcast.

        On one side of the truth it is ``a^near (1 - a^length) / (1 + a)``, without a difference of numbers
        near one; around the truth it is one less both tails.
        """
        decay, power = self.certificate.decay.value, self._power
        first, last = starts == 0, stops >= len(self.truths)
        shorter = -np.expm1(self._logarithm * (stops - starts))
        above = power(starts - places) * np.where(last, 1.0, shorter)
        below = power(places - stops + 1) * np.where(first, 1.0, shorter)
        tails = np.where(last, 0.0, power(stops - places)) + np.where(first, 0.0, power(places - starts + 1))
        around = float(1 + decay) - tails
        inside: Floats = np.where(starts > places, above, np.where(stops <= places, below, around))
        return np.where(stops > starts, inside / float(1 + decay), 0.0)

    @property
    def _logarithm(self) -> float:
        decay = self.certificate.decay.value
        return float(np.log1p(float(decay - 1))) if 2 * decay > 1 else float(np.log(float(decay)))

    def _power(self, exponents: Integers) -> Floats:
        powers: Floats = np.exp(self._logarithm * np.maximum(exponents, 0))
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
