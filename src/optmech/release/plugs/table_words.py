"""What a table of a certified mechanism holds in words of 64 bits; a matrix as such a table."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.proofs.certificate import Certificate

__all__ = ["WORD_BITS", "MatrixWords", "TableWords", "in_words", "mask_of", "words_for"]

WORD_BITS = 64


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
        return words_for(self.bits)

    @property
    def most_limbs(self) -> int:
        """How many words the longest number that is drawn takes."""
        return self.limbs

    @property
    def top_mask(self) -> int:
        """Which bits of the highest word are drawn."""
        return mask_of(self.bits)

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
        return in_words(number, self.limbs)


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


def words_for(bits: int) -> int:
    """Return how many words a number of so many bits takes, and the next power of two, too."""
    return bits // WORD_BITS + 1


def mask_of(bits: int) -> int:
    """Return which bits of the highest of these words such a number has."""
    return (1 << bits % WORD_BITS) - 1


def in_words(number: int, count: int) -> list[int]:
    """Return a number in so many words, the lowest first."""
    return [number >> (WORD_BITS * place) & ((1 << WORD_BITS) - 1) for place in range(count)]


def _scale(numbers: tuple[Fraction, ...] | list[Fraction], scale: int) -> list[int]:
    return [int(number * scale) for number in numbers]
