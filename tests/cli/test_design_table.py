"""``optmech design table``: its screen, its JSON, its files, and what it refuses."""

from __future__ import annotations

import json
import math
import shlex
from fractions import Fraction

from optmech.cli import main
from tests.each import each

BY = ["--by", "region:17; age:20; sex:2"]


def told(capsys, *words):
    """Return the exit code and the JSON of a command."""
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_json_has_the_numbers_of_all_margins(capsys):
    code, answer = told(capsys, "design", "table", *BY, "--zcdp", "0.1")
    assert code == 0
    assert (answer["zcdp"], answer["delta"], answer["epsilon"]) == ("0.1", "0.000001", "2.0113")
    assert answer["lower_bound"] <= answer["objective"] <= answer["lower_bound"] * 1.0005
    assert 0 < answer["relative_gap"] < 0.0005
    numbers = {each["margin"]: each["numbers"] for each in answer["margins"]}
    assert numbers == {
        "total": 1, "region": 17, "age": 20, "sex": 2,
        "region*age": 340, "region*sex": 34, "age*sex": 40, "region*age*sex": 680,
    }  # fmt: skip
    for margin in answer["margins"]:
        variance = Fraction(margin["variance"])
        assert variance == Fraction(17 * 20 * 2 * 8, 18 * 21 * 3) * 5
        assert Fraction(margin["standard_error"]) ** 2 >= variance
        assert math.isclose(margin["standard_error"], math.sqrt(variance))


def test_the_screen_says_person_margins_bound_and_the_next_command(capsys, tmp_path):
    path = tmp_path / "table.json"
    words = ["design", "table", "--by", "region:5; age:10", "--zcdp", "0.1", "--out", str(path), "--explain"]
    assert main(words) == 0
    lines = capsys.readouterr().out
    text = " ".join(lines.split())
    for part in (
        "one person: at most 1 row, added or removed",
        "rho = 0.1 of zCDP, which is at most epsilon = 2.0113 at delta = 0.000001 proved",
        "region*age 50 3.893",
        "gap 0.041 % proved",
        "at some table (and on average over tables with large counts)",
        "At one given table, above all one with many small counts, another may be better",
        "each margin by itself, in equal shares: standard error 4.472, and parts do not add up",
    ):
        assert part in text
    command = shlex.split(lines[lines.index("optmech verify") :].replace("\\\n", " "))
    assert main(command[1:]) == 0
    assert capsys.readouterr().out.startswith("all of it proved again")


def test_a_plain_answer_keeps_to_a_screen(capsys):
    assert main(["design", "table", *BY, "--epsilon", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 16


def test_verify_refuses_a_table_with_a_better_bound(capsys, tmp_path):
    path = tmp_path / "table.json"
    assert main(["design", "table", "--by", "a:3", "--epsilon", "1", "--out", str(path)]) == 0
    content = json.loads(path.read_text())
    content["bound"], content["gap"] = content["objective"], "0"
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in content.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    assert main(["verify", str(path)]) == 1
    assert "says another objective, bound or gap than it proves" in capsys.readouterr().err


@each("words", [
    ["--zcdp", "0.1"], ["--by", "a:3"], ["--by", "a:1", "--zcdp", "1"], ["--by", "a:3", "--zcdp", "x"],
    ["--by", "a:3", "--zcdp", "1", "--epsilon", "1"], ["--by", "a:3", "--zcdp", "1", "--totals", "b"],
    ["--by", "a:3", "--zcdp", "1", "--weights", "b=2"], ["--by", "a:3", "--zcdp", "1", "--out", "table.csv"],
    ["--by", "a:3", "--zcdp", "1", "--for", "missing.csv.json"], ["--by", "a:3", "--delta", "1e-6"],
])  # fmt: skip
def test_bad_words_end_with_a_sentence(words, capsys):
    assert main(["design", "table", *words]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_axes_and_person_come_from_what_tabulate_wrote(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["person,sex,age", *(f"{n},{'fm'[n % 2]},{'abc'[n % 3]}" for n in range(12))]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    groups = ["sex,age", *(f"{sex},{age}" for sex in "fm" for age in "abc")]
    (tmp_path / "groups.csv").write_text("\n".join(groups) + "\n")
    words = (
        "tabulate people.csv --person person --group sex,age --groups groups.csv --at-most 2 --out counts.csv"
    )
    assert main(words.split()) == 0
    capsys.readouterr()
    code, answer = told(capsys, "design", "table", "--for", "counts.csv.json", "--zcdp", "0.1")
    assert code == 0
    question = answer["question"]
    assert question["axes"] == [
        {"name": "sex", "categories": ["f", "m"]},
        {"name": "age", "categories": ["a", "b", "c"]},
    ]
    assert question["at_most"] == 2


def test_a_count_and_a_sum_without_ends_are_tables_of_one_number(capsys):
    code, answer = told(capsys, "design", "count", "--unbounded", "--epsilon", "1")
    assert code == 0
    assert math.isclose(answer["objective"], 1 / (math.cosh(1) - 1), rel_tol=1e-9)
    assert answer["relative_gap"] < 1e-9
    code, answer = told(
        capsys, "design", "total", "--unbounded", "--at-most-change", "200000", "--zcdp", "0.1"
    )
    assert code == 0
    assert answer["objective"] == 5 * 200_000**2
    assert answer["relative_gap"] < 0.0005
    code, answer = told(capsys, "design", "count", "--unbounded", "--range", "0:5", "--epsilon", "1")
    assert code == 2
