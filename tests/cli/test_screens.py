"""Every command's ordinary answer fits a screen: 16 lines of 80 columns; `--explain` says the rest."""

from __future__ import annotations

import os
import shlex

import pytest

from optmech.base.notes import Note, NoteKind
from optmech.base.wrapping import WIDTH, wrapped, wrapped_command
from optmech.cli import main, screen
from optmech.cli.screen import LINES, first_lines
from tests.cli.test_manners import COMMANDS, FIND, PARSERS, SLOW, example_of
from tests.each import each
from tests.screen import joined, unbroken

# Its answer is code for a shell.
CODE = ("completion",)
DESIGNS = [
    "count --range 0:100000 --epsilon 1",
    "count --range 0:20 --epsilon 12 --delta 0.1",
    "vector --moduli 5,5 --distances 1,0;0,1 --epsilon 1",
    "graph --edges home,shop,1;shop,work,2 --epsilon 1",
    "histogram --range 0:40 --epsilon 1",
    "categories --of the-heart,the-lungs,the-liver,a-kidney,the-brain,the-skin,an-eye --epsilon 1",
    "extremum --range 0:30 --epsilon 0.1 --property weakly-honest,symmetric",
    "sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
]
WIDE = [
    "find epsilon extremum --range 1:30 --target 0.5",
    "find half-width sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --target 0.005",
    "frontier count --range 0:30 --from 0.1 --to 2 --points 20 --out f.csv",
    "frontier problem.toml --instance table-4,median --at 0.5,1,2",
    "compare count --range 0:50 --epsilon 1 --loss squared --beyond 2 --out c.csv",
    "compare problem.toml --every",
    "prices croft --query count --range 0:20 --epsilon 1 --variant 2",
    "improve count --range 0:100 --as-private-as skellam:2",
    "compose first.certificate.json second.certificate.json --uses 5 --delta 1e-6",
    "crosscheck --quick --family croft --counts 2,5 --extremes 3",
    "verify question.toml mechanism.csv",
    "certify question.toml mechanism.csv --out certified.csv",
    "verify noise.csv --p-table",
    "verify count.json",
    "card count.json",
    "export mechanism.csv --format parquet --out mechanism.parquet",
    "ledger . --budget 3",
]


def screen_of(capsys, line):
    """Return the lines of an answer."""
    capsys.readouterr()
    assert main(shlex.split(line)) == 0, line
    return capsys.readouterr().out.splitlines()


def check(capsys, line):
    """Hold an answer to a screen, and `--explain` to more lines wherever the screen leaves some out."""
    lines = screen_of(capsys, line)
    assert len(lines) <= LINES == 16, "\n".join(lines)
    assert all(len(shown) <= WIDTH == 80 for shown in lines), "\n".join(lines)
    return lines


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name in (*SLOW, "doctor") else [], id=name)
        for name in COMMANDS
        if name not in (*CODE, *FIND[1:])
    ],
)
def test_the_first_example_of_a_command_has_sixteen_lines_of_eighty_columns(capsys, command):
    check(capsys, example_of(command))


@pytest.mark.usefixtures("here")
@each("line", [f"design {question}" for question in DESIGNS], every=2)
def test_a_design_of_any_kind_does(capsys, line):
    check(capsys, shlex.join(line.split()))


@pytest.mark.usefixtures("here")
@each("line", WIDE, every=2)
def test_an_answer_that_is_long_or_wide_does(capsys, line):
    lines = check(capsys, line)
    if lines[-1].endswith(": --explain"):
        assert len(screen_of(capsys, f"{line} --explain")) > len(lines)


@each("parser", PARSERS)
def test_help_is_as_wide_as_the_terminal_and_a_shell_reads_its_examples(monkeypatch, parser):
    for columns in (80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        text = parser.format_help()
        wide = [line for line in text.splitlines() if len(line) > columns]
        assert not wide, f"{parser.prog}: {wide}"
        examples = unbroken(text).split("\nexample", 1)[1].splitlines()[1:]
        assert all(shlex.split(example)[0] == "optmech" for example in examples)


def test_the_first_screen_of_all_fits(capsys):
    main([])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH


def test_a_terminal_is_filled_to_its_width(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    for columns, least in ((60, 40), (120, 81)):
        size = os.terminal_size((columns, 24))
        monkeypatch.setattr(screen.shutil, "get_terminal_size", lambda _, size=size: size)
        lines = screen_of(capsys, "find epsilon count --range 0:50 --target 1")
        assert least <= max(map(len, lines)) <= columns, "\n".join(lines)


def test_a_sentence_on_stderr_wraps_to_a_terminal_and_is_one_line_elsewhere(capsys, monkeypatch):
    line = ["design", "count", "--range", "0:5", "--epsiln", "1"]
    assert main(line) == 2
    sentence = capsys.readouterr().err
    assert sentence.count("\n") == 1
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    for columns in (40, 80, 120, 400):
        size = os.terminal_size((columns, 24))
        monkeypatch.setattr(screen.shutil, "get_terminal_size", lambda _, size=size: size)
        assert main(line) == 2
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) > 1
        assert max(map(len, lines)) <= min(columns, 100), "\n".join(lines)
        assert joined("\n".join(lines)) == sentence.strip()
        assert sum("`optmech design count --help`" in shown for shown in lines) == 1


def test_nothing_that_concerns_privacy_is_left_out():
    loud = Note(NoteKind.PRIVACY, "this is not differential privacy")
    lines = [*map(str, range(20)), loud]
    assert first_lines(lines, 5) == ["0", "1", "2", loud, "… 17 more lines: --explain"]
    assert first_lines(lines[:5], 5) == lines[:5]


def test_a_row_of_a_table_breaks_nowhere_and_a_command_where_a_shell_allows_it():
    row = "a  b  c  d  e" + " f" * 40
    assert wrapped([row]) == [row]
    command = "optmech apply m.json 'a table of people.csv' --column count --out released.csv"
    lines = wrapped_command(command, "next: ", 40)
    assert max(map(len, lines)) <= 40
    assert shlex.split(unbroken("\n".join(lines)))[1:] == shlex.split(command)
