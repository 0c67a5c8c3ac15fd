"""The page on composition says what the code computes."""

from __future__ import annotations

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "composition.md"


def test_every_number_of_the_page_is_computed_again():
    done = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert done.attempted > 10
    assert done.failed == 0
