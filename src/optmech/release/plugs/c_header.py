"""A certified mechanism as a C header: its law in words of 64 bits, and two routines that draw from it.

Model
-----
    C_i = w_0 + ... + w_i, numerators of one truth over the denominator D;  2**(b - 1) < D <= 2**b
    u is a whole number of b random bits, drawn again while u >= D, which never happens if D = 2**b
    the draw is the number of i with C_i <= u: response r for w_r of the D values of u, exactly

C99, whole numbers only, no allocation, no library but the two headers of types. The same table and the same
draws for the same bytes as in `optmech.release.plugs.rust_table`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.release.plugs.words import about, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.proofs.certificate import Certificate

__all__ = ["to_c"]

_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
_PRINTABLE = range(0x20, 0x7F)

_ROUTINES = """\
/* Fills so many bytes and returns 0, or returns anything else where it cannot. */
typedef int (*@_random)(void *state, unsigned char *bytes, size_t count);

/* What the routines return. Nothing is written to *response unless it is @_DONE. */
enum { @_DONE = 0, @_NO_SUCH_TRUTH = 1, @_NO_RANDOMNESS = 2 };

/* 1 if number < bound, else 0. No branch and no address depends on either. */
static inline uint64_t @_below(const uint64_t *number, const uint64_t *bound)
{
    uint64_t below = 0;
    size_t limb;
    for (limb = 0; limb < @^_LIMBS; limb++) {
        const uint64_t n = number[limb], b = bound[limb], differ = n ^ b;
        const uint64_t less = (n ^ (differ | ((n - b) ^ b))) >> 63;
        const uint64_t equal = 1u ^ ((differ | (UINT64_C(0) - differ)) >> 63);
        below = less | (equal & below);
    }
    return below;
}

/* Draws a whole number below the total. How often it must be drawn again tells nothing of the one kept.
   Gives up after 256 times, which sound random bytes make less likely than 2^-256. */
static inline int @_uniform(@_random random, void *state, uint64_t *number)
{
    unsigned char bytes[8 * @^_LIMBS];
    int attempt;
    for (attempt = 0; attempt < 256; attempt++) {
        size_t limb, byte;
        if (random(state, bytes, sizeof bytes) != 0)
            return @_NO_RANDOMNESS;
        for (limb = 0; limb < @^_LIMBS; limb++) {
            number[limb] = 0;
            for (byte = 0; byte < 8; byte++)
                number[limb] |= (uint64_t)bytes[8 * limb + byte] << (8 * byte);
        }
        number[@^_LIMBS - 1] &= @^_TOP_MASK;
        if (@_below(number, @_total))
            return @_DONE;
    }
    return @_NO_RANDOMNESS;
}

/* Draws the position of a response to the truth at a position. Fast: its time tells of both. */
static inline int @_sample(size_t truth, @_random random, void *state, size_t *response)
{
    uint64_t number[@^_LIMBS];
    size_t first = 0, last = @^_RESPONSES - 1;
    int trouble;
    if (truth >= @^_TRUTHS)
        return @_NO_SUCH_TRUTH;
    trouble = @_uniform(random, state, number);
    if (trouble != @_DONE)
        return trouble;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (@_below(number, @_cumulative[truth][middle]))
            last = middle;
        else
            first = middle + 1;
    }
    *response = first;
    return @_DONE;
}

/* Draws the same, and reads the whole table each time: neither branches nor addresses tell of the truth or
   of the response. Look at what your compiler makes of it. */
static inline int @_sample_constant_time(size_t truth, @_random random, void *state, size_t *response)
{
    uint64_t number[@^_LIMBS], drawn = 0;
    size_t column, row;
    int trouble;
    if (truth >= @^_TRUTHS)
        return @_NO_SUCH_TRUTH;
    trouble = @_uniform(random, state, number);
    if (trouble != @_DONE)
        return trouble;
    for (column = 0; column < @^_TRUTHS; column++) {
        const uint64_t differ = (uint64_t)column ^ (uint64_t)truth;
        const uint64_t mask = ((differ | (UINT64_C(0) - differ)) >> 63) - 1u;
        for (row = 0; row < @^_RESPONSES; row++)
            drawn += mask & (1u ^ @_below(number, @_cumulative[column][row]));
    }
    *response = (size_t)drawn;
    return @_DONE;
}
"""


def to_c(certificate: Certificate, *, name: str = "mechanism") -> str:
    """Return a C99 header with the law of a certified mechanism and routines that draw from it, exactly.

    ``NAME_sample(truth, random, state, &response)`` takes and gives positions; `random` fills bytes and must
    be a cryptographic generator. ``NAME_sample_constant_time`` draws the same and reads the whole table each
    time. ``NAME_truths``, ``NAME_responses``, ``NAME_scale`` and, where there are any, ``NAME_labels`` say
    what positions stand for. A mechanism that is not differentially private says so in its first lines.

    Parameters
    ----------
    certificate : Certificate
        Of any query.
    name : str
        What all names in the header begin with: small letters, digits and single underscores.

    Raises
    ------
    ProblemError
        If `certificate` is none or `name` breaks its rule.
    NotAcceptedError
        If the table would be too large, or numbers do not fit into 64 bits.

    Examples
    --------
    >>> import optmech as om
    >>> text = to_c(om.design(om.croft(om.count(2), "ln 2")).certificate, name="visits")
    >>> "static inline int visits_sample(size_t truth" in text
    True
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        message = (
            "`name` must be small letters, digits and single underscores, a letter first; "
            f"got {name!r}. Each name in the header begins with it."
        )
        raise ProblemError(message)
    words = words_of(certificate, "`to_c`")
    query = words.certificate.problem.query
    large = name.upper()
    shape = f"[{query.num_truths}][{query.num_responses}][{words.limbs}]"
    columns = (
        "    {\n" + "".join(f"        {_braced(map(_hex, row))},\n" for row in column) + "    },\n"
        for column in words.thresholds()
    )
    lines = [
        "/* " + "\n   ".join(about(words)),
        "*/",
        f"#ifndef {large}_H",
        f"#define {large}_H",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "",
        f"#define {large}_TRUTHS ((size_t){query.num_truths})",
        f"#define {large}_RESPONSES ((size_t){query.num_responses})",
        f"#define {large}_LIMBS {words.limbs}",
        f"#define {large}_TOP_MASK {_hex(words.top_mask)}",
        "",
        "/* Numerators of all responses up to each, for each truth, in words, the lowest first. */",
        f"static const uint64_t {name}_cumulative{shape} = {{",
        "".join(columns) + "};",
        f"static const uint64_t {name}_total[{words.limbs}] = {_braced(map(_hex, words.total))};",
        f"static const int64_t {name}_truths[{query.num_truths}] = {_numbers(words.truths())};",
        f"static const int64_t {name}_responses[{query.num_responses}] = {_numbers(words.responses())};",
        f"static const int64_t {name}_scale = INT64_C({words.scale});",
    ]
    if query.labels:
        shown = ",\n    ".join(map(_text, query.labels))
        lines.append(f"static const char *const {name}_labels[{query.num_truths}] = {{\n    {shown}\n}};")
    routines = _ROUTINES.replace("@^", large)
    for constant in ("DONE", "NO_SUCH_TRUTH", "NO_RANDOMNESS"):
        routines = routines.replace(f"@_{constant}", f"{large}_{constant}")
    return "\n".join([*lines, "", routines.replace("@", name), f"#endif /* {large}_H */", ""])


def _hex(number: int) -> str:
    return f"UINT64_C(0x{number:016x})"


def _numbers(values: list[int]) -> str:
    """Return whole numbers above -2**63, eight a line."""
    lines = [values[start : start + 8] for start in range(0, len(values), 8)]
    return (
        "{\n" + "".join(f"    {', '.join(f'INT64_C({value})' for value in line)},\n" for line in lines) + "}"
    )


def _braced(values: Iterable[str]) -> str:
    return "{" + ", ".join(values) + "}"


def _text(label: str) -> str:
    """Return a literal of the label in UTF-8; escapes have three octal digits and swallow no fourth."""
    shown = (
        chr(byte) if byte in _PRINTABLE and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in label.encode()
    )
    return f'"{"".join(shown)}"'
