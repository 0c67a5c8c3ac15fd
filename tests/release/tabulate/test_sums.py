"""Sums and means per person: clamped, in few groups, and released by the commands that are printed."""

from __future__ import annotations

import random
from fractions import Fraction

import pyarrow as pa
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each

GROUPS = ("x", "y", "z")


def records(dice, people):
    return [
        (person, dice.choice(GROUPS), dice.randint(-9, 12))
        for person in range(people)
        for _ in range(dice.randint(1, 6))
    ]


def totals(rows, **options):
    who, groups, values = zip(*rows, strict=True) if rows else ((), (), ())
    texts = [pa.array(map(str, column), pa.string()) for column in (who, groups)]
    table = pa.table([*texts, pa.array(values, pa.int64())], names=["p", "g", "n"])
    asked = {"person": "p", "group": "g", "groups": GROUPS, "sum_of": "n", **options}
    return om.tabulate(table, **asked)


@each(("low", "high", "most"), [(0, 5, 1), (-3, 2, 2), (2, 7, 3), (-6, -1, 1)], every=4)
def test_one_person_changes_no_more_than_the_bound_which_is_reached_in_a_group(low, high, most):
    changed = [0, 0]
    for seed in range(1, 3):
        rows = records(random.Random(seed), 4)  # noqa: S311 - it makes examples
        whole = totals(rows, between=(low, high), at_most=most)
        for person in range(4):
            rest = totals([row for row in rows if row[0] != person], between=(low, high), at_most=most)
            pairs = zip(whole.table["total"].to_pylist(), rest.table["total"].to_pylist(), strict=True)
            change = [abs(one - other) for one, other in pairs]
            assert sum(map(bool, change)) <= most
            changed = [max(changed[0], sum(change)), max(changed[1], *change)]
    assert changed[0] <= whole.bound.at_most == most * max(abs(low), abs(high))
    assert changed[1] == whole.bound.at_most_per_group == max(abs(low), abs(high))


def test_totals_are_those_by_hand_however_the_rows_are_ordered():
    rows = [("a", "x", 3), ("a", "x", 4), ("a", "y", -2), ("b", "x", 1), ("b", "x", 9), ("c", "z", 0)]
    for order in (rows, rows[::-1]):
        counts = totals(order, between=(0, 5), at_most=3)
        assert counts.table["total"].to_pylist() == [5 + 5, 0, 0]
        assert (counts.contributions, counts.counted, counts.clamped) == (4, 4, 3)


@pytest.mark.parametrize(("reach", "steps"), [(1, 10), (5, 2), (4, 4), (7, 2)])
def test_steps_of_a_person_are_those_of_the_groups_that_they_may_be_in(reach, steps):
    bound = totals([("a", "x", 1)], between=(0, 5), at_most=2).bound
    assert bound.steps(reach) == steps


def test_a_mean_changes_by_the_width_of_its_range_over_its_size():
    rows = [("a", "x", 3), ("b", "x", 9), ("b", "y", 1), ("c", "z", 2), ("c", "x", 0)]
    asked = {"sum_of": None, "mean_of": "n", "sizes_are_public": True, "between": (1, 5), "at_most": 3}
    counts = totals(rows, **asked)
    assert counts.table["size"].to_pylist() == [3, 1, 1]
    assert [Fraction(text) for text in counts.table["mean"].to_pylist()] == [3, 1, 2]
    assert (counts.bound.at_most_per_group, counts.bound.at_most) == (4, 12)
    with pytest.raises(om.ProblemError, match=r"got nobody in \[\"y\"\]"):
        totals([row for row in rows if row[1] != "y"], **asked)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dice = random.Random(5)  # noqa: S311 - as above
    rows = [f"p{dice.randrange(8)},{dice.choice('AB')},{dice.randint(0, 9)}" for _ in range(30)]
    (tmp_path / "s.csv").write_text("\n".join(["who,ward,seizures", *rows, ""]))
    (tmp_path / "wards.csv").write_text("ward\nA\nB\n")
    return tmp_path


SUM = "tabulate s.csv --person who --sum seizures --between 0:3 --out c.csv"
WARDS = "--group ward --groups wards.csv --at-most 2"
MEAN = f"{SUM.replace('--sum', '--mean')} {WARDS} --sizes-are-public"


REFUSED = {
    "no range": (SUM.replace("--between 0:3", ""), "`between` must be given, by --between LOW:HIGH"),
    "a range of counts": (f"{WARDS} --person who --between 0:3", "left out of counts"),
    "a range that falls": (SUM.replace("0:3", "3:0"), "the smallest and the largest number"),
    "no bound on groups": (f"{SUM} --group ward --groups wards.csv", "how many groups one person is counted"),
    "a bound in a group": (f"{SUM} {WARDS} --at-most-per-group 1", "`at_most_per_group` must be left out"),
    "a sum and people": (f"{SUM} --people", "must be left out with"),
    "a sum of ids": (SUM.replace("seizures", "who"), "another column"),
}


@pytest.mark.usefixtures("folder")
@each("case", REFUSED, every=2)
def test_what_cannot_be_added_up_is_refused(capsys, case):
    line = REFUSED[case][0]
    words = (line if line.startswith("tabulate") else f"tabulate s.csv {line} --out c.csv").split()
    assert main(words) == 2
    assert REFUSED[case][1] in capsys.readouterr().err


CELLS = {
    "<5": "That is a limit or a range: the number was withheld before",
    "*": "withheld or missing: find it, or name it by --empty, with --empty-as or --drop-empty",
    '"1,234"': "Its digits are in groups: write 1234",
    '"2,5"': "Its decimals stand behind a comma: write 2.5",
    "2.5": "Write whole numbers",
    "12 mg": "It has a unit",
    "seizures": "is there a second row of names",
    "many": '"many" in line 3. That is no finite number',
    "": "got none in line 3. Leave such rows out by --drop-empty",
}


@each("cell", CELLS, every=2)
def test_a_cell_that_is_no_whole_number_is_refused_with_its_line(folder, capsys, cell):
    (folder / "s.csv").write_text(f"who,ward,seizures\na,A,1\nb,A,{cell}\n")
    assert main(SUM.split()) == 2
    error = capsys.readouterr().err
    assert CELLS[cell] in error
    assert "in line 3" in error


SINGLE = (
    "design mean --records 3 --range 0:3 --epsilon 0.5 --out one.json -q",
    "apply one.json c.csv --column mean --out r.csv",
    "design mean --records 3 --range 0:3 --epsilon 1 --for c.csv.json",
)


def test_a_mechanism_of_another_size_or_group_is_refused_for_means(folder, capsys):
    assert main(MEAN.split()) == 0
    run = [line.split() for line in SINGLE]
    assert main(run[0]) == 0
    capsys.readouterr()
    assert main(run[1]) == 2
    assert "a mean of 0..3 for each size of group" in capsys.readouterr().err
    assert main(run[2]) == 2
    assert "`optmech apply mean`" in capsys.readouterr().err
    assert not (folder / "r.csv").exists()


@pytest.mark.usefixtures("folder")
def test_a_total_whose_people_are_public_is_refused_beside_a_bound(capsys):
    assert main(SUM.split()) == 0
    capsys.readouterr()
    assert main(SINGLE[2].replace("mean", "total").split()) == 2
    assert "`--adjacency` must be add-remove" in capsys.readouterr().err
