"""A certified mechanism as a table of words of 64 bits: a matrix, or one list of noise and thresholds.

Model
-----
    response j at truth f is the least j for which  period f + z <= threshold_j,   z the noise
    P(z <= first + i) = C_i / D,   D the denominator
    F(l - period) = tail F(l),  1 - F(l + period) = tail (1 - F(l))      beyond both ends of the list

Beyond an end z is one period further out for each of the trials, of probability `tail` each, that succeed
before the first that fails; within the period places are drawn in proportion to what lies there. Where the
noise is so far out that no threshold of any truth is further, trials decide nothing more.

Noise in fixed point has D = 2**b. Geometric noise of decay a = m / 2**b has tail = a and a list of two, as

    P(z <= -1) = a / (1 + a) = m / (2**b + m),   P(z <= 0) = 1 / (1 + a) = 2**b / (2**b + m)

Clamped to 0..n it is released as without clamping, by thresholds that are infinite where there is a clamp.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.geometric_certificate import GeometricCertificate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from optmech.proofs.certificate import Certificate

WORD_BITS = 64
# Beyond any place of the noise, and far from the ends of 64 bits.
_FAR = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableWords:
    """What a table in another language holds, whatever is drawn by it.

    A draw is decided by a number of `bits` random bits in `limbs` words, the lowest first. Where it is not
    below the denominator, which happens less than every other time and never with a power of two, it is drawn
    again. Truths and responses are written as whole numbers over `scale`.
    """

    certificate: Certificate
    denominator: int
    scale: int

    template: ClassVar[str]

    @property
    def bits(self) -> int:
        """How many random bits decide a draw."""
        return (self.denominator - 1).bit_length()

    @property
    def limbs(self) -> int:
        """How many words they take; the denominator itself fits, too."""
        return _words_for(self.bits)

    @property
    def most_limbs(self) -> int:
        """How many words the longest number that is drawn takes."""
        return self.limbs

    @property
    def top_mask(self) -> int:
        """Which bits of the highest word are drawn."""
        return _mask_of(self.bits)

    @property
    def total(self) -> list[int]:
        """The denominator in words."""
        return self.limbs_of(self.denominator)

    def truths(self) -> list[int]:
        """Return the truths over `scale`."""
        return _scale(self.certificate.problem.query.truths, self.scale)

    def responses(self) -> list[int]:
        """Return the midpoints of the responses over `scale`."""
        midpoints = [response.midpoint for response in self.certificate.problem.query.responses]
        return _scale(midpoints, self.scale)

    def limbs_of(self, number: int) -> list[int]:
        """Return a number in as many words as a draw has."""
        return _in_words(number, self.limbs)


class MatrixWords(TableWords):
    """A matrix: for each truth its own numerators."""

    template = "matrix"

    @property
    def size(self) -> int:
        """How many words the table has."""
        return self.limbs * self.certificate.matrix.numerators.size

    def thresholds(self) -> Iterator[list[list[int]]]:
        """Yield for each truth the numerators of all responses up to each, in words."""
        for column in self.certificate.matrix.numerators.T.tolist():
            yield [self.limbs_of(part) for part in accumulate(column)]


def _words_for(bits: int) -> int:
    """Return how many words a number of so many bits takes, and the next power of two, too."""
    return bits // WORD_BITS + 1


def _mask_of(bits: int) -> int:
    """Return which bits of the highest of these words such a number has."""
    return (1 << bits % WORD_BITS) - 1


def _in_words(number: int, count: int) -> list[int]:
    """Return a number in so many words, the lowest first."""
    return [number >> (WORD_BITS * place) & ((1 << WORD_BITS) - 1) for place in range(count)]


def _scale(numbers: tuple[Fraction, ...] | list[Fraction], scale: int) -> list[int]:
    return [int(number * scale) for number in numbers]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoiseWords(TableWords):
    """Noise on a lattice and thresholds.

    From one truth to the next it is `period` places, and `first` is the place of the first of `numerators`,
    which are of all places up to each. From period to period tails shrink by `tail` over ``2**bits``, 0 where
    there are none. Where a period has several places, `tail_weights` says in what proportion they are in a
    tail's nearest one, outward, before the list and after it. Up to each of `thresholds` each response but
    the last is released; far out, it is no limit.
    """

    period: int
    first: int
    numerators: tuple[int, ...]
    tail: int
    tail_weights: tuple[list[int], ...] = ()
    thresholds: tuple[int, ...]

    template = "noise"

    @property
    def size(self) -> int:
        """How many words the table has."""
        tails = 2 * self.period * self.offset_limbs
        return self.limbs * len(self.numerators) + tails + 3 * len(self.thresholds)

    @property
    def most_limbs(self) -> int:
        """How many words the longest number that is drawn takes."""
        return max(self.limbs, self.offset_limbs)

    @property
    def most_steps(self) -> int:
        """How many periods beyond the list the noise tells of at most, whatever the truth."""
        finite = [place for place in self.thresholds if abs(place) < _FAR]
        if not finite:
            return 0
        shift = self.period * (self.certificate.problem.query.num_truths - 1)
        last = self.first + len(self.numerators) - 1
        ways = self.first + shift - finite[0], finite[-1] - last
        return max(0, -(-max(ways) // self.period))

    def cumulative(self) -> list[list[int]]:
        """Return the numerators in words."""
        return [self.limbs_of(part) for part in self.numerators]

    @property
    def offset_bits(self) -> int:
        """How many random bits decide a place within a period of a tail, 0 where it has but one."""
        return max(((sum(weights) - 1).bit_length() for weights in self.tail_weights), default=0)

    @property
    def offset_limbs(self) -> int:
        """How many words they take."""
        return _words_for(self.offset_bits) if self.tail_weights else 0

    @property
    def offset_mask(self) -> int:
        """Which bits of the highest word are drawn."""
        return _mask_of(self.offset_bits)

    def offsets(self) -> list[list[list[int]]]:
        """Return the weights of all places of a period up to each, outward, of both tails in words."""
        sides = []
        for weights in self.tail_weights:
            # As many bits on both sides, so that half of the numbers or more are below either sum.
            shift = self.offset_bits - (sum(weights) - 1).bit_length()
            sums = np.cumsum(np.array(weights, dtype=object)) << shift
            sides.append([_in_words(part, self.offset_limbs) for part in sums.tolist()])
        return sides


def noise_words(certificate: Certificate, scale: int) -> NoiseWords:
    """Return the noise and the thresholds of a certificate that has no matrix."""
    if isinstance(certificate, GeometricCertificate):
        decay, number = certificate.decay, len(certificate.remap)
        one = 1 << decay.bits
        # The last draw of 0..n that has the answer j or one before it.
        last = certificate.remap.searchsorted(np.arange(number - 1), side="right") - 1
        return NoiseWords(
            certificate=certificate,
            denominator=one + decay.numerator,
            scale=scale,
            period=1,
            first=-1,
            numerators=(decay.numerator, one),
            tail=2 * decay.numerator,
            thresholds=_without_ends(last.tolist(), -1, number - 1),
        )
    assert isinstance(certificate, NoiseCertificate)  # noqa: S101 - there is no third
    noise = certificate.noise
    never, always = noise.ends(certificate.problem.query.num_truths)
    before, after = noise.tail_weights() if noise.tail and noise.period > 1 else ([], [])
    # Where there is nothing, nothing is drawn, and any weights will do.
    tails = [weights if any(weights) else [1] * noise.period for weights in (before[::-1], after)]
    return NoiseWords(
        certificate=certificate,
        denominator=noise.one,
        scale=scale,
        period=noise.period,
        first=noise.first,
        numerators=noise.cumulative,
        tail=noise.tail,
        tail_weights=tuple(tails) if before else (),
        thresholds=_without_ends(certificate.thresholds, never, always),
    )


def _without_ends(places: Sequence[int], never: int, always: int) -> tuple[int, ...]:
    """Return thresholds with those that are infinite far out."""
    return tuple(-_FAR if place <= never else _FAR if place >= always else place for place in places)
