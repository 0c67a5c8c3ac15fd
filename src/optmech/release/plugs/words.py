"""The distribution of a certified mechanism as words of 64 bits, for programs without floating point."""

from __future__ import annotations

import textwrap
from math import lcm
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError
from optmech.base.version import __version__
from optmech.proofs.certificate_source import certificate_of
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.noise_words import noise_words
from optmech.release.plugs.promise import digest_of, flaw_of, has_matrix, promise_of
from optmech.release.plugs.table_words import WORD_BITS, MatrixWords

if TYPE_CHECKING:
    from optmech.release.plugs.noise_words import NoiseWords
    from optmech.release.plugs.table_words import TableWords

__all__ = ["about", "words_of"]

# Words of the table; as text each takes about twenty letters.
_MOST_WORDS = 4_000_000
_WIDTH = 96


def words_of(certificate: object, who: str) -> MatrixWords | NoiseWords:
    """Return the distribution as words; NotAcceptedError if the table or a number is too large."""
    proved = certificate_of(certificate, who)
    query = proved.problem.query
    numbers = [*query.truths, *(response.midpoint for response in query.responses)]
    scale = lcm(*(number.denominator for number in numbers))
    words: MatrixWords | NoiseWords
    if has_matrix(proved):
        words = MatrixWords(certificate=proved, denominator=proved.matrix.denominator, scale=scale)
    else:
        words = noise_words(proved, scale)
    if words.size > _MOST_WORDS:
        message = (
            f"a table of words must have at most {_MOST_WORDS:,}; got {words.size:,}. "
            f"Ask for a coarser range{', or export as npz or parquet' if has_matrix(proved) else ''}."
        )
        raise NotAcceptedError(message)
    if max(abs(number) * scale for number in numbers) >= 1 << (WORD_BITS - 1) or scale >> (WORD_BITS - 1):
        message = (
            "truths and responses over one denominator must fit into 64 bits; these do not. "
            "Shift or scale them."
        )
        raise NotAcceptedError(message)
    return words


def about(words: TableWords) -> list[str]:
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
