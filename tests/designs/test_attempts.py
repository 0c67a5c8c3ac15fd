"""A failed solve falls back along the stated order, or says what happened."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.designs import attempts
from optmech.models import solvers
from optmech.models.solution import Solution, Status
from optmech.models.solvers.options import Method, SolveOptions


class Scripted:
    """A solver that answers as told, in order."""

    methods = (Method.SIMPLEX, Method.IPM)

    def __init__(self, name, *answers):
        self.name = name
        self.answers = list(answers)
        self.asked = []

    def version(self):
        return "1"

    def available(self):
        return True

    def solve(self, model, options):
        self.asked.append(options)
        status = self.answers.pop(0)
        values = np.full(model.num_columns, 0.5) if status is Status.OPTIMAL else None
        return Solution(
            status=status,
            solver=self.name,
            method=str(options.method),
            seconds=1.0,
            message=status.name,
            values=values,
        )


@pytest.fixture
def model():
    return om.models.assemble(om.croft(om.count(1), 1)).model


def installed(monkeypatch, *backends):
    monkeypatch.setattr(solvers, "installed_solvers", lambda: backends)
    monkeypatch.setattr(solvers, "solver", lambda name: next(b for b in backends if b.name == name))


def test_a_sound_answer_ends_the_attempts(monkeypatch, model):
    first = Scripted("first", Status.OPTIMAL)
    installed(monkeypatch, first)
    solution = attempts.solve(model, "auto", SolveOptions())
    assert solution.backend == "first"
    assert solution.status is Status.OPTIMAL
    assert solution.attempts == ()


@pytest.mark.parametrize("claim", [Status.INFEASIBLE, Status.LIMIT])
def test_a_claim_that_is_no_trouble_ends_the_attempts_too(monkeypatch, model, claim):
    first, second = Scripted("first", claim), Scripted("second")
    installed(monkeypatch, first, second)
    assert attempts.solve(model, "auto", SolveOptions()).status is claim
    assert second.asked == []


@pytest.mark.parametrize(
    "trouble", [Status.NUMERICAL, Status.FAILED, Status.REFUSED, Status.UNDECIDED, Status.UNBOUNDED]
)
def test_trouble_goes_to_no_presolve_then_interior_point_then_the_next_solver(monkeypatch, model, trouble):
    first, second = Scripted("first", *[trouble] * 3), Scripted("second", Status.OPTIMAL)
    installed(monkeypatch, first, second)
    solution = attempts.solve(model, "auto", SolveOptions())
    assert [(options.method, options.presolve) for options in first.asked] == [
        (Method.AUTO, True),
        (Method.AUTO, False),
        (Method.IPM, True),
    ]
    assert solution.solver == "second"
    assert len(solution.attempts) == 3
    assert "without presolve" in solution.attempts[1]
    assert solution.seconds == 4.0


def test_a_named_solver_never_becomes_another(monkeypatch, model):
    first, second = Scripted("first", *[Status.NUMERICAL] * 3), Scripted("second")
    installed(monkeypatch, first, second)
    solution = attempts.solve(model, "first", SolveOptions())
    assert solution.status is Status.NUMERICAL
    assert second.asked == []


def test_a_named_method_never_becomes_another(monkeypatch, model):
    first = Scripted("first", Status.NUMERICAL)
    installed(monkeypatch, first)
    assert attempts.solve(model, "first", SolveOptions(method="simplex")).status is Status.NUMERICAL
    assert len(first.asked) == 1


def test_attempts_share_one_time_limit(monkeypatch, model):
    first = Scripted("first", Status.NUMERICAL, Status.NUMERICAL, Status.OPTIMAL)
    installed(monkeypatch, first)
    attempts.solve(model, "first", SolveOptions(time_limit=1.5))
    assert [options.time_limit for options in first.asked] == [1.5, 0.5, 0.01]


def test_no_answer_is_an_error_with_the_attempts(monkeypatch):
    first = Scripted("first", *[Status.NUMERICAL] * 3)
    installed(monkeypatch, first)
    with pytest.raises(om.NoSolutionError) as trouble:
        om.design(om.croft(om.count(1), 1), solver="first", raw=True)
    assert "no mechanism found for count 0..1 with epsilon = 1: first says 'NUMERICAL'" in str(trouble.value)
    assert "another method or solver may do. Tried before: first (auto): NUMERICAL" in str(trouble.value)
    assert trouble.value.solution.status is Status.NUMERICAL


def test_an_answer_after_a_limit_that_is_no_mechanism_is_not_handed_out(monkeypatch):
    class Stopped(Scripted):
        def solve(self, model, options):
            solution = super().solve(model, options)
            return replace(solution, values=np.full(model.num_columns, 0.1))

    installed(monkeypatch, Stopped("first", Status.LIMIT))
    with pytest.raises(om.NoSolutionError, match="a limit stopped the solver"):
        om.design(om.croft(om.count(1), 1), solver="first", raw=True)


@pytest.mark.parametrize("status", [Status.NUMERICAL, Status.LIMIT])
def test_a_theorem_steps_in_where_the_solver_has_no_answer(monkeypatch, status):
    """Truthful with odds e to 1: 2 / (e + 1) over both truths."""
    installed(monkeypatch, Scripted("first", *[status] * 3))
    design = om.design(om.croft(om.count(1), 1), solver="first")
    assert design.objective == pytest.approx(2 / (np.e + 1), rel=1e-9)
    assert design.certificate.relative_gap < 1e-9
    assert "first gave no mechanism" in design.notes[0]
    assert "closed form of croft-variant-1" in design.notes[0]


@pytest.mark.slow
def test_an_answer_after_a_limit_says_so():
    query = om.residues(24, [1, 3, 5, 6])
    design = om.design(om.kadam(query, 1, "0.05"), time_limit=2, solver="highs")
    if design.solution.status is not Status.LIMIT:
        pytest.skip("this machine solves it within the limit")
    is_open = design.objective > design.lower_bound * (1 + 1e-6)
    assert any("a limit stopped the solver" in note for note in design.notes) is is_open
    assert design.lower_bound <= design.objective
    assert om.verify(design.mechanism, design.problem)
