"""The page from paper to code has every theorem and item, and only files and names that are there."""

from __future__ import annotations

import ast
import re

import pytest

from benchmarks.papers.registry import ITEMS
from optmech.designs.chain.theorem import CHAIN
from optmech.theorems.registry import THEOREMS
from tests.docs.papers_page import PAGE, ROOT, TABLES, parts

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "registry"), [("theorems", (*THEOREMS, CHAIN)), ("items", ITEMS)])
def test_every_theorem_and_item_stands_on_the_page_as_the_registry_has_it(name, registry):
    _, table, _ = parts(TEXT, name)
    assert table == TABLES[name]()
    assert len(registry) == len(set(re.findall(r"\| `([a-z0-9-]+)` \|", table)))


def test_every_file_that_it_names_is_there():
    paths = re.findall(r"`([a-z_]+/[^`]+)`", TEXT)
    assert len(paths) > len(THEOREMS) + len(ITEMS)
    for path in paths:
        assert (ROOT / path).exists(), path


def test_every_class_and_function_that_it_names_is_in_the_file_named_before_it():
    models, _, _ = TEXT.partition("## Theorems")
    named = re.findall(r"`(src/[^`]+\.py)`((?:, `\w+`)+)", models)
    for path, names in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        assert set(re.findall(r"\w+", names)) <= defined, path
    assert len(named) >= models.count("`src/")
