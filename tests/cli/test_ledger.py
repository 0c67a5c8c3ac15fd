"""`optmech ledger` and `optmech apply --budget`, as a data steward types them."""

from __future__ import annotations

import json

import pytest

from optmech.cli import main
from tests.each import each
from tests.screen import joined

APPLY = "apply mechanism.certificate.json table.csv --column count --out"


def run(capsys, line):
    code = main(line.split())
    return code, *capsys.readouterr()


@pytest.fixture(autouse=True)
def _without_logs(here):
    for log in here.glob("*.release.json"):
        log.unlink()


@pytest.fixture
def released(here, capsys):
    for name in ("first", "second"):
        assert run(capsys, f"{APPLY} {name}.csv --data visits")[0] == 0
    return here


@pytest.mark.usefixtures("released")
def test_what_was_spent_on_which_data(capsys):
    assert run(capsys, f"{APPLY} third.csv")[0] == 0
    code, out, err = run(capsys, "ledger .")
    assert (code, err) == (0, "")
    spent = "a person who can change one row spends epsilon = 1 at delta = 0 proved, exact: some data"
    assert spent in joined(out)
    assert out.index("visits\n") < out.index("table.csv\n")
    code, out, _ = run(capsys, "ledger first.release.json second.release.json --json")
    (account,) = json.loads(out)["accounts"]
    assert (account["data"], len(account["draws"])) == ("visits", 2)
    assert account["unit"] == "a person who can change one row"
    assert all(draw["certified"] for draw in account["draws"])


def test_a_budget_refuses_the_next_apply_and_nothing_is_written(released, capsys):
    before = {path.name for path in released.iterdir()}
    code, out, err = run(capsys, f"{APPLY} third.csv --data visits --budget 1")
    assert (code, out) == (2, "")
    assert "ε = 1 for *visits* would be exceeded: 2 releases spent 1, this one would add 0.5." in err
    assert {path.name for path in released.iterdir()} == before
    assert run(capsys, f"{APPLY} third.csv --data visits --budget 1.5")[0] == 0
    code, out, err = run(capsys, "ledger . --budget 1")
    assert code == 1
    assert "EXCEEDED" in out
    assert "visits: the budget of 1 is exceeded" in err
    assert run(capsys, "ledger . --budget 1.5")[0] == 0


def test_what_all_releases_allow_is_a_caution_where_it_is_much(capsys):
    run(capsys, "design count --range 0:5 --epsilon 4 --delta 0.5 --out leaky.csv")
    for name in ("first", "second", "third"):
        run(capsys, f"{APPLY.replace('mechanism', 'leaky')} {name}.csv --data visits")
    code, out, err = run(capsys, "ledger . --json")
    (account,) = json.loads(out)["accounts"]
    assert (code, account["epsilon"], account["delta"]) == (0, "inf", "1")
    assert account["caution"].startswith("Caution: nothing is protected: delta is 1")
    assert "visits: nothing is protected: delta is 1" in err
    _, _, err = run(capsys, "ledger first.release.json")
    assert "visits: with probability up to 0.5 anything may be released" in err


def test_logs_may_be_kept_in_a_folder(here, capsys):
    (here / "ledger").mkdir()
    (here / "out").mkdir()
    assert run(capsys, f"{APPLY} out/a.csv --ledger ledger --budget 0.5")[0] == 0
    assert [path.name for path in (here / "out").iterdir()] == ["a.csv"]
    code, _, err = run(capsys, f"{APPLY} out/b.csv --ledger ledger --budget 0.5")
    assert code == 2
    assert "1 release spent 0.5, this one would add 0.5" in err
    code, out, _ = run(capsys, "ledger ledger --certificates mechanism.certificate.json")
    assert "proved, exact" in joined(out)
    assert "reported" in run(capsys, "ledger ledger")[1]


@each(
    ("line", "words"),
    [
        ("ledger table.csv", "must be a release log of optmech"),
        ("ledger missing.release.json", "must be a file that can be read"),
        ("ledger .", "`logs` must have at least one release log"),
        (f"{APPLY} a.csv --budget x", "`budget` must be a finite number"),
        (f"{APPLY} a.csv --budget-delta 0.1", "`--budget` must be given with --budget-delta"),
        (f"{APPLY} a.csv --budget 1 --budget-delta 2", "`delta` must be zero or more and below 1"),
        (f"{APPLY} a.csv --ledger nowhere", "`--ledger` must be a folder that is there"),
        (f"{APPLY} a.csv --ledger . --log b.release.json", "`--log` must be left out with `--ledger`"),
        (f"{APPLY} a.csv --budget 1 --log b.json", "`log` must end in .release.json"),
    ],
)
def test_what_is_refused_writes_nothing(here, capsys, line, words):
    before = {path.name for path in here.iterdir()}
    code, _, err = run(capsys, line)
    assert code == 2
    assert words in err
    assert {path.name for path in here.iterdir()} == before
