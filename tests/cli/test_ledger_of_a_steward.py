"""A steward keeps logs of many tables in one folder: none takes the place of another."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_ledger import APPLY, _without_logs, run
from tests.screen import joined

__all__ = ["_without_logs"]


@pytest.fixture(autouse=True)
def _folders(here):
    for name in ("ledger", "a", "b"):
        (here / name).mkdir()


def test_tables_of_one_name_have_logs_of_their_own(here, capsys):
    for out in ("a/x.csv", "b/x.csv", "a/x.parquet", "a/x.csv.gz"):
        assert run(capsys, f"{APPLY} {out} --ledger ledger --data visits --budget 2")[0] == 0
    assert len(list((here / "ledger").iterdir())) == 4
    code, _, err = run(capsys, f"{APPLY} b/../a/x.csv --ledger ledger --data visits")
    assert (code, "`again` must be asked for" in err) == (2, True)
    code, _, err = run(capsys, f"{APPLY} b/x.csv --again --ledger ledger --data visits --budget 2")
    assert code == 2
    assert "4 releases spent 2, this one would add 0.5. Nothing was released." in err
    assert run(capsys, f"{APPLY} b/x.csv --again --ledger ledger --data beds --budget 2")[0] == 0
    _, out, _ = run(capsys, "ledger ledger --json")
    assert {one["data"]: one["simple_composition"] for one in json.loads(out)["accounts"]} == {
        "visits": 2,
        "beds": 0.5,
    }


def test_parts_are_a_claim_that_every_output_names(capsys):
    _, out, _ = run(capsys, f"{APPLY} n.csv --ledger ledger --data visits --part north --budget 0.5")
    assert "that no person is in two parts is your claim" in out
    assert run(capsys, f"{APPLY} s.csv --ledger ledger --data visits --part south --budget 0.5")[0] == 0
    code, out, err = run(capsys, "ledger ledger --budget 0.5 --certificates .")
    assert (code, "budget 0.5: kept" in out) == (0, True)
    assert "reported" in out
    assert "the largest of 2 parts" in out
    assert "is a claim of those who released them" in err
    assert run(capsys, f"{APPLY} x.csv --ledger ledger --data visits --budget 0.5")[0] == 2
    assert run(capsys, f"{APPLY} x.csv --ledger ledger --part north")[0] == 2


def test_a_broken_log_is_named_beside_the_accounts_of_the_others(here, capsys):
    run(capsys, f"{APPLY} n.csv --ledger ledger --data visits")
    (here / "ledger" / "bad.release.json").write_text("[]")
    code, out, err = run(capsys, "ledger ledger --certificates .")
    assert code == 1
    assert "by the logs that can be read, epsilon = 0.5" in joined(out)
    assert "budget 9: nobody knows whether it is kept" in run(capsys, "ledger ledger --budget 9")[1]
    assert "bad.release.json" in err
    assert json.loads(run(capsys, "ledger ledger --json")[1])["accounts"][0]["unread"]
    code, _, err = run(capsys, f"{APPLY} x.csv --ledger ledger --data visits --budget 5")
    assert (code, "cannot be held" in err, "bad.release.json" in err) == (2, True, True)
