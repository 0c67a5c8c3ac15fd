"""The least private mechanism that a budget allows, with a proof on either side."""

from __future__ import annotations

from fractions import Fraction

import pytest

from optmech import count, croft, design
from optmech.analysis.composition import compose, epsilon_per_query
from optmech.analysis.composition.theorems import optimal_composition
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism


def optimal(epsilon):
    return design(croft(count(3), epsilon=epsilon)).certificate


def answer(epsilon):
    """Tell the truth with odds of epsilon to one: whatever it is, nothing needs a logarithm."""
    probability = float(epsilon / (1 + epsilon))
    return MatrixMechanism(
        matrix=[[probability, 1 - probability], [1 - probability, probability]],
        responses=(0, 1),
        truths=(0, 1),
    ), count(1)


@pytest.mark.parametrize(
    ("delta", "uses"), [("0", 4), ("1e-6", 4), pytest.param("1e-3", 10, marks=pytest.mark.slow), ("0.05", 3)]
)
def test_the_share_keeps_the_budget_and_one_step_more_breaks_it(delta, uses):
    share = epsilon_per_query(2, delta, uses, optimal, step="0.005")
    assert share.composition.provenance == "proved"
    assert share.composition.delta(2) <= Fraction(delta)
    assert share.is_largest
    assert share.next_epsilon == share.epsilon + Fraction(1, 200)
    assert share.epsilon >= Fraction(2, uses) - Fraction(1, 200)
    again = compose(share.mechanism, uses)
    assert again.curve == share.composition.curve


@pytest.mark.long
def test_many_uses_gain_much_over_equal_shares():
    share = epsilon_per_query(1, "1e-2", 40, optimal, step="0.002")
    assert share.is_largest
    assert share.epsilon > Fraction(3, 2) * Fraction(1, 40)
    assert optimal_composition(share.epsilon, 40, 1) == pytest.approx(
        float(share.composition.delta(1)), abs=1e-9
    )
    assert optimal_composition(share.next_epsilon, 40, 1) > 1e-2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((-1, 0, 2), "`epsilon` must be zero or more; got -1."),
        ((1, 2, 2), "`delta` must be zero or more and below 1; got 2."),
        ((1, "0.9999", 2), "the budget must run out below an epsilon of 700 for each use; it does not."),
        (("0.001", 0, 5), "`step` must be small enough that 5 uses keep the budget; got 0.5."),
    ],
)
def test_what_no_epsilon_solves_gets_a_sentence(arguments, words):
    with pytest.raises(ProblemError) as trouble:
        epsilon_per_query(*arguments, lambda epsilon: answer(1 + epsilon), step="0.5")
    assert words in str(trouble.value)


def test_a_step_must_be_positive():
    with pytest.raises(ProblemError, match="`step` must be positive"):
        epsilon_per_query(1, 0, 2, optimal, step=0)
