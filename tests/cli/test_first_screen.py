"""A design fits on a screen: 16 lines of 80 columns, with all that its user needs first."""

from __future__ import annotations

import shlex

import pytest

from optmech.base.notes import Note, NoteKind, TextLine
from optmech.base.provenance import Provenance
from optmech.base.wrapping import WIDTH, wrapped
from optmech.cli import main
from optmech.cli.first_screen import LINES
from tests.each import each

QUESTIONS = [
    "count --range 0:5 --epsilon 1",
    "count --range 0:400 --epsilon 1 --delta 1e-6",
    "count --range 0:20 --privacy 0.5,1e-3;1,1e-6",
    "count --range 0:4 --epsilon 1 --raw",
    "croft --query count --range 0:5 --epsilon 0.5",
    "extremum --range 1:7 --epsilon 1",
    "mean --records 5 --range 0:2 --epsilon 1 --delta 1e-4",
    "total --records 3 --range 0:4 --epsilon 2",
    "residues --modulus 12 --distances 1,5 --epsilon 1",
    "categories --of red,green,blue,amber --epsilon 1",
    "kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238",
    "kadam --modulus 40 --distances 1,2,3 --epsilon 1.5",
    "sadeghi-symmetric --half-width 2 --accuracy 1/2 --epsilon 1",
]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@each("question", QUESTIONS, every=3, slow_every=2)
def test_it_has_sixteen_lines_of_eighty_columns(question, capsys):
    assert main(["design", *question.split(), "--out", "m.csv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= LINES == 16
    assert max(map(len, lines)) <= WIDTH == 80
    text = "\n".join(lines)
    for part in ("epsilon = ", "objective  ", "lower bound  ", "protected  ", "written to m.csv"):
        assert part in text
    assert ("next: optmech report m.certificate.json" in lines) is ("--raw" not in question)
    assert ("nothing is proved" in text) is ("--raw" in question)


@pytest.mark.usefixtures("here")
def test_answers_that_are_never_released_are_said_in_the_first_five_lines(capsys):
    assert main(["design", "extremum", "--range", "1:7", "--epsilon", "1"]) == 0
    head = " ".join(" ".join(capsys.readouterr().out.splitlines()[:5]).split())
    assert "never releases 1, 2, 4 and 2 more of its 7 true answers" in head
    assert "the property weakly-honest mends it for 7.8 % more loss" in head


@pytest.mark.usefixtures("here")
def test_a_wide_matrix_is_shown_by_a_column_and_its_errors(capsys):
    assert main(["design", "count", "--range", "0:400", "--epsilon", "1"]) == 0
    out = capsys.readouterr().out
    assert "at the truth 200, around its likeliest response:" in out
    assert "   response    196    197    198    199    200    201    202    203    204\n" in out
    assert "probability 0.0085 0.0230 0.0625 0.1700 0.4621 0.1700 0.0625 0.0230 0.0085\n" in out
    assert "error at most      0      1      2      3" in out
    assert "  probability 0.4621 0.8021 0.9272 0.9732" in out


def test_an_error_up_to_the_largest_is_certain(capsys):
    assert main(["design", "count", "--range", "0:10", "--epsilon", "1"]) == 0
    out = capsys.readouterr().out
    assert "error at most      0      1      2      3      4      5\n" in out
    assert "  probability 0.4621 0.8021 0.9272 0.9732 0.9901 1.0000\n" in out


def test_where_nothing_is_written_its_lines_show_the_mechanism(capsys, tmp_path):
    line = "design count --range 0:20 --epsilon 0.5 --delta 1e-3 --loss 'beyond 2' --worst-case"
    words = shlex.split(line)
    assert main(words) == 0
    assert "around its likeliest response" in capsys.readouterr().out
    assert main([*words, "--out", str(tmp_path / "m.csv")]) == 0
    assert "21 responses, 21 truths\n" in capsys.readouterr().out


@pytest.mark.usefixtures("here")
def test_all_else_is_said_where_it_is_asked_for(capsys):
    assert main(["design", "count", "--range", "0:3", "--epsilon", "1", "--explain", "--out", "m.csv"]) == 0
    out = capsys.readouterr().out
    for part in ("holds  pure privacy", "croft-variant-1-count", "engine  ", "optmech verify m."):
        assert part in out


def test_a_long_line_breaks_below_its_text_and_keeps_its_pieces():
    proved = TextLine("private            ", "words " * 12, Provenance.PROVED)
    first, second = wrapped([proved], 60)
    assert second.startswith(" " * 19 + "words")
    assert Provenance.PROVED in second.pieces
    assert f"{first}{second[18:]}" == proved
    (note,) = wrapped([Note(NoteKind.CAUTION, "much " * 20)], 40)
    assert isinstance(note, Note)
    assert note.kind is NoteKind.CAUTION
    assert note.count("Caution") == 1
    assert max(map(len, note.split("\n"))) <= 40
    assert wrapped(["short"]) == ["short"]
