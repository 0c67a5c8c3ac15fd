"""A sweep as a user asks for it."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from pyarrow import parquet

from optmech.analysis.sweep import workers
from optmech.base import extras
from optmech.base.errors import NoSolutionError
from optmech.base.version import __version__
from optmech.cli import main
from tests.screen import joined

SPEC = """
[question]
query = {kind = "count", smallest = 0, largest = [2, 3]}
privacy = {kind = "pure", epsilon = ["0.5", "1"]}
"""
# A prior of three probabilities fits counts 0..2 alone.
TWO_REFUSED = SPEC + 'objective.prior = ["uniform", [0.5, 0.25, 0.25]]\n'


@pytest.fixture
def here(monkeypatch):
    """Answer in this process, one cell after another, and return which were asked for."""
    calls = []

    def answers(cells, work, jobs):
        for cell in cells:
            calls.append((cell.key, jobs))
            yield work(cell)

    monkeypatch.setattr(workers, "local_answers", answers)
    return calls


@pytest.fixture
def sweep(tmp_path, monkeypatch):
    """Run the command in a folder with the spec in it."""
    monkeypatch.chdir(tmp_path)

    def run(*options, spec=SPEC, out="sweep.parquet"):
        (tmp_path / "spec.toml").write_text(spec)
        named = [] if out is None or "--out" in options else ["--out", out]
        return main(["sweep", "spec.toml", *named, *options])

    return run


def rows():
    return parquet.read_table("sweep.parquet").to_pylist()


def test_a_sweep_writes_a_row_for_each_cell_and_says_so_in_one_line(sweep, here, capsys):
    assert sweep("--jobs", "3") == 0
    out, err = capsys.readouterr()
    assert out.startswith("4 cells: 4 done; ")
    assert out.endswith(" s; written to sweep.parquet\n")
    assert (out.count("\n"), err) == (1, "")
    assert [jobs for _, jobs in here] == [3] * 4
    assert [(row["query_largest"], row["privacy_epsilon"]) for row in rows()] == [
        *((2, 0.5), (2, 1.0), (3, 0.5), (3, 1.0)),
    ]
    assert {row["objective_standing"] for row in rows()} == {"proved"}
    assert {row["optmech"] for row in rows()} == {__version__}


def test_what_is_complete_is_not_done_again(sweep, here, capsys):
    assert sweep() == 0
    before = rows()
    here.clear()
    assert sweep() == 0
    assert here == []
    assert rows() == before
    assert sweep(spec=SPEC.replace('"1"]', '"1", "2"]')) == 0
    assert len(here) == 2
    assert "6 cells: 6 done, 4 of them before; " in capsys.readouterr().out


def test_an_interrupted_sweep_says_how_to_go_on_and_does(sweep, here, monkeypatch, capsys):
    whole = workers.local_answers

    def interrupted(cells, work, jobs):
        answers = whole(cells, work, jobs)
        yield next(answers)
        raise KeyboardInterrupt

    monkeypatch.setattr(workers, "local_answers", interrupted)
    assert sweep() == 130
    text = (
        "optmech: interrupted with 1 of 4 cells answered, which are kept; run the same command again to go on"
    )
    assert text in capsys.readouterr().err
    monkeypatch.setattr(workers, "local_answers", whole)
    here.clear()
    assert sweep() == 0
    assert len(here) == 3
    assert len({row["key"] for row in rows()}) == 4


def test_cells_without_a_mechanism_are_rows_and_the_exit_code_says_so(sweep, here, capsys):
    assert sweep(spec=TWO_REFUSED) == 1
    out, err = capsys.readouterr()
    assert out.startswith("8 cells: 6 done, 2 refused; ")
    assert "2 cells without a mechanism; the column `error` says why. The first: `prior` must have 4" in err
    assert [row["status"] for row in rows()] == ["done"] * 5 + ["refused", "done", "refused"]
    here.clear()
    assert sweep(spec=TWO_REFUSED) == 1
    assert here == []
    assert sweep("--retry", spec=TWO_REFUSED) == 1
    assert [key for key, _ in here] == [row["key"] for row in rows()[5::2]]


def test_more_time_is_given_to_the_cells_that_had_too_little(sweep, here, monkeypatch, capsys):
    real = importlib.import_module("optmech.analysis.sweep.answer").design

    def hasty(problem, **settings):
        if settings["time_limit"] < 60 and len(problem.query.truths) == 4:
            message = "the time limit came first"
            raise NoSolutionError(message, None)
        return real(problem, **settings)

    monkeypatch.setattr("optmech.analysis.sweep.answer.design", hasty)
    assert sweep(spec="time_limit = 1\n" + SPEC) == 1
    here.clear()
    assert sweep("--retry", spec="time_limit = 60\n" + SPEC) == 0
    assert len(here) == 2
    assert "4 cells: 4 done, 2 of them before; " in capsys.readouterr().out
    assert [row["time_limit"] for row in rows()] == [1, 1, 60, 60]


def test_what_is_kept_can_be_verified_and_is_made_where_it_is_missing(sweep, here, tmp_path, capsys):
    assert sweep() == 0
    here.clear()
    assert sweep("--keep", "kept") == 0
    assert len(here) == 4
    assert len(list((tmp_path / "kept").iterdir())) == 8
    for row in rows():
        assert main(["verify", f"kept/{row['key']}.certificate.json", f"kept/{row['key']}.csv"]) == 0
        assert row["sha256"] in (tmp_path / "kept" / f"{row['key']}.csv").read_text()
    here.clear()
    (tmp_path / "kept" / f"{rows()[2]['key']}.csv").unlink()
    assert sweep("--keep", "kept") == 0
    assert [key for key, _ in here] == [rows()[2]["key"]]
    assert "all of it proved again" in capsys.readouterr().out


def test_a_dry_run_lists_the_cells_and_writes_nothing(sweep, tmp_path, capsys):
    assert sweep("--dry-run", out=None) == 0
    out = capsys.readouterr().out
    assert out.startswith("4 cells; nothing was written\n")
    text = joined(out)
    assert ', privacy = {kind = "pure", epsilon = "0.5"}, objective = {loss = "absolute"}' in text
    assert ' query = {kind = "count", smallest = 0, largest = 2}, ' in text
    assert [path.name for path in tmp_path.iterdir()] == ["spec.toml"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--jobs", "0"), "`--jobs` must be positive; got 0. For all cores leave it out."),
        (("--keep", "spec.toml"), "`spec.toml` must be a folder that can be made; got: file exists."),
        (("--out", "/no/such/folder/x.parquet"), "must be writable; got: no such file or directory"),
        (("--out", "spec.toml"), "spec.toml` must be a table that `optmech sweep` wrote; got: "),
    ],
)
def test_bad_options_get_a_sentence(sweep, here, capsys, options, sentence):
    assert sweep(*options) == 2
    assert sentence in capsys.readouterr().err
    assert here == []


def test_an_output_must_be_named(sweep, capsys):
    assert sweep(out=None) == 2
    assert "`--out` must be given: the Parquet file to write." in capsys.readouterr().err


@pytest.mark.parametrize("spec", ["", "epsilon = [", SPEC + "los = 1", SPEC.replace('"1"', '"one"')])
def test_a_bad_spec_gets_a_sentence(sweep, capsys, tmp_path, spec):
    assert sweep(spec=spec) == 2
    assert capsys.readouterr().err.startswith("optmech: ")
    assert [path.name for path in tmp_path.iterdir()] == ["spec.toml"]


def test_cells_that_are_no_longer_asked_are_refused(sweep, here, capsys):
    assert sweep() == 0
    assert sweep(spec=SPEC.replace("[2, 3]", "3")) == 2
    assert "must hold cells of this spec only; it holds 2 others" in capsys.readouterr().err
    assert len(rows()) == len(here) == 4


@pytest.mark.parametrize(
    ("missing", "options", "remedy"),
    [
        ("joblib", (), 'pip install "optmech[sweep]"'),
        ("filelock", (), 'pip install "optmech[sweep]"'),
        ("distributed", ("--scheduler", "tcp://127.0.0.1:1"), 'pip install "optmech[cluster]"'),
    ],
)
def test_a_missing_package_is_named_with_what_to_install(
    sweep, monkeypatch, capsys, missing, options, remedy
):
    real = importlib.import_module

    def without(name):
        if name.split(".")[0] == missing:
            raise ModuleNotFoundError(name=missing)
        return real(name)

    monkeypatch.setattr(extras, "load_module", without)
    assert sweep(*options) == 2
    err = capsys.readouterr().err
    assert f"a sweep needs {missing}, which is not installed. Run `{remedy}`." in err


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_processes_give_the_rows_that_one_gives(sweep, tmp_path):
    assert sweep() == 0
    before = rows()
    (tmp_path / "sweep.parquet").unlink()
    command = [sys.executable, "-m", "optmech", "sweep", "spec.toml", "--out", "sweep.parquet", "--jobs", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout.count("\n"), done.stderr) == (1, "")
    assert [{**row, "seconds": 0} for row in rows()] == [{**row, "seconds": 0} for row in before]
