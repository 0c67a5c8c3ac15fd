"""The published schema is the one in the package, and refuses what is no card."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import optmech as om
from optmech.reports.card import card_json, card_of, schema
from tests.each import each

PUBLISHED = Path(__file__).parents[3] / "docs" / "schema" / "mechanism-card-1.schema.json"


@pytest.fixture(scope="module")
def content():
    return json.loads(card_json(card_of(om.design(om.croft(om.count(2), 1)).certificate)))


def test_the_published_schema_is_the_one_in_the_package():
    packaged = Path(om.__file__).parent / "reports" / "card" / PUBLISHED.name
    assert PUBLISHED.read_bytes() == packaged.read_bytes()
    assert schema() == json.loads(PUBLISHED.read_text())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema())


def objects_in(part):
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            yield part
        for value in part.values():
            yield from objects_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from objects_in(value)


def test_every_field_is_required_and_no_other_is_allowed():
    parts = list(objects_in(schema()))
    assert len(parts) > 8
    for part in parts:
        assert set(part["required"]) == set(part["properties"])
        assert part["additionalProperties"] is False


@each(
    ("path", "value"),
    [
        (("version",), 2),
        (("certified",), "yes"),
        (("privacy", "epsilon", "provenance"), "surely"),
        (("privacy", "epsilon", "value"), "large"),
        (("privacy", "epsilon", "exact"), "1; drop"),
        (("mechanism", "sha256"), "abc"),
        (("mechanism", "truths"), 0),
        (("caveats",), []),
        (("question",), {"query": {}}),
        (("words", "guarantee"), ""),
        (("words", "further"), "text"),
    ],
)
def test_what_is_no_card_is_refused(content, path, value):
    changed = json.loads(json.dumps(content))
    part = changed
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    assert not jsonschema.Draft202012Validator(schema()).is_valid(changed)
