"""Names that a person takes for one and the same, though they are written differently."""

from __future__ import annotations

import unicodedata


def key_of_name(name: str) -> str:
    r"""Return what names have in common that differ by case, white space or invisible characters only.

    >>> key_of_name("Visits  2026 ") == key_of_name("visits\u00a02026") == key_of_name("VISITS 2026\u200b")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(sign for sign in folded if not (sign.isspace() or unicodedata.category(sign) == "Cf"))
