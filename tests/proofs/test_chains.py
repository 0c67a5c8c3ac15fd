"""Chains prove what the multipliers prove that they stand for; both readers make one matrix of rays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest

import optmech as om
from optmech.base import slices
from optmech.mechanisms.certificates.ray_text import ray_content, read_rays
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.multipliers import Leaf, Rule
from optmech.proofs.privacy_multipliers import privacy_multipliers
from optmech.proofs.ray_matrix import Ray, RayMatrix
from optmech.rules import compile_rules
from tests.each import each
from tests.readers import checker

ONE = 1 << 20
FACTOR = 3  # e^epsilon, of epsilon = ln 3


def whole(numbers):
    return np.array([int(number) for number in numbers], dtype=object)


def listed(costs, first, last, reach):
    """The multipliers of chains, truth by truth, for reduced costs in whole numbers over ONE."""
    places, weights = [], []
    for r, row in enumerate(costs.tolist()):
        givers = [(f, f + reach) for f in range(first[r])]
        givers += [(f, f - reach) for f in range(len(row) - 1, last[r], -1)]
        for giver, taker in givers:
            amount = max(row[giver] // FACTOR, 0)
            row[giver] -= FACTOR * amount
            row[taker] += amount
            places.append((r, taker, giver))
            weights.append(amount)
    return Rule(places=np.array(places, dtype=np.int64).reshape(-1, 3), weights=whole(weights))


@each("seed", range(12))
@each(("records", "largest"), [(6, 1), (5, 2), (4, 3)])
def test_chains_prove_what_the_multipliers_prove_that_they_stand_for(seed, records, largest):
    rng = np.random.default_rng([seed, records])
    problem = om.croft(om.mean(records, largest), "ln 3", prior="uniform", properties=["fair"][: seed % 2])
    rules = compile_rules(problem)
    truths = rules.shape[1]
    costs = np.array(
        [[int(cost * ONE) for cost in row] for row in np.abs(np.subtract.outer(*2 * [np.arange(truths)]))]
    )
    scale = records * truths  # of a loss of one step: one, over records and the uniform prior
    totals = whole(rng.integers(0, 2 * ONE, truths))
    first = rng.integers(0, truths - largest + 1, truths)
    last = np.array([rng.integers(max(largest - 1, a), truths) for a in first])
    # The denominator makes the costs of the program those of the table above.
    leaf = Leaf(totals=totals, means=0 * totals, chains=(first, last), denominator=ONE * scale)
    factor = Enclosure(Fraction(FACTOR), Fraction(FACTOR))
    with mock.patch.object(slices, "_ENTRIES", 2 * truths):  # rows come two at a time
        chained, found = proved_bound(rules, leaf, factor), privacy_multipliers(rules, leaf, factor)
    multipliers = listed(costs - totals, first, last, largest)
    plain = replace(leaf, chains=None, rules={"privacy": multipliers})
    assert chained == proved_bound(rules, plain, factor)
    if rules.is_row_by_row:
        assert table_of(found) == table_of(multipliers)


def table_of(rule):
    return {
        tuple(place): y for place, y in zip(rule.places.tolist(), rule.weights.tolist(), strict=True) if y
    }


@each(
    ("first", "last"),
    [
        ([3, 0, 0, 0, 0], [2, 4, 4, 4, 4]),  # the ends cross
        ([5, 0, 0, 0, 0], [4, 4, 4, 4, 4]),  # the last truth has nobody to give to
        ([-1, 0, 0, 0, 0], [4, 4, 4, 4, 4]),
        ([0, 0, 0, 0, 0], [5, 4, 4, 4, 4]),
        ([0, 0, 0, 0], [4, 4, 4, 4]),  # a row too few
    ],
)
def test_ends_that_are_none_are_refused(first, last):
    rules = compile_rules(om.croft(om.count(4), "ln 3"))
    zeros = whole([0] * 5)
    leaf = Leaf(totals=zeros, means=zeros, chains=(np.array(first), np.array(last)))
    with pytest.raises(NotAProofError, match="chains of a row must end"):
        proved_bound(rules, leaf, Enclosure(Fraction(FACTOR), Fraction(FACTOR)))


@each("problem", [om.question(om.count(4), "ln 3", delta="0.1"), om.croft(om.count(4), "ln 3")])
def test_only_pure_privacy_and_given_sums_have_chains(problem):
    zeros = whole([0] * 5)
    given = {} if problem.privacy.delta == 0 else {"totals": zeros, "means": zeros}
    leaf = Leaf(chains=(np.zeros(5, int), np.full(5, 4)), **given)
    with pytest.raises(NotAProofError, match="only pure privacy within a reach has chains"):
        proved_bound(compile_rules(problem), leaf, Enclosure(Fraction(FACTOR), Fraction(FACTOR)))


@each("seed", range(20))
def test_both_readers_make_the_same_matrix_of_rays(seed):
    rng = np.random.default_rng(seed)
    tall, truths, top = 3, int(rng.integers(1, 9)), 2**40
    rows = []
    for _ in range(tall):
        steps = np.cumsum(rng.integers(-1, 2, (2, truths)), axis=1)
        steps -= steps.min(axis=1, keepdims=True)
        rows.append(tuple(Ray.of(int(rng.integers(0, top // 8)), each_one) for each_one in steps))
        assert [ray.steps(truths).tolist() for ray in rows[-1]] == steps.tolist()
    step = int(rng.integers(0, 2**64, endpoint=False, dtype=np.uint64))
    mixture = RayMatrix(denominator=top, step=step, rest=1, rows=tuple(rows), truths=truths)
    content = ray_content(mixture)
    assert read_rays(content, truths) == mixture
    assert checker.Rays(content).rows(truths) == mixture.numerators().tolist()
