"""Every optimum that is known apart from this project is found, on every solver.

The default run takes the small problems, a sample of the many modular ones, and every solver. The slow run
takes all; of the large and the many each is solved by one solver.
"""

from __future__ import annotations

import math

import pytest

import optmech as om
from optmech.models.solvers import installed_solvers
from tests.each import each
from tests.reference.values import croft_cases, kadam_cases, sadeghi_cases

SOLVERS = [solver.name for solver in installed_solvers()]
# A direct program of more steps takes half a second or more.
SMALL = 20
# With more steps, one direct solve is enough: on the default solver.
MIDDLE = 50
# And from here on a direct program takes minutes; what is handed out is held against the known optimum.
LARGE = 150
# One in so many of the small problems, an odd number, so that solvers take turns.
EVERY = 5
# One in so many of some 1,900 modular problems runs by default.
SAMPLE = 75
# One in so many of the others runs at all: they take minutes, and are solved by the same code.
FEW = 10
# A bound recomputed from duals carries the rounding of as many products as there are entries.
BOUND_ROUNDING = 1e-9


def chosen(cases, quick):
    return [
        pytest.param(case, id=str(case), marks=() if quick(place, case) else pytest.mark.slow)
        for place, case in enumerate(cases)
        if quick(place, case) or place % FEW == 0
    ]


def check(case, solver):
    problem = case.ask()
    # The solver's answer, before any repair; a printed program has nothing else.
    is_raw = case.size <= LARGE or problem.privacy.as_printed is not None
    options = {"solver": solver, "raw": True} if is_raw else {}
    design = om.design(problem, **options)
    assert design.objective == pytest.approx(case.optimum, abs=case.tolerance)
    assert design.lower_bound <= case.optimum + max(case.tolerance, BOUND_ROUNDING)
    return design


@each("solver", SOLVERS, every=EVERY * 6, slow_every=16)
@each("case", chosen(croft_cases(), lambda _, case: case.size <= SMALL))
def test_least_expected_loss_is_the_known_one(case, solver):
    if solver != SOLVERS[0] and case.size > MIDDLE:
        pytest.skip("one solve of this size is enough")
    design = check(case, solver)
    report = om.verify(design.mechanism, design.problem, design.solution)
    effective = design.mechanism.effective_epsilon(design.problem.query)
    privacy = next(entry for entry in report.checks if entry.name == "pure privacy")
    # Not every raw answer is private; the report must know which.
    assert privacy.holds == (effective <= float(design.problem.privacy.epsilon) + 1e-9)
    assert not (math.isinf(effective) and report)


@each("solver", SOLVERS, every=EVERY, slow_every=2)
@each("case", chosen(sadeghi_cases(), lambda _, case: case.size <= SMALL))
def test_least_delta_of_bounded_noise_is_the_known_one(case, solver):
    check(case, solver)


def modular():
    """Yield the sample for every solver, and some of the others for one of them in turn."""
    for place, case in enumerate(kadam_cases()):
        if place % SAMPLE == 0:
            yield from (pytest.param(case, solver, id=f"{case}-{solver}") for solver in SOLVERS)
        elif place % FEW == 0:
            solver = SOLVERS[place % len(SOLVERS)]
            yield pytest.param(case, solver, id=f"{case}-{solver}", marks=pytest.mark.slow)


@each(("case", "solver"), [*modular()], every=12, slow_every=24)
def test_least_cost_of_modular_noise_is_the_known_one_and_is_private(case, solver):
    design = check(case, solver)
    report = om.verify(design.mechanism, design.problem.by_definition, design.solution)
    assert report, report.failures
