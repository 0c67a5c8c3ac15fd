"""The distribution of a certified mechanism as words of 64 bits, for programs without floating point."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING, ClassVar

from optmech.base.errors import NotAcceptedError
from optmech.base.version import __version__
from optmech.proofs.certificate_source import certificate_of
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.promise import digest_of, flaw_of, has_matrix, promise_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.proofs.certificate import Certificate
    from optmech.proofs.chain.noise import Noise

__all__ = ["WORD_BITS", "MatrixWords", "NoiseWords", "Words", "about", "words_of"]

WORD_BITS = 64
# Words of the table; as text each takes about twenty letters.
_MOST_WORDS = 4_000_000
_WIDTH = 96
# Beyond any place of the noise, and far from the ends of 64 bits.
_FAR = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """What a table in another language holds, whatever is drawn by it.

    Attributes
    ----------
    certificate : Certificate
        Whose distribution it is.
    denominator : int
        A draw is decided by a number of so many random bits, in so many words, the lowest first. Where it is
        not below the denominator, which happens less than every other time and never with a power of two, it
        is drawn again.
    scale : int
        Truths and responses are written as whole numbers over it.
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
        return self.bits // WORD_BITS + 1

    @property
    def top_mask(self) -> int:
        """Which bits of the highest word are drawn."""
        return (1 << (self.bits - WORD_BITS * (self.limbs - 1))) - 1

    @property
    def total(self) -> list[int]:
        """The denominator in words."""
        return self._limbs(self.denominator)

    def truths(self) -> list[int]:
        """Return the truths over `scale`."""
        return _scale(self.certificate.problem.query.truths, self.scale)

    def responses(self) -> list[int]:
        """Return the midpoints of the responses over `scale`."""
        midpoints = [response.midpoint for response in self.certificate.problem.query.responses]
        return _scale(midpoints, self.scale)

    def _limbs(self, number: int) -> list[int]:
        return [number >> (WORD_BITS * limb) & ((1 << WORD_BITS) - 1) for limb in range(self.limbs)]


class MatrixWords(Words):
    """A matrix: for each truth its own numerators."""

    template = "matrix"

    def thresholds(self) -> Iterator[list[list[int]]]:
        """Yield for each truth the numerators of all responses up to each, in words."""
        for column in self.certificate.matrix.numerators.T.tolist():
            yield [self._limbs(part) for part in accumulate(column)]


class NoiseWords(Words):
    """Noise on a lattice and thresholds: one list for all truths."""

    certificate: NoiseCertificate

    template = "noise"

    @property
    def noise(self) -> Noise:
        """The noise, in places."""
        return self.certificate.noise

    def cumulative(self) -> list[list[int]]:
        """Return the numerators of all places of the noise up to each, in words."""
        return [self._limbs(part) for part in self.noise.cumulative]

    def thresholds(self) -> list[int]:
        """Return the place up to which each response but the last is released; far out, it is no limit."""
        never, always = self.noise.ends(self.certificate.problem.query.num_truths)
        places = self.certificate.thresholds
        return [-_FAR if place <= never else _FAR if place >= always else place for place in places]


def words_of(certificate: object, who: str) -> MatrixWords | NoiseWords:
    """Return the distribution as words.

    Raises
    ------
    ProblemError
        If `certificate` is none.
    NotAcceptedError
        If the table would be too large, numbers do not fit into 64 bits, or the noise has tails without end.
    """
    proved = certificate_of(certificate, who)
    query = proved.problem.query
    words: MatrixWords | NoiseWords
    numbers = [*query.truths, *(response.midpoint for response in query.responses)]
    scale = lcm(*(number.denominator for number in numbers))
    if has_matrix(proved):
        words = MatrixWords(certificate=proved, denominator=proved.matrix.denominator, scale=scale)
        size = words.limbs * proved.matrix.numerators.size
    elif isinstance(proved, NoiseCertificate) and not proved.noise.tail:
        words = NoiseWords(certificate=proved, denominator=proved.noise.one, scale=scale)
        size = words.limbs * len(proved.noise.cumulative) + 3 * len(numbers)
    else:
        message = (
            f"{who} must have a mechanism of finitely many whole numbers; got {query.title} under noise "
            "whose tails never end. Ask for a delta, such as 1e-12, or for at most 2,000 true answers."
        )
        raise NotAcceptedError(message)
    if size > _MOST_WORDS:
        message = (
            f"a table of words must have at most {_MOST_WORDS:,}; got {size:,}. "
            "Ask for a coarser range, or export as npz or parquet."
        )
        raise NotAcceptedError(message)
    if max(abs(number) * scale for number in numbers) >= 1 << (WORD_BITS - 1) or scale >> (WORD_BITS - 1):
        message = (
            "truths and responses over one denominator must fit into 64 bits; these do not. "
            "Shift or scale them."
        )
        raise NotAcceptedError(message)
    return words


def about(words: Words) -> list[str]:
    """Return what a file says of its mechanism, as lines of ASCII that end no comment."""
    certificate = words.certificate
    query = certificate.problem.query
    trouble = flaw_of(certificate)
    if trouble is None:
        epsilon, delta = promise_of(certificate, "a table").one_person
        private = f"({epsilon!r}, {delta!r})-differentially private between neighbours, proved, rounded up"
    else:
        private = f"NOT differential privacy: {trouble}"
    description = (
        f"Written by optmech {__version__}. The privacy of what is drawn rests on the random bytes that the "
        "caller supplies: they must be unpredictable and never used twice."
    )
    what = "matrix in whole numbers" if has_matrix(certificate) else "certificate"
    caution = certificate.caution
    paragraphs = [
        *([caution] if caution else []),
        f"Certified mechanism for {str(certificate.problem).partition(': ')[2]}",
        private,
        f"Protected: {neighbours_of(query)}",
        *(f"WARNING: {caution}" for caution in cautions_of(query)),
        f"SHA-256 of the {what}: {digest_of(certificate)}",
        f"Truths are in positions 0 to {query.num_truths - 1}, responses in 0 to "
        f"{query.num_responses - 1}. A number is what stands in the list of truths or responses over "
        f"{words.scale}." + (" They are positions of labels." if query.labels else ""),
        description,
    ]
    plain = [_plain(paragraph) for paragraph in paragraphs]
    return [line for paragraph in plain for line in textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False)]


def _plain(text: str) -> str:
    """Return text without what begins or ends a comment, or a line, in C or in Rust."""
    ascii_text = text.encode("ascii", "xmlcharrefreplace").decode()
    for before, after in (("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ("\\", "|")):
        ascii_text = ascii_text.replace(before, after)
    return ascii_text


def _scale(numbers: tuple[Fraction, ...] | list[Fraction], scale: int) -> list[int]:
    return [int(number * scale) for number in numbers]
