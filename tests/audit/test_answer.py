"""What one backend's answer becomes: claim, repair, bound."""

from __future__ import annotations

import json
import math

import pytest
from values import load

from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import Method
from optmech.proofs.bound import NotAProofError
from optmech.verify.audit import answer
from optmech.verify.audit.answer import Task, parts
from optmech.verify.audit.ladder import QUICK, Ladder, backends

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
    told = {}
    for part in parts(task):
        assert not told.keys() & part.keys()
        told |= json.loads(json.dumps(part))
    return told


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
@pytest.mark.parametrize("family", ["count", "count, variant 2"])
def test_small_counts_have_their_known_optimum_proved_from_both_sides(backend, family):
    told = ask(family, backend)
    known = KNOWN[family, 5, 0.5]
    assert told["status"] == "OPTIMAL"
    assert told["repaired"] is True
    assert told["bound"] <= told["objective"]
    for name in ("claimed", "bound", "objective"):
        assert told[name] == pytest.approx(known, rel=CLOSE)
    assert told["bound"] <= known * (1 + 1e-12) <= told["objective"] * (1 + 2e-12)
    assert told["epsilon_after"] <= 0.5 + 1e-12
    assert 0 <= told["gap"] <= CLOSE


@pytest.mark.parametrize("backend", backends(), ids=lambda backend: backend.name)
def test_a_long_range_loses_all_privacy_and_gets_it_back(backend):
    told = ask("count", backend, size=30, epsilon="2")
    assert told["status"] == "OPTIMAL"
    assert math.isinf(told["epsilon_before"])
    assert told["exposed"] > 0
    assert told["repaired"] is True
    assert told["epsilon_after"] <= 2 + 1e-12
    # A solver that may break rows can go below what any mechanism has; the theorem's prices show it.
    assert told["theorem_bound"] <= told["objective"]
    assert told["bound"] <= told["objective"]


def test_a_finite_epsilon_exposes_nothing():
    told = ask("count", backends(("highs-simplex",))[0])
    assert told["epsilon_before"] == pytest.approx(0.5, abs=1e-9)
    assert told["exposed"] == 0


@pytest.mark.parametrize(
    "family", sorted({rung.family for rung in QUICK.rungs() if rung.formulation != "croft"})
)
def test_where_delta_may_be_spent_it_is_told_in_place_of_epsilon(family):
    told = ask(family, backends(("highs-ipm",))[0])
    assert told["status"] == "OPTIMAL"
    assert told["repaired"] is True
    assert told["delta_after"] == pytest.approx(told["delta_before"], rel=1e-6)
    assert "epsilon_before" not in told
    assert told["bound"] == pytest.approx(told["objective"], rel=1e-4)


def test_an_integer_program_is_proved_by_cases():
    told = ask("modular noise, residues 9, delta 0.1238", backends(("highs-simplex",))[0])
    assert told["method"] == "branch-and-bound"
    assert told["bound"] == pytest.approx(0.5813391170983, abs=1e-9)


def test_a_solver_without_a_matrix_has_only_a_claim(monkeypatch):
    nothing = Solution(
        status=Status.NUMERICAL, solver="highs 1.15.1", method="ipm", seconds=0.1, message="Solve error"
    )
    monkeypatch.setattr(answer, "solve", lambda *_: nothing)
    told = ask("count", backends(("highs-simplex",))[0])
    assert (told["status"], told["message"], told["claimed"]) == ("NUMERICAL", "Solve error", None)
    assert not {"repaired", "objective", "bound", "epsilon_before"} & told.keys()


def test_multipliers_that_prove_nothing_leave_no_bound(monkeypatch):
    def refused(*_):
        raise NotAProofError

    monkeypatch.setattr(answer, "proved_bound", refused)
    told = ask("mean of 10 records 0..4", backends(("highs-ipm",))[0])
    assert told["repaired"] is True
    assert "bound" not in told


def test_what_cannot_be_repaired_says_so(monkeypatch):
    monkeypatch.setattr(answer, "repair", lambda *_: None)
    told = ask("count", backends(("highs-simplex",))[0])
    assert told["repaired"] is False
    assert "objective" not in told
    assert told["gap"] is None


def test_the_solver_is_asked_with_the_method_and_tolerance_of_the_task():
    backend = backends(("highs-ipm",))[0]
    rung = QUICK.rungs()[0]
    options = Task(rung=rung, backend=backend, time_limit=3.0, tolerance=1e-7).options
    assert (options.method, options.time_limit, options.threads) == (Method.IPM, 3.0, 1)
    assert options.feasibility_tolerance == options.optimality_tolerance == 1e-7
