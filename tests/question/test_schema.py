"""The schema of a question's table takes what is written, refuses what is refused, and is published."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import optmech as om
from optmech.question.schema import question_schema, sections
from tests.each import each
from tests.question.test_table import CASES, PLAIN

PUBLISHED = Path(__file__).parents[2] / "docs" / "schema" / "question-1.schema.json"
SCHEMA = jsonschema.Draft202012Validator(question_schema())


def test_the_published_schema_is_that_of_the_declarations():
    SCHEMA.check_schema(SCHEMA.schema)
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == question_schema()


@each("name", CASES)
def test_every_question_keeps_the_schema(name):
    SCHEMA.validate(CASES[name].to_dict())


@each(
    ("part", "key", "value"),
    [
        ("query", "largest", "5"),
        ("query", "larges", 5),
        ("query", "kind", "counts"),
        ("privacy", "rows", "all"),
        ("structure", "half_width", 3),
        ("objective", "loss", 3),
        ("objective", "prior", "even"),
        ("objective", "loss", {"by_distance": "0"}),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(part, key, value):
    table = {**PLAIN, part: {**PLAIN[part], key: value}}
    assert not SCHEMA.is_valid(table)
    with pytest.raises(om.ProblemError):
        om.Problem.from_dict(table)


def test_each_key_is_told_to_people():
    for keys in sections().values():
        for key in keys:
            assert key.about
            assert key.form.words
