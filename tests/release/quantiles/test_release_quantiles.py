"""Quantiles of records: which records count, what is written and booked, and what is refused."""

from __future__ import annotations

import csv
import json
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.release.quantiles.quantile_estimate import read_released_quantiles
from optmech.release.quantiles.record_heaps import PeopleRecords

PEOPLE = "id,region,age\n1,a,30\n1,a,30\n1,b,31\n2,b,-7\n3,b,45.6\n3,a,200\n"


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "groups.csv").write_text("region\na\nb\nc\n")
    return tmp_path


def heaps(problem, table="people.csv", **asked):
    records = PeopleRecords(column="age", **asked)
    check, bound = records.request(problem, table)
    return records.heaps(table, check, bound, problem.num_values)


def test_values_count_as_the_nearest_of_the_range_by_group(people):  # noqa: ARG001 - the files
    asked = {"each_row_a_person": True, "group": "region", "groups": "groups.csv"}
    assert heaps(om.quantiles("0:100", epsilon=1), **asked) == [
        [(30, 2), (100, 1)],
        [(0, 1), (31, 1), (46, 1)],
        [],
    ]
    assert heaps(om.quantiles("0:100", epsilon=1), each_row_a_person=True)[0] == [
        (0, 1), (30, 2), (31, 1), (46, 1), (100, 1),
    ]  # fmt: skip


def test_of_one_person_as_many_rows_count_as_were_asked_and_no_other_rows_matter(people):
    for most in (1, 2, 6):
        problem = om.quantiles("0:100", epsilon=1, at_most=most)
        asked = {"person": "id", "group": "region", "groups": "groups.csv"}
        every = heaps(problem, **asked)
        assert sum(number for heap in every for _, number in heap) == min(most, 3) + min(most, 1) + min(
            most, 2
        )
        lines = PEOPLE.splitlines()
        (people / "others.csv").write_text(
            "\n".join([lines[0], *(x for x in lines[:0:-1] if x[0] != "1")]) + "\n"
        )
        left = heaps(problem, "others.csv", **asked)
        for heap, rest in zip(every, left, strict=True):  # those without person 1 are a part of all
            assert dict(rest).items() <= {key: dict(heap).get(key) for key in dict(rest)}.items()


@pytest.mark.parametrize(
    "words",
    [
        "--column age",
        "--column age --person id --group region",
        "--column age --groups groups.csv --each-row-a-person",
        "--column id --person id",
        "--column region --each-row-a-person",
        "--column age --each-row-a-person --clamp",
        "--column age --person id --interval 0.9",
        "--column other --person id",
        "--each-row-a-person",
        "--column age --each-row-a-person --budget 1/2",
    ],
)
def test_what_cannot_be_released_is_refused_and_leaves_no_file(people, capsys, words):
    om.write_certificate(om.design(om.quantiles("0:100", epsilon=1)), "q.json")
    assert main(["apply", "q.json", "people.csv", *words.split(), "--out", "out.csv"]) == 2
    assert capsys.readouterr().err.startswith("optmech: ")
    assert not [*people.glob("out*")]


def test_a_switch_that_is_none_is_refused(people):  # noqa: ARG001 - the files
    median = om.design(om.quantiles("0:100", epsilon=1))
    for wrong in (
        {"each_row_a_person": 1},
        {"person": "id", "drop_others": "no"},
        {"person": "id", "key": 3},
    ):
        with pytest.raises(om.ProblemError):
            om.release_quantiles(median, "people.csv", "out.csv", column="age", **wrong)


def test_a_change_of_values_needs_public_numbers_of_people(people):  # noqa: ARG001 - the files
    changed = om.quantiles("0:100", epsilon=1, adjacency="change")
    for asked in ({"person": "id"}, {"each_row_a_person": True, "drop_empty": True}):
        with pytest.raises(om.NotAcceptedError, match="each_row_a_person"):
            heaps(changed, **asked)
    assert heaps(changed, each_row_a_person=True)


def test_a_release_is_booked_estimated_and_proved_again(people, capsys, monkeypatch):
    words = "design quantiles --range 0:100 --of median --zcdp 0.1 --out q.json"
    assert main(words.split()) == 0
    assert "rank error at most 8.51 records" in capsys.readouterr().out
    apply = (
        "apply q.json people.csv --column age --person id --group region --groups groups.csv --out out.csv"
    )
    monkeypatch.setattr(QuantileCertificate, "draw", lambda *_: [17])
    assert main(apply.split()) == 0
    said = capsys.readouterr().out
    assert "rho = 0.1 of zCDP, and epsilon = 0.89442719" in said
    assert "let nobody measure it" in said
    with (people / "out.csv").open() as file:
        assert [*csv.reader(file)] == [
            ["region", "quantile", "age"],
            *([name, "0.5", "17"] for name in "abc"),
        ]
    assert main(["ledger", ".", "--json"]) == 0
    (account,) = json.loads(capsys.readouterr().out)["accounts"]
    assert Fraction(account["zcdp"]) == Fraction(1, 10)
    (people / "counts.csv").write_text("region,count\nb,17.1\na,30\nc,2\n")
    found = read_released_quantiles("out.csv", people="counts.csv")
    assert [says for _, says in found.rows] == [True, True, False]
    assert main(["estimate", "out.csv", "--people", "counts.csv"]) == 0
    assert "says nothing" in capsys.readouterr().out
    assert main(["verify", "q.json"]) == 0
    capsys.readouterr()
    assert main(["report", "out.release.json"]) == 2
    assert "no page of quantiles" in " ".join(capsys.readouterr().err.split())
    (people / "out.csv").write_text("region,quantile,age\na,0.5,18\n")
    with pytest.raises(om.FileFormatError):
        read_released_quantiles("out.csv")


def test_a_single_release_of_quantiles_has_no_epsilon_of_normal_noise(people, capsys):  # noqa: ARG001 - the files
    om.write_certificate(om.design(om.quantiles("0:9", of=".2,.5", zcdp=1)), "q.json")
    assert main(["compose", "q.json", "--delta", "1e-6", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert float(answer["epsilon"]) <= 4.0
    assert "worst centre" not in answer["way"]


@pytest.mark.parametrize(
    "words",
    [
        "--range 0:100 --of percentiles --epsilon 1",
        "--range 0:100 --of 0 --epsilon 1",
        "--range 0:100 --of .5,.2 --epsilon 1",
        "--range 0:100",
        "--range 0:100 --epsilon 1 --zcdp 1",
        "--range 0:100 --step 3 --epsilon 1",
        "--range 9:1 --epsilon 1",
        "--range 0:1 --step 1e-9 --epsilon 1",
        "--range 0:100 --of quartiles --adjacency change --epsilon 1",
        "--range 0 --epsilon 1",
        "--range 0:9 --epsilon 0",
        "--range 0:9 --epsilon 1 --at-most 0",
    ],
)
def test_questions_that_cannot_be_asked_are_refused(capsys, words):
    assert main(["design", "quantiles", *words.split()]) == 2
    assert capsys.readouterr().err.startswith("optmech: `")


def test_another_checker_that_proves_no_rank_bound_is_no_agreement(people, capsys):
    om.write_certificate(om.design(om.quantiles("0:9", epsilon=1)), "q.json")
    answer = '{"verdict": "proved", "objective": null, "bound": null, "epsilon": "1", "delta": "0"}'
    (people / "other.py").write_text(f"print('{answer}')\n")
    assert main(["verify", "q.json", "--checker", "other.py"]) == 1
    assert "proves other numbers" in capsys.readouterr().out


def test_what_needs_one_number_says_so_of_a_certificate_of_quantiles(people, capsys):  # noqa: ARG001 - the files
    om.write_certificate(om.design(om.quantiles("0:9", epsilon=1)), "q.json")
    assert main(["card", "q.json"]) == 2
    assert "not of quantiles" in capsys.readouterr().err
    assert om.read_quantiles("q.json").problem == om.quantiles("0:9", epsilon=1)
