from __future__ import annotations

import pytest

from optmech.base.errors import SolverMissingError
from optmech.models import solvers
from optmech.models.solvers.cbc import Cbc
from optmech.models.solvers.highs import Highs


def only(monkeypatch, *names):
    for kind in (Highs, Cbc):
        monkeypatch.setattr(kind, "available", lambda self: self.name in names)


def test_installed_solvers_come_with_highs_first(monkeypatch):
    only(monkeypatch, "cbc", "highs")
    assert [solver.name for solver in solvers.installed_solvers()] == ["highs", "cbc"]


def test_a_solver_that_is_not_installed_is_not_listed(monkeypatch):
    only(monkeypatch, "cbc")
    assert [solver.name for solver in solvers.installed_solvers()] == ["cbc"]


def test_a_solver_is_found_by_its_name(monkeypatch):
    only(monkeypatch, "cbc", "highs")
    assert solvers.solver("cbc").name == "cbc"


@pytest.mark.parametrize(
    ("result", "name", "sentence"),
    [
        (
            ("highs", "cbc"),
            "gurobi",
            "solver 'gurobi' is not available; found: highs, cbc. optmech knows highs and cbc and no other.",
        ),
        (
            ("highs",),
            "cbc",
            "solver 'cbc' is not available; found: highs. Install it with `pip install \"pulp<4\"`.",
        ),
        ((), "", "solver '' is not available; found: none. optmech knows highs and cbc and no other."),
    ],
    ids=["unknown", "missing", "nothing"],
)
def test_a_solver_that_is_missing_is_named_with_those_that_are_not_and_a_remedy(
    monkeypatch, result, name, sentence
):
    only(monkeypatch, *result)
    with pytest.raises(SolverMissingError) as refusal:
        solvers.solver(name)
    assert str(refusal.value) == sentence
