"""A wrong command line, by a generator, ends with a code and a sentence, and nothing is written."""

from __future__ import annotations

import re
import shlex

import pytest

from optmech.cli import main
from tests.claims.wrong_lines import BROKEN, wrong_lines
from tests.each import each

# Words of a traceback, a class of ours or of Python's, or the parser of the standard library.
INSIDE = re.compile(
    r"Traceback|Error\b|<\w+\.\w+: |object at 0x|NoneType|invalid \w+ value|is a directory|has no attribute|"
    r"argument must be|unhashable|not iterable|numpy"
)
RULE = re.compile(
    r"must|needs|is no (key|choice)|cannot|has no|asks for|is no problem|no solver|not available|can be"
)
QUESTION = """\
[question]
query = {kind = "count", smallest = 0, largest = 3}
privacy = {kind = "pure", epsilon = "1"}
"""


def contents(folder):
    return {path: path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def ends(lines, capsys, folder):
    for line in lines:
        before = contents(folder)
        try:
            code = main(line)
        except SystemExit as left:
            code = left.code
        except BaseException as error:
            error.add_note(" ".join(map(repr, line)))
            raise
        out, err = capsys.readouterr()
        assert code in (0, 1, 2), line
        assert "Traceback" not in err, line
        assert code == 0 or err.startswith("optmech: "), line
        if code == 2:
            assert (out, err.count("\n")) == ("", 1), line
            assert RULE.search(err), (line, err)
            assert not INSIDE.search(err), (line, err)
            assert contents(folder) == before, line


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("p,g,n\na,x,1\nb,y,2\n")
    assert main(["design", "count", "--range", "0:2", "--epsilon", "1", "--out", "m.csv", "-q"]) == 0
    text = (tmp_path / "m.certificate.json").read_text()
    for name, content in BROKEN.items():
        (tmp_path / name).write_text(text[: len(text) // 2] if content is None else content)
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "question.toml").write_text(QUESTION)
    return tmp_path


def test_a_few_wrong_lines_end_with_a_sentence(capsys, here):
    ends(wrong_lines(10), capsys, here)


@pytest.mark.slow
def test_more_wrong_lines_end_with_a_sentence(capsys, here):
    ends(wrong_lines(300, seed=7), capsys, here)


@pytest.mark.long
def test_wrong_lines_end_with_a_sentence(capsys, here):
    ends(wrong_lines(3_000, seed=41), capsys, here)


@each(
    ("line", "says"),
    [
        (
            "design croft --query count --range 0:3 --epsilon 1 --delta 0.1",
            "takes it with count, mean, total",
        ),
        (
            "design count --range 0:3 --epsilon 1 --threads two",
            "`--threads` must be a whole number; got 'two'",
        ),
        ("design count --range 0:3 --epsilon 1 --out x.txt", "`x.txt` must end in .csv or .json, which says"),
        ("sweep question.toml --out x.csv", "must end in .parquet or .pq, which says"),
        ("verify folder.json", "got a folder"),
        ("find epsilon count --range 0:3", "`--target` must be given"),
    ],
)
def test_the_sentence_says_what_to_do(capsys, here, line, says):  # noqa: ARG001 - a folder to work in
    assert main(shlex.split(line)) == 2
    assert says in capsys.readouterr().err


def test_no_rows_spend_nothing(here, capsys):
    (here / "none.csv").write_text("count\n")
    assert main(["apply", "m.csv", "none.csv", "--column", "count", "--out", "out.csv"]) == 0
    assert "nothing is spent" in capsys.readouterr().out
    assert '"draws": 0' in (here / "out.release.json").read_text()
