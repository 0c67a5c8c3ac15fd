"""Certificates of tables: both readers agree, each rule is needed, no moved field gives a better bound."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction

import pytest

from tests.each import each
from tests.proofs.tables.two_readers import (
    ACCEPTED,
    CHECKER,
    REFUSED,
    by_checker,
    by_package,
    rules,
    without,
    written,
)


@each("path", ACCEPTED)
def test_good_certificates_are_proved_by_both_readers_with_the_same_numbers(path):
    text = path.read_text()
    told, certificate = by_checker(text), by_package(text)
    assert told["bound"] == str(certificate.bound)
    assert told["objective"] == str(certificate.objective)
    names = certificate.problem.name_of
    assert told["variances"] == {names(m): str(v) for m, v in certificate.variances.items()}
    assert told["delta"] == str(certificate.delta)


@each("path", REFUSED)
def test_bad_certificates_are_refused_by_both_readers(path):
    text = path.read_text()
    assert by_checker(text) is None
    assert by_package(text) is None


@pytest.mark.slow
def test_each_rule_of_the_checker_is_needed_by_a_file_that_must_be_refused():
    texts = [path.read_text() for path in REFUSED]
    for rule in rules():
        weaker = without(*rule)
        assert any(by_checker(text, weaker) for text in texts), rule


def test_the_checker_stays_short():
    lines = CHECKER.read_text().split('"""\n', 1)[1].splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 150


def leaves(value, path=()):
    """Yield the path of each number of a certificate."""
    if isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    elif value is not None and not isinstance(value, bool):
        yield path


def changed(content, path, value):
    """Return a certificate with another value at a path."""
    again = copy.deepcopy(content)
    inner = again
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return again


def at(content, path):
    for key in path:
        content = content[key]
    return content


def moved(value):
    """Return other values of a field: up, down, other sign, zero, huge, tiny."""
    if isinstance(value, int):
        return [value + 1, value - 1, -value, 0, 10**12]
    try:
        number = Fraction(value)
    except ValueError:
        return ["total", value + "x", ""]
    moves = (
        number * Fraction(99, 100),
        number * Fraction(101, 100),
        -number,
        0,
        number * 10**9,
        number / 10**9,
    )
    return [str(Fraction(move)) for move in moves]


@each("path", ACCEPTED, every=6, slow_every=4)
def test_no_moved_field_gives_a_better_bound(path):
    content = json.loads(path.read_text())
    bound = Fraction(content["bound"])
    draws = random.Random(1)  # noqa: S311 - no secret
    for field in leaves(content):
        if field[0] == "question" or ("logarithms" in field and draws.random() > 0.003):
            continue
        for value in moved(at(content, field)):
            text = written(changed(content, field, value))
            told, proved = by_checker(text), by_package(text)
            assert (told is None) == (proved is None), (field, value)
            assert told is None or Fraction(told["bound"]) <= bound, (field, value)


@pytest.mark.long
def test_both_readers_agree_on_ten_thousand_changed_files():
    draws = random.Random(2)  # noqa: S311 - no secret
    contents = [json.loads(path.read_text()) for path in ACCEPTED if path.stat().st_size < 5000]
    accepted = 0
    for _ in range(10_000):
        content = draws.choice(contents)
        for _ in range(draws.choice((1, 1, 2))):
            field = draws.choice(list(leaves(content)))
            content = changed(content, field, draws.choice(moved(at(content, field))))
        text = written(content)
        if draws.random() < 0.2:  # a byte, too
            place = draws.randrange(len(text))
            text = text[:place] + draws.choice(' 0129"{}[],:*/-a') + text[place + 1 :]
        told, proved = by_checker(text), by_package(text)
        assert (told is None) == (proved is None), text
        if told is not None:
            accepted += 1
            assert Fraction(told["bound"]) <= proved.bound <= proved.objective
    assert accepted > 0
