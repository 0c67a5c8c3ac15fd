"""Large print of a table of counts is of a person; cell, row and bias stand below."""

from __future__ import annotations

import json
import re
from itertools import product
from types import SimpleNamespace

import pytest

import optmech as om
from optmech.cli import main
from optmech.cli.person import ask_for_person, reach_of_cell
from optmech.question.step_weights import unit_reach
from optmech.release.tables.person import person_spending
from tests.screen import joined

VISITS = [(person, ward) for person in "abcdefgh" for ward in "ABAAB"] + [("x", "A"), ("y", "B")]
DESIGN = "design count --range 0:30 --epsilon 1 --for counts.csv.json --out m.csv -q"
RELEASE = "apply m.certificate.json counts.csv --column count --clamp --out r.csv -q"
OF_CELL = "report m.certificate.json --no-compare -q"
REPORT = "report d.toml r.release.json m.certificate.json --out release.html"


@pytest.fixture
def tabulated(tmp_path, monkeypatch):
    """Count at most two rows of a person, of which so many in one ward."""
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"{person},{ward}" for person, ward in VISITS)
    (tmp_path / "visits.csv").write_text(f"person,ward\n{rows}\n")
    (tmp_path / "groups.csv").write_text("ward\nA\nB\n")
    (tmp_path / "d.toml").write_text('title = "Visits"\ndata = "counts.csv"\n')

    def tabulate(per_group):
        words = "tabulate visits.csv --person person --group ward --groups groups.csv --out counts.csv --json"
        return main([*words.split(), "--at-most", "2", "--at-most-per-group", str(per_group)])

    return tabulate


def text_of(path):
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", " ", path.read_text(), flags=re.DOTALL).split())


def test_the_epsilon_in_large_print_is_that_of_a_person(tabulated, tmp_path, capsys):
    assert tabulated(2) == 0
    assert main(DESIGN.split()) == 0
    capsys.readouterr()
    assert main(["card", "m.certificate.json", "--for", "counts.csv.json"]) == 0
    screen = joined(capsys.readouterr().out)
    assert screen.index("One person spends ε = 1 ") < screen.index("ε = 0.5")
    assert main(["card", "m.certificate.json", "--for", "counts.csv.json", "--explain"]) == 0
    card = capsys.readouterr().out
    verdict = next(line for line in card.splitlines() if "ε =" in line)
    assert verdict.index("ε = 1**") < verdict.index("ε = 0.5")
    assert "| ε of one cell | 0.5, proved |" in card
    assert "| ε of one person | 1, reported |" in card
    assert main(["card", "m.certificate.json", "--for", "counts.csv.json", "--json"]) == 0
    person = json.loads(capsys.readouterr().out)["person"]
    assert (person["epsilon"]["exact"], person["epsilon"]["provenance"], person["steps"]) == (
        "1",
        "reported",
        2,
    )
    assert "At most 2 rows" in person["bound"]
    assert main(f"{OF_CELL} --for counts.csv.json".split()) == 0
    page = (tmp_path / "report.html").read_text()
    large = re.findall(r'<dt>([^<]*)</dt><dd><span class="big">([^<]*)</span>', page)
    assert large[:2] == [("ε of one person", "1"), ("δ of one person", "0")]
    text = text_of(tmp_path / "report.html")
    assert text.index("One person spends ε = 1") < text.index("ε = 0.5")


def test_without_a_bound_card_and_report_speak_of_the_question_as_before(tabulated, tmp_path, capsys):
    assert tabulated(2) == 0
    assert main(DESIGN.split()) == 0
    capsys.readouterr()
    assert main(["card", "m.certificate.json", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["person"] is None
    assert main(OF_CELL.split()) == 0
    assert "of one person" not in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("per_group", [1, 2])
@pytest.mark.parametrize("has_certificate", [True, False])
def test_the_report_of_a_release_says_the_bound_and_the_one_cause(
    per_group, has_certificate, tabulated, tmp_path, capsys
):
    assert tabulated(per_group) == 0
    assert main(DESIGN.split()) == 0
    assert main(RELEASE.split()) == 0
    words = REPORT.split()
    if not has_certificate:
        (tmp_path / "m.certificate.json").unlink()
        (tmp_path / "m.csv").unlink()
        words.remove("m.certificate.json")
    capsys.readouterr()
    assert main(words) == 0
    assert "epsilon = 1 of one person" in capsys.readouterr().out.splitlines()[0]
    text = text_of(tmp_path / "release.html")
    assert "r.csv count at most 2 counted 1 0 " in text  # epsilon and delta of a person
    assert "r.csv: at most 2 rows of a person were counted, by the bound in its log." in text
    assert "counts are too low by as many" in text
    assert ("certificate of r.csv is not here" in text) == (per_group == 1 and not has_certificate)
    is_whole = "In r.csv several rows of one person may be in one group" in text
    assert is_whole == (per_group == 2 and not has_certificate)
    # Certificates prove what a person spends, for the bound; the bound alone is reported, in both cases.
    assert ("is proved in exact arithmetic" in text) == has_certificate
    assert ("Reported, not proved" in text) != has_certificate
    assert "That bound is reported, not proved: the log tells it." in text


def test_rows_beyond_the_bound_are_a_bias_told_to_those_alone_who_may_know_it(tabulated, tmp_path, capsys):
    assert tabulated(2) == 0
    shown = capsys.readouterr()
    confidential = json.loads(shown.out)["confidential"]
    assert (confidential["rows"], confidential["beyond_bound"]) == (42, 24)
    assert confidential["bias"] == pytest.approx(-24 / 42)
    assert "too low by 57.2 %" in shown.err
    assert main(DESIGN.split()) == 0
    assert main(RELEASE.split()) == 0
    assert main(REPORT.split()) == 0
    public = [capsys.readouterr().out, *(path.read_text() for path in tmp_path.glob("r*.*"))]
    assert not any("57.2" in text for text in public)


def test_design_for_a_person_and_apply_divide_by_the_same_steps():
    """One rule says how far an answer may move at one epsilon, on the way in and on the way out."""
    for low, high, records in product((0, 2), (3, 4, 5, 9), (1, 2, 3, 5)):
        asked = SimpleNamespace(formulation="count", range=f"{low}:{high}", records_per_person=records)
        assert reach_of_cell(asked) == unit_reach(om.count(low, high, records_per_person=records))
    for ends, number, records in product(((0, 1), (0, 2), (-3, 4), (1, 3)), (2, 3, 4), (1, 2)):
        for formulation, query in (("total", None), ("croft", "total")):
            asked = SimpleNamespace(
                formulation=formulation,
                query=query,
                range=f"{ends[0]}:{ends[1]}",
                records=number,
                records_per_person=records,
            )
            total = om.total(number, *ends, records_per_person=records, adjacency="add-remove")
            assert reach_of_cell(asked) == unit_reach(total), (ends, number, records)


def test_a_mechanism_that_protects_all_answers_from_each_other_takes_one_step_a_cell(tmp_path):
    """The range is narrower than the records of a person: what a person spends is what was asked for."""
    visits = tmp_path / "visits.csv"
    visits.write_text("who,ward\na,A\na,A\na,A\nb,B\n")
    bound = om.tabulate(
        visits, person="who", group="ward", groups=["A", "B"], at_most=3, out=tmp_path / "c.csv"
    ).bound
    asked = SimpleNamespace(
        bound=str(tmp_path / "c.csv.json"), formulation="count", range="0:2", records_per_person=3,
        epsilon="1", delta="0.1",
    )  # fmt: skip
    ask_for_person(asked)
    question = om.question(om.count(2, records_per_person=3), asked.epsilon, delta=asked.delta)
    spent = person_spending(om.design(question).certificate, bound)
    assert (spent["epsilon"], float(spent["delta"])) == ("1", pytest.approx(0.1))
