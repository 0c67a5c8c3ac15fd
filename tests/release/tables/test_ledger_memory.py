"""A ledger forgets no draw: of which data it was, whatever is released into which file afterwards."""

from __future__ import annotations

import json
import math
import shutil

import pytest

import optmech as om


@pytest.fixture
def folder(tmp_path, five):
    (tmp_path / "visits.csv").write_text("town,count,other\nAller,3,1\nBeck,0,2\n")
    (tmp_path / "beds.csv").write_text("town,beds\nAller,3\nBeck,0\n")
    om.write_certificate(five, tmp_path / "five.certificate.json")
    return tmp_path


def release(folder, name, table="visits.csv", **options):
    options = {"column": "count", **options}
    return om.release_table(folder / "five.certificate.json", folder / table, folder / name, **options)


def spent(folder, **options):
    return {account.data: account.simple for account in om.ledger(folder, **options)}


def change(path, **fields):
    path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))


def test_a_draw_keeps_its_data_table_and_column_when_another_follows(folder):
    release(folder, "a.csv", data="Visits 2026")
    release(folder, "a.csv", table="beds.csv", column="beds", data="Beds", again=True)
    release(folder, "a.csv", column="other", data="Visits 2026", again=True)
    assert spent(folder) == {"Visits 2026": 1, "Beds": 0.5}
    visits, beds = om.ledger(folder)
    assert [(draw.table, draw.column) for draw in visits.draws] == [
        ("visits.csv", "count"),
        ("visits.csv", "other"),
    ]
    assert [(draw.table, draw.column) for draw in beds.draws] == [("beds.csv", "beds")]
    with pytest.raises(om.ProblemError, match="2 releases spent 1"):
        release(folder, "a.csv", data="Visits 2026", again=True, budget=1)
    with pytest.raises(om.ProblemError, match=r"1 release spent 0\.5"):
        release(folder, "b.csv", data="Beds", budget="0.8")


def test_a_draw_that_does_not_say_of_which_data_counts_for_all(folder):
    release(folder, "a.csv", data="Visits")
    release(folder, "a.csv", data="Beds", again=True)
    path = folder / "a.release.json"
    log = json.loads(path.read_text())
    path.write_text(
        json.dumps({**log, "earlier": [{k: v for k, v in log["earlier"][0].items() if k != "data"}]})
    )
    release(folder, "c.csv", data="Third")
    assert spent(folder) == {"Beds": 1, "Third": 1}


def test_a_copy_of_an_older_log_is_no_second_draw_and_a_changed_one_is(folder):
    release(folder, "a.csv", data="Visits")
    shutil.copy(folder / "a.release.json", folder / "copy.release.json")
    release(folder, "a.csv", data="Visits", again=True)
    assert spent(folder) == {"Visits": 1}
    change(folder / "copy.release.json", data="Else")
    assert spent(folder) == {"Visits": 1, "Else": 0.5}
    change(folder / "copy.release.json", data="Visits", made="2020-01-01T00:00:00+00:00")
    assert spent(folder) == {"Visits": 1.5}


def test_names_that_differ_by_case_or_white_space_are_one(folder):
    release(folder, "a.csv", data="Visits 2026")
    for name in ("visits 2026", "Visits2026", " VISITS\u00a02026", "Visits 2026\u200b"):
        with pytest.raises(
            om.ProblemError, match="must be written as the logs in the folder have it, 'Visits 2026'"
        ):
            release(folder, "b.csv", data=name)
    for name in ("", " ", "\u200b"):
        with pytest.raises(om.ProblemError, match="`data` must be a name with a visible character"):
            release(folder, "b.csv", data=name)
    assert not (folder / "b.csv").exists()
    shutil.move(folder / "a.release.json", folder.parent / "away.json")
    release(folder, "b.csv", data="visits 2026")
    shutil.move(folder.parent / "away.json", folder / "a.release.json")
    assert list(spent(folder).values()) == [1]


def test_of_disjoint_parts_the_largest_counts_and_whose_claim_that_is_stands_there(folder):
    for name, part in (("n1", "north"), ("n2", "north"), ("s1", "south")):
        done = release(folder, f"{name}.csv", data="Visits", part=part, budget=1)
        assert done.log["part"] == part
        assert "no person is in two parts" in done.log["parts"]
    (account,) = om.ledger(folder)
    assert account.parts == ("north", "south")
    assert (account.simple, account.provenance) == (1, "reported")
    assert "claim of those who released them" in account.claim
    with pytest.raises(om.ProblemError, match=r"2 releases spent 1, this one would add 0\.5"):
        release(folder, "n3.csv", data="Visits", part="north", budget=1)
    with pytest.raises(om.ProblemError, match=r"2 releases spent 1, this one would add 0\.5"):
        release(folder, "all.csv", data="Visits", budget=1)
    release(folder, "s2.csv", data="Visits", part="south", budget=1)
    release(folder, "all.csv", data="Visits", budget="1.5")
    assert spent(folder) == {"Visits": 1.5}
    for name in ("North", " south"):
        with pytest.raises(om.ProblemError, match="`part` must be written as"):
            release(folder, "x.csv", data="Visits", part=name)
    with pytest.raises(om.ProblemError, match="`data` must be named where `part` is"):
        release(folder, "x.csv", part="north")


def test_parts_of_one_name_written_differently_add_up(folder):
    release(folder, "a.csv", data="Visits", part="north")
    release(folder, "b.csv", data="Visits", part="south")
    change(folder / "b.release.json", part="NORTH ")
    (account,) = om.ledger(folder)
    assert (account.simple, account.claim) == (1, "")


def test_a_log_that_cannot_be_read_is_named_and_the_others_are_counted(folder):
    release(folder, "a.csv", data="Visits")
    release(folder, "b.csv", data="Beds")
    change(folder / "b.release.json", draws=7)
    visits, beds = om.ledger(folder)
    assert (visits.epsilon <= 0.5, beds.epsilon) == (True, math.inf)
    assert "b.release.json" in beds.unknown[0]
    assert visits.within(1)
    release(folder, "c.csv", data="Visits", budget=1)
    with pytest.raises(
        om.ProblemError, match=r"Budget of ε = 9 for \*Beds\* cannot be held: .*b\.release\.json"
    ):
        release(folder, "d.csv", data="Beds", budget=9)
    (folder / "none.release.json").write_text("no JSON")
    visits, beds = om.ledger(folder)
    assert visits.simple == 1
    assert "none.release.json" in visits.unread[0]
    assert not visits.within(100)
    with pytest.raises(om.ProblemError, match=r"cannot be held: .*none\.release\.json"):
        release(folder, "d.csv", data="Visits", budget=9)


def test_a_certificate_that_does_not_say_what_its_log_says_is_an_error(folder):
    release(folder, "a.csv", data="Visits")
    path = folder / "a.release.json"
    (entry,) = json.loads(path.read_text())["mechanisms"]
    change(path, mechanisms=[{**entry, "epsilon": "0.1"}])
    (account,) = om.ledger(folder)
    assert "says less than the certificate" in account.unknown[0]


def test_deltas_that_come_to_1_leave_no_privacy_at_any_delta(folder):
    leaky = om.design(om.question(om.count(5), "0.5", delta="0.3")).certificate
    options = {"column": "count", "data": "Visits"}
    for name in "abcd":
        om.release_table(leaky, folder / "visits.csv", folder / f"{name}.csv", **options)
    (account,) = om.ledger(folder)
    assert account.is_spent
    assert not account.within(700)
    (account,) = om.ledger(folder, delta="0.9")
    assert not account.within(700)
    budget = om.release.Budget(epsilon=700, delta="0.99")
    with pytest.raises(om.ProblemError, match="no privacy is left, as the deltas of 5 releases come to 1"):
        om.release_table(leaky, folder / "visits.csv", folder / "e.csv", budget=budget, **options)


def test_numbers_of_a_refusal_are_never_rounded_to_nearest(folder):
    third = om.design(om.question(om.count(5), "1/3")).certificate
    options = {"column": "count", "data": "Visits"}
    for name in "abc":
        om.release_table(third, folder / "visits.csv", folder / f"{name}.csv", budget="1", **options)
    with pytest.raises(om.ProblemError) as refusal:
        om.release_table(third, folder / "visits.csv", folder / "d.csv", budget="1", **options)
    assert str(refusal.value) == (
        "Budget of ε = 1 for *Visits* would be exceeded: 3 releases spent 1, this one would add 0.333334, "
        "together 1.33334. Nothing was released."
    )


def test_of_very_many_uses_the_sum_is_told_at_once(folder):
    release(folder, "a.csv", data="Visits")
    person = {
        "at_most": 10**12,
        "at_most_per_group": 1,
        "steps": 10**12,
        "epsilon": str(10**12 // 2),
        "delta": "0",
    }
    change(folder / "a.release.json", person=person)
    (account,) = om.ledger(folder)
    assert (account.epsilon, account.simple, account.composition) == (5e11, 5e11, None)
    assert account.within(5 * 10**11)
    assert not account.within(5 * 10**11 - 1)
    (account,) = om.ledger(folder, delta="0.1")
    assert account.epsilon == 5e11
