"""A certified mechanism as a table of words of 64 bits: a matrix, or one list of noise and thresholds.

Model
-----
    response j at truth f is the least j for which  period f + z <= threshold_j,   z the noise
    P(z <= first + i) = C_i / D,   D the denominator
    F(l - period) = tail F(l),  1 - F(l + period) = tail (1 - F(l))      beyond both ends of the list

Beyond an end z moves one period further out for each successful trial, of probability `tail`, before the
first failure. Within the period points are drawn in proportion to their masses. Trials stop where the noise
is beyond all thresholds of all truths.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import singledispatch
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.noise_shares import FAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate

WORD_BITS = 64


class NumberWords(NamedTuple):
    """Whole numbers of `bits` bits in words, the lowest first; the next power of two fits, too."""

    bits: int

    @property
    def limbs(self) -> int:
        """Number of words that each takes."""
        return self.bits // WORD_BITS + 1

    @property
    def top_mask(self) -> int:
        """Mask of the bits of the highest word that they have."""
        return (1 << self.bits % WORD_BITS) - 1

    def of(self, number: int) -> list[int]:
        """Return the words of one of them."""
        return [number >> (WORD_BITS * word) & ((1 << WORD_BITS) - 1) for word in range(self.limbs)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TableWords(ABC):
    """The content of a table in another language, for any draw.

    A number that is `drawn` and is not below the denominator is drawn again; that happens in fewer than half
    of the draws, and never with a power of two. Truths and responses are written as whole numbers over
    `scale`.
    """

    certificate: Certificate
    denominator: int
    scale: int

    template: ClassVar[str]
    digested: ClassVar[str]
    """The object whose SHA-256 names the mechanism."""
    smaller: ClassVar[str] = "a coarser range"
    """The remedy where the table is too large."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of words of the table."""

    @property
    def drawn(self) -> NumberWords:
        """The numbers that decide a draw; the denominator also fits."""
        return NumberWords((self.denominator - 1).bit_length())

    @property
    def most_limbs(self) -> int:
        """Number of words of the longest number that is drawn."""
        return self.drawn.limbs

    def truths(self) -> list[int]:
        """Return the truths over `scale`."""
        return [int(truth * self.scale) for truth in self.certificate.problem.query.truths]

    def responses(self) -> list[int]:
        """Return the midpoints of the responses over `scale`."""
        return [int(each.midpoint * self.scale) for each in self.certificate.problem.query.responses]


class MatrixWords(TableWords):
    """A matrix: for each truth its own numerators."""

    template, digested = "matrix", "matrix in whole numbers"
    smaller = "a coarser range, or export as parquet"

    @property
    def size(self) -> int:
        """Number of words of the table."""
        return self.drawn.limbs * self.certificate.matrix.numerators.size

    def thresholds(self) -> Iterator[list[list[int]]]:
        """Yield for each truth the numerators of all responses up to each, in words."""
        for column in self.certificate.matrix.numerators.T.tolist():
            yield [self.drawn.of(part) for part in accumulate(column)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoiseWords(TableWords):
    """Noise on a lattice and thresholds.

    A truth is `period` points from the next one. `first` is the point of the first of `numerators`, which are
    cumulative. From period to period tails shrink by `tail` over ``2**bits``, 0 without tails. If a period
    has several points, `tail_weights` has their proportions in the nearest period of a tail, outward, before
    the list and after it. Each response but the last is released up to one of `thresholds`; one far out is no
    limit.
    """

    period: int
    first: int
    numerators: tuple[int, ...]
    tail: int
    tail_weights: tuple[list[int], ...] = ()
    thresholds: tuple[int, ...]

    template, digested = "noise", "certificate"

    @property
    def size(self) -> int:
        """Number of words of the table."""
        tails = len(self.tail_weights) * self.period * self.offset.limbs
        return self.drawn.limbs * len(self.numerators) + tails + 3 * len(self.thresholds)

    @property
    def most_limbs(self) -> int:
        """Number of words of the longest number that is drawn."""
        return max(self.drawn.limbs, self.offset.limbs)

    @property
    def most_steps(self) -> int:
        """Largest number of periods beyond the list, at any truth."""
        finite = [limit for limit in self.thresholds if abs(limit) < FAR]
        if not finite:
            return 0
        shift = self.period * (self.certificate.problem.query.num_truths - 1)
        last = self.first + len(self.numerators) - 1
        ways = self.first + shift - finite[0], finite[-1] - last
        return max(0, -(-max(ways) // self.period))

    @property
    def offset(self) -> NumberWords:
        """The numbers that decide a point within a period of a tail, of no bits for a single point."""
        return NumberWords(max(((sum(weights) - 1).bit_length() for weights in self.tail_weights), default=0))

    def offsets(self) -> list[list[list[int]]]:
        """Return the cumulative weights of the points of a period, outward, of both tails in words."""
        sides = []
        for weights in self.tail_weights:
            # Both sides have as many bits, so that at least half of the numbers are below either sum.
            shift = self.offset.bits - (sum(weights) - 1).bit_length()
            sums = np.cumsum(np.array(weights, dtype=object)) << shift
            sides.append([self.offset.of(part) for part in sums.tolist()])
        return sides


@singledispatch
def table_words(mechanism: Mechanism, certificate: Certificate, scale: int) -> TableWords:  # noqa: ARG001 - its class counts
    """Return a certified mechanism as words, its truths and responses over `scale`."""
    return MatrixWords(certificate=certificate, denominator=certificate.matrix.denominator, scale=scale)


@table_words.register(NoiseMechanism)
def _of_noise(mechanism: NoiseMechanism, certificate: Certificate, scale: int) -> NoiseWords:
    noise = mechanism.certificate.noise
    before, after = noise.tail_weights() if noise.tail and noise.period > 1 else ([], [])
    # A tail without mass is never drawn, so any weights will do.
    tails = [weights if any(weights) else [1] * noise.period for weights in (before[::-1], after)]
    return NoiseWords(
        certificate=certificate,
        scale=scale,
        period=mechanism.period,
        thresholds=tuple(mechanism.limits[1:-1].tolist()),
        denominator=noise.one,
        first=noise.first,
        numerators=noise.cumulative,
        tail=noise.tail,
        tail_weights=tuple(tails) if before else (),
    )
