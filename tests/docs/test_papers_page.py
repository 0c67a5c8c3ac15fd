"""The page from paper to code names every theorem and only files that are there."""

from __future__ import annotations

import re

from optmech.theorems.registry import THEOREMS
from tests.docs.papers_page import END, PAGE, ROOT, START, table


def test_every_theorem_stands_on_the_page_as_the_registry_has_it():
    text = PAGE.read_text(encoding="utf-8")
    _, _, rest = text.partition(START)
    assert rest.partition(END)[0] == table()
    assert len(THEOREMS) == len(set(re.findall(r"\| `([a-z0-9-]+)` \|", rest)))


def test_every_file_that_it_names_is_there():
    paths = re.findall(r"`([a-z_]+/[^`]+)`", PAGE.read_text(encoding="utf-8"))
    assert len(paths) > len(THEOREMS)
    for path in paths:
        assert (ROOT / path).exists(), path
