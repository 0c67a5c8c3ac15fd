"""The law of a certified mechanism as words of 64 bits, for programs without floating point."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError
from optmech.base.version import __version__
from optmech.proofs.certificate_source import certificate_of
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.promise import flaw_of, promise_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from optmech.proofs.certificate import Certificate

__all__ = ["WORD_BITS", "Words", "about", "words_of"]

WORD_BITS = 64
# Words of the table; as text each takes about twenty letters.
_MOST_WORDS = 4_000_000
_WIDTH = 96


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Words:
    """What a table in another language holds.

    Attributes
    ----------
    certificate : Certificate
        Whose law it is.
    bits, limbs : int
        A draw is decided by a number of so many random bits, in so many words, the lowest first. Where it is
        not below the denominator, which happens less than every other time and never with a power of two, it
        is drawn again.
    scale : int
        Truths and responses are written as whole numbers over it.
    """

    certificate: Certificate
    bits: int
    limbs: int
    scale: int

    @property
    def top_mask(self) -> int:
        """Which bits of the highest word are drawn."""
        return (1 << (self.bits - WORD_BITS * (self.limbs - 1))) - 1

    @property
    def total(self) -> list[int]:
        """The denominator in words."""
        return self._limbs(self.certificate.matrix.denominator)

    def thresholds(self) -> Iterator[list[list[int]]]:
        """Yield for each truth the numerators of all responses up to each, in words."""
        for column in self.certificate.matrix.numerators.T.tolist():
            yield [self._limbs(part) for part in accumulate(column)]

    def truths(self) -> list[int]:
        """Return the truths over `scale`."""
        return _scale(self.certificate.problem.query.truths, self.scale)

    def responses(self) -> list[int]:
        """Return the midpoints of the responses over `scale`."""
        midpoints = [response.midpoint for response in self.certificate.problem.query.responses]
        return _scale(midpoints, self.scale)

    def _limbs(self, number: int) -> list[int]:
        return [number >> (WORD_BITS * limb) & ((1 << WORD_BITS) - 1) for limb in range(self.limbs)]


def words_of(certificate: object, who: str) -> Words:
    """Return the law as words.

    Raises
    ------
    ProblemError
        If `certificate` is none.
    NotAcceptedError
        If the table would be too large, or numbers do not fit into 64 bits.
    """
    proof = certificate_of(certificate, who)
    bits = (proof.matrix.denominator - 1).bit_length()
    limbs = bits // WORD_BITS + 1  # so that the denominator itself fits
    words = limbs * proof.matrix.numerators.size
    if words > _MOST_WORDS:
        message = (
            f"a table of words must have at most {_MOST_WORDS:,}; got {words:,}. "
            "Ask for a coarser range, or export as npz or parquet."
        )
        raise NotAcceptedError(message)
    query = proof.problem.query
    numbers = [*query.truths, *(response.midpoint for response in query.responses)]
    scale = lcm(*(number.denominator for number in numbers))
    if max(abs(number) * scale for number in numbers) >= 1 << (WORD_BITS - 1) or scale >> (WORD_BITS - 1):
        message = (
            "truths and responses over one denominator must fit into 64 bits; these do not. "
            "Shift or scale them."
        )
        raise NotAcceptedError(message)
    return Words(certificate=proof, bits=bits, limbs=limbs, scale=scale)


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
    caution = certificate.caution
    paragraphs = [
        *([caution] if caution else []),
        f"Certified mechanism for {str(certificate.problem).partition(': ')[2]}",
        private,
        f"Protected: {neighbours_of(query)}",
        *(f"WARNING: {caution}" for caution in cautions_of(query)),
        f"SHA-256 of the matrix in whole numbers: {certificate.matrix.sha256()}",
        f"Columns are truths, from 0 to {query.num_truths - 1}; rows are responses, from 0 to "
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
