"""A question of one given table, or of one direction, is said to protect no person, by every output."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import optmech as om
from optmech.cli import main
from optmech.question.step_weights import unit_reach
from optmech.reports.release_report import Description, facts_of_release, release_page
from tests.each import each
from tests.screen import joined

STEPS = [(0, 1), (1, 2), (2, 3)]
LIMITED = {
    "given": (om.Query(range(4), scope="given table"), "a neighbour of one given table alone"),
    "listed": (om.Query(range(4), neighbours=[*STEPS, (0, 2)], scope="given table"), "given table alone"),
    "one": (om.Query(range(4), neighbours=STEPS, symmetric=False), "a neighbour in a one-sided question"),
    "large": (om.Query(range(5000), scope="given table"), "a neighbour of one given table alone"),
}
PERSON = ("one person spends", "a person who can change", "who can change k rows spends", "a person spends")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("limited")
    (made / "counts.csv").write_text("g,count\na,1\nb,2\n")
    for name, (query, _) in LIMITED.items():
        certificate = om.design(om.question(query, 1)).certificate
        om.write_certificate(certificate, made / f"{name}.certificate.json")
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", LIMITED)
def test_no_output_says_that_a_person_spends_it(folder, monkeypatch, capsys, name):
    monkeypatch.chdir(folder)
    file, log, unit = f"{name}.certificate.json", f"{name}.release.json", LIMITED[name][1]

    def printed(line):
        assert main(line.split()) == 0
        return capsys.readouterr().out

    applied = printed(f"apply {file} counts.csv --column count --out {name}.csv")
    booked = printed(f"ledger {log}")
    told = json.loads((folder / log).read_text())["unit_of_privacy"]
    description = Description(title="t", data="counts.csv")
    page = release_page(facts_of_release(description, [folder / log], {}))
    for output in (applied, booked, told, page):
        assert unit in joined(output)
        assert not [words for words in PERSON if words in joined(output).lower()]
    assert "not differential privacy proved" in joined(printed(f"verify {file} --explain"))
    assert json.loads(printed(f"ledger {log} --json"))["accounts"][0]["unit"].endswith(unit)


def test_a_log_alone_says_it_where_the_certificate_is_gone(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    om.release_table(folder / "given.certificate.json", folder / "counts.csv", "r.csv", column="count")
    assert main(["ledger", "."]) == 0
    assert "a neighbour of one given table alone spends" in capsys.readouterr().out


@each("name", LIMITED, every=3)
def test_a_bound_of_people_is_not_for_it(folder, tmp_path, name):
    visits = pa.table({"who": ["x", "y"], "g": ["a", "b"]})
    counts = tmp_path / "counts.csv"
    bound = om.tabulate(visits, person="who", group="g", groups=["a", "b"], at_most=1, out=counts).bound
    mechanism = folder / f"{name}.certificate.json"
    with pytest.raises(om.NotAcceptedError, match=LIMITED[name][1]):
        om.release_table(mechanism, counts, tmp_path / "r.csv", column="count")
    with pytest.raises(om.NotAcceptedError, match=LIMITED[name][1]):
        om.card_of(om.read_certificate(mechanism), bound=bound)
    assert unit_reach(LIMITED[name][0]) is None


def test_a_question_of_every_table_is_of_people():
    assert unit_reach(om.Query(range(4))) == 1
    assert unit_reach(om.count(4, records_per_person=2)) == 2
