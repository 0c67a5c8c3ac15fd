r"""Marks of what is missing: one list for ids of persons, for groups and for numbers.

Model
-----
    a text without a letter and without a digit                       ?  --  .  ..  ._  *  :
    one of `WORDS`, with any other signs around it                    NA  n.a.  (missing)  <NA>  -NaN  #NULL!
    a full stop and one letter: a missing value of Stata and of SAS   .a ... .z
    a number that is none, as C prints it on Windows                  1.#IND  -1.#QNAN
    an error of a spreadsheet                                         #REF!  #DIV/0!

Case, white space around a text and variants of Unicode do not matter: `is_mark` gets normal spellings.
"""

from __future__ import annotations

import re
import unicodedata

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.visible import without_invisible

WORDS = (
    *("na", "n/a", "n.a", "n. a", "n/d", "n.d", "n/k", "nan", "nat", "nil", "none", "null", r"\n", "sysmis"),
    *("missing", "blank", "empty", "unknown", "unspecified", "undefined", "anonymous"),
    *("no answer", "no data", "not available", "not applicable", "not known", "not stated", "not reported"),
    *("k.a", "k. a", "keine angabe", "unbekannt", "fehlt", "fehlend", "inconnu", "manquant", "desconocido"),
    *("sconosciuto", "mancante", "onbekend", "desconhecido", "okänd", "ukendt", "ukjent"),
)
"""Words for what is missing."""
_WORD = f"(?:{'|'.join(map(re.escape, WORDS))})"
_SIGN = r"[^\pL\pN]"
_MARK = (
    rf"^(?:{_SIGN}*(?:{_WORD}(?:{_SIGN}+{_WORD})*{_SIGN}*)?|\.[a-z]|[+-]?1\.#(?:ind|inf|qnan|snan)0*"
    r"|#(?:value!|ref!|div/0!|num!|name\?|spill!|calc!))$"
)


def is_mark(spellings: pa.Array) -> pa.Array:
    r"""Return for each text, in its normal spelling, whether it marks what is missing; null for null.

    >>> is_mark(pa.array(["n.a.", "(missing)", ".b", "-1.#qnan", "--", "", "nana", ".5", "a-1"])).to_pylist()
    [True, True, True, True, True, True, False, False, False]
    """
    return pc.match_substring_regex(spellings, _MARK)


def folded(text: str) -> str:
    """Return a text without case, compatibility variants, invisible characters and white space around it."""
    for _ in range(2):
        text = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFKC", without_invisible(text)).strip()


def marks_missing(text: str) -> bool:
    """Whether one text, in any spelling, marks what is missing.

    >>> marks_missing(" N.A. "), marks_missing("3")
    (True, False)
    """
    return bool(is_mark(pa.array([folded(text)], pa.string()))[0].as_py())
