"""Rays: the cheapest ones, held against all of them; their mechanisms, against the program as a whole."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import optmech as om
from optmech.designs import attempts
from optmech.designs.design import solved_design
from optmech.designs.engines import rays
from optmech.designs.rays import search as searching
from optmech.designs.rays.private_rows import PrivateRows
from optmech.designs.rays.search import search
from optmech.designs.rays.within_reach import cheapest_of_all_pairs, cheapest_within_reach, staircases
from optmech.models.solution import Status
from optmech.models.solvers.options import SolveOptions
from optmech.models.solvers.warm import WarmHighs
from tests.each import each


def all_levels(number, pairs):
    """Every way to give truths levels that differ by at most one between neighbours; the last is zero.

    Truths in a row are neighbours of those beside them.
    """
    steps = np.array([*itertools.product((-1, 0, 1), repeat=number - 1)], dtype=int)
    levels = np.pad(np.cumsum(steps, axis=1)[:, ::-1], ((0, 0), (0, 1)))
    low, high = np.array(pairs, dtype=int).reshape(-1, 2).T
    return levels[(np.abs(levels[:, low] - levels[:, high]) <= 1).all(axis=1)]


def pairs_within(reach, number):
    return [(f, g) for f in range(number) for g in range(f + 1, min(f + reach, number - 1) + 1)]


def least(costs, levels, home, factor, order=None):
    """The least cost over all rays that keep the order, as a multiple of the entry at home."""
    steps = np.diff(levels, axis=1)
    if order is not None:
        levels = levels[(steps[:, : order[0]] >= 0).all(axis=1) & (steps[:, order[1] :] <= 0).all(axis=1)]
    return (costs * factor ** (levels - levels[:, [home]]).astype(float)).sum(axis=1).min()


def solve(model):
    return attempts.solve(model, "auto", SolveOptions())


@each(("number", "reach"), [(1, 1), (2, 1), (4, 1), (5, 2), (5, 3), (5, 4), (6, 2), (8, 3)])
@each("ordered", [False, True])
def test_the_cheapest_ray_within_reach_is_the_cheapest_of_all(number, reach, ordered):
    rng = np.random.default_rng([number, reach, ordered])
    levels = all_levels(number, pairs_within(reach, number))
    for factor in (1.05, 1.6, 7.0):
        costs, home = rng.standard_normal((20, number)), rng.integers(0, number, 20)
        first = rng.integers(0, number, 20)
        order = (first, np.clip(first + rng.integers(-1, 2, 20), 0, number - 1)) if ordered else None
        cost, result = cheapest_within_reach(costs, home, reach, factor, order)
        for response in range(20):
            ends = None if order is None else (order[0][response], order[1][response])
            truth = least(costs[response], levels, home[response], factor, ends)
            assert cost[response] == pytest.approx(truth, rel=1e-12, abs=1e-12)
            assert costs[response] @ factor ** result[response].astype(float) == pytest.approx(
                truth, rel=1e-9
            )
            assert result[response][home[response]] == 0
            one = result[response] - result[response][-1]
            assert (levels == one).all(axis=1).any()


def test_the_cheapest_ray_of_all_pairs_is_that_of_the_longest_reach():
    rng = np.random.default_rng(5)
    costs, home = rng.standard_normal((200, 6)), rng.integers(0, 6, 200)
    whole, _ = cheapest_within_reach(costs, home, 5, 2.5)
    cost, levels = cheapest_of_all_pairs(costs, home, 2.5)
    assert cost == pytest.approx(whole, rel=1e-12)
    assert (costs * 2.5**levels).sum(axis=1) == pytest.approx(cost, rel=1e-12)
    assert (levels.max(axis=1) - levels.min(axis=1) <= 1).all()


def test_staircases_are_private():
    for truths, reach in ((1, 1), (6, 1), (9, 3), (30, 8)):
        levels = staircases(truths, reach)
        for f, g in pairs_within(reach, truths):
            assert (np.abs(levels[:, f] - levels[:, g]) <= 1).all()
        assert (levels.max(axis=1) == 0).all()
        assert len(np.unique(levels, axis=0)) == len(levels)


def question(number, kind, epsilon, loss, properties=()):
    rng = np.random.default_rng([number, len(kind), len(loss)])
    truths, responses, prior, neighbours = range(number), None, None, 2
    if kind == "prior":
        prior = rng.random(number)
        prior[number // 2] = 0
        prior /= prior.sum()
    elif kind == "coarse":
        responses = [(2 * k, 2 * k + 2) for k in range((number + 1) // 2)]
    elif kind == "fine":
        responses = [k / 2 for k in range(-2, 2 * number + 1)]
    elif kind == "uneven":
        truths = sorted(rng.choice(60, number, replace=False).tolist())
    elif kind == "all":
        neighbours = "all"
    query = om.Query(truths, responses, neighbours)
    return om.croft(query, epsilon, loss=loss, prior=prior, properties=properties)


KINDS = ("plain", "prior", "coarse", "fine", "uneven", "all")


@each("kind", KINDS, every=15, slow_every=12)
@each("epsilon", ["0.05", "0.6", "3"])
@each("loss", ["absolute", "squared", "zero-one"])
@each("number", [5, pytest.param(8, marks=pytest.mark.slow)])
def test_mixtures_of_rays_are_as_good_as_the_program_and_proved(kind, epsilon, loss, number):
    if kind == "uneven" and loss == "zero-one":
        loss = "absolute"
    for properties in ((), ("row-monotone",)):
        problem = question(number, kind, epsilon, loss, properties)
        design = om.design(problem, engine="rays")
        assert design.engine == "rays"
        assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)
        assert design.lower_bound_standing == "proved"
        assert design.certificate.relative_gap < 1e-9


def test_a_symmetric_mechanism_is_made_of_a_symmetric_question():
    problem = om.croft(om.mean(3, 3), "0.4", properties=["symmetric", "row-monotone"])
    design = om.design(problem, engine="rays")
    assert design.solution.status is Status.OPTIMAL
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-8)
    assert design.certificate.relative_gap < 1e-9


@each(
    ("problem", "reason"),
    [
        (om.croft(om.Query([0, 5, 9], [(0, 6)]), 1, properties=["fair"]), "every truth inside a response"),
        (om.kadam(om.residues(5, [1]), 1), "any matrix"),
        (om.croft(om.Query(range(3), neighbours=[(0, 1)]), 1), "connect all truths"),
        (om.croft(om.Query(range(3), symmetric=False), 1), "both ways"),
        (
            om.croft(om.Query(range(4), neighbours=[(0, 1), (1, 2), (2, 3), (3, 0)]), 1),
            "within so many steps",
        ),
        (om.croft(om.Query(range(1999), neighbours=40), 1), "would fill the memory"),
    ],
)
def test_what_rays_cannot_do_is_said_in_a_sentence(problem, reason):
    assert reason in rays.refusal(problem)
    with pytest.raises(om.ProblemError, match=reason):
        om.design(problem, engine="rays")


@pytest.mark.slow
def test_the_mean_of_the_reference_is_met():
    """Mean of 40 records 0..4 at epsilon 0.2 costs .409340 a truth, of 161: reference values of Variant 1."""
    design = om.design(om.croft(om.mean(40, 4), "0.2"))
    assert design.engine == "rays"
    assert design.objective / 161 == pytest.approx(0.409340, abs=5e-7)
    assert design.certificate.relative_gap < 1e-9


# Trouble in the master program.


def spoiled(change):
    class Spoiled(WarmHighs):
        calls = 0

        def solve(self, model, time_limit=None):
            type(self).calls += 1
            return change(super().solve(model, time_limit), type(self).calls)

    return Spoiled


@pytest.mark.parametrize("status", [Status.NUMERICAL, Status.INFEASIBLE, Status.REFUSED])
def test_trouble_in_the_master_program_is_survived(monkeypatch, status):
    def change(solution, calls):
        if calls % 2:
            return solution
        return replace(solution, status=status, values=None, row_duals=None, objective=None, bound=None)

    monkeypatch.setattr(searching, "WarmHighs", spoiled(change))
    problem = question(9, "prior", "0.05", "absolute")
    design = om.design(problem, engine="rays")
    assert design.objective == pytest.approx(solved_design(problem).objective, rel=1e-7)


def test_where_nobody_solves_the_master_program_the_next_engine_is_asked(monkeypatch):
    def nothing(solution):
        return replace(
            solution, status=Status.NUMERICAL, values=None, row_duals=None, objective=None, bound=None
        )

    monkeypatch.setattr(searching, "WarmHighs", spoiled(lambda solution, _: nothing(solution)))
    monkeypatch.setattr(
        searching.attempts, "solve", lambda *given, **more: nothing(solve_once(*given, **more))
    )
    design = om.design(om.croft(om.mean(3, 2), 1))
    assert design.engine == "program"
    assert any("rays gave no mechanism" in note for note in design.notes)


solve_once = attempts.solve


def test_cbc_mixes_rays_as_well():
    problem = om.croft(om.mean(3, 2), 1)
    design = om.design(problem, engine="rays", solver="cbc")
    assert design.solution.solver.startswith("cbc")
    assert design.objective == pytest.approx(om.design(problem).objective, rel=1e-6)


def test_a_search_ends_with_a_mechanism_and_a_bound():
    answer = search(PrivateRows.of(om.croft(om.mean(10, 4), "0.01")), "auto", SolveOptions())
    assert answer.matrix.sum(axis=0) == pytest.approx(1, abs=1e-12)
    assert answer.bound <= answer.objective * (1 + 1e-12)
