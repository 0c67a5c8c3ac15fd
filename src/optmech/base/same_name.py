"""Names that a person takes for one and the same, though they are written differently."""

from __future__ import annotations

import unicodedata

from optmech.base.visible import without_invisible


def key_of_name(name: str) -> str:
    r"""Return what names have in common that differ by case, white space or characters without a shape only.

    >>> key_of_name("Visits  2026 ") == key_of_name("visits\u00a02026") == key_of_name("VISITS 2026\ufe0f\0")
    True
    """
    # What has no shape can keep a letter and its accent apart, so that it goes first; some come out of NFKC.
    folded = _normal(_normal(without_invisible(name)).casefold())
    signs = without_invisible(folded)
    return "".join(sign for sign in signs if not (sign.isspace() or unicodedata.category(sign) == "Cf"))


def _normal(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
