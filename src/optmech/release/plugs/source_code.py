"""A certified mechanism as a C header or a Rust module: its distribution in words of 64 bits, and routines.

Model
-----
    C_i = w_0 + ... + w_i, numerators of one truth over the denominator D;  2**(b - 1) < D <= 2**b
    u is a whole number of b random bits, drawn again while u >= D, which never happens if D = 2**b
    the draw is the number of i with C_i <= u: response r for w_r of the D values of u, exactly

For a large count C is that of the noise, the same for all truths, and its draw z a point. The release at
truth f is the number of thresholds below ``period f + first + z``. Infinite tails are drawn by trials, see
`optmech.release.plugs.noise_words`.

Whole numbers only, no allocation, the same table and the same draws for the same bytes: C99 with no library
but the two headers of types, and Rust with ``core`` alone, so that crates with ``#![no_std]`` have it. Both
are templates beside this file.
"""

from __future__ import annotations

import re
import textwrap
from math import lcm
from typing import TYPE_CHECKING

from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.templates import plain_text
from optmech.base.version import __version__
from optmech.mechanisms.certificates.certificate_source import certificate_of
from optmech.mechanisms.source import mechanism_of
from optmech.question.protection import cautions_of, neighbours_of
from optmech.release.plugs.noise_words import WORD_BITS, table_words
from optmech.release.plugs.promise import digest_of, flaw_of, promise_of
from optmech.release.tables.law_of_source import law_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.mechanisms.certificates.certificate_source import CertificateSource
    from optmech.release.plugs.noise_words import TableWords

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
_PRINTABLE = range(0x20, 0x7F)


def to_c(certificate: CertificateSource, *, name: str = "mechanism") -> str:
    """Return a C99 header with a certified mechanism and routines that draw from it, exactly.

    ``NAME_sample(truth, random, state, &response)`` takes and gives positions; `random` fills bytes and must
    be a cryptographic generator. ``NAME_sample_constant_time`` draws by the same probabilities and reads the
    whole table each time. For noise with infinite tails, as of a large count without a delta, the first needs
    about ``1 / epsilon`` numbers of a few words on average, the other about one for each truth.
    ``NAME_truths``, ``NAME_responses``, ``NAME_scale`` and, where there are any, ``NAME_labels`` give the
    meaning of positions. The first lines say so if a mechanism is not differentially private.

    Parameters
    ----------
    certificate : Certificate or Design
        Any query.
    name : str
        Beginning of all names in the header: small letters, digits and single underscores.

    Raises
    ------
    ProblemError
        If nothing is proved of it, or `name` breaks its rule.
    NotAcceptedError
        If the table would be too large, or numbers do not fit into 64 bits.

    Examples
    --------
    >>> import optmech as om
    >>> text = to_c(om.design(om.croft(om.count(2), "ln 2")), name="visits")
    >>> "static inline int visits_sample(size_t truth" in text
    True
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        message = (
            "`name` must be small letters, digits and single underscores, a letter first; "
            f"got {name!r}. Each name in the header begins with it."
        )
        raise ProblemError(message)
    return _source_text("{}.h.j2", words_of(certificate, "`to_c`"), _c_text, name)


def to_rust(certificate: CertificateSource) -> str:
    """Return a Rust module with a certified mechanism and functions that draw from it, exactly.

    ``sample(truth, random)`` takes and gives positions; `random` fills bytes and must be a cryptographic
    generator. ``sample_constant_time`` draws by the same probabilities and reads the whole table each time,
    as in C. ``TRUTHS_SCALED``, ``RESPONSES_SCALED``, ``SCALE`` and, where there are any, ``LABELS`` give the
    meaning of positions. The first lines say so if a mechanism is not differentially private. Raises as
    `to_c` does.

    Examples
    --------
    >>> import optmech as om
    >>> text = to_rust(om.design(om.croft(om.count(2), "ln 2")))
    >>> "pub fn sample_constant_time<E>(" in text
    True
    """
    return _source_text("{}.rs.j2", words_of(certificate, "`to_rust`"), _rust_text)


def _source_text(template: str, words: TableWords, literal: Callable[[str], str], name: str = "") -> str:
    """Return a template with the distribution in it, labels as literals of its language."""
    query = words.certificate.problem.query
    content = {
        "about": about(words),
        "words": words,
        "query": query,
        "labels": list(map(literal, query.labels)),
        "name": name,
        "large": name.upper(),
    }
    return plain_text("optmech.release.plugs", template.format(words.template), content)


def _c_text(label: str) -> str:
    """Return a literal of the label in UTF-8; escapes have three octal digits and swallow no fourth."""
    comment = (
        chr(byte) if byte in _PRINTABLE and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in label.encode()
    )
    return f'"{"".join(comment)}"'


def _rust_text(label: str) -> str:
    comment = (
        letter if ord(letter) in _PRINTABLE and letter not in '"\\' else f"\\u{{{ord(letter):x}}}"
        for letter in label
    )
    return f'"{"".join(comment)}"'


# Words of the table; each takes about twenty letters of text.
_MOST_WORDS = 4_000_000
_WIDTH = 96


def words_of(certificate: object, who: str) -> TableWords:
    """Return the distribution as words; NotAcceptedError if the table or a number is too large."""
    proved = certificate_of(certificate, who)
    query = proved.problem.query
    numbers = [*query.truths, *(response.midpoint for response in query.responses)]
    scale = lcm(*(number.denominator for number in numbers))
    words = table_words(mechanism_of(proved), proved, scale)
    if words.size > _MOST_WORDS:
        message = (
            f"a table of words must have at most {_MOST_WORDS:,}; got {words.size:,}. "
            f"Ask for {words.smaller}."
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
    """Return the description of the mechanism in a file, as lines of ASCII that end no comment."""
    certificate = words.certificate
    query = certificate.problem.query
    flaw = flaw_of(certificate)
    if flaw is None:
        epsilon, delta = promise_of(certificate, "a table").one_person
        private = f"({epsilon!r}, {delta!r})-differentially private between neighbours, proved, rounded up"
    else:
        private = f"NOT differential privacy: {flaw}"
    description = (
        f"Written by optmech {__version__}. The privacy of what is drawn rests on the random bytes that the "
        "caller supplies: they must be unpredictable and never used twice."
    )
    caution = certificate.caution
    paragraphs = [
        *([caution] if caution else []),
        f"Certified mechanism for {certificate.problem.statement}",
        private,
        f"Protected: {neighbours_of(query)}",
        *(f"WARNING: {caution}" for caution in cautions_of(query)),
        f"SHA-256 of the {words.digested}: {digest_of(certificate)}",
        f"Truths are in positions 0 to {query.num_truths - 1}, responses in 0 to "
        f"{query.num_responses - 1}. A number is what stands in the list of truths or responses over "
        f"{words.scale}." + (" They are positions of labels." if query.labels else ""),
        *filter(None, [law_of(mechanism_of(certificate), certificate).beyond_list]),
        description,
    ]
    plain = [_plain(paragraph) for paragraph in paragraphs]
    return [line for paragraph in plain for line in textwrap.wrap(paragraph, _WIDTH, break_on_hyphens=False)]


def _plain(text: str) -> str:
    """Return text without marks of comments and lines in C or Rust."""
    ascii_text = text.encode("ascii", "xmlcharrefreplace").decode()
    for before, after in (("*/", "* /"), ("/*", "/ *"), ("??", "? ?"), ("\\", "|")):
        ascii_text = ascii_text.replace(before, after)
    return ascii_text
