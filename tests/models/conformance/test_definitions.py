"""Each kind of question has the optimum that its definition gives, on every solver.

The definitions are stated again in `by_definition`, apart from the builders: a row for every set of
responses, and equations between entries in place of structures.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import optmech as om
from optmech.models.solution import Status
from optmech.question.query import Query
from tests.each import each
from tests.models.conformance.by_definition import Definition

# Two solvers that keep rows within 1e-9 and 1e-10; duals here are at most some tens.
CLOSE = 1e-7
NOISE = om.ModularNoise()

PATH = om.count(4)
FEW = om.mean(2, 2)
ALL = om.extremum(0, 3)
STAR = Query(range(5), neighbours=[(0, leaf) for leaf in range(1, 5)], name="a star")
FAR = Query([0, 1, 3, 7], neighbours=[(0, 1, 1), (1, 2, 2), (2, 3, 4), (0, 3, 9)], name="at distances")
WIDE = Query(range(1, 4), range(6), neighbours=1, name="counts 1..3, released 0..5")
CIRCLE = om.residues(5, [1, 3], symmetric=False)
SKEW = (0.4, 0.3, 0.2, 0.1)


def optimum(problem, solve):
    solution = solve(om.models.assemble(problem).model)
    assert solution.status is Status.OPTIMAL
    return solution.objective


def matrix_of(query):
    return Definition(query.num_responses, query.num_truths)


def private(definition, query, epsilon, delta):
    definition.private(query.pairs.tolist(), np.exp(epsilon), delta)


def absolute(query):
    return np.abs(query.response_values[:, None] - query.truth_values[None, :])


def uniform(query):
    return [1 / query.num_truths] * query.num_truths


@each("query", [PATH, FEW, ALL, STAR, WIDE, CIRCLE], every=7)
@each(("epsilon", "delta"), [(0, 0.1), (0.3, 0.002), (1.2, 0.05), (2, 0.9)])
def test_least_loss_under_a_delta_of_all_sets(query, epsilon, delta, solve_linear):
    problem = om.question(query, epsilon, delta=delta)
    apart = matrix_of(query)
    private(apart, query, epsilon, delta)
    expected = apart.least(apart.mean_loss(absolute(query), uniform(query)))
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)


@each("delta", [0, 0.03], every=7)
def test_a_prior_weighs_the_truths(delta, solve_linear):
    problem = om.question(ALL, 1, delta=delta, prior=SKEW, loss="squared")
    apart = matrix_of(ALL)
    private(apart, ALL, 1, delta)
    expected = apart.least(apart.mean_loss(absolute(ALL) ** 2, SKEW))
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)


@each("query", [PATH, FEW, STAR, WIDE], every=7)
@each(
    ("bounds", "mean", "worst"),
    [
        (["mean absolute <= 0.3"], 0.3, None),
        (["worst absolute <= 0.4"], None, 0.4),
        (["worst absolute <= 0.5", "mean absolute <= 0.35"], 0.35, 0.5),
        ([], None, None),
    ],
)
def test_least_delta_of_all_sets_where_losses_are_bounded(query, bounds, mean, worst, solve_linear):
    problem = om.question(query, 0.7, least="delta", bounds=bounds)
    apart = matrix_of(query)
    private(apart, query, 0.7, "least")
    if mean is not None:
        apart.at_most(apart.mean_loss(absolute(query), uniform(query)), mean)
    if worst is not None:
        apart.bound_everywhere(absolute(query), worst)
    assert optimum(problem, solve_linear) == pytest.approx(apart.least({"delta": 1.0}), abs=CLOSE)


@each("cost", ["error-rate", "squared", "circular", "wrapped"], every=14, slow_every=2)
@each("distances", [(1,), (1, 4), (2, 3), (1, 3)])
def test_modular_noise_under_a_delta_of_all_sets(cost, distances, solve_linear):
    query = om.residues(5, distances, symmetric=False)
    charged = [
        {
            "error-rate": eta > 0,
            "squared": eta**2,
            "circular": min(eta, 5 - eta) ** 2,
            "wrapped": eta * (5 - eta),
        }[cost]
        for eta in range(5)
    ]
    apart = Definition(5, 5)
    apart.circulant()
    private(apart, query, 0.8, 0.07)
    expected = apart.least({(eta, 0): float(charge) for eta, charge in enumerate(charged)})
    problem = om.question(query, 0.8, delta=0.07, structure=NOISE, loss=cost)
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)

    apart = Definition(5, 5)
    apart.circulant()
    private(apart, query, 0.8, "least")
    apart.at_most({(eta, 0): float(charge) for eta, charge in enumerate(charged)}, 0.4)
    problem = om.question(query, 0.8, structure=NOISE, least="delta", bounds=[f"mean {cost} <= 0.4"])
    assert optimum(problem, solve_linear) == pytest.approx(apart.least({"delta": 1.0}), abs=CLOSE)


@each("symmetric", [True, False])
@each(
    ("first", "last", "width", "accuracy", "epsilon"),
    [
        (1, 3, 1, 0.3, 0.5),
        (2, 4, 2, 0.5, 1),
        (2, 3, 2, 0.02, 2),
        (1, 3, 2, 0.4, 1),
        (3, 4, 3, 0.01, 2.18),
        (1, 2, 3, 0.7, 0),
    ],
    every=7,
)
def test_bounded_noise_of_least_delta_of_all_sets(
    first, last, width, accuracy, epsilon, symmetric, solve_linear
):
    if symmetric and first < width:
        pytest.skip("symmetric noise needs room below")
    lowest = max(0, first - width)
    apart = Definition(last + width - lowest + 1, last - first + 1)
    apart.noise(first, width, accuracy, symmetric=symmetric)
    steps = [(f, g) for f in range(last - first + 1) for g in (f - 1, f + 1) if 0 <= g <= last - first]
    apart.private(steps, np.exp(epsilon), "least")
    kind = om.SymmetricNoise if symmetric else om.ZeroBiasNoise
    query = Query(range(first, last + 1), range(lowest, last + width + 1), name=f"counts {first}..{last}")
    problem = om.question(query, epsilon, structure=kind(width, accuracy), least="delta")
    assert optimum(problem, solve_linear) == pytest.approx(apart.least({"delta": 1.0}), abs=CLOSE)


@each("query", [PATH, FEW, ALL, STAR, WIDE], every=7)
@each(("loss", "power"), [("absolute", 1), ("squared", 2), ("beyond 1", None)])
@each("delta", [0, 0.04])
def test_least_loss_at_the_worst_truth(query, loss, power, delta, solve_linear):
    table = 1.0 * (absolute(query) > 1) if power is None else absolute(query) ** power
    apart = matrix_of(query)
    private(apart, query, 0.9, delta)
    apart.bound_everywhere(table, "worst")
    problem = om.question(query, 0.9, delta=delta, loss=loss, worst_case=True)
    assert optimum(problem, solve_linear) == pytest.approx(apart.least({"worst": 1.0}), abs=CLOSE)


@pytest.mark.slow
def test_the_worst_loss_is_the_largest_average_over_all_priors(solve_linear):
    """Minimax. A count 0..2 and its prior may be turned around, so that only symmetric priors matter."""
    query = om.count(2)

    def averaged(end):
        return -optimum(om.question(query, 1, prior=[end, 1 - 2 * end, end]), solve_linear)

    # Concave in the prior: the least of linear functions.
    hardest = minimize_scalar(averaged, bounds=(0, 0.5), method="bounded", options={"xatol": 1e-10})
    assert optimum(om.question(query, 1, worst_case=True), solve_linear) == pytest.approx(
        -hardest.fun, abs=1e-6
    )


PROPERTIES = {
    "column-honest": lambda d, home: [
        d.at_most({(r, f): 1.0, (home[f], f): -1.0}, 0.0)
        for f in range(d.truths)
        for r in range(d.responses)
        if r != home[f]
    ],
    "row-honest": lambda d, home: [
        d.at_most({(home[g], f): 1.0, (home[g], g): -1.0}, 0.0)
        for f in range(d.truths)
        for g in range(d.truths)
        if home[f] != home[g]
    ],
    "weakly-honest": lambda d, home: [
        d.at_most({(home[f], f): -1.0}, -1 / d.responses) for f in range(d.truths)
    ],
    "accuracy >= 0.4": lambda d, home: [d.at_most({(home[f], f): -1.0}, -0.4) for f in range(d.truths)],
    "accuracy = 0.35": lambda d, home: [d.fixed({(home[f], f): 1.0}, 0.35) for f in range(d.truths)],
}


@each("query", [PATH, FEW, ALL, STAR, WIDE], slow_every=2)
@each("name", PROPERTIES, every=14)
@each("delta", [0, 0.1])
def test_properties_that_speak_of_the_truth(query, name, delta, solve_linear):
    apart = matrix_of(query)
    private(apart, query, 1.1, delta)
    PROPERTIES[name](apart, query.home.tolist())
    expected = apart.least(apart.mean_loss(absolute(query), uniform(query)))
    problem = om.question(query, 1.1, delta=delta, properties=[name])
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)


def test_unbiased_answers_have_the_truth_as_their_mean(solve_linear):
    apart = matrix_of(WIDE)
    private(apart, WIDE, 1.1, 0)
    for f, truth in enumerate(WIDE.truth_values):
        apart.fixed({(r, f): value - truth for r, value in enumerate(WIDE.response_values)}, 0.0)
    expected = apart.least(apart.mean_loss(absolute(WIDE), uniform(WIDE)))
    problem = om.question(WIDE, 1.1, properties=["unbiased"])
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)


@each(
    ("limit", "never"),
    [("within 1", lambda r, f: abs(r - f) > 1), ("without 1 3", lambda r, _: r in (1, 3))],
    every=7,
)
def test_what_is_never_released(limit, never, solve_linear):
    apart = matrix_of(PATH)
    private(apart, PATH, 1.1, 0.2)
    for r in range(5):
        for f in range(5):
            if never(r, f):
                apart.fixed({(r, f): 1.0}, 0.0)
    expected = apart.least(apart.mean_loss(absolute(PATH), uniform(PATH)))
    problem = om.question(PATH, 1.1, delta=0.2, properties=[limit])
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)


def test_bounds_on_further_losses(solve_linear):
    apart = matrix_of(PATH)
    private(apart, PATH, 1.1, 0)
    apart.bound_everywhere(1.0 * (absolute(PATH) > 1), 0.12)
    apart.at_most(apart.mean_loss(absolute(PATH) ** 2, uniform(PATH)), 0.9)
    expected = apart.least(apart.mean_loss(1.0 * (absolute(PATH) > 0), uniform(PATH)))
    problem = om.question(
        PATH, 1.1, loss="zero-one", bounds=["worst beyond 1 <= 0.12", "mean squared <= 0.9"]
    )
    without = optimum(om.question(PATH, 1.1, loss="zero-one"), solve_linear)
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)
    assert expected > without + CLOSE, "a bound that does not bind tests nothing"


@each("delta", [0, 0.05], every=7)
def test_neighbours_at_distances(delta, solve_linear):
    apart = matrix_of(FAR)
    for pair, weight in zip(FAR.pairs.tolist(), FAR.weights.tolist(), strict=True):
        apart.private([pair], np.exp(0.4 * weight), delta)
    expected = apart.least(apart.mean_loss(absolute(FAR), uniform(FAR)))
    problem = om.question(FAR, 0.4, delta=delta)
    assert optimum(problem, solve_linear) == pytest.approx(expected, abs=CLOSE)
