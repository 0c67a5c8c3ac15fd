"""The prices of choices, against optima designed one by one and finite differences."""

import math
from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.analysis.comparison.prices import prices
from optmech.question.privacy import ApproximatePrivacy, PurePrivacy


def test_the_shadow_price_is_the_slope_of_the_optimum():
    step = 1e-4
    below, above = (om.design(om.croft(om.count(20), 1 + s * step, prior="uniform")) for s in (-1, 1))
    costs = prices(om.croft(om.count(20), 1, prior="uniform"))
    assert costs.rate == pytest.approx((below.objective - above.objective) / (2 * step), rel=1e-6)


def test_the_price_of_a_property_is_the_difference_of_two_optima():
    costs = prices(om.croft(om.count(6), "0.5", properties=["fair", "row-monotone"]))
    rows = {row.choice: row for row in costs.rows}
    free = om.design(om.croft(om.count(6), "0.5", properties=["row-monotone"]))
    least, most = rows["fair"].costs
    assert 0 < least <= costs.design.objective - free.objective <= most
    assert most - least < 1e-6 * costs.design.objective
    assert rows["fair"].share == pytest.approx(least / costs.design.objective)
    assert rows["epsilon"].costs[0] > 0
    assert str(rows["epsilon"]).startswith("epsilon: with 0.55 it saves")


def test_answers_beyond_the_range_are_worth_nothing_to_a_loss_that_grows_with_distance():
    (row,) = (row for row in prices(om.croft(om.count(5), 1)).rows if row.choice == "the range")
    assert row.costs[1] < 1e-7


def test_a_structure_is_priced_against_any_matrix():
    costs = prices(om.kadam(om.residues(5, [1]), 1))
    (row,) = (row for row in costs.rows if row.choice.startswith("noise added modulo"))
    even = om.question(om.residues(5, [1]), 1, loss=1.0 - np.eye(5))  # zero loss at the truth, one elsewhere
    assert row.objective == pytest.approx(om.design(even).objective, rel=1e-8)
    assert row.costs[0] >= -1e-9


def test_what_cannot_be_answered_without_a_choice_says_why():
    def designer(problem):
        if problem.properties:
            return om.design(problem)
        message = "`time` must be longer; got none. Wait."
        raise om.ProblemError(message)

    costs = prices(om.croft(om.count(3), 1, properties=["fair"]), designer=designer)
    (row,) = (row for row in costs.rows if row.choice == "fair")
    assert math.isnan(row.objective)
    assert "there is no answer (`time` must be longer; got none)" in str(row)


def test_the_shadow_price_of_noise_whose_proof_has_finer_multipliers_is_the_slope_too():
    query = om.Query(range(6, 13), range(19), 1)

    def asked(epsilon):
        return om.question(query, epsilon, structure=om.SymmetricNoise(6, "0.8"), least="delta")

    below, above = (om.design(asked(epsilon)).objective for epsilon in ("2.1799", "2.1801"))
    assert prices(asked("2.18")).rate == pytest.approx((below - above) / 2e-4, rel=1e-3)


def test_a_price_against_a_bound_that_is_only_claimed_does_not_say_proved():
    def designer(problem):
        design = om.design(problem)
        return design if problem.properties else replace(design, lower_bound_standing="claimed")

    rows = {
        row.choice: row
        for row in prices(om.croft(om.count(4), 1, properties=["fair"]), designer=designer).rows
    }
    assert rows["epsilon"].provenance == "proved"
    assert rows["fair"].provenance == "claimed"
    assert str(rows["fair"]).endswith("(claimed)")


def test_rules_of_a_name_and_further_privacies_are_priced():
    both = [ApproximatePrivacy("0.5", "0.01"), PurePrivacy("0.52")]
    far = [om.LinearRule("far", {(4 - end, end): 1}, "<=", "0.01") for end in (0, 4)]
    middle = om.LinearRule("middle", {(2, 2): 1}, ">=", "0.4")
    costs = prices(om.question(om.count(4), privacy=both, rules=[*far, middle]))
    assert [row.choice for row in costs.rows] == [
        "epsilon",
        "delta",
        "epsilon = 0.52",
        'rule "far"',
        'rule "middle"',
    ]
    assert not any(row.trouble for row in costs.rows)
    free = om.design(om.question(om.count(4), privacy=both, rules=far))
    least, most = costs.rows[4].costs
    assert 0 < least <= costs.design.objective - free.objective <= most
