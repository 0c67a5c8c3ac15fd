"""Peculiarities of CBC: a process, its files, its mistakes."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace

import pytest

import optmech as om
from optmech.base.errors import SolverMissingError
from optmech.models.solution import Solution, Status
from optmech.models.solvers import cbc, cbc_binary, cbc_process
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.cbc_process import CbcOutcome
from optmech.models.solvers.options import Method, SolveOptions
from tests.models.conformance.programs import INF, program

SMALL = program([1, 2], [([1, 1], 1, INF), ([1, 0], -INF, 0.25)])
# Starting and ending a process on a busy machine.
SOON = 30.0

needs_cbc = pytest.mark.skipif(not Cbc().available(), reason="CBC is not installed")
needs_posix = pytest.mark.skipif(os.name == "nt", reason="uses POSIX scripts and signals")


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Return the directory, empty, in which temporary directories are made."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Return a function that puts a script in the place of CBC."""

    def install(body, unknown=()):
        script = tmp_path / "cbc"
        known = [name for name in (*cbc_binary.NEEDED, *cbc_binary.WANTED) if name not in unknown]
        answers = "\n".join(["Version: 2.10.3", *(f"{name} : It does something." for name in known)])
        greeting = f"case \"$1\" in *'?') echo '{answers}'; exit 0;; esac"
        script.write_text(f"#!/bin/sh\n{greeting}\n{body}\n")
        script.chmod(0o755)
        monkeypatch.setattr(cbc_binary, "executable", lambda: str(script))
        cbc_binary.ask.cache_clear()

    return install


@needs_cbc
def test_nothing_is_left_behind(scratch):
    infeasible = program([1], [([1], 2, INF)], [(0, 1)])
    for model in (SMALL, infeasible):
        Cbc().solve(model, SolveOptions())
    assert list(scratch.iterdir()) == []


@needs_posix
def test_a_cbc_that_misses_its_limit_is_killed(stand_in, scratch, monkeypatch):
    stand_in("exec sleep 60")
    monkeypatch.setattr(cbc_process, "PATIENCE", 0.1)
    solution = Cbc().solve(SMALL, SolveOptions(time_limit=0.1))
    assert solution.status is Status.LIMIT
    assert solution.message == "CBC did not stop at its time limit and was killed"
    assert solution.values is None
    assert solution.seconds < SOON
    assert list(scratch.iterdir()) == []


@needs_posix
def test_a_crash_is_no_answer_and_no_traceback(stand_in):
    stand_in("kill -SEGV $$")
    solution = Cbc().solve(SMALL, SolveOptions())
    assert solution.status is Status.FAILED
    assert solution.message == "CBC ended with code -11 and without a solution"


@needs_posix
@pytest.mark.parametrize(
    ("words", "status"), [("Integer infeasible", Status.INFEASIBLE), ("Optimal", Status.FAILED)]
)
def test_after_a_crash_preprocessing_is_believed_about_infeasible_and_about_nothing_else(
    stand_in, words, status
):
    # A solution only where the last -preprocess is on; else a crash.
    stand_in(
        'case "$*" in *"-preprocess on"*) ;; *) kill -SEGV $$ ;; esac\n'
        f'echo "{words} - objective value 0.00000000" > solution.txt'
    )
    model = program([1, 0], [([2, 2], 3, 3)], [(0, 5)] * 2, integer=[True] * 2)
    assert Cbc().solve(model, SolveOptions()).status is status


@needs_cbc
def test_the_program_on_which_preprocessing_errs_is_solved():
    # min x + 2y, 1/2 <= x + y <= 3/2, both binary: x = 1. CBC 2.10.3 with preprocessing says 2.
    model = program([1, 2], [([1, 1], 0.5, 1.5)], [(0, 1)] * 2, integer=[True] * 2)
    assert Cbc().solve(model, SolveOptions()).objective == pytest.approx(1)


@needs_posix
@pytest.mark.parametrize("binary", ["true", "printf garbage > solution.bin"], ids=["absent", "corrupt"])
def test_an_optimum_without_its_numbers_is_numerical_trouble(stand_in, binary):
    stand_in(f'echo "Optimal - objective value 1.75000000" > solution.txt; {binary}')
    solution = Cbc().solve(SMALL, SolveOptions())
    assert solution.status is Status.NUMERICAL
    assert solution.message == "Optimal - objective value 1.75000000, but there are no values"
    assert solution.values is None


@pytest.mark.parametrize(
    ("line", "log", "bound"),
    [
        ("Optimal - objective value 10.0", "", 10),
        ("Optimal (within gap tolerance) - objective value 10.0", "", 9),
        ("Optimal (within gap tolerance) - objective value 10.0", "Lower bound: 8.000", 9),
        ("Optimal (within gap tolerance) - objective value 10.0", "Lower bound: 9.500", 9.4995),
    ],
)
def test_an_optimum_within_a_gap_is_bounded_by_the_gap_and_the_log(line, log, bound):
    model = replace(program([1, 2], [([1, 1], 0.5, 1.5)], [(0, 1)] * 2, integer=[True] * 2), offset=3.0)
    outcome = CbcOutcome(is_killed=False, code=0, log=log, first_line=line, point=None)
    answer = Solution(
        status=Status.OPTIMAL, solver="cbc", method="simplex", seconds=0, message=line, objective=13.0
    )
    claimed = cbc._mip_bound(outcome, model, answer, 0.1)
    assert claimed == pytest.approx(bound + 3, abs=1e-3)


@needs_posix
def test_a_wrong_optimum_is_numerical_trouble(stand_in):
    # Rows 2, columns 2, objective 0, then eight zeros: x = y = 0 breaks x + y >= 1.
    stand_in(
        'echo "Optimal - objective value 0.00000000" > solution.txt\n'
        r"printf '\002\000\000\000\002\000\000\000' > solution.bin; head -c 72 /dev/zero >> solution.bin"
    )
    solution = Cbc().solve(SMALL, SolveOptions())
    assert solution.status is Status.NUMERICAL
    assert solution.message == "Optimal - objective value 0.00000000, but the values break the model by 1"


@needs_posix
@pytest.mark.parametrize(
    ("words", "model", "status"),
    [
        # The columns bound the objective: "infeasible" can be, "unbounded" cannot.
        ("Infeasible", SMALL, Status.INFEASIBLE),
        ("Unbounded", SMALL, Status.NUMERICAL),
        # max x without an upper bound: CBC is known to confuse the two.
        ("Infeasible", program([-1, 0], [([1, 1], 1, INF)]), Status.UNDECIDED),
        ("Unbounded", program([-1, 0], [([1, 1], 1, INF)]), Status.UNBOUNDED),
        # With whole numbers CBC knows the relaxation only.
        ("Unbounded", program([-1, 0], [([1, 1], 1, INF)], integer=[True, True]), Status.UNDECIDED),
        ("Integer infeasible", program([-1, 0], [([1, 1], 1, INF)], integer=[True] * 2), Status.UNDECIDED),
    ],
)
def test_infeasible_and_unbounded_are_believed_where_they_can_be_told_apart(stand_in, words, model, status):
    stand_in(f'echo "{words} - objective value 0.00000000" > solution.txt')
    solution = Cbc().solve(model, SolveOptions())
    assert solution.status is status
    assert solution.message.startswith(words)
    assert solution.values is None


@needs_cbc
def test_an_unbounded_program_that_cbc_calls_infeasible_is_left_undecided():
    # CBC 2.10.3 says "Infeasible" here: min -x + 3y + 3z - w, -2x - y + 3z = 4, y = 1, w free.
    model = program([-1, 3, 3, -1], [([-2, -1, 3, 0], 4, 4)], [(0, INF), (1, 1), (0, INF), (-INF, INF)])
    assert Cbc().solve(model, SolveOptions()).status in (Status.UNDECIDED, Status.UNBOUNDED)


def test_settings_reach_the_command_line():
    settings = cbc._settings(SolveOptions(time_limit=2, threads=3, seed=1, presolve=False, mip_gap=0.5))
    everything = {*cbc_binary.NEEDED, *cbc_binary.WANTED}
    assert everything >= set(settings), "CBC is not asked whether it knows these"
    words = " ".join(binary(everything).words(settings))
    for pair in (
        "-seconds 2.0",
        "-timeMode elapsed",
        "-threads 3",
        "-randomSeed 1234568",
        "-presolve off",
        "-preprocess off",
        "-ratioGap 0.5",
        "-primalTolerance 1e-09",
        "-increment 1e-12",
        "-singletonBounds off",
    ):
        assert pair in words


def test_no_setting_is_given_that_cbc_does_not_know():
    for unknown in cbc_binary.WANTED:
        known = {*cbc_binary.NEEDED, *cbc_binary.WANTED} - {unknown}
        words = binary(known).words(cbc._settings(SolveOptions(time_limit=2, threads=3)))
        assert f"-{unknown}" not in words
        assert len(words) == 2 * (len(cbc_binary.WANTED) + 1 - 1), "and with -preprocess all others"


def binary(known):
    return cbc_binary.CbcBinary(path="cbc", version="2", options=frozenset(known))


# Later builds print the first line that they do not like, end, and call that a success.
COMPLAINTS = (
    "Unrecognized parameter - singletonBounds, exiting...",
    "No match for singletonBounds - ? for list of commands",
    "Illegal parameter value off",
    "String of off is illegal for double parameter primalTolerance value remains 1e-07",
)


@needs_posix
def test_a_cbc_that_did_not_run_has_no_answer_whatever_its_code(stand_in):
    solved = 'echo "Infeasible - objective value 0.00000000" > solution.txt'
    for complaint in COMPLAINTS:
        for rest in ("exit 0", solved):
            stand_in(f"echo '{complaint}'; {rest}")
            solution = Cbc().solve(SMALL, SolveOptions())
            assert solution.status is Status.NOT_RUN
            assert solution.message == f"CBC did not run: {complaint}"
            assert solution.values is None
            assert solution.bound is None
    stand_in("echo 'Total time 0.01'; exit 0")
    silent = Cbc().solve(SMALL, SolveOptions())
    assert silent.status is Status.NOT_RUN
    assert silent.message == (
        "CBC did not run: it ended with code 0, without a solution, and said: Total time 0.01"
    )


@needs_posix
@pytest.mark.parametrize("engine", ["program", "rays", "auto"])
def test_no_design_stands_in_for_a_cbc_that_did_not_run(stand_in, engine):
    stand_in(f"echo '{COMPLAINTS[0]}'; exit 0")
    question = om.croft(om.mean(2, 2), 1)
    with pytest.raises(SolverMissingError, match="solver 'cbc': CBC did not run: Unrecognized parameter"):
        om.design(question, solver="cbc", engine=engine)


@needs_posix
def test_a_cbc_that_lacks_what_is_needed_is_not_available(stand_in):
    for name in cbc_binary.NEEDED:
        stand_in("exit 0", unknown=[name])
        assert not Cbc().available()
    stand_in("exit 0", unknown=cbc_binary.WANTED)
    assert Cbc().available()


def test_no_seed_is_zero_which_cbc_takes_for_the_time_of_day():
    last = 2**31 - 1
    for seed in (0, 1, last - 1234567, last):
        assert 0 < int(cbc._settings(SolveOptions(seed=seed))["randomSeed"]) <= last


def test_the_greeting_gives_the_version():
    release = "Welcome to the CBC MILP Solver \nVersion: 2.10.3 \nBuild Date: Dec 15 2019 \n"
    later = "CBC devel (git:146ce89) — COIN-OR Branch and Cut\n  args: -quit\n"
    assert [cbc_binary.version_in(text) for text in (release, later)] == ["2.10.3", "devel (git:146ce89)"]


def test_without_cbc_there_is_a_remedy(monkeypatch):
    monkeypatch.setattr(cbc_binary, "executable", lambda: None)
    assert not Cbc().available()
    for use in (Cbc().version, lambda: Cbc().solve(SMALL, SolveOptions())):
        with pytest.raises(SolverMissingError) as refusal:
            use()
        assert str(refusal.value) == (
            "solver 'cbc' is not available. Install it with `pip install \"pulp<4\"`."
        )


@pytest.mark.parametrize("path", ["/nowhere/cbc", sys.executable])
def test_a_program_that_is_no_cbc_is_not_available(monkeypatch, path):
    monkeypatch.setattr(cbc_binary, "executable", lambda: path)
    assert not Cbc().available()


def test_cbc_is_looked_for_in_pulp_then_on_the_path_then_in_cbcbox(monkeypatch):
    calls = []

    def nothing(name):
        calls.append(name)
        raise ImportError

    monkeypatch.setattr(cbc_binary, "load_module", nothing)
    monkeypatch.setattr(cbc_binary.shutil, "which", lambda name: calls.append(f"which {name}"))
    assert cbc_binary.executable() is None
    assert calls == ["pulp", "which cbc", "cbcbox"]


@needs_cbc
def test_hipo_is_refused_with_what_there_is():
    with pytest.raises(SolverMissingError) as refusal:
        Cbc().solve(SMALL, SolveOptions(method=Method.HIPO))
    assert str(refusal.value) == (
        "method 'hipo' is not available in cbc; found: auto, simplex, ipm. Choose one of these, or HiGHS."
    )
