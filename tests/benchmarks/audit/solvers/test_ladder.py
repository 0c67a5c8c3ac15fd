"""The ladder of problems, and the backends that are asked."""

from __future__ import annotations

import pytest

from benchmarks.audit.solvers.ladder import COUNTS, DEFAULT, FULL, QUICK, Ladder, backends
from optmech.base.errors import ProblemError, SolverMissingError
from optmech.models import solvers
from optmech.models.formulations.assemble import assemble
from optmech.models.solvers.options import Method


@pytest.mark.parametrize("ladder", [QUICK, DEFAULT, FULL])
def test_every_rung_is_a_question_that_can_be_asked(ladder):
    rungs = ladder.rungs()
    counted = [rung for rung in rungs if rung.family in COUNTS]
    assert len(counted) == 2 * len(ladder.counts) * len(ladder.epsilons)
    assert len({(rung.name, rung.epsilon) for rung in rungs}) == len(rungs)


def test_a_rung_knows_whether_its_program_has_integers():
    rungs = Ladder(counts=(3,), epsilons=("1",)).rungs()
    assert [rung.integer for rung in rungs] == [
        assemble(rung.problem()).model.is_mixed_integer for rung in rungs
    ]


def test_counts_climb_once_each():
    rungs = Ladder(counts=(7, 3, 7), epsilons=("ln 2",)).rungs()
    assert [rung.size for rung in rungs if rung.family == "count"] == [3, 7]


@pytest.mark.parametrize(
    ("counts", "epsilons", "sentence"),
    [
        ((0,), ("1",), "`counts` must be whole numbers from 1 on; got"),
        ((), ("1",), "`counts` must be whole numbers from 1 on; got"),
        ((3,), (), "`epsilons` must be numbers, such as 0.5,1; got none."),
        ((3,), ("-1",), "`epsilon` must be positive; got -1."),
    ],
)
def test_a_ladder_that_cannot_be_climbed_is_refused(counts, epsilons, sentence):
    with pytest.raises(ProblemError) as refusal:
        Ladder(counts=counts, epsilons=epsilons).rungs()
    assert sentence in str(refusal.value)


def test_all_methods_of_all_solvers_are_asked():
    expected = [
        f"{solver.name}-{method}"
        for solver in solvers.installed_solvers()
        for method in solver.methods
        if method is not Method.AUTO
    ]
    assert [backend.name for backend in backends()] == expected


def test_a_name_is_a_solver_or_one_of_its_methods():
    assert {backend.solver for backend in backends(("highs",))} == {"highs"}
    assert [backend.name for backend in backends(("highs-ipm",))] == ["highs-ipm"]
    assert backends(("highs-ipm", "highs")) == backends(("highs",))


def test_a_solver_that_is_not_there_is_refused():
    with pytest.raises(SolverMissingError, match=r"`solver` must be one of highs.*; got 'gurobi'\."):
        backends(("gurobi",))


def test_without_any_solver_there_is_nothing_to_audit(monkeypatch):
    monkeypatch.setattr(solvers, "installed_solvers", lambda: ())
    with pytest.raises(SolverMissingError, match="no solver is available"):
        backends()
