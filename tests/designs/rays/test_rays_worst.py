"""Mixtures of rays for the worst truth, against the program as a whole, both readers, and laws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.designs.choice import choose
from optmech.designs.engines import rays
from optmech.designs.rays.central_point import WorstProgram
from optmech.designs.rays.private_rows import PrivateRows
from optmech.designs.rays.search import lower_bound
from optmech.designs.rays.worst import search_worst
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from tests.each import each
from tests.oracle import compare_with_program, need_both_readers


def drawn(seed):
    """A question of the worst truth drawn at random, mirrored or not, with its own answers or others."""
    dice = np.random.default_rng(seed)
    number = int(dice.integers(2, 9))
    reach = int(dice.integers(1, max(2, min(number, 4))))
    kind = seed % 5
    if kind == 0:
        query = om.mean(int(dice.integers(2, 5)), int(dice.integers(1, 5)))
    elif kind == 1:
        query = om.count(number)
    elif kind == 2:
        query = om.Query(range(number), [k / 2 for k in range(-2, 2 * number + 1)], reach)
    elif kind == 3:
        query = om.Query(sorted(dice.choice(60, number, replace=False).tolist()), None, reach)
    else:
        query = om.Query(range(number), [(2 * k, 2 * k + 2) for k in range((number + 1) // 2)], "all")
    table = dice.random((query.num_responses, query.num_truths)).round(3)
    loss = table if dice.random() < 0.4 else str(dice.choice(["absolute", "squared"]))
    epsilon = str(dice.choice(["0.05", "0.2", "0.5", "1", "2", "3.4"]))
    return om.question(query, epsilon, loss=loss, worst_case=True)


@each("seed", range(200), every=20, slow_every=10)
def test_mixtures_at_the_worst_truth_are_as_good_as_the_program_and_proved(seed):
    assert compare_with_program(drawn(seed), "rays", gap=1e-9)


@each("seed", range(10), every=3)
def test_both_readers_accept_their_certificates(seed):
    need_both_readers(drawn(seed), "rays")


@each("seed", range(30), every=5)
def test_no_prior_and_no_prices_give_a_bound_above_the_optimum(seed):
    problem = drawn(seed)
    rows, dice = PrivateRows.of(problem), np.random.default_rng(seed)
    least = om.design(problem, engine="program").objective
    truths = rows.costs.shape[1]
    for _ in range(20):
        prior = dice.dirichlet(np.full(truths, 0.5))
        if rows.mirrored:
            prior = (prior + prior[::-1]) / 2
        home = dice.integers(0, truths, len(rows.costs))
        under = replace(rows, costs=rows.costs * prior, home=home)
        prices = prior * dice.random() * 2 * least / rows.unit
        cost, _ = under.cheapest(prices)
        assert lower_bound(under, prices, cost) * rows.unit <= least * (1 + 1e-9)


@pytest.mark.parametrize("goal", [1e-2, 1e-5, 1e-9])
def test_central_points_keep_their_goal_and_their_sums(goal):
    dice = np.random.default_rng(3)
    rays_of_truths = np.exp(-dice.integers(0, 4, (40, 9)))
    losses = rays_of_truths * dice.random((40, 9))
    program = WorstProgram(np.hstack([rays_of_truths, losses]).T)
    point = program.central(goal, lambda: False)
    level = point.values[-10]
    assert point.values @ point.reduced <= goal * level
    assert program.costs - program.worths(point.prices) - point.reduced == pytest.approx(0, abs=goal * level)
    values = program.kept(point.values)
    assert program.sums(values) == pytest.approx(program.right, abs=1e-13)
    assert values == pytest.approx(point.values, rel=1e-2, abs=1e-12)
    assert values.min() >= 0


def test_a_mean_of_20_records_is_proved_to_the_value_from_elsewhere():
    problem = om.question(om.mean(20, 4), "0.5", worst_case=True)
    assert choose(problem).order == ("rays", "interior", "program")
    design = om.design(problem)
    assert design.engine == "rays"
    assert design.objective == pytest.approx(0.351000155789, rel=1e-11)
    assert design.certificate.relative_gap < 1e-10


def test_few_ratios_are_asked_of_the_program_first():
    few, more = (om.question(om.count(last), 1, loss="beyond 2", worst_case=True) for last in (49, 50))
    assert choose(few).order == ("program", "rays", "interior")
    assert choose(more).order == ("rays", "interior", "program")


def test_a_search_that_is_stopped_at_once_has_noise_and_a_bound():
    rows = PrivateRows.of(om.question(om.mean(10, 4), "0.5", worst_case=True))
    stopped, whole = (search_worst(rows, SolveOptions(time_limit=limit)) for limit in (1e-9, None))
    assert (stopped.solution.status, whole.solution.status) == (Status.LIMIT, Status.OPTIMAL)
    assert 0.5 * whole.objective < stopped.bound < whole.bound
    assert whole.objective < stopped.objective < 1.5 * whole.objective


def test_rays_that_would_fill_the_memory_are_refused():
    assert rays.refusal(om.question(om.mean(400, 5), "0.5", worst_case=True)) is None
    assert "fill the memory" in rays.refusal(om.question(om.mean(398, 10), "0.5", worst_case=True))


def test_properties_at_the_worst_truth_are_refused():
    problem = om.question(om.mean(3, 2), 1, worst_case=True, properties=["symmetric"])
    assert "no properties with a worst one" in rays.refusal(problem)
