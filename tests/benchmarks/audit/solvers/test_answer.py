"""The steps of one backend's answer: claim, repair, bound."""

from __future__ import annotations

import json
import math

import pytest

from benchmarks.audit.solvers import answer
from benchmarks.audit.solvers.answer import Task, parts
from benchmarks.audit.solvers.ladder import QUICK, Ladder, backends
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import Method
from optmech.proofs.bound import NotAProofError
from tests.each import each
from tests.reference.values import load

# Solvers come within their tolerance of 1e-9 of the optimum, repair within a little more.
CLOSE = 1e-7
KNOWN = {
    (family, row["n"], row["eps"]): row["objective"]
    for family, table in (("count", "count_V1"), ("count, variant 2", "count_V2"))
    for row in load("croft")[table]
}


def ask(family, backend, *, size=5, epsilon="0.5", **settings):
    rungs = Ladder(counts=(size,), epsilons=(epsilon,)).rungs()
    (rung,) = (rung for rung in rungs if rung.family == family)
    settings = {"time_limit": 30.0, "tolerance": 1e-9, **settings}
    task = Task(rung=rung, backend=backend, **settings)
    content = {}
    for part in parts(task):
        assert not content.keys() & part.keys()
        content |= json.loads(json.dumps(part))
    return content


@each("backend", backends(), every=2)
@each("family", ["count", "count, variant 2"])
def test_small_counts_have_their_known_optimum_proved_from_both_sides(backend, family):
    problem = ask(family, backend)
    known = KNOWN[family, 5, 0.5]
    assert problem["status"] == "OPTIMAL"
    assert problem["repaired"] is True
    assert problem["bound"] <= problem["objective"]
    for name in ("claimed", "bound", "objective"):
        assert problem[name] == pytest.approx(known, rel=CLOSE)
    assert problem["bound"] <= known * (1 + 1e-12) <= problem["objective"] * (1 + 2e-12)
    assert problem["epsilon_after"] <= 0.5 + 1e-12
    assert 0 <= problem["gap"] <= CLOSE


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_a_long_range_loses_all_privacy_and_gets_it_back(backend):
    problem = ask("count", backend, size=30, epsilon="2")
    assert problem["status"] == "OPTIMAL"
    assert math.isinf(problem["epsilon_before"])
    assert problem["exposed"] > 0
    assert problem["repaired"] is True
    assert problem["epsilon_after"] <= 2 + 1e-12
    # A solver that may break rows can go below what any mechanism has; the theorem's prices show it.
    assert problem["theorem_bound"] <= problem["objective"]
    assert problem["bound"] <= problem["objective"]


def test_a_finite_epsilon_exposes_nothing():
    problem = ask("count", backends(("highs-simplex",))[0])
    assert problem["epsilon_before"] == pytest.approx(0.5, abs=1e-9)
    assert problem["exposed"] == 0


@pytest.mark.parametrize(
    "family", sorted({rung.family for rung in QUICK.rungs() if rung.formulation != "croft"})
)
def test_where_delta_may_be_spent_it_is_told_in_place_of_epsilon(family):
    problem = ask(family, backends(("highs-ipm",))[0])
    assert problem["status"] == "OPTIMAL"
    assert problem["repaired"] is True
    assert problem["delta_after"] == pytest.approx(problem["delta_before"], rel=1e-6)
    assert "epsilon_before" not in problem
    assert problem["bound"] == pytest.approx(problem["objective"], rel=1e-4)


def test_an_integer_program_is_proved_by_cases():
    problem = ask("modular noise, residues 9, delta 0.1238", backends(("highs-simplex",))[0])
    assert problem["method"] == "branch-and-bound"
    assert problem["bound"] == pytest.approx(0.5813391170983, abs=1e-9)


def test_a_solver_without_a_matrix_has_only_a_claim(monkeypatch):
    nothing = Solution(
        status=Status.NUMERICAL, solver="highs 1.15.1", method="ipm", seconds=0.1, message="Solve error"
    )
    monkeypatch.setattr(answer, "solve", lambda *_: nothing)
    problem = ask("count", backends(("highs-simplex",))[0])
    assert (problem["status"], problem["message"], problem["claimed"]) == ("NUMERICAL", "Solve error", None)
    assert not {"repaired", "objective", "bound", "epsilon_before"} & problem.keys()


@pytest.mark.slow
def test_multipliers_that_prove_nothing_leave_no_bound(monkeypatch):
    def refused(*_):
        raise NotAProofError

    monkeypatch.setattr(answer, "proved_bound", refused)
    problem = ask("mean of 10 records 0..4", backends(("highs-ipm",))[0])
    assert problem["repaired"] is True
    assert "bound" not in problem


def test_what_cannot_be_repaired_says_so(monkeypatch):
    monkeypatch.setattr(answer, "repair", lambda *_: None)
    problem = ask("count", backends(("highs-simplex",))[0])
    assert problem["repaired"] is False
    assert "objective" not in problem
    assert problem["gap"] is None


def test_the_solver_is_asked_with_the_method_and_tolerance_of_the_task():
    backend = backends(("highs-ipm",))[0]
    rung = QUICK.rungs()[0]
    options = Task(rung=rung, backend=backend, time_limit=3.0, tolerance=1e-7).options
    assert (options.method, options.time_limit, options.threads) == (Method.IPM, 3.0, 1)
    assert options.feasibility_tolerance == options.optimality_tolerance == 1e-7
