"""Programs with a large e^epsilon are solved; where no solver can, a sentence says why and what to do."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import linprog

import optmech as om
from optmech.cli import main
from optmech.designs.steep_rows import has_steep_rows, solve_without_steep_rows
from optmech.models.solution import Status
from optmech.models.solvers import installed_solvers, solver
from optmech.models.solvers.options import SolveOptions
from tests.each import each

SOLVERS = [each.name for each in installed_solvers()]
NO_MECHANISM = 1
# Entries of 1e-9 in columns of at most ten cost no more beside losses of at most three.
CLOSE = 1e-6
LOSS = [[0, 0, 0, 0], [0.125, 0, 0, 0], [0, 0, 0.125, 0.125], [0, 0, 0.125, 0]]
HARD = om.croft(om.mean(1, 3), 30, loss=LOSS, properties=["fair", "row-monotone"])
PROPERTIES = ("fair", "row-monotone", "column-monotone", "row-honest", "column-honest", "symmetric")
QUERIES = (om.count(3), om.count(6), om.mean(2, 2), om.mean(3, 2), om.extremum(4), om.residues(5, [1]))


def family():
    rng = random.Random(5)  # noqa: S311 - a fixed draw of questions
    for epsilon in (20, 25, 30, 32, 35, 40, 45, 50, 55, 60) * 2:
        query = rng.choice(QUERIES)
        loss = [
            [rng.choice((0, 0, 0.125, 0.5, 1, 3)) for _ in range(query.num_truths)]
            for _ in range(query.num_responses)
        ]
        properties = [name for name in PROPERTIES if rng.random() < 0.3]
        delta = rng.choice((0, 0, "1e-6"))
        yield om.question(query, epsilon, delta=delta, loss=loss, properties=properties)


def optimum_without_privacy(problem):
    """All matrices with the properties are private but for e^-epsilon of a uniform one mixed in."""
    model = om.models.assemble(problem).model
    names = [name.startswith(("privacy", "budget")) for name in model.row_names()]
    matrix = model.matrix.toarray()[~np.array(names)]
    lower, upper = model.row_lower[~np.array(names)], model.row_upper[~np.array(names)]
    ties, above, below = lower == upper, np.isfinite(upper), np.isfinite(lower)
    return linprog(
        model.cost,
        A_ub=np.vstack([matrix[above & ~ties], -matrix[below & ~ties], 0 * matrix[:1]]),
        b_ub=np.concatenate([upper[above & ~ties], -lower[below & ~ties], [0.0]]),
        A_eq=matrix[ties],
        b_eq=lower[ties],
        bounds=np.column_stack([model.column_lower, model.column_upper]),
    ).fun


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("settings", [{"raw": True}, {"engine": "program"}], ids=["raw", "proved"])
def test_a_question_on_which_all_solvers_err_is_solved(name, settings):
    assert optimum_without_privacy(HARD) == pytest.approx(0.0625, rel=CLOSE)
    design = om.design(HARD, solver=name, **settings)
    assert design.objective == pytest.approx(0.0625, rel=CLOSE)
    assert design.lower_bound == pytest.approx(0.0625, rel=CLOSE)


@each("name", SOLVERS, every=36, slow_every=6)
@each("problem", list(family()))
def test_a_large_epsilon_costs_next_to_no_optimum(problem, name):
    optimum = optimum_without_privacy(problem)
    for settings in ({"raw": True}, {"engine": "program"}):
        design = om.design(problem, solver=name, **settings)
        assert design.objective == pytest.approx(optimum, rel=CLOSE, abs=CLOSE)
        assert design.lower_bound == pytest.approx(optimum, rel=CLOSE, abs=CLOSE)


@pytest.mark.parametrize("epsilon", [20, 30, 45])
def test_what_no_mechanism_can_do_is_not_found_by_rounding(epsilon):
    """The truth for certain is no private matrix, though it is one but for entries of e^-epsilon."""
    with pytest.raises(om.NoSolutionError) as none:
        om.design(om.question(om.count(5), epsilon, properties=["accuracy >= 1"]), raw=True, solver="highs")
    assert none.value.solution.status in (Status.INFEASIBLE, Status.NUMERICAL)


@pytest.mark.parametrize("epsilon", [20, 30, 45])
def test_an_entry_of_zero_that_a_property_asks_for_is_not_raised(epsilon):
    """At a count of 1 responses other than 0 have at most delta: a loss of (1 - delta) / 6, and no less."""
    problem = om.question(om.count(5), epsilon, delta="1e-4", properties=["zero-stays-zero"])
    try:
        design = om.design(problem, engine="program")
        assert design.lower_bound <= (1 + CLOSE) * 0.9999 / 6 <= (1 + 2 * CLOSE) * design.objective
    except (om.NoSolutionError, om.VerificationError) as none:
        assert "as a coefficient a solver cannot tell small probabilities from 0" in str(none)  # noqa: PT017
        assert "take another engine (`--engine chain`) or a smaller epsilon." in str(none)  # noqa: PT017


def test_the_command_line_says_what_to_do_about_a_large_epsilon(capsys):
    question = "--modulus 7 --distances 1,2 --epsilon 60 --delta 0.01 --raw"
    assert main(["design", "kadam", *question.split()]) == NO_MECHANISM
    error = capsys.readouterr().err
    assert "With e^epsilon = 1.1e+26 as a coefficient" in error
    assert "take a smaller epsilon." in error


@pytest.mark.parametrize(
    ("status", "told"), [(Status.LIMIT, Status.LIMIT), (Status.INFEASIBLE, Status.FAILED)]
)
@pytest.mark.parametrize("which", [0, 1], ids=["relaxed", "interior"])
def test_what_is_said_of_another_program_is_no_answer(status, told, which):
    model = om.models.assemble(HARD).model
    asked = []

    def solve(program):
        asked.append(program)
        solution = solver("highs").solve(program, SolveOptions())
        return replace(solution, status=status) if len(asked) == which + 1 else solution

    solution = solve_without_steep_rows(model, solve)
    assert solution.status is told
    assert (solution.values, solution.row_duals, solution.objective, solution.bound) == (None,) * 4


def test_only_a_large_epsilon_makes_steep_rows():
    steep = [
        has_steep_rows(om.models.assemble(om.croft(om.count(3), epsilon)).model)
        for epsilon in (1, 13, 14, 90)
    ]
    assert steep == [False, False, True, True]
    assert not has_steep_rows(om.models.assemble(om.kadam(om.residues(5, [1]), 30, "0.1")).model)
