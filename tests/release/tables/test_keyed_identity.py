"""A release by cell keys is known by its table, by what was asked, and by its bytes."""

from __future__ import annotations

import json

import pytest

import optmech as om
from tests.release.tables.test_keyed import (
    CELLS,
    KEYS,
    RECORDS,
    counted,
    designed,
    noise_at,
    released,
    rows_of,
)


def epsilon_of(folder):
    (account,) = om.ledger(folder, certificates=[designed()])
    return account.epsilon


def test_the_same_bytes_under_a_smaller_bound_do_not_lower_an_account(tmp_path):
    """At most two cells of a person, then at most one: the same table was tabulated twice."""
    counted(tmp_path, name="two.csv", at_most=2)
    counted(tmp_path, name="one.csv", at_most=1)
    released(tmp_path, "two.csv", "two-out.csv")
    before = epsilon_of(tmp_path)
    (tmp_path / "fresh.csv").write_text("place,count\nN,3\n")
    fresh = om.design(om.question(om.count(5), "0.4")).certificate
    options = {"column": "count", "data": "census", "budget": "1.4"}

    def draw():
        return om.release_table(fresh, tmp_path / "fresh.csv", tmp_path / "f.csv", **options)

    with pytest.raises(om.ProblemError, match="would be exceeded"):
        draw()
    released(tmp_path, "one.csv", "one-out.csv")
    assert rows_of(tmp_path / "one-out.csv") == rows_of(tmp_path / "two-out.csv")
    assert epsilon_of(tmp_path) >= before
    with pytest.raises(om.ProblemError, match="Budget of"):
        draw()


def test_two_tables_whose_published_counts_are_alike_are_two_releases(tmp_path):
    """The other table lacks a person of one cell, whose key makes up for it."""
    count = sum(record[1:3] == ("N", "f") for record in RECORDS)
    key = sum(record[3] for record in RECORDS if record[1:3] == ("N", "f")) % KEYS
    seen = count + noise_at(count, key)
    other = next(own for own in range(KEYS) if count - 1 + noise_at(count - 1, own) == seen)
    fewer = [(*RECORDS[0][:3], other), *RECORDS[2:]]
    counted(tmp_path)
    counted(tmp_path, fewer, name="fewer.csv")
    released(tmp_path)
    released(tmp_path, "fewer.csv", "fewer-out.csv")
    assert rows_of(tmp_path / "out.csv") == rows_of(tmp_path / "fewer-out.csv")
    assert epsilon_of(tmp_path) == float("inf")


def test_a_budget_that_is_spent_allows_the_same_release_again(tmp_path):
    counted(tmp_path)
    for out in ("a.csv", "b.parquet"):
        released(tmp_path, out=out, budget=1)
    assert epsilon_of(tmp_path) <= 1
    counted(tmp_path, groups=CELLS[::-1], name="other.csv")
    with pytest.raises(om.ProblemError, match="drawn by the same record keys"):
        released(tmp_path, "other.csv", "c.csv", budget=100)
    assert not (tmp_path / "c.csv").exists()


def test_a_log_that_does_not_name_its_table_is_one_of_its_own(tmp_path):
    """Logs of before had no name of the table: two of them are two releases, and a copy is none."""
    counted(tmp_path)
    for out in ("a.csv", "b.csv"):
        released(tmp_path, out=out)
        log = tmp_path / out.replace(".csv", ".release.json")
        content = json.loads(log.read_text())
        del content["cell_keys"]["table"]
        log.write_text(json.dumps(content))
    (tmp_path / "copy.release.json").write_text((tmp_path / "a.release.json").read_text())
    assert om.ledger([tmp_path / "a.release.json", tmp_path / "copy.release.json"])[0].epsilon <= 1
    assert epsilon_of(tmp_path) == float("inf")


def test_two_logs_of_one_table_that_say_different_things_are_two_releases(tmp_path):
    counted(tmp_path)
    for out in ("a.csv", "b.csv"):
        released(tmp_path, out=out)
    log = tmp_path / "b.release.json"
    whole = json.loads(log.read_text())
    entry, person = whole["mechanisms"][0], whole["person"]
    less = {"mechanisms": [{**entry, "delta": "0.9"}], "person": {**person, "delta": "0.9"}}
    more = {"person": {**person, "at_most": 2}}
    cells = {"cell_keys": {**whole["cell_keys"], "cells": "0"}}
    for change in (less, more, cells):
        log.write_text(json.dumps({**whole, **change}))
        (account,) = om.ledger(tmp_path)
        assert account.epsilon == float("inf"), change


def test_a_bound_of_keys_without_a_name_of_its_table_releases_nothing(tmp_path):
    counted(tmp_path)
    path = tmp_path / "counts.csv.json"
    content = json.loads(path.read_text())
    del content["table"]["id"]
    path.write_text(json.dumps(content))
    with pytest.raises(om.ProblemError, match="Run `optmech tabulate` again"):
        released(tmp_path)
    assert not (tmp_path / "out.csv").exists()
