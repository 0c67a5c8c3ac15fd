"""`optmech design` of a large count, and `verify` and `apply` of its file, as a user types them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction

import pytest

from optmech.cli import main
from tests.each import each
from tests.question_file import question_file
from tests.screen import joined


def run(capsys, *words):
    parts = (
        part.split() if isinstance(part, str) else part if isinstance(part, list) else [str(part)]
        for part in words
    )
    code = main([word for part in parts for word in part])
    out, err = capsys.readouterr()
    return code, out, err


DESIGN = "design croft --query count --range"
SMALL = "--engine chain"


@pytest.fixture
def certificate_path(capsys, tmp_path):
    path = tmp_path / "count.json"
    code, out, _ = run(capsys, f"{DESIGN} 0:20000 --epsilon 0.1 --explain --out", path)
    assert code == 0
    assert "proved by a dual certificate, gap" in out
    assert "engine             chain" in out
    return path


def test_a_design_is_verified_and_applied(capsys, certificate_path, tmp_path):
    code, out, _ = run(capsys, "verify", certificate_path)
    assert code == 0
    assert "all of it proved again" in out
    table, released = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("id,count\na,0\nb,20000\nc,1e3\n")
    code, out, _ = run(capsys, "apply", certificate_path, table, "--column count --out", released)
    assert code == 0
    assert f" 3 answers of column count released to {released}" in joined(out)
    drawn = [int(line.split(",")[1]) for line in released.read_text().splitlines()[1:]]
    assert all(0 <= value <= 20_000 for value in drawn)


def test_json_says_what_is_proved(capsys, certificate_path):
    content = json.loads(run(capsys, "verify --json", certificate_path)[1])
    again = json.loads(run(capsys, f"{DESIGN} 0:20000 --epsilon 0.1 --json")[1])
    assert content["verified"] is True
    assert again["engine"] == "chain"
    assert content["epsilon"] == again["epsilon"] == "0.1"
    for name in ("objective", "bound", "gap", "delta", "protected"):
        assert content["certificate"][name] == again["certificate"][name]


def test_losses_priors_and_e_to_the_epsilon(capsys, tmp_path):
    prior = tmp_path / "prior.txt"
    prior.write_text("0.5\n0.25\n0.25\n")
    code, out, _ = run(capsys, f"{DESIGN} 0:2 {SMALL} --exp-epsilon 2 --loss 0,1,1 --prior", prior)
    assert code == 0
    assert "epsilon = ln 2" in out
    assert "proved: expected loss" in out
    prior.unlink()
    assert (
        run(capsys, f"{DESIGN} 0:2 {SMALL} --exp-epsilon 2 --loss 0,1,1 --prior 0.5,0.25,1/4")[1].split(
            "engine"
        )[0]
        == out.split("engine")[0]
    )
    uniform = run(capsys, f"{DESIGN} 0:2 {SMALL} --epsilon 1 --prior uniform")[1]
    assert "proved: expected loss" in uniform
    assert "proved: sum over truths" in run(capsys, f"{DESIGN} 0:2 {SMALL} --epsilon 1 --explain")[1]


@each(
    ("typed", "words"),
    [
        ("0:10000001 --epsilon 1", "a query must have at most 10,000,001 answers; got 10,000,002."),
        ("0:5", "`epsilon` must be given"),
        ("0:5 --epsilon 1 --exp-epsilon 2", "must not both be given"),
        ("0:5 --epsilon -1", "`epsilon` must be positive"),
        ("0:5 --epsilon 1 --loss 0,2,1", "the loss falls with the distance"),
        ("0:5 --epsilon 1 --loss 0,x", "numbers with commas"),
        ("0:5 --epsilon 1 --prior nowhere", "`prior` must be 'uniform' or one probability for each truth"),
        ("0:2 --epsilon 1 --prior 0.5,0.5", "`prior` must have 3 entries"),
        ("0:2 --epsilon 1 --prior 0.5,,0.5", "numbers with commas"),
        ("0:5 --epsilon 1e000000030000000", "`epsilon` must be a finite number"),
        (
            "0:2000 --epsilon 1 --out m.csv",
            "`--out` must end in .json for count 0..2000, which gets a distribution",
        ),
        ("0:5 --epsilon 1 --out m.json --certificate c.json", "`--certificate` must be left out"),
        (
            "0:500 --epsilon 1 --break-ties",
            "`--break-ties` must be left out: count 0..500 gets a distribution",
        ),
        ("0:5 --epsilon 1 --property fair", "got chain, but more than privacy is asked"),
        ("0:5 --epsilon 1 --out /nowhere/m.json", "must be writable"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, typed, words):
    code, out, err = run(capsys, f"{DESIGN} {typed} {SMALL}")
    assert (code, out) == (2, "")
    assert words in err
    assert err.rstrip().count("\n") <= 1


def test_a_large_count_that_must_have_a_matrix_is_refused(capsys):
    code, _, err = run(capsys, f"{DESIGN} 0:100000 --epsilon 1 --variant 2")
    assert code == 2
    assert "must have at most 20,000 true answers for a matrix; got 100,001." in err


@pytest.mark.long
def test_where_nothing_need_be_lost_the_gap_is_absolute(capsys):
    lost_nothing = f"{DESIGN} 0:310 --epsilon 1 --loss"  # for responses in the middle
    code, out, _ = run(capsys, lost_nothing, ["beyond 200"])
    assert code == 0
    objective, gap = re.findall(r"(?:objective +|gap )(\S+)", out)
    assert 0 < float(objective) == float(gap) < 1e-30
    assert "in units of the loss" in out
    content = json.loads(run(capsys, lost_nothing, ["beyond 200"], "--json")[1])
    assert float(Fraction(content["certificate"]["gap"])) == pytest.approx(float(gap))


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ("a,20001\n", "", "got '20001' in line 2"),
        ("a,1\nb,1.5\n", "", "got '1.5' in line 3"),
        ("a,many\n", "", "got 'many' in line 2"),
        ("a,1\n", "--constant-time", "`constant_time` must be left out"),
    ],
)
def test_nothing_is_released_where_something_is_wrong(
    capsys, certificate_path, tmp_path, rows, options, words
):
    table, released = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("id,count\n" + rows)
    code, _, err = run(capsys, "apply", certificate_path, table, "--column count", options, "--out", released)
    assert code == 2
    assert words in err
    assert not released.exists()


def test_a_changed_file_is_not_used(capsys, certificate_path):
    certificate_path.write_text(certificate_path.read_text().replace('"epsilon": "0.1"', '"epsilon": "0.09"'))
    code, _, err = run(capsys, "verify", certificate_path)
    assert code == 1
    assert "the factor must enclose e^epsilon" in err
    assert "Do not use its mechanism." in err


def test_a_matrix_beside_it_and_a_question_are_refused(capsys, certificate_path, tmp_path):
    refused = run(capsys, "verify", certificate_path, "m.csv")[2]
    assert "`MECHANISM.csv` must be left out" in refused
    assert "its matrix would have more than 4,000,000 entries" in refused
    question = question_file(tmp_path, "count --range 0:3 --epsilon 1")
    assert "a question must be left out" in run(capsys, "verify", certificate_path, question)[2]


@pytest.mark.slow
def test_a_matrix_too_large_for_memory_is_refused_with_a_remedy(capsys, monkeypatch):
    def fills_memory(*_, **__):
        raise MemoryError

    monkeypatch.setattr("optmech.cli.solving.design", fills_memory)
    code, _, err = run(capsys, "design croft --query count --range 0:5 --epsilon 1")
    assert code == 2
    assert "Ask for a smaller range." in err
    code, _, err = run(capsys, f"{DESIGN} 0:1000000 --epsilon 1")
    assert code == 2
    assert "Ask for a smaller range." in err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only here a process can be held to little memory")
def test_memory_that_is_really_full_is_told_in_one_line():
    program = """
import resource, sys
import optmech.cli.commands
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 300_000_000,) * 2)
sys.exit(optmech.cli.main("design croft --query count --range 0:9000000 --epsilon 1".split()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "optmech: the question must fit into memory with its mechanism and proof; it does not."
    )
    assert done.stderr.count("\n") == 1


def test_how_long_continuous_noise_may_take_is_said_before_it_starts(capsys, monkeypatch):
    monkeypatch.setattr("optmech.base.time_left._LEAST_OVERTIME", 0.01)
    words = "design count --as-private-as gaussian:30 --time-limit 0.01 --range"
    code, out, err = run(capsys, words, "0:200")
    first, second = err.splitlines()
    assert "201 true answers as private as Gaussian noise of sigma 30 take about 20 seconds" in first
    assert "`--time-limit SECONDS` ends the work sooner" in first
    assert code != 0
    assert not out
    assert "`time_limit` must leave time for" in second
    _, _, err = run(capsys, words, "0:5")
    assert "take about" not in err
    _, _, err = run(capsys, words, "0:200 --quiet")
    assert "take about" not in err
