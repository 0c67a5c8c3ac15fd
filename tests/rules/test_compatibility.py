"""Notions that do not fit a query get a sentence, and are just those that cannot be compiled."""

from __future__ import annotations

from dataclasses import replace

import pytest

import optmech as om
from optmech.base.errors import OptmechError
from optmech.question.limits import limit_of
from optmech.question.properties import PROPERTIES
from optmech.rules import compile_rules, mismatch
from tests.each import each

QUERIES = {
    "a count": om.count(3),
    "a truth in no response": om.Query([0, 1, 2], [0, 2], neighbours=1),
    "the last truth in no response": om.Query([0, 1, 5], [0, 1], neighbours=1),
}


DEMANDS = [*PROPERTIES, *map(limit_of, ("accuracy >= 0.1", "within 1", "without 0"))]


@each("query", QUERIES)
@each("demand", [*PROPERTIES, *map(limit_of, ("accuracy >= 0.1", "within 1", "without 0"))])
def test_what_does_not_fit_is_what_cannot_be_compiled(query, demand):
    plain = om.croft(QUERIES[query], 1)
    assert mismatch(plain) is None
    name = "properties" if demand in PROPERTIES else "limits"
    problem = replace(plain, **{name: frozenset({demand})})
    if mismatch(problem) is None:
        compile_rules(problem)
    else:
        assert query != "a count"
        with pytest.raises(OptmechError, match="is in none"):
            compile_rules(problem)
