"""Names that look alike are one name, by one list of what has no shape."""

from __future__ import annotations

import re
import unicodedata

from optmech.base.same_name import key_of_name
from optmech.base.visible import visible, without_invisible

EVERY = [chr(code) for code in range(0x110000)]
WITHOUT_SHAPE = [sign for sign in EVERY if not without_invisible(sign)]


def test_a_character_without_a_shape_makes_no_other_name():
    assert {"\ufe0f", "\u034f", "\u115f", "\0", "\u200b", "\u2800"} <= set(WITHOUT_SHAPE)
    for name in ("Visits 2026", "Besucher ä", "cafe\u0301"):
        for sign in WITHOUT_SHAPE:
            if unicodedata.category(sign) != "Cs":  # half of a character is refused before
                assert key_of_name(f"{name[:-1]}{sign}{name[-1:]}{sign}") == key_of_name(name), ascii(sign)


def test_case_white_space_and_normal_forms_make_no_other_name():
    for other in (
        "VISITS  2026",
        "\tvisits2026\n",
        "visits\u00a02026",
        "\uff56isits 2026",
        "Visits\u2028 2026",
    ):
        assert key_of_name(other) == key_of_name("Visits 2026"), ascii(other)
    assert key_of_name("Stra\u00dfe") == key_of_name("STRASSE")
    assert key_of_name("Visits 2025") != key_of_name("Visits 2026")
    assert not key_of_name("\u2800\u115f \0")


def test_what_makes_no_other_name_can_be_seen():
    """A name is told by its signs; a selector stands with what it selects."""
    for sign in WITHOUT_SHAPE:
        if not re.match("[\ufe00-\ufe0f]", sign):
            assert visible(sign).startswith("\\"), ascii(sign)
