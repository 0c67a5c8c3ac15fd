"""`optmech implicit`, and `verify` and `apply` of its file, as a user types them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from fractions import Fraction

import pytest

from optmech.cli import main


def run(capsys, *words):
    code = main([word for part in words for word in (part.split() if isinstance(part, str) else [str(part)])])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def made(capsys, tmp_path):
    path = tmp_path / "count.json"
    code, out, _ = run(capsys, "implicit --largest 20000 --epsilon 0.1 --out", path)
    assert code == 0
    assert "proved by prices" in out
    return path


def test_a_design_is_verified_and_applied(capsys, made, tmp_path):
    code, out, _ = run(capsys, "verify", made)
    assert code == 0
    assert "all of it proved again" in out
    table, released = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("id,count\na,0\nb,20000\nc,1e3\n")
    code, out, _ = run(capsys, "apply", made, table, "--column count --out", released)
    assert code == 0
    assert out.startswith(f"3 answers of column count released to {released}\n")
    drawn = [int(line.split(",")[1]) for line in released.read_text().splitlines()[1:]]
    assert all(0 <= value <= 20_000 for value in drawn)


def test_json_says_what_is_proved(capsys, made):
    told = json.loads(run(capsys, "verify --json", made)[1])
    again = json.loads(run(capsys, "implicit --largest 20000 --epsilon 0.1 --json")[1])
    assert told["verified"] is True
    assert {name: told[name] for name in ("objective", "bound", "epsilon")} == {
        name: again[name] for name in ("objective", "bound", "epsilon")
    }


def test_losses_priors_and_e_to_the_epsilon(capsys, tmp_path):
    prior = tmp_path / "prior.txt"
    prior.write_text("0.5\n0.25\n0.25\n")
    code, out, _ = run(capsys, "implicit --largest 2 --exp-epsilon 2 --loss 0,1,1 --prior", prior)
    assert code == 0
    assert "listed loss, given prior" in out
    assert "epsilon = ln 2" in out
    prior.unlink()
    assert (
        run(capsys, "implicit --largest 2 --exp-epsilon 2 --loss 0,1,1 --prior 0.5,0.25,1/4")[1].split(
            "made in"
        )[0]
        == out.split("made in")[0]
    )
    assert "uniform prior" in run(capsys, "implicit --largest 2 --epsilon 1 --prior uniform")[1]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            "--largest 0 --epsilon 1",
            "`largest`, the largest count, must be a whole number in 1..10000000; got 0.",
        ),
        ("--largest 5", "`epsilon` must be given"),
        ("--largest 5 --epsilon 1 --exp-epsilon 2", "must not both be given"),
        ("--largest 5 --epsilon -1", "`epsilon` must be positive"),
        ("--largest 5 --epsilon 1 --loss 0,2,1", "`loss` must not decrease"),
        ("--largest 5 --epsilon 1 --loss 0,x", "`loss` must be a finite number; got 'x'"),
        (
            "--largest 5 --epsilon 1 --prior nowhere",
            "or a file that can be read, with a line for each truth; got 'nowhere'.",
        ),
        ("--largest 2 --epsilon 1 --prior 0.5,0.5", "`prior` must have 3 entries"),
        ("--largest 2 --epsilon 1 --prior 0.5,,0.5", "`prior` must be a finite number; got ''"),
        ("--largest 2 --epsilon 1 --prior 1e400,0,0", "`prior` must sum to one; got 1e+400."),
        (f"--largest 2 --epsilon 1 --prior {'x' * 400}", "`prior` must be uniform, a probability for"),
        ("--largest 5 --epsilon 1e000000030000000", "`epsilon` must be a finite number"),
        ("--largest 5 --epsilon 1 --out m.csv", "`--out` must end in .json"),
        ("--largest 5 --epsilon 1 --out /nowhere/m.json", "must be writable"),
    ],
)
def test_bad_input_is_told_in_one_line(capsys, typed, words):
    code, out, err = run(capsys, "implicit", typed)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("large", "small"), [("0,1e400", "0,1"), ("0,1e-400,1e400", "0,0,1"), ("1e400", "1")]
)
def test_losses_beyond_all_doubles_have_digits(capsys, tmp_path, large, small):
    path = tmp_path / "m.json"
    code, out, err = run(capsys, "implicit --largest 100 --epsilon 1 --out", path, "--loss", large)
    assert (code, err) == (0, "")
    unit = run(capsys, "implicit --largest 100 --epsilon 1 --loss", small)[1]
    ((digits, exponent),) = re.findall(r"objective +(\S+)e\+(40\d) ", out)
    (reference,) = re.findall(r"objective +(\S+)", unit)
    assert float(digits) * 10 ** (int(exponent) - 400) == pytest.approx(float(reference), rel=1e-12)
    assert run(capsys, "verify", path)[0] == 0


def test_where_nothing_need_be_lost_the_gap_is_absolute(capsys):
    lost_nothing = "implicit --largest 3 --epsilon 1 --loss 0,0,0,1"  # for any response but the two ends
    code, out, _ = run(capsys, lost_nothing)
    assert code == 0
    objective, gap = re.findall(r"(?:objective +|gap )(\S+)", out)
    assert 0 < float(objective) == float(gap) < 1e-30
    assert "in units of the loss" in out
    told = json.loads(run(capsys, lost_nothing, "--json")[1])
    assert float(Fraction(told["gap"])) == pytest.approx(float(gap))


@pytest.mark.parametrize(
    ("rows", "options", "words"),
    [
        ("a,20001\n", "", "got '20001' in line 2"),
        ("a,1\nb,1.5\n", "", "got '1.5' in line 3"),
        ("a,many\n", "", "got 'many' in line 2"),
        ("a,1\n", "--constant-time", "`constant_time` must be left out"),
    ],
)
def test_nothing_is_released_where_something_is_wrong(capsys, made, tmp_path, rows, options, words):
    table, released = tmp_path / "t.csv", tmp_path / "r.csv"
    table.write_text("id,count\n" + rows)
    code, _, err = run(capsys, "apply", made, table, "--column count", options, "--out", released)
    assert code == 2
    assert words in err
    assert not released.exists()


def test_a_changed_file_is_not_used(capsys, made):
    made.write_text(made.read_text().replace('"epsilon": "0.1"', '"epsilon": "0.09"'))
    code, _, err = run(capsys, "verify", made)
    assert code == 1
    assert "It is not private. Do not use its mechanism." in err


def test_a_matrix_beside_it_and_a_question_are_refused(capsys, made):
    assert "`MECHANISM.csv` must be left out" in run(capsys, "verify", made, "m.csv")[2]
    assert "`epsilon` must be left out" in run(capsys, "verify", made, "--epsilon 1")[2]


def test_a_matrix_too_large_for_memory_is_refused_with_a_remedy(capsys, monkeypatch):
    def fills_memory(*_, **__):
        raise MemoryError

    monkeypatch.setattr(sys.modules["optmech.cli.parsers"], "design", fills_memory)
    code, _, err = run(capsys, "design croft --query count --range 0:5 --epsilon 1")
    assert code == 2
    assert "`optmech implicit`" in err
    monkeypatch.setattr(sys.modules["optmech.cli.implicit"], "implicit_count", fills_memory)
    code, _, err = run(capsys, "implicit --largest 10000000 --epsilon 1")
    assert code == 2
    assert "Ask for a smaller `--largest`." in err
    assert "optmech implicit" not in err


@pytest.mark.skipif(sys.platform != "linux", reason="only here a process can be held to little memory")
def test_memory_that_is_really_full_is_told_in_one_line():
    program = """
import resource, sys
import optmech.cli.commands
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 300_000_000,) * 2)
sys.exit(optmech.cli.main("implicit --largest 9000000 --epsilon 1".split()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("optmech: the count must fit into memory with its proof; it does not.")
    assert done.stderr.count("\n") == 1
