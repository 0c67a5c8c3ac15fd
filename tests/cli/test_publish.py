"""``optmech publish``: questions become the plain commands, and no screen before the draw shows the data."""

from __future__ import annotations

import io
import re
import shlex
import tomllib

import pytest

from optmech.cli import main
from tests.each import each
from tests.screen import joined

VISITS = ["patient,region,age,cost", "a,north,30,5", "a,south,30,9", "b,north,71,2", "c,south,44,0"]
COUNTS = ["1", "rows", "region,age", "found", "these", "bins", "0,40,70,..", "drop", "", "3", "all", "", "v"]
FLOWS = {
    "rows with totals": COUNTS,
    "people of a list": ["patient", "people", "region", "list", "north, south", "", "", "", "", "ε = 1", "v"],
    "one number of people": ["patient", "people", "none", "epsilon=1 delta=1e-6", "v"],
    "each row a person": ["row", "rows", "region", "found", "+ east, west", "", "cells", "", "v"],
    "a sum of money": ["patient", "sum", "cost", "0:20", "region", "found", "", "", "", "region", "", "v"],
    "a mean": ["patient", "mean", "cost", "0:20", "region", "found", "", "", "", "epsilon=1", "v"],
    "a sum of all": ["patient", "sum", "cost", "0:20", "none", "", "v"],
    "groups that are not public": ["patient", "people", "region", "secret", "", "1", "30", "", "v"],
}  # fmt: skip
FILES = ["publish.sh", "publish.toml", "released.csv", "released.release.json", "table.json"]


@pytest.fixture
def visits(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "visits.csv").write_text("\n".join(VISITS) + "\n")
    return tmp_path


def told(monkeypatch, capsys, typed, *words):
    """Return the exit code, and what is printed on both streams, where these lines are typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    code = main(["publish", *words])
    return code, *capsys.readouterr()


@each("name", FLOWS, every=8)
def test_questions_lead_to_a_folder(name, visits, monkeypatch, capsys):
    code, out, err = told(monkeypatch, capsys, [*FLOWS[name], "yes"], "visits.csv", "--out", name)
    assert (code, err) == (0, ""), out
    folder = visits / name
    there = {path.name for path in folder.iterdir()}
    assert {*FILES} <= there
    assert not there & {"counts.csv", "counts.csv.json", "records.csv"}
    assert ("report.html" in there) == (name != "a mean")
    settings = (folder / "publish.toml").read_text()
    assert tomllib.loads(settings)["data"] == "v"


@pytest.mark.slow
@each("name", list(FLOWS)[::2])
def test_a_folder_has_what_repeats_it(name, visits, monkeypatch, capsys):
    folder, again, repeated = (visits / f"{word}-{name}" for word in ("first", "again", "third"))
    assert told(monkeypatch, capsys, [*FLOWS[name], "yes"], "visits.csv", "--out", folder.name)[0] == 0
    # The same answers from a file ask nothing and lead to the same commands.
    words = ["--from", str(folder / "publish.toml"), "--out", again.name, "--quiet"]
    assert told(monkeypatch, capsys, [], *words) == (0, "", "")
    for file in ("publish.sh", "publish.toml", "table.json"):
        assert (again / file).read_bytes() == (folder / file).read_bytes()
    # The script is made of the commands that a person would type, and runs as it stands.
    repeated.mkdir()
    if (folder / "groups.csv").is_file():
        (repeated / "groups.csv").write_bytes((folder / "groups.csv").read_bytes())
    monkeypatch.chdir(repeated)
    for line in re.findall(r"^optmech (.*)$", (folder / "publish.sh").read_text(), re.MULTILINE):
        assert main([*shlex.split(line), "--quiet"]) == 0, line
    assert (repeated / "table.json").read_bytes() == (folder / "table.json").read_bytes()
    monkeypatch.chdir(visits)
    capsys.readouterr()


OTHERS = ["patient,region,age,cost", *(f"p{n},{'north' if n % 7 else 'south'},{n},3" for n in range(99))]


@each("name", FLOWS, every=8)
def test_no_screen_before_the_draw_depends_on_a_cell(name, visits, monkeypatch, capsys):
    screens = []
    for lines in (VISITS, OTHERS):
        (visits / "visits.csv").write_text("\n".join(lines) + "\n")
        screens.append(told(monkeypatch, capsys, [*FLOWS[name], "quit"], "visits.csv"))
    assert screens[0] == screens[1]
    assert screens[0][0] == 1
    assert "You left. Nothing was drawn or written." in screens[0][1]
    assert [path.name for path in visits.iterdir()] == ["visits.csv"]
    errors = "loss" if name == "groups that are not public" else "standard error"
    assert errors in screens[0][1]


def test_a_person_goes_back_and_earlier_answers_stay(visits, monkeypatch, capsys):
    typed = [*COUNTS, "back 10", "1", *["back"] * 3, *["", "unknown", "", "", "", ""], "yes"]
    code, out, err = told(monkeypatch, capsys, typed, "visits.csv")
    assert (code, err) == (0, ""), out
    settings = tomllib.loads((visits / "visits-published" / "publish.toml").read_text())
    assert (settings["at_most"], settings["empty"], settings["others"]) == (1, "unknown", "drop")
    assert settings["groups"] == {"region": ["north", "south"]}


@pytest.mark.usefixtures("visits")
def test_what_is_no_answer_is_asked_again(monkeypatch, capsys):
    typed = "9;nobody;patient;x;sum;cost;3:1;0:4;a;none;rho;rho=0;v;yes;back 6;ε=1;;no;yes"
    code, out, _ = told(monkeypatch, capsys, typed.split(";"), "visits.csv")
    assert code == 0, out
    for name in ("person", "numbers", "between", "zcdp", "budget", "answer"):
        assert f"`{name}` must" in joined(out)


@each(("words", "typed", "rule"), [
    (["visits.csv"], COUNTS[:4], "the input ended before all questions were answered"),
    ([], [], "`TABLE` must be given"),
    (["visits.csv", "--quiet"], [], "`--from` must be given"),
    (["missing.csv"], [], "`missing.csv` must be a file that can be read"),
    (["visits.csv", "--out", "visits.csv"], [], "`--out` must be a new folder"),
    (["visits.csv", "--out", "no/where"], [], "`--out` must be in a folder that is there"),
    (["--from", "visits.csv"], [], "`visits.csv` must be TOML"),
    (["--from", "bad.toml"], [], "`publish.data` must be given"),
    (["--from", "sum.toml"], [], "`of` and `between` must come with"),
    (["--from", "secret.toml"], [], "`from_data` must come with"),
])  # fmt: skip
def test_input_that_is_none_ends_with_a_sentence_and_without_a_file(
    words, typed, rule, visits, monkeypatch, capsys
):
    (visits / "bad.toml").write_text('table = "visits.csv"\n')
    (visits / "sum.toml").write_text('table = "visits.csv"\ndata = "v"\nof = "cost"\n')
    (visits / "secret.toml").write_text('table = "visits.csv"\ndata = "v"\nfrom_data = ["region"]\n')
    before = {*visits.iterdir()}
    code, _, err = told(monkeypatch, capsys, typed, *words)
    assert code == 2
    assert rule in joined(err)
    assert {*visits.iterdir()} == before


def test_records_that_break_a_rule_leave_no_folder(visits, monkeypatch, capsys):
    (visits / "visits.csv").write_text("\n".join([*VISITS, ",north,3,4"]) + "\n")
    code, _, err = told(monkeypatch, capsys, [*COUNTS, "yes"], "visits.csv")
    assert code == 2
    assert "visits.csv" in err
    assert [path.name for path in visits.iterdir()] == ["visits.csv"]


@pytest.mark.usefixtures("visits")
def test_names_that_people_type_lead_to_the_command(capsys, monkeypatch):
    for words, usage in {
        ("release", "--help"): "usage: optmech apply",
        ("check", "--help"): "usage: optmech verify",
        ("wizard", "--help"): "usage: optmech publish",
        ("help", "design"): "usage: optmech design",
        ("help",): "usage: optmech",
    }.items():
        with pytest.raises(SystemExit, match="0"):
            main(words)
        assert usage in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["visits.csv"]) == 1
    assert "1. One person" in capsys.readouterr().out
