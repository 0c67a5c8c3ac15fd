"""Peculiarities of HiGHS: statuses, versions, HiPO, refusals, Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import highspy
import numpy as np
import pytest

import optmech as om
from optmech.base.errors import SolverMissingError
from optmech.cli import main
from optmech.models import solvers
from optmech.models.solution import Status
from optmech.models.solvers import highs
from optmech.models.solvers.highs import Highs
from optmech.models.solvers.highs_answer import STATUSES, answer_of
from optmech.models.solvers.options import Method, SolveOptions
from optmech.models.solvers.warm import WarmHighs
from tests.each import each
from tests.models.conformance.programs import INF, program

SMALL = program([1, 2], [([1, 1], 1, INF), ([1, 0], -INF, 0.25)])
CLOSE = 1e-9
RAW = "--epsilon 1 --raw --solver highs"
NO_MECHANISM = 1
# HiGHS looks whether to stop every few nodes; on a busy machine that may take a second.
SOON = 5.0


needs_highs = pytest.mark.skipif(not Highs().available(), reason="HiGHS is not installed, or 1.14.0")


def test_every_status_of_highs_has_a_meaning_here():
    assert set(STATUSES) == set(highspy.HighsModelStatus.__members__)


def test_only_optimal_means_optimal():
    assert [name for name, status in STATUSES.items() if status is Status.OPTIMAL] == ["kOptimal"]


@each("name", STATUSES)
def test_each_status_reaches_the_solution_with_the_words_of_highs(name):
    claim = highspy.HighsModelStatus.__members__[name]
    engine = answering(claim, values=[0.25, 0.75], duals=[2.0, -1.0])
    solution = read(engine)
    assert solution.status is STATUSES[name]
    assert solution.message == highspy.Highs().modelStatusToString(claim)
    assert (solution.values is not None) == (solution.status in (Status.OPTIMAL, Status.LIMIT))


@pytest.mark.parametrize(
    ("values", "duals", "words"),
    [
        ([0.25, 0.70], [2.0, -1.0], "Optimal, but the values break the model by 0.05"),
        ([np.nan, 0.75], [2.0, -1.0], "Optimal, but the values are not finite"),
        ([0.0, 1.0], [2.0, -1.0], "Optimal, but the duals leave a gap of 0.25"),
    ],
)
def test_an_optimum_that_the_model_contradicts_is_numerical_trouble(values, duals, words):
    solution = read(answering(highspy.HighsModelStatus.kOptimal, values=values, duals=duals))
    assert solution.status is Status.NUMERICAL
    assert solution.message == words
    assert solution.values is None
    assert solution.row_duals is None
    assert solution.bound is None


def test_after_a_limit_an_infeasible_point_is_not_handed_out():
    solution = read(answering(highspy.HighsModelStatus.kTimeLimit, values=[0, 0], duals=[0, 0]))
    assert solution.status is Status.LIMIT
    assert solution.values is None
    assert solution.objective is None


# The sentences of the documentation of HiGHS for each status that is neither an answer nor a limit.
SENTENCES = {
    "kNotset": Status.FAILED,  # "has not been set": the simplex method cycled, or the run never ended
    "kLoadError": Status.REFUSED,
    "kModelError": Status.REFUSED,  # "an error in the model"
    "kPresolveError": Status.FAILED,
    "kSolveError": Status.FAILED,  # "an error when solving the model"
    "kPostsolveError": Status.FAILED,
    "kModelEmpty": Status.FAILED,
    "kUnboundedOrInfeasible": Status.UNDECIDED,
    "kUnknown": Status.FAILED,  # "unknown"
    "kMemoryLimit": Status.FAILED,  # "unable to allocate sufficient memory": no limit of ours
    "kHighsInterrupt": Status.FAILED,  # one search stopped another
}


@each(("name", "status"), SENTENCES.items())
def test_only_what_highs_refuses_is_called_refused_and_no_end_of_its_own_a_limit(name, status):
    claim = highspy.HighsModelStatus.__members__[name]
    assert read(answering(claim, values=[0.25, 0.75], duals=[2.0, -1.0])).status is status


@needs_highs
@pytest.mark.parametrize("name", SENTENCES)
def test_no_answer_of_highs_is_said_as_it_is_in_python_and_on_the_command_line(name, monkeypatch, capsys):
    claim = highspy.HighsModelStatus.__members__[name]
    monkeypatch.setattr(highspy.Highs, "getModelStatus", lambda _: claim)
    words = f"{highspy.Highs().modelStatusToString(claim)!r}; {SENTENCES[name]}."
    with pytest.raises(om.NoSolutionError) as trouble:
        om.design(om.croft(om.count(3), 1), solver="highs", raw=True)
    assert words in str(trouble.value)
    assert ("refused" in str(trouble.value)) == (SENTENCES[name] is Status.REFUSED)
    assert main(f"design croft --query count --range 0:3 {RAW}".split()) == NO_MECHANISM
    assert words in capsys.readouterr().err


@needs_highs
def test_an_error_of_highs_is_no_answer_and_no_traceback(monkeypatch):
    def fail(_):
        raise MemoryError

    monkeypatch.setattr(highspy.Highs, "run", fail)
    for solution in (Highs().solve(SMALL, SolveOptions()), WarmHighs(SolveOptions()).solve(SMALL)):
        assert solution.status is Status.FAILED
        assert solution.message == "HiGHS ended in MemoryError"
        assert solution.values is None


def test_a_status_of_a_later_highs_is_no_answer():
    solution = read(answering(SimpleNamespace(name="kBrandNew"), values=[0.25, 0.75], duals=[2.0, -1.0]))
    assert solution.status is Status.FAILED
    assert solution.values is None


def test_version_1_14_0_is_refused_with_a_plain_sentence(monkeypatch):
    monkeypatch.setattr(Highs, "_version", lambda _: "1.14.0")
    assert not Highs().available()
    assert Highs().version() == "1.14.0"
    reason = (
        "highspy 1.14.0 is not used: it gives wrong answers to mixed-integer programs. "
        "Run `pip install --upgrade highspy`."
    )
    with pytest.raises(SolverMissingError) as refusal:
        Highs().solve(SMALL, SolveOptions())
    assert str(refusal.value) == f"solver 'highs' is not available. {reason}"
    with pytest.raises(SolverMissingError, match=r"solver 'highs' is not available; found: .*1\.14\.0"):
        solvers.solver("highs")


def test_without_highspy_there_is_no_highs(monkeypatch):
    def missing(_):
        raise ImportError

    monkeypatch.setattr(highs, "load_module", missing)
    assert not Highs().available()
    assert Highs().methods == (Method.AUTO, Method.SIMPLEX, Method.IPM)
    for use in (Highs().version, lambda: Highs().solve(SMALL, SolveOptions())):
        with pytest.raises(SolverMissingError) as refusal:
            use()
        assert str(refusal.value) == (
            "solver 'highs' is not available. Install it with `pip install highspy`."
        )


@needs_highs
def test_hipo_without_its_package_is_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr(highs, "_has_hipo", lambda: False)
    with pytest.raises(SolverMissingError) as refusal:
        Highs().solve(SMALL, SolveOptions(method="hipo"))
    assert str(refusal.value) == (
        "method 'hipo' is not available in highs; found: auto, simplex, ipm. "
        "Install it with `pip install highspy-extras`."
    )


def test_hipo_is_offered_exactly_where_highs_can_run_it():
    engine = highspy.Highs()
    engine.silent()
    accepted = engine.setOptionValue("solver", "hipo") == highspy.HighsStatus.kOk
    assert (Method.HIPO in Highs().methods) == accepted


@needs_highs
def test_what_highs_refuses_is_refused_not_solved(monkeypatch):
    monkeypatch.setattr(highs, "_ROW_WISE", 7)  # no such format
    solution = Highs().solve(SMALL, SolveOptions())
    assert solution.status is Status.REFUSED
    assert solution.message == "HiGHS refuses the model"
    assert solution.values is None


@needs_highs
def test_an_option_that_highs_refuses_is_named(monkeypatch):
    monkeypatch.setattr(highs, "_SMALLEST_TOLERANCE", 0.0)
    solution = Highs().solve(SMALL, SolveOptions(feasibility_tolerance=1e-12))
    assert solution.status is Status.REFUSED
    assert solution.message == "HiGHS refuses the option primal_feasibility_tolerance = 1e-12"


@needs_highs
def test_entries_above_1e15_are_scaled_and_their_duals_scaled_back():
    # 1e18 x + 1e17 y >= 1e18, min 2x + y: y/10 worth of x for a cost of 1 against 2 per x.
    # x = 1 costs 2, y = 10 costs 10; the dual is 2/1e18.
    model = program([2, 1], [([1e18, 1e17], 1e18, INF), ([0, 1], 0, 5)])
    solution = Highs().solve(model, SolveOptions())
    assert solution.status is Status.OPTIMAL
    assert solution.values == pytest.approx([1, 0])
    assert solution.row_duals[0] == pytest.approx(2e-18, rel=CLOSE)


@needs_highs
def test_bounds_above_1e20_are_bounds():
    # HiGHS takes 1e20 for infinity by default and would say "unbounded".
    model = program([-1], [([1], 0, 1e22)], [(0, 1e21)])
    assert Highs().solve(model, SolveOptions()).values == pytest.approx([1e21])


def answering(claim, *, values, duals):
    """Return a stand-in for a HiGHS that has ended with `claim`."""
    known = isinstance(claim, highspy.HighsModelStatus)
    return SimpleNamespace(
        getModelStatus=lambda: claim,
        modelStatusToString=highspy.Highs().modelStatusToString if known else lambda _: "new",
        getInfo=lambda: SimpleNamespace(
            primal_solution_status=2,
            objective_function_value=float(np.dot(SMALL.cost, values)),
            mip_dual_bound=0.0,
            ipm_iteration_count=0,
        ),
        getSolution=lambda: SimpleNamespace(
            value_valid=True, dual_valid=True, col_value=values, row_dual=duals
        ),
        getOptionValue=lambda _: (None, "choose"),
    )


def read(engine):
    return answer_of(engine, SMALL, np.ones(2), refusal=None, title="highs 1.15.1", seconds=0.1)


@pytest.mark.slow
def test_nothing_is_printed_by_the_first_highs_of_a_process():
    lines = "import optmech as om; om.design(om.croft(om.mean(2, 2), 1), engine='program', solver='highs')"
    assert subprocess.run([sys.executable, "-c", lines], capture_output=True, check=True).stdout == b""
