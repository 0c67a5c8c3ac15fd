"""Our own words say why a command line is not understood, whatever words argparse has for it."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import optmech.cli
from optmech.cli import main
from optmech.cli.commands import build_parser
from tests.each import each

COUNT = "count --range 0:5 --epsilon 1"
LINES = {
    "an unknown option": f"design {COUNT} --threds 2",
    "an unknown option before what is missing": "tabulate t.csv --persn a",
    "an unknown option before the command": "--jsn doctor",
    "one of another question": "design count --modulus 3",
    "a missing option": "export m.json",
    "missing options and arguments": "apply",
    "no command": "--json",
    "no question": "design",
    "one of two that is missing": "compose a.json",
    "two of which one must be left out": "apply m.json t.csv --column a --out b.csv --log c --ledger d",
    "two switches of which one must be left out": "crosscheck --quick --full",
    "a wrong choice": f"design {COUNT} --engine rocket",
    "a wrong choice of an argument": "completion bsh",
    "a wrong choice among several": "crosscheck --family fermat",
    "a wrong command": "desing",
    "a wrong question": "design coutn",
    "a file where a question is expected": "certify m.csv",
    "an option twice": f"design {COUNT} --epsilon=2",
    "an option twice by two names": "improve --range 0:5 --noise skellam:2 --as-private-as skellam:3",
    "a word too many": "doctor all",
    "a file too many": "verify a.csv b.csv c.csv",
    "no value": f"design {COUNT} --solver",
    "no value behind a file": "report a.json --out",
    "an option in place of a value": f"design {COUNT} --solver --json",
    "no whole number": f"design {COUNT} --threads two",
    "no number": f"design {COUNT} --time-limit soon",
    "no list": "design vector --moduli 3,x --distances 0,1 --epsilon 1",
    "a value of a switch": f"design {COUNT} --raw=yes",
    "a value of a short switch": f"design {COUNT} -qx",
    "a value of a short switch in one word": "doctor '-q x'",
    "a value of --help": "--help=design",
    "words behind two dashes": f"design {COUNT} -- more",
}


class Nonsense(str):
    """A message that takes whatever argparse puts into it, and says nothing."""

    __slots__ = ()

    def __mod__(self, _):
        return self


def sentence_of(capsys, line):
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    assert code == 2, out
    assert re.fullmatch(r"optmech: `.* See `optmech.* --help`\.\n", err), err
    return err


@each("line", LINES.values())
def test_no_sentence_depends_on_the_words_of_argparse(capsys, monkeypatch, line):
    sentence = sentence_of(capsys, line)
    monkeypatch.setattr("argparse._", lambda _: Nonsense("xyzzy"))
    monkeypatch.setattr("argparse.ngettext", lambda *_: Nonsense("xyzzy"))
    monkeypatch.setattr(argparse.ArgumentError, "__str__", lambda _: "xyzzy")
    assert sentence_of(capsys, line) == sentence


@each(
    ("kind", "says"),
    [
        ("an unknown option before what is missing", "`--persn` must be an option of optmech tabulate"),
        ("an unknown option before what is missing", "Did you mean --person?"),
        ("an unknown option before the command", "Did you mean --json?"),
        (
            "missing options and arguments",
            "`TABLE` and `--out` must follow optmech apply; they are",
        ),
        ("two switches of which one must be left out", "`--full` must be left out with `--quick`."),
        (
            "an option twice by two names",
            "`--as-private-as` must be given once; got skellam:2 and skellam:3.",
        ),
        ("a value of a switch", "`--raw` must be given without a value; got 'yes'."),
        ("no list", "`--moduli` must be whole numbers with commas, such as 1,2,3; got '3,x'."),
    ],
)
def test_a_sentence_names_the_word_the_rule_and_the_remedy(capsys, kind, says):
    assert says in sentence_of(capsys, LINES[kind])


@each(
    ("line", "command"),
    [
        ("design median", "design extremum --range 1:7 --epsilon 1"),
        ("design maximum --range 0:5", "design extremum --range 1:7 --epsilon 1"),
        ("find epsilon sum", "find epsilon total --range 0:4 --records 10 --target 0.5"),
        ("design proportion", "design mean --range 0:1 --records 10 --epsilon 1"),
        ("verify minimum m.csv", "verify extremum --range 1:7 --epsilon 1 mechanism.csv"),
    ],
)
def test_another_name_of_a_question_leads_to_what_it_is(capsys, line, command):
    sentence = sentence_of(capsys, line)
    assert " is asked as " in sentence
    assert f"optmech {command}. See" in sentence
    assert build_parser().parse_args(shlex.split(command)).formulation in command


def test_an_option_before_the_question_is_told_its_place(capsys):
    assert "comes first: optmech design count …" in sentence_of(capsys, "design --epsilon 1 count")


def test_a_negative_value_is_a_value_and_a_switch_takes_none(capsys):
    assert main(["design", "total", "--records", "2", "--range", "-1:2", "--epsilon", "1", "--quiet"]) == 0
    capsys.readouterr()
    assert "`-5` must be an option" in sentence_of(capsys, f"design {COUNT} --raw -5")


def test_an_option_may_stand_between_two_files():
    for line, files in (
        ("compose a.json --epsilon 1 b.json --uses 2", {"certificates": ["a.json", "b.json"]}),
        ("verify a.json --json a.csv", {"mechanism": "a.json", "matrix": "a.csv"}),
        ("apply --column count a.json --out b.csv t.csv", {"mechanism": "a.json", "table": "t.csv"}),
        ("apply a.json '--column=of all' t.csv --out b.csv", {"table": "t.csv", "column": "of all"}),
        ("verify -q -- -a.json -a.csv", {"mechanism": "-a.json", "matrix": "-a.csv"}),
    ):
        assert files.items() <= vars(build_parser().parse_args(shlex.split(line))).items()


def test_no_private_part_of_argparse_is_used():
    for path in Path(optmech.cli.__file__).parent.glob("*.py"):
        assert not re.search(r"argparse\._|SLF001", path.read_text(encoding="utf-8")), path
