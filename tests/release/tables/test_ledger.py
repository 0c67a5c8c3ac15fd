"""A ledger adds up what logs tell, by data, and a budget refuses what would go beyond it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import optmech as om

TABLE = "town,count,other\nAller,3,1\nBeck,0,2\nCole,5,2\n"


@pytest.fixture
def folder(tmp_path, five):
    (tmp_path / "visits.csv").write_text(TABLE)
    om.write_certificate(five, tmp_path / "five.certificate.json")
    return tmp_path


def release(folder, name, **options):
    options = {"column": "count", **options}
    mechanism = options.pop("mechanism", folder / "five.certificate.json")
    return om.release_table(mechanism, folder / "visits.csv", folder / f"{name}.csv", **options)


def test_releases_of_the_same_data_add_up_and_others_are_kept_apart(folder):
    release(folder, "a")
    release(folder, "b", column="other")
    release(folder, "c", data="Visits 2026")
    first, second = om.ledger(folder)
    assert (first.data, len(first.draws), second.data) == ("visits.csv", 2, "Visits 2026")
    assert 1 - 1e-9 < first.epsilon <= 1
    assert first.provenance == second.provenance == "proved"
    assert first.is_exact
    assert first.simple == 1
    assert first.unit == "a person who can change one row"


def test_draws_again_count_and_a_copied_log_does_not(folder):
    release(folder, "a")
    release(folder, "a", again=True)
    (folder / "copy.release.json").write_text((folder / "a.release.json").read_text())
    (account,) = om.ledger(folder)
    assert len(account.draws) == 2


def test_without_its_certificate_the_log_is_taken_at_its_word(folder, five):
    release(folder, "a")
    (folder / "five.certificate.json").unlink()
    (account,) = om.ledger(folder / "a.release.json")
    assert (account.epsilon, account.provenance) == (0.5, "reported")
    (account,) = om.ledger([folder], certificates=[five])
    assert account.provenance == "proved"


@pytest.mark.parametrize(("epsilon", "delta"), [("0.5", "0.02"), ("ln 2", "0"), ("ln 2", "0.02")])
def test_of_weights_the_largest_counts_with_a_delta_as_without(folder, epsilon, delta):
    weighted = om.Query([0, 3, 5], neighbours=[(0, 1, 1), (1, 2, 4)])
    certificate = om.design(om.question(weighted, epsilon, delta=delta)).certificate
    release(folder, "a", mechanism=certificate)
    (proved,), (reported,) = om.ledger(folder, certificates=[certificate]), om.ledger(folder)
    assert (proved.provenance, reported.provenance) == ("proved", "reported")
    assert proved.epsilon == pytest.approx(4 * (0.5 if epsilon == "0.5" else math.log(2)), rel=1e-9)
    assert proved.epsilon == pytest.approx(reported.epsilon, rel=1e-9)
    columns = certificate.matrix.nearest().T
    for one, other in [(0, 1), (1, 0), (1, 2), (2, 1)]:
        excess = np.maximum(columns[one] - math.exp(proved.epsilon) * columns[other], 0).sum()
        assert excess <= float(proved.delta) + 1e-12


def test_another_certificate_of_that_name_is_not_taken(folder, halves):
    release(folder, "a")
    om.write_certificate(halves, folder / "five.certificate.json")
    (account,) = om.ledger(folder)
    assert account.provenance == "reported"


@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_what_a_seed_drew_or_a_bare_matrix_is_not_bounded(folder, five):
    release(folder, "a", seed=1)
    release(folder, "a", again=True)
    (account,) = om.ledger(folder)
    assert account.epsilon == math.inf
    assert account.unknown == ("a.csv was drawn by a seed, which is not private",)
    assert not account.within(10**6)
    release(folder, "b", mechanism=om.MatrixMechanism.certified(five), data="bare")
    assert "nothing is proved" in om.ledger(folder)[1].unknown[0]


def test_what_a_person_can_change_is_counted(folder):
    release(folder, "a")
    path = folder / "a.release.json"
    log = json.loads(path.read_text())
    person = {"at_most": 3, "at_most_per_group": 1, "steps": 3, "epsilon": "1.5", "delta": "0"}
    path.write_text(json.dumps({**log, "person": person}))
    (account,) = om.ledger(folder)
    assert account.unit == "one person, by the bound in the log"
    assert 1.5 - 1e-9 < account.epsilon <= 1.5
    together = {**person, "at_most_per_group": 2}
    path.write_text(json.dumps({**log, "person": together}))
    (account,) = om.ledger(folder)
    assert (account.epsilon, account.provenance) == (1.5, "proved")


def test_delta_is_the_sum_of_all_or_what_was_asked(folder):
    noisy = om.design(om.question(om.count(5), "0.5", delta="0.01")).certificate
    om.write_certificate(noisy, folder / "noisy.certificate.json")
    for name in "ab":
        release(folder, name, mechanism=folder / "noisy.certificate.json")
    (account,) = om.ledger(folder)
    assert float(account.delta) == pytest.approx(0.02)
    assert account.epsilon <= 1
    (strict,) = om.ledger(folder, delta="1e-6")
    assert strict.epsilon > account.epsilon


def test_no_budget_is_kept_where_all_deltas_come_to_1(folder):
    leaky = om.design(om.question(om.count(5), "0.5", delta="0.3")).certificate
    om.write_certificate(leaky, folder / "leaky.certificate.json")
    for name in "abc":
        release(folder, name, mechanism=folder / "leaky.certificate.json", budget=3)
    with pytest.raises(om.ProblemError, match=r"no privacy is left, as the deltas of 4 releases come to 1"):
        release(folder, "d", mechanism=folder / "leaky.certificate.json", budget=3)
    release(folder, "d", mechanism=folder / "leaky.certificate.json")
    (account,) = om.ledger(folder)
    assert (account.delta, account.epsilon, account.is_exact) == (1, math.inf, False)
    assert not account.within(700)


def test_a_budget_is_kept_to_the_last_digit(folder):
    for name in "abc":
        release(folder, name, budget="1.5")
    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(om.ProblemError, match=r"3 releases spent 1\.5, this one would add 0\.5\. Nothing"):
        release(folder, "d", budget="1.5")
    assert sorted(path.name for path in folder.iterdir()) == before
    release(folder, "d", budget=om.release.Budget(epsilon="2"), data="other data")
    assert all(account.within("1.5") for account in om.ledger(folder))
    assert not om.ledger(folder)[0].within("1.499")


def test_a_budget_counts_draws_again_and_refuses_what_nobody_knows(folder, five):
    release(folder, "a", budget=1)
    release(folder, "a", budget=1, again=True)
    with pytest.raises(om.ProblemError, match=r"2 releases spent 1, this one would add 0\.5"):
        release(folder, "a", budget=1, again=True)
    with pytest.raises(om.ProblemError, match=r"cannot be held: x\.csv was drawn from a matrix"):
        release(folder, "x", mechanism=om.MatrixMechanism.certified(five), budget=100, data="bare")


def test_two_at_once_cannot_both_pass(folder, monkeypatch):
    release(folder, "a", budget=1)
    from optmech.release.tables import budget  # noqa: PLC0415

    checks = []
    whole = budget.Budget.check

    def check(self, path, log):
        whole(self, path, log)
        checks.append(path.name)
        if len(checks) == 1:  # another command ends between the first look and the last
            release(folder, "other")

    monkeypatch.setattr(budget.Budget, "check", check)
    with pytest.raises(om.ProblemError, match="2 releases spent 1"):
        release(folder, "b", budget=1)
    assert not (folder / "b.csv").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"budget": "x"}, "`budget` must be a finite number"),
        ({"budget": -1}, "`budget` must be zero or more"),
        ({"budget": 0}, "this release alone would spend"),
        ({"budget": 1, "log": "l.json"}, "`log` must end in .release.json"),
    ],
)
def test_a_budget_that_is_none_is_refused(folder, options, words):
    if "log" in options:
        options["log"] = folder / options["log"]
    with pytest.raises(om.ProblemError, match=words):
        release(folder, "a", **options)
    assert not (folder / "a.csv").exists()


def test_a_log_that_was_changed_is_no_log(folder):
    release(folder, "a")
    path = folder / "a.release.json"
    log = json.loads(path.read_text())
    for change in ({"mechanisms": 3}, {"output": None}, {"mechanisms": [{"epsilon": "x"}]}, {"data": ""}):
        path.write_text(json.dumps({**log, **change}))
        with pytest.raises(om.ProblemError, match=r"a\.release\.json` must be a release log as it was"):
            release(folder, "b", budget=3)
        if "data" in change:
            with pytest.raises(om.FileFormatError, match="must be a release log as it was written"):
                om.ledger(folder)
            continue
        (account,) = om.ledger(folder)
        assert account.epsilon == math.inf
        assert "must be a release log as it was written" in account.unknown[0]
    path.write_text("{}")
    with pytest.raises(om.FileFormatError, match="must be a release log of optmech"):
        om.ledger(path)
    path.unlink()
    with pytest.raises(om.ProblemError, match="at least one release log"):
        om.ledger(folder)


def test_a_budget_beyond_all_doubles_is_kept(folder):
    release(folder, "a", budget="1e400")
    assert om.ledger(folder)[0].within("1e400")
