"""Programs of the whole family against values that were computed apart from this project."""

import json
from pathlib import Path

import numpy as np
import pytest

import optmech as om
from optmech.designs.attempts import solve
from optmech.models.solvers.options import SolveOptions
from tests.each import each

REFERENCE = Path(__file__).parents[2] / "reference"


def optimum(problem):
    solution = solve(om.models.assemble(problem).model, "highs", SolveOptions())
    assert solution.status is om.models.Status.OPTIMAL
    return solution.objective


def rows(name, key):
    return json.loads((REFERENCE / name).read_text())[key]


def name_of(row):
    return "-".join(str(row[key]) for key in ("eps", "eta", "D", "n", "N", "M", "delta") if key in row)


@each("row", [row for row in rows("sadeghi.json", "symmetric") if row["D"] <= 16], every=2)
def test_least_true_delta_of_symmetric_noise(row):
    noise = om.SymmetricNoise(row["D"], row["eta"])
    query = om.sadeghi_symmetric(row["eps"], row["eta"], row["D"]).query
    problem = om.question(query, row["eps"], structure=noise, least="delta")
    # A solver keeps rows within 1e-9 absolutely: smaller deltas are the theorem's, not the program's.
    assert optimum(problem) == pytest.approx(float(row["opt_true_delta_sym"]), abs=1e-9)


@each("row", [row for row in rows("sadeghi.json", "general_lp") if row["objective"] != "singular"])
def test_least_true_delta_of_zero_bias_noise(row):
    noise = om.ZeroBiasNoise(row["D"], row["eta"])
    query = om.sadeghi(row["eps"], row["eta"], row["D"], (row["n0"], row["N"])).query
    problem = om.question(query, row["eps"], structure=noise, least="delta")
    assert optimum(problem) == pytest.approx(float(row["delta"]), abs=1e-9)


@each("row", rows("kadam.json", "hockey_stick_optimum_ER"), every=2)
def test_error_rate_of_modular_noise_under_a_true_delta(row):
    query = om.residues(row["n"] + 1, [step % (row["n"] + 1) for step in row["M"]], symmetric=False)
    problem = om.question(
        query, str(row["eps"]), delta=str(row["delta"]), structure=om.ModularNoise(), loss="error-rate"
    )
    assert 1 - optimum(problem) == pytest.approx(row["f0"], abs=1e-8)


def test_the_worst_loss_is_that_of_the_least_favourable_prior():
    query = om.count(6)
    worst = om.models.assemble(om.question(query, 1, worst_case=True))
    solution = solve(worst.model, "highs", SolveOptions())
    prior = -solution.row_duals[worst.model.rows_of("worst_case")]
    assert prior.sum() == pytest.approx(1)
    averaged = optimum(om.question(query, 1, prior=np.clip(prior, 0, None) / prior.sum()))
    assert averaged == pytest.approx(solution.objective, abs=1e-7)


def test_a_bound_that_is_kept_anyway_changes_nothing_and_one_below_it_costs():
    query = om.count(8)
    free = om.question(query, 1)
    matrix = om.design(free).mechanism.matrix
    errors = np.abs(np.subtract.outer(np.arange(9), np.arange(9))) > 2
    tail = (matrix * errors).sum(axis=0)
    problem = om.question(query, 1, bounds=[f"worst beyond 2 <= {tail.max() + 1e-6}"])
    tight = om.question(query, 1, bounds=[f"worst beyond 2 <= {tail.max() * 0.9}"])
    assert optimum(problem) == pytest.approx(optimum(free), abs=1e-8)
    assert optimum(tight) > optimum(free) + 1e-4


@each(
    ("change", "words"),
    [
        ({"least": "error"}, "`least` must be loss or delta"),
        ({"least": "delta", "delta": "0.1"}, "`delta` must be left out where the least one is sought"),
        ({"delta": None}, "`delta` must be given, or sought"),
        ({"definition": "renyi"}, "`definition` must be one of approximate"),
        ({"definition": ["approximate"], "delta": "0.1"}, "`definition` must be one of approximate"),
        ({"structure": "modular"}, r"`structure` must be FreeMatrix\(\), .*; got 'modular'"),
        ({"worst_case": "false"}, "`worst_case` must be true or false; got 'false'"),
        ({"bounds": ["absolute < 2"]}, "`bounds` must be such as"),
        ({"bounds": ["mean absolute <= -1"]}, "`at_most` must be zero or more"),
        ({"properties": ["accuracy >= 2"]}, "`accuracy` must lie between 0 and 1"),
        ({"properties": ["within -1"]}, "`within` must be zero or more"),
        ({"properties": ["round"]}, "`properties` must be among"),
        ({"properties": ["within"]}, "A question also takes .* 'within 3' and 'without 0 7'"),
        ({"loss": "beyond -1"}, "`loss` must be beyond zero or more"),
        ({"loss": "beyond"}, "`loss` must say beyond which distance, such as 'beyond 2'; got 'beyond'"),
        ({"loss": "cubic"}, "`loss` must be one of absolute"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(change, words):
    with pytest.raises(om.ProblemError, match=words):
        om.question(om.count(3), 1, **change)


def test_an_unknown_response_is_named():
    with pytest.raises(om.ProblemError, match=r"must name responses of the query; 7 is none of 0..3"):
        om.models.assemble(om.question(om.count(3), 1, properties=["without 7"]))


def test_noise_of_bounded_width_says_which_query_it_needs():
    noise = om.SymmetricNoise(2, "0.4")
    with pytest.raises(om.NotAcceptedError, match="Such a query is ") as refusal:
        om.design(om.question(om.count(8), 1, structure=noise, least="delta"))
    remedy = str(refusal.value).split("Such a query is ")[1].rstrip(".")
    assert remedy == "Query(range(2, 9), range(11), 1)"
    assert om.design(om.question(om.Query(range(2, 9), range(11), 1), 1, structure=noise, least="delta"))


@pytest.mark.parametrize(
    ("problem", "structure"),
    [
        (om.sadeghi(1, "0.5", 2, counts=(1, 3)), om.ZeroBiasNoise(2, "0.5")),
        (om.sadeghi_symmetric(1, "0.5", 2), om.SymmetricNoise(2, "0.5")),
    ],
)
def test_no_bounded_noise_has_pure_privacy(problem, structure):
    """A response never given beside a truth is never given at it, and the truth is told half of the time."""
    model = om.models.assemble(om.question(problem.query, 1, structure=structure)).model
    assert solve(model, "highs", SolveOptions()).status is om.models.Status.INFEASIBLE


@each(("at_most", "is_feasible"), [("0.51", True), ("0.49", False)])
def test_what_noise_must_do_at_the_truth_counts_towards_bounds_and_rules(at_most, is_feasible):
    """The truth has probability one half whatever the noise: no column of the program says so."""
    query, noise = om.Query(range(1, 4), range(5), 1), om.SymmetricNoise(1, "0.5")
    at_the_truth = np.eye(5, 3, -1)
    status = om.models.Status.OPTIMAL if is_feasible else om.models.Status.INFEASIBLE
    for demand in (
        {"rules": om.LinearRule("seldom true", {(1, 0): 1}, "<=", at_most)},
        {"bounds": [om.bound(query, at_the_truth, at_most, structure=noise)]},
        {"bounds": [om.bound(query, at_the_truth, at_most, structure=noise, worst_case=True)]},
    ):
        problem = om.question(query, 1, structure=noise, least="delta", **demand)
        solution = solve(om.models.assemble(problem).model, "highs", SolveOptions())
        assert solution.status is status, demand
