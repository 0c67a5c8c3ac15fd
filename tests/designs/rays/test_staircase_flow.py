"""Flows up a staircase: what can be covered is, and by rules that hold with equality alone."""

from __future__ import annotations

import numpy as np
import pytest

from optmech.designs.rays.staircase_flow import staircase_flow
from tests.each import each


def staircase(rng, number, reach):
    """Levels that fall on both sides of a plateau, by one after at least `reach` truths."""
    peak = int(rng.integers(0, number))
    levels = np.zeros(number, dtype=np.int64)
    for step in (1, -1):
        truth, level, since = peak, 0, int(rng.integers(0, reach))
        while 0 <= truth + step < number:
            truth, since = truth + step, since + 1
            if since >= reach and rng.random() < 0.8:
                level, since = level - 1, 0
            levels[truth] = level
    return levels, peak


def tight(levels, reach):
    number = len(levels)
    return [
        (f, g)
        for f in range(number)
        for g in range(max(0, f - reach), min(number, f + reach + 1))
        if levels[f] == levels[g] + 1
    ]


@each("seed", range(60))
def test_costs_that_multipliers_can_cover_are_covered(seed):
    """Costs are made from random multipliers, so that with some flow nothing is lacking."""
    rng = np.random.default_rng(seed)
    reach, factor = int(rng.integers(1, 6)), float(np.exp(rng.choice([0.05, 0.7, 2.0])))
    levels, peak = staircase(rng, int(rng.integers(2, 40)), reach)
    rules = tight(levels, reach)
    costs = np.where(rng.random(len(levels)) < 0.3, rng.exponential(1.0, len(levels)), 0.0)
    for f, g in rules:
        weight = rng.exponential(1.0) * (rng.random() < 0.5)
        costs[f] -= weight
        costs[g] += factor * weight
    taker, giver, weight, lack = staircase_flow(costs, levels, reach, factor, peak)
    assert lack <= 1e-9 * np.abs(costs).max()
    assert set(zip(taker.tolist(), giver.tolist(), strict=True)) <= set(rules)
    assert (weight >= 0).all()
    left = costs.copy()
    np.add.at(left, taker, weight)
    np.add.at(left, giver, -factor * weight)
    assert -np.minimum(left, 0).sum() == pytest.approx(lack, abs=1e-9 * np.abs(costs).max())


def test_what_nobody_can_cover_is_told():
    costs, levels = np.array([-2.0, 1.0, 1.0]), np.array([0, -1, -2])
    *_, lack = staircase_flow(costs, levels, 1, 2.0, 0)
    assert lack == pytest.approx(2 - 0.75)


def test_without_costs_there_are_no_rules():
    taker, giver, weight, lack = staircase_flow(np.zeros(4), np.zeros(4, dtype=np.int64), 2, 2.0, 0)
    assert len(taker) == len(giver) == len(weight) == lack == 0
