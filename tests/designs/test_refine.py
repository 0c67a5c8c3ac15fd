"""A solver's answer to more digits: what is spoiled by a solver's tolerance is mended by one step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.designs.attempts import solve
from optmech.designs.duals import leaf_of_duals
from optmech.designs.refinement import refine
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from optmech.proofs.bound import proved_bound
from optmech.proofs.enclosure import enclose_exponential
from optmech.rules import compile_rules

# A tenth of the error that is put in; and the rounding of doubles, a few thousand times.
SPOILED, MENDED = 1e-8, 1e-12
PROBLEMS = {
    "worst loss": om.question(om.count(6), 1, delta="1e-3", worst_case=True),
    "bounds": om.question(om.count(5), 1, bounds=["worst beyond 1 <= 0.3"]),
    "limits": om.question(om.count(5), 1, delta="0.1", properties=["accuracy >= 0.4", "within 3"]),
}


def solve_next(model):
    return solve(model, "highs", SolveOptions())


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_off_by_a_tolerance_is_mended(name):
    problem = PROBLEMS[name]
    formulation = om.models.assemble(problem)
    model, rng = formulation.model, np.random.default_rng(1)
    good = solve_next(model)

    def off(numbers):
        return numbers + 1e-7 * rng.standard_normal(len(numbers))

    spoiled = replace(good, values=off(good.values), row_duals=off(good.row_duals))
    mended = refine(model, spoiled, solve_next)
    factor = enclose_exponential(problem.privacy.epsilon, 200)

    def gap(solution):
        leaf = leaf_of_duals(formulation, solution.row_duals)
        return good.objective - float(proved_bound(compile_rules(problem), leaf, factor))

    assert model.violation(spoiled.values) > SPOILED
    assert model.violation(mended.values) < MENDED
    assert gap(spoiled) > SPOILED
    assert gap(mended) < MENDED
    assert mended.objective == pytest.approx(good.objective, abs=MENDED)


def test_what_has_no_duals_or_is_no_optimum_is_left_alone():
    model = om.models.assemble(PROBLEMS["bounds"]).model
    good = solve_next(model)
    assert refine(model, replace(good, row_duals=None), solve_next) is None
    assert refine(model, replace(good, status=Status.LIMIT), solve_next) is None
    assert refine(model, good, lambda _: replace(good, status=Status.NUMERICAL)) is None
