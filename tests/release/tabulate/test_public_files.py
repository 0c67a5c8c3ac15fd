"""Public files of survey and register data go from file to report by the commands that are printed."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.screen import unbroken

FILES = Path(__file__).parent / "files"
# File, options of `tabulate`, the list of groups, and the number of groups that are written.
WALKS = {
    "anes96": ("--each-row-a-person --group vote --bins age=18,30,50,65,.. --most-people 400", "vote 0 1", 8),
    "fair": (
        "--person identifier --at-most 1 --group sex --bins age=..,30,40,.. --most-people 400",
        "sex 0 1",
        6,
    ),
    "la-riots": (
        "--person first_name,last_name --at-most 1 --group gender,race --empty-as unknown --most-people 400",
        "gender,race Male,Black Male,Latino Male,White Male,Asian Female,Black Female,Latino Female,White",
        14,
    ),
    "senators": (
        "--person Name --people --group 'Province / Territory' --groups-from-data --most-people 90",
        "",
        12,
    ),
    "lung": (
        "--each-row-a-person --group sex --bins ph.karno=0,80,100] --empty-as unknown --most-people 400",
        "sex,name 1,men 2,women",
        9,
    ),
    "actg175": (
        "--person pidnum --at-most 1 --group race --empty NA --drop-empty --most-people 400",
        "race 0 1",
        2,
    ),
    "recur": ("--person ID --group TREAT --at-most 3 --most-people 400", "TREAT 0 1", 2),
    "epil": (
        "--person subject --sum y --between 0:30 --group trt --most-people 50",
        "trt placebo progabide",
        2,
    ),
    "randhie": ("--person zper --sum mdvis --between 0:5 --drop-empty --most-people 12", "", 1),
    "gbsg2": (
        "--each-row-a-person --mean pnodes --between 0:2 --sizes-are-public --group horTh",
        "horTh no yes",
        2,
    ),
    "rossi": ("--each-row-a-person --people --most-people 400", "", 1),
}
REPORT = ["report", "release.toml", "released.release.json"]
AT_MOST = {"epil": "1", "senators": "1"}


def commands_in(text):
    return [shlex.split(line)[1:] for line in re.findall(r"(?:next: |      )(optmech .*)", unbroken(text))]


def walk(name, folder, capsys):
    """Go from a file to the report of its release, and return what was said on the way."""
    options, groups, number = WALKS[name]
    words = shlex.split(options)
    if groups:
        (folder / "groups.csv").write_text("\n".join([*groups.split(), ""]))
        words += ["--groups", "groups.csv"]
    if name in AT_MOST:
        words += ["--at-most", AT_MOST[name]]
    assert main(["tabulate", str(FILES / f"{name}.csv"), *words, "--out", "counts.csv"]) == 0, name
    printed = capsys.readouterr().out
    assert len((folder / "counts.csv").read_text().splitlines()) == number + 1, name
    assert "LARGEST" not in printed
    assert [line for line in printed.splitlines() if len(line) > 80 and "optmech " not in line] == []
    for command in commands_in(printed):
        assert main(command) == 0, command
    said = capsys.readouterr().out
    assert "one person spends " in said, name
    is_whole = (folder / "table.json").is_file()
    (account,) = om.ledger("released.release.json")
    assert account.unit == "one person, by the bound in the log", name
    assert (account.rho == Fraction("0.1")) if is_whole else (account.epsilon == 1), name
    if not is_whole:
        (folder / "release.toml").write_text(f'title = "{name}"\ndata = "counts.csv"\n')
        assert main([*REPORT, "--out", "report.html"]) == 0, name
        assert "epsilon = 1" in capsys.readouterr().out.splitlines()[0], name
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()


@each("name", WALKS, every=4)
def test_a_public_file_goes_from_records_to_a_report(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    walk(name, tmp_path, capsys)


MISTAKES = {
    "anes96": ("--person id --group vote --at-most 1", "one column 'id'"),
    "lung": ("--each-row-a-person --bins ph.ecog=0,4", "got none in line 15"),
    "actg175": ("--each-row-a-person --sum cd496 --between 0:2000", 'got "NA" in line 3'),
    "fair": (
        "--each-row-a-person --sum naffairs --between 0:12 --group age --at-most 2",
        "`at_most` must be 1",
    ),
    "la-riots": ("--person first_name --group race --groups-from-data", "`at_most` must be given"),
}


@each("name", MISTAKES, every=3)
def test_a_first_mistake_gets_a_sentence_with_a_remedy(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    options, words = MISTAKES[name]
    assert main(["tabulate", str(FILES / f"{name}.csv"), *options.split(), "--out", "counts.csv"]) == 2
    assert words in capsys.readouterr().err


def test_each_file_is_small_and_has_its_source():
    told = (FILES / "README.md").read_text()
    for path in FILES.glob("*.csv"):
        assert f"`{path.name}`" in told
        assert len(path.read_text().splitlines()) <= 200
    assert {path.stem for path in FILES.glob("*.csv")} == {*WALKS}
