"""The bound holds for every private mechanism, whatever the prices; with the right ones it is the optimum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import optmech as om
from benchmarks.papers import counting_proof
from optmech.base.errors import VerificationError
from optmech.designs.by_geometric import decays_of, prices_of
from optmech.designs.geometric_remap import best_remap
from optmech.proofs.geometric_bound import Prices, proved_bound
from optmech.proofs.geometric_sums import Decay, Increments, losses_of_draws
from optmech.question.path_question import PathQuestion
from tests.each import each
from tests.path import distribution, on_path
from tests.search import search

EPSILONS = ("0.01", "0.3", "ln 2", "ln 3/2", "1", "3", "12")
LOSSES = ("absolute", "squared", "zero-one")
# Prices are rounded to 44 bits, so that a proof is at worst about 2**-43 below the optimum.
LOST_TO_ROUNDING = Fraction(1, 10**12)


@st.composite
def problems(draw, largest=14):
    n = draw(st.integers(1, largest))
    numbers = st.integers(0, 4)
    weights = draw(st.lists(numbers, min_size=n + 1, max_size=n + 1))
    assume(any(weights))
    steps = draw(st.lists(numbers, min_size=1, max_size=n + 1))
    loss = draw(st.sampled_from([*LOSSES, list(accumulate(steps))]))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    return on_path(n, draw(st.sampled_from(EPSILONS)), loss, prior)


def least_loss_of_rows(question, decay, prices):
    """Return the least of sum (c - u) x for each row with x <= 1, over all extreme rays, in fractions."""
    results = []
    for row in range(question.largest + 1):
        rays = [[Fraction(1)]]
        for _ in range(question.largest):
            rays = [[*ray, ray[-1] * step] for ray in rays for step in (decay, 1 / decay)]
        costs = [Fraction(question.cost(row, truth), question.unit) for truth in range(len(prices))]
        results.append(
            min(
                sum((cost - price) * x for cost, price, x in zip(costs, prices, ray, strict=True)) / max(ray)
                for ray in rays
            )
        )
    return results


@search(60, problems(largest=6), st.data())
def test_any_remap_and_any_prices_prove_nothing_beyond_what_all_extreme_rays_allow(problem, data):
    """A few bits, so that rounding shows; remap and prices are anyone's."""
    question, decay = PathQuestion.of(problem), decays_of(problem)[1]
    count = question.largest + 1
    numbers = st.integers(0, question.largest)
    remap = sorted(data.draw(st.lists(numbers, min_size=count, max_size=count)))
    extras = data.draw(st.lists(st.integers(0, 2**9 * question.unit), min_size=count, max_size=count))
    prices = Prices(tuple(extras), 8)
    try:
        bound = proved_bound(question, decay, remap, prices)
    except VerificationError:
        return
    worth = [
        Fraction(question.cost(answer, truth), question.unit) + Fraction(extra, 2**8 * question.unit)
        for truth, (answer, extra) in enumerate(zip(remap, extras, strict=True))
    ]
    allowed = sum(worth) + sum(min(0, least) for least in least_loss_of_rows(question, decay.value, worth))
    assert bound <= allowed


@search(150, problems())
def test_the_proposed_prices_are_proved_row_by_row_in_fractions(problem):
    """As `certifies` does: the recursion from the left over the whole row, without its structure."""
    certificate = om.design(problem, engine="geometric").certificate
    question = certificate.question
    decay, unit = certificate.floor.value, question.unit
    prices = [
        Fraction(question.cost(answer, truth), unit) + Fraction(extra, unit << certificate.prices.bits)
        for truth, (answer, extra) in enumerate(
            zip(certificate.remap.tolist(), certificate.prices.extras, strict=True)
        )
    ]
    for row in range(question.largest + 1):
        worth = Fraction(0)
        for truth in reversed(range(question.largest + 1)):
            step = worth * decay if worth >= 0 else worth / decay
            worth = Fraction(question.cost(row, truth), unit) - prices[truth] + step
        assert worth >= 0
    assert 0 <= sum(prices) - certificate.bound <= Fraction(1, 2**60)


@search(150, problems())
def test_objective_and_bound_meet(problem):
    mechanism = om.design(problem, engine="geometric").certificate
    assert 0 <= mechanism.objective - mechanism.bound <= mechanism.objective * LOST_TO_ROUNDING + 10**-40


@each("loss", LOSSES)
@each("epsilon", ["0.05", "ln 2", "1", "4"])
def test_the_bound_is_the_theorems_optimum_in_fractions(loss, epsilon):
    mechanism = distribution(21, epsilon, loss).certificate
    losses = [Fraction(mechanism.question.loss_at(distance)) for distance in range(22)]
    lower, upper = counting_proof.certified_interval(mechanism.problem.privacy.epsilon, losses, bits=100)
    assert mechanism.bound <= upper
    assert lower <= mechanism.objective
    assert upper - mechanism.bound <= upper * LOST_TO_ROUNDING
    assert mechanism.objective - lower <= upper * Fraction(1, 10**25)


@each(
    ("size", "epsilon", "loss", "seed"),
    [
        (1, "1", "absolute", 0),
        (7, "0.1", "squared", 1),
        (12, "ln 2", "zero-one", 2),
        (20, "2", "absolute", 3),
        (30, "0.3", "squared", None),
        pytest.param(100, "0.5", "absolute", None, marks=pytest.mark.slow),
        pytest.param(80, "1", "zero-one", 4, marks=pytest.mark.slow),
    ],
)
def test_the_dense_certificate_agrees(size, epsilon, loss, seed):
    prior = None
    if seed is not None:
        prior = np.random.default_rng(seed).random(size + 1)
        prior /= prior.sum()
    mechanism = distribution(size, epsilon, loss, prior).certificate
    dense = om.design(om.croft(om.count(size), epsilon, loss=loss, prior=prior)).certificate
    assert mechanism.bound <= dense.objective
    assert dense.bound <= mechanism.objective
    assert abs(float(mechanism.objective - dense.objective)) <= 1e-6 * float(dense.objective)


@search(60, problems(largest=9), st.data())
def test_increments_enclose_what_they_stand_for(problem, data):
    question = PathQuestion.of(problem)
    decay = Decay(data.draw(st.integers(2**60, 2**64 - 2**58)), 64)
    increments = Increments(question, decay)
    answer = data.draw(st.integers(0, question.largest - 1))
    draw = data.draw(st.integers(0, question.largest))
    exact = sum(
        decay.value ** (draw - k) * (question.cost(answer + 1, k) - question.cost(answer, k))
        for k in range(draw + 1)
    )
    result = increments.of(answer, draw)
    assert result <= exact * 2**64 <= result + increments.width


def test_a_remap_that_is_not_the_best_still_has_a_true_bound():
    problem = on_path(30, "1")
    question, floor = PathQuestion.of(problem), decays_of(problem)[1]
    best = best_remap(question, floor)
    prices = prices_of(question, floor, best, losses_of_draws(question, floor, best))
    proved = proved_bound(question, floor, best, prices)
    shifted = [min(30, answer + 1) for answer in best]
    with pytest.raises(VerificationError, match=r"must leave something over at each draw"):
        proved_bound(question, floor, shifted, prices)
    lower = Prices((0,) * 31, 0)
    assert proved_bound(question, floor, best, lower) < proved


def test_prices_that_ask_for_more_prove_less():
    problem = on_path(10, "1")
    question, floor = PathQuestion.of(problem), decays_of(problem)[1]
    best = best_remap(question, floor)
    prices = prices_of(question, floor, best, losses_of_draws(question, floor, best))
    proved = proved_bound(question, floor, best, prices)
    more = list(prices.extras)
    more[5] += more[5] // 1000
    assert proved_bound(question, floor, best, Prices(tuple(more), prices.bits)) < proved
    more[5] *= 10
    with pytest.raises(VerificationError, match="They prove nothing"):
        proved_bound(question, floor, best, Prices(tuple(more), prices.bits))


@pytest.mark.parametrize("extras", [(-1, 0, 0), (0, 0, -5)])
def test_prices_below_zero_are_refused(extras):
    problem = on_path(2, "1")
    with pytest.raises(VerificationError, match="must be zero or more"):
        proved_bound(PathQuestion.of(problem), decays_of(problem)[1], [0, 1, 2], Prices(extras, 10))


@search(40, problems(largest=10), st.integers(0, 12))
def test_smoothed_weights_bound_the_question_from_below(problem, bits):
    """Few bits, so that what is taken off the bound shows."""
    mechanism = om.design(problem, engine="geometric").certificate
    smooth = mechanism.question.smooth(bits)
    floor = mechanism.floor
    remap = best_remap(smooth, floor)
    prices = prices_of(smooth, floor, remap, losses_of_draws(smooth, floor, remap))
    smoothed = replace(mechanism, remap=np.array(remap), prices=prices, smoothing=bits)
    assert smoothed.bound <= mechanism.objective <= smoothed.objective + LOST_TO_ROUNDING


def asked(epsilon, losses, weights):
    return on_path(2, epsilon, losses, [Fraction(weight, sum(weights)) for weight in weights])


def test_a_row_that_is_no_answer_is_held_to_its_own_end():
    """Always to answer 0, at a cost of 1 for truths 1 and 2: (1) holds, as nothing is left over or lacking.

    Row 1 has less costs at truth 1, (1, 0, 1) against (0, 1, 1): the sum before its home, draw 2, is
    1/2 - 1 < 0, so that it is no linear sum there. Without (2) a bound of 1 would follow; 3/4 is the most.
    """
    problem = asked("ln 2", [0, 3, 3], [1, 1, 1])
    question, floor = PathQuestion.of(problem), decays_of(problem)[1]
    with pytest.raises(VerificationError, match="They prove nothing"):
        proved_bound(question, floor, [0, 0, 0], Prices((0, 0, 0), 0))


def test_what_is_lacking_beside_home_costs_more_there():
    """At e^-epsilon = 1/4: truths 0 and 2 weigh 1/2; the prices are (0, 0, 1/2).

    Row 2 has costs less prices (1, 0, -1/2). Its homes are truths 1 and 2; -1/2 at truth 2 is worth -2 at
    truth 1, with 1/4 for truth 0: -7/4. At truth 2 it is 1/16 - 1/2 = -7/16, the larger. Proved is 1/16.
    """
    problem = asked("ln 4", [0, 1, 2], [1, 0, 1])
    question, floor = PathQuestion.of(problem), decays_of(problem)[1]
    bound = proved_bound(question, floor, [0, 1, 1], Prices((0, 0, 0), 0))
    assert Fraction(1, 16) - Fraction(1, 2**90) <= bound <= Fraction(1, 16)


@pytest.mark.parametrize(("weighty", "sign"), [(0, 1), (1, -1)])
def test_increments_of_far_truths_are_rounded_to_the_safe_side(weighty, sign):
    """Zero-one loss, draw 3: answer 1 in place of 0 costs truth 0 its weight, and spares truth 1 its own."""
    weights = [int(truth == weighty) for truth in range(4)]
    decay = Decay(2**63 + 1, 64)
    increments = Increments(PathQuestion.of(on_path(3, "1", "zero-one", weights)), decay)
    exact = sign * decay.value ** (3 - weighty) * 2**64
    assert exact.denominator > 1
    assert increments.of(0, 3) <= exact <= increments.of(0, 3) + increments.width
