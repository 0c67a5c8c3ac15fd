"""All commands have `--json` and `--quiet`, and a sentence for input that they do not understand."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from optmech.base.notes import Note, NoteKind
from optmech.cli import main
from optmech.cli.commands import GROUPS, build_parser
from tests.cli.all_parsers import all_parsers
from tests.each import each, one_in
from tests.screen import unbroken

# It runs until somebody ends it, and is run where it is tested.
SERVERS = ("studio",)
PARSER = build_parser()
PARSERS = list(all_parsers(PARSER))
COUNT = "--query count --range 0:3 --epsilon 1"
# Where the first example of a command's help takes more than a moment, a smaller one.
SMALL = {
    "publish": "publish --from publish.toml",
    "design": f"design croft {COUNT} --out made.csv",
    "compare": f"compare croft {COUNT} --prior uniform",
    "compose": "compose mechanism.certificate.json --uses 2 --epsilon 2",
    "prices": f"prices croft {COUNT}",
    "export-model": f"export-model croft {COUNT} --out model.mps",
    "crosscheck": "crosscheck --family croft --counts 2 --extremes 3 --croft-epsilons 1",
    "find epsilon": "find epsilon croft --query count --range 0:3 --prior uniform --target 0.5",
    "find half-width": "find half-width sadeghi --epsilon 1 --accuracy 0.5 --counts 1:3 --target 0.3",
    "find accuracy": "find accuracy croft --query count --range 0:3 --epsilon 1",
    "frontier": "frontier croft --query count --range 0:3 --from 0.5 --to 1 --points 2",
    "sweep": "sweep sweep.toml --out sweep.parquet --jobs 1",
}
FIND = [f"find {name}" for name in PARSER.children()["find"].children()]
COMMANDS = [*(name for name in PARSER.children() if name not in (*SERVERS, "find")), *FIND]
# Each starts processes, or loads another library, which takes a second or more each time.
SLOW = ("sweep", "compare")
RUN = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [], id=name) for name in COMMANDS]


def example_of(command):
    """Return a line that runs: a small one, or the first that the help of the command shows."""
    if command in SMALL:
        return SMALL[command]
    examples = unbroken(PARSER.children()[command].format_help()).split("example", 1)[1]
    return next(line for line in examples.splitlines() if line.startswith("  optmech ")).split("optmech ", 1)[
        1
    ]


def run(capsys, line):
    code = main(shlex.split(line))
    out, err = capsys.readouterr()
    return code, out, err


@each("parser", PARSERS)
def test_every_command_takes_json_and_quiet(parser):
    assert {"--json", "--quiet"} <= set(parser.flags)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", RUN)
def test_with_json_a_command_prints_one_object(capsys, command):
    code, out, _ = run(capsys, f"{example_of(command)} --json")
    assert code == 0
    assert isinstance(json.loads(out), dict)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", RUN)
def test_with_quiet_a_command_prints_nothing_but_what_a_large_delta_or_epsilon_allows(capsys, command):
    code, out, err = run(capsys, f"{example_of(command)} --quiet")
    assert (code, out) == (0, "")
    assert all("may be released, even the true answer" in line for line in err.splitlines())


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", one_in(4, [name for name in COMMANDS if name not in (*SLOW, "doctor")]))
def test_what_stands_before_a_command_holds_for_it(capsys, command):
    code, out, _ = run(capsys, f"--json {example_of(command)}")
    assert code == 0
    assert isinstance(json.loads(out), dict)


def test_what_stands_between_a_command_and_a_formulation_holds_too(capsys):
    assert json.loads(run(capsys, f"design --json croft {COUNT}")[1])["raw"] is False
    assert run(capsys, f"design -q croft {COUNT}") == (0, "", "")


def test_quiet_keeps_what_concerns_privacy_and_drops_the_rest(capsys, monkeypatch):
    one_sided = "design kadam --modulus 5 --distances 1 --epsilon 1 --one-sided -q"
    code, out, err = run(capsys, one_sided)
    assert (code, out) == (0, "")
    assert "this is not differential privacy" in err
    notes = [
        Note(NoteKind.ACCURACY, "the privacy of a solver: a limit stopped it"),
        Note(NoteKind.PRIVACY, "a column FAILS somewhere"),
    ]
    monkeypatch.setattr("optmech.cli.design.warnings_of", lambda *_: notes)
    assert run(capsys, f"design croft {COUNT}")[2].count("optmech: warning: ") == 2
    assert run(capsys, f"design croft {COUNT} -q") == (0, "", "optmech: warning: a column FAILS somewhere\n")


def test_with_quiet_and_json_the_object_is_all(capsys):
    code, out, err = run(capsys, f"design croft {COUNT} --quiet --json")
    assert (code, err) == (0, "")
    assert json.loads(out)["verified"] is True


@each(
    ("line", "code"),
    [
        (f"design croft {COUNT} --epsilon -1", 2),
        ("design kadam --modulus 3 --distances 1 --epsilon 0.1 --at-most 0 --cost 1,1,1", 1),
        ("desing", 2),
        ("design croft --rnge 0:3", 2),
        ("verify nothing.json", 2),
        ("", 2),
    ],
)
def test_an_error_is_one_object_too_with_its_exit_code(capsys, line, code):
    assert main(["--json", *line.split()]) == code
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert content.keys() == {"error", "exit_code"}
    assert content["exit_code"] == code
    assert err == f"optmech: {content['error']}\n"


@each(
    ("line", "text"),
    [
        ("desing croft", "got 'desing'. Did you mean design? See `optmech --help`."),
        ("verfy m.csv", "got 'verfy'. Did you mean verify or certify?"),
        ("design crof", "got 'crof'. Did you mean croft? See `optmech design --help`."),
        ("design question", "got 'question'. See `optmech design --help`."),
        (
            f"design croft {COUNT} --variat 2",
            "`--variat` must be an option of optmech design croft; it is unknown.",
        ),
        ("design count --range 0:3 --eps 1", "Did you mean --epsilon? See"),
        (
            "design count --range 0:3 --epsilon 2*ln2",
            "got '2*ln2'. Write a decimal such as 0.5, a ratio such as 1/3, or a logarithm such as ln 2.",
        ),
        (f"design croft {COUNT} --variat 2", "Did you mean --variant"),
        (f"design croft {COUNT} --rannge=0:3", "Did you mean --range"),
        (f"design croft {COUNT} --solver", "`--solver` needs a value; got none."),
        (f"design croft {COUNT} --threads two", "`--threads` must be a whole number; got 'two'."),
        (
            f"design croft {COUNT} --engine rocket",
            "`--engine` must be one of auto, closed-form, chain, rays, interior, levels, program;",
        ),
        ("design", "`QUESTION|FILE.toml` must follow optmech design, such as count, mean, total,"),
        ("compose", "`CERTIFICATE.json` must follow optmech compose; it is missing."),
        ("doctor all", "`all` must be left out: optmech doctor takes nothing more."),
        ("find", "`WHAT` must follow optmech find, such as epsilon, accuracy, half-width; it is missing."),
        ("find delta", "got 'delta'. See `optmech find --help`."),
    ],
)
def test_what_is_not_understood_gets_a_sentence_and_a_suggestion(capsys, line, text):
    code, out, err = run(capsys, line)
    assert (code, out) == (2, "")
    assert text in err
    assert err.startswith("optmech: `")
    assert err.count("\n") == 1


def test_without_a_word_there_is_a_short_help_whose_lines_run(capsys):
    code, out, err = run(capsys, "")
    assert (code, err) == (2, "")
    lines = [line.strip().split("  ")[0] for line in out.splitlines() if line.startswith("  optmech ")]
    assert lines[0] == "optmech publish visits.csv"  # it asks: tests/cli/test_publish.py
    assert len(lines) == 4
    for line in lines[1:]:
        assert run(capsys, line.removeprefix("optmech "))[0] == 0


@pytest.mark.usefixtures("here")
def test_a_design_that_was_written_says_what_can_be_done_with_it(capsys):
    _, out, _ = run(capsys, f"design croft {COUNT} --explain --out 'my own.csv'")
    steps = [line.removeprefix("next:").strip() for line in unbroken(out).split("next: ")[1].splitlines()]
    assert "optmech verify 'my own.certificate.json' 'my own.csv'" in steps
    Path("table.csv").write_text("count\n1\n3\n")
    for step in steps:
        line = step.replace("TABLE.csv", "table.csv").replace("NAME", "count")
        assert run(capsys, line.removeprefix("optmech "))[0] == 0, step


def test_the_help_lists_each_command_once_under_what_it_is_for():
    text = PARSER.format_help()
    sections = dict(re.findall(r"^(\w+):\n((?:  .*\n)+)", text, re.MULTILINE))
    listed = {title: re.findall(r"^  ([a-z-]+) ", sections[title], re.MULTILINE) for title in GROUPS}
    assert [name for names in listed.values() for name in names] == list(PARSER.children())
    assert {"design", "apply", "report", "verify"} <= set(listed["publish"])
    assert {"find", "frontier", "compare", "prices", "compose"} <= set(listed["plan"])
    assert {"crosscheck", "sweep", "doctor"} <= set(listed["lab"])
    assert "positional arguments" not in text


@pytest.mark.usefixtures("here")
def test_a_matrix_too_wide_to_show_is_not_asked_to_be_written_once_more(capsys):
    _, out, _ = run(capsys, "design croft --query count --range 0:60 --epsilon 1 --out wide.csv")
    assert "61 responses, 61 truths; at the truth 30, around its likeliest response:" in out
    assert "--out" not in out.split("next: ", maxsplit=1)[0]


@pytest.mark.usefixtures("here")
def test_a_count_that_is_better_off_without_a_matrix_is_told_so_before_the_wait(capsys, monkeypatch):
    monkeypatch.setattr("optmech.cli.design._WIDE", 3)
    _, _, err = run(capsys, f"design croft {COUNT}")
    assert "4 true answers make a matrix" in err
    assert "a count under pure privacy alone is designed without one" in err
    assert run(capsys, f"design croft {COUNT} --quiet") == (0, "", "")


def test_an_error_that_quotes_data_is_confidential(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("pid,g,count\nA-1701,x,1\nNA,y,17x7\n")
    assert main(f"design croft {COUNT} --out m.csv -q".split()) == 0
    lines = {
        "apply m.csv t.csv --column count --out o.csv": "17x7",
        "apply m.csv t.csv --column pid --out o.csv": "A-1701",
        "tabulate t.csv --person pid --group g --groups-from-data --at-most 1 --out o.csv": "NA",
        "tabulate t.csv --each-row-a-person --sum count --between 0:5 --out o.csv": "17x7",
        "tabulate t.csv --each-row-a-person --bins pid=0,3 --out o.csv": "A-1701",
    }
    for line, cell in lines.items():
        assert main([*line.split(), "--json"]) == 2
        out, err = capsys.readouterr()
        content = json.loads(out)
        assert cell in content["confidential"]["error"]
        assert err == f"optmech: {content.pop('confidential')['error']}\n"
        assert cell not in json.dumps(content)
        assert content.keys() == {"error", "exit_code"}
