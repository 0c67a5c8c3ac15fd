"""A proved bound is below each mechanism's cost for any multipliers; an invalid proof is refused."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st

import optmech as om
from optmech.base import slices
from optmech.base.blocks import Order
from optmech.designs.choice import choose
from optmech.proofs.bound import NotAProofError, proved_bound
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.multipliers import BITS, Leaf, Rule, Split
from optmech.proofs.unknown_multipliers import unknown_multiplier
from optmech.question.losses import LeastDelta
from optmech.rules import Rules, compile_rules
from tests.each import each
from tests.proofs.by_hand import (
    below_exponential,
    broken_rule,
    cost_of,
    factor_of,
    home_of,
    problems,
    random_private_matrix,
)
from tests.search import search

ONE = 2**BITS


def rule(*rows):
    """Return multipliers: each row is a place and a weight, a fraction."""
    weights = np.empty(len(rows), dtype=object)
    weights[:] = [int(row[-1] * ONE) for row in rows]
    return Rule(places=np.array([row[:-1] for row in rows], dtype=np.int64), weights=weights)


def leaf(cost=0, **rules):
    return Leaf(
        rules={name.replace("_", "-"): rule(*rows) for name, rows in rules.items()}, cost=int(cost * ONE)
    )


def bound(problem, tree):
    return proved_bound(compile_rules(problem), tree, factor_of(problem))


def test_a_bound_worked_out_by_hand():
    """A count of 0..1 at ln 3, plain sum of absolute errors: the optimum is 2 e^-eps / (1 + e^-eps) = 1/2.

    The errors are M[1,0] and M[0,1]. With y = 1/4 on M[1,1] <= 3 M[1,0] and on M[0,0] <= 3 M[0,1] the reduced
    costs of truth 0 are 1/4 at response 0 and 1 - 3/4 at response 1, and the same for truth 1: 1/4 + 1/4.
    """
    problem = om.croft(om.count(1), "ln 3")
    y = Fraction(1, 4)
    assert bound(problem, leaf(privacy=[(1, 1, 0, y), (0, 0, 1, y)])) == Fraction(1, 2)
    # Twice the same place counts twice: 1/8 + 1/8.
    halves = [(1, 1, 0, y / 2), (0, 0, 1, y / 2)] * 2
    assert bound(problem, leaf(privacy=halves)) == Fraction(1, 2)
    assert bound(problem, Leaf()) == 0
    # Too much is no less sound, but worth less: 1/2 at response 0, 1 - 3/2 at response 1.
    assert bound(problem, leaf(privacy=[(1, 1, 0, 2 * y), (0, 0, 1, 2 * y)])) == -1


def test_of_an_interval_around_the_factor_each_rule_takes_the_safe_end():
    """With E in [2, 4] the multiplier above is worth 1/4 at response 0, 1 - 4/4 at response 1."""
    problem = om.croft(om.count(1), "ln 3")
    y = Fraction(1, 4)
    tree = leaf(privacy=[(1, 1, 0, y), (0, 0, 1, y)])
    assert proved_bound(compile_rules(problem), tree, Enclosure(Fraction(2), Fraction(4))) == 0


def orders_of(problem):
    """Return all (r, f, s, g) of which Croft (10)-(13) say that entry (r, f) is at most entry (s, g)."""
    query = problem.query
    number, truths = query.num_responses, query.num_truths
    home = [home_of(query, truth) for truth in query.truths]
    orders = []
    if "column-monotone" in problem.properties:
        orders += [
            (r, f, s, f)
            for f in range(truths)
            for r in range(number)
            for s in range(number)
            if r < s <= home[f] or r > s >= home[f]
        ]
    if "row-monotone" in problem.properties:
        for r in range(number):
            lower = query.responses[r].lower
            orders += [
                (r, f, r, g)
                for f in range(truths)
                for g in range(truths)
                if (f < g and (query.truths[g] < lower or home[g] == r))
                or (f > g and query.truths[g] >= lower)
            ]
    return orders


def random_leaf(problem, rng, size):
    """Return random multipliers of the signs that rules ask for."""
    query = problem.query
    number = query.num_responses

    def weight():
        return Fraction(rng.randint(0, 2**20), 2 ** rng.randint(18, 26))

    pairs = query.pairs.tolist()
    rules = {}
    if pairs:
        rules["privacy"] = [(rng.randrange(number), *rng.choice(pairs), weight()) for _ in range(size)]
    orders = orders_of(problem)
    if orders:
        rules["order"] = [(*rng.choice(orders), weight()) for _ in range(size)]
    return leaf(**rules)


@search(150, problems(), st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_no_random_multipliers_prove_more_than_a_random_mechanism_costs(problem, seed, size):
    query = problem.query
    assume(not (problem.properties & {"fair", "column-monotone"} and (query.home < 0).any()))
    rng = random.Random(seed)  # noqa: S311
    if problem.properties:  # the even matrix has them all; so has any of all columns alike that is symmetric
        column = [Fraction(1, query.num_responses)] * query.num_responses
        if problem.properties == {"row-monotone"}:
            masses = [rng.randint(0, 5) for _ in column]
            masses[0] += 1
            column = [Fraction(mass, sum(masses)) for mass in masses]
        entries = [[mass] * query.num_truths for mass in column]
    else:
        entries = random_private_matrix(problem, rng)
    assert broken_rule(problem, entries) is None
    assert bound(problem, random_leaf(problem, rng, size)) <= cost_of(problem, entries)


@search(60, problems(), st.integers(0, 2**32 - 1), st.booleans())
def test_what_is_proved_a_row_at_a_time_is_what_is_proved_at_once(problem, seed, best):
    """However the multipliers are sorted, and whether those of the sums are given or the best ones sought."""
    assume(not (problem.properties & {"fair", "column-monotone"} and (problem.query.home < 0).any()))
    problem = replace(problem, properties=frozenset())
    drawn = random_leaf(problem, random.Random(seed), 12)  # noqa: S311
    if not best:
        totals = np.array(
            [(seed >> truth) % 7 - 3 for truth in range(problem.query.num_truths)], dtype=object
        )
        drawn = replace(drawn, totals=totals * (ONE // 8), means=0 * totals)
    at_once = bound(problem, drawn)
    with mock.patch.object(slices, "_ENTRIES", 1):
        assert bound(problem, drawn) == at_once
    with mock.patch.object(Rules, "is_row_by_row", new=False):
        assert bound(problem, drawn) == at_once


def certified(problem):
    try:
        engine = "program" if choose(problem).order[0] == "chain" else "auto"  # for its multipliers
        return om.design(problem, engine=engine).certificate
    except om.NotAcceptedError:
        return assume(condition=False)


@search(40, problems(), st.integers(0, 2**32 - 1))
def test_multipliers_off_the_optimum_never_prove_more_than_it(problem, seed):
    """The solver's duals, each moved by up to a half, or some left out, beside the certified optimum."""
    certificate = certified(problem)
    rng = random.Random(seed)  # noqa: S311
    assert certificate.bound <= certificate.objective
    rules = {}
    for name, old in certificate.proof.rules.items():
        weights = np.empty(len(old.weights), dtype=object)
        weights[:] = [
            weight * rng.choice([0, 2**20, rng.randint(2**19, 3 * 2**19)]) >> 20 for weight in old.weights
        ]
        used = np.flatnonzero(weights != 0)
        rules[name] = Rule(places=old.places[used], weights=weights[used])
    moved = proved_bound(compile_rules(problem), Leaf(rules=rules), certificate.factor)
    assert moved <= certificate.objective


@search(60, problems(), st.integers(0, 2**32 - 1))
def test_one_rule_more_beside_the_optimal_multipliers_never_proves_more(problem, seed):
    """The optimum has little room there, so that a rule read the wrong way round would show."""
    certificate = certified(problem)
    rng = random.Random(seed)  # noqa: S311
    for _ in range(10):
        rules = dict(certificate.proof.rules)
        for name, more in random_leaf(problem, rng, 1).rules.items():
            old = rules.get(name, Rule(places=more.places[:0], weights=more.weights[:0]))
            places, weights = (np.concatenate(parts) for parts in zip(pair(old), pair(more), strict=True))
            added = Leaf(rules={**rules, name: Rule(places=places, weights=weights)})
            assert proved_bound(compile_rules(problem), added, certificate.factor) <= certificate.objective


def pair(multipliers):
    return multipliers.places, multipliers.weights


@each("count", [1, 2, 3])
@each("ratio", ["3/2", "2", "9"])
@each("prior", [None, "uniform"])
def test_the_proved_bound_of_a_count_is_its_optimum_by_enumeration(count, ratio, prior):
    """The optimum of each column's weights over all truncated geometric mechanisms with merged responses.

    For absolute errors an optimal mechanism of a count is a geometric one followed by a map of its responses
    (Ghosh, Roughgarden, Sundararajan 2012), so that a search of all monotone maps finds the exact optimum.
    """
    problem = om.croft(om.count(count), f"ln {ratio}", prior=prior)
    decay = 1 / Fraction(ratio)
    size = count + 1
    # The ends have mass d^|r-f| / (1+d), all between (1-d) times that.
    geometric = [[decay ** abs(r - f) / (1 + decay) for f in range(size)] for r in range(size)]
    for r in range(1, count):
        geometric[r] = [value * (1 - decay) for value in geometric[r]]
    assert all(sum(geometric[r][f] for r in range(size)) == 1 for f in range(size))
    best = None
    for code in range(size**size):
        to = [code // size**r % size for r in range(size)]
        cost = sum(abs(to[r] - f) * geometric[r][f] for r in range(size) for f in range(size))
        best = cost if best is None else min(best, cost)
    best = best / size if prior == "uniform" else best
    certificate = om.design(problem).certificate
    assert certificate.bound <= best <= certificate.objective
    assert certificate.objective - certificate.bound <= best * Fraction(1, 10**10)


# Modular noise under probabilistic privacy: trees.
KADAM = [
    om.kadam(om.residues(4, [1]), "ln 2", "0.2"),
    om.kadam(om.residues(5, [1, 2]), "ln 3/2", "0.3", cost="circular"),
    om.kadam(om.residues(4, [1], symmetric=False), "ln 4", "0.1", cost=[0, 3, 1, 2]),
    om.kadam(om.residues(4, [1]), "ln 3", "0.25", cost="squared"),
    om.kadam_least_delta(om.residues(4, [1]), "ln 2", at_most="0.45"),
    om.kadam_least_delta(om.residues(5, [1, 2]), "ln 2", at_most="0.5"),
]


def neighbours_of_zero(problem):
    return [g for f, g in problem.query.pairs.tolist() if f == 0]


def random_noise(problem, rng):
    """Return noise that the problem allows, by trying; and what was to be least."""
    size, ratio = problem.query.num_truths, problem.privacy.epsilon.of
    near = neighbours_of_zero(problem)
    for _ in range(400):
        masses = [rng.choice([0, 1, 1, 2, 3, 4, 8, rng.randint(0, 40)]) for _ in range(size)]
        masses[0] += rng.choice([1, 3, 20])
        x = [Fraction(mass, sum(masses)) for mass in masses]
        over = [[x[n] > ratio * x[(n - g) % size] for g in near] for n in range(size)]
        spent = max(sum(x[n] for n in range(size) if over[n][j]) for j in range(len(near)))
        loss = problem.loss
        cost = sum(Fraction(repr(float(loss.loss[n, 0]))) * x[n] for n in range(size))
        if isinstance(problem.objective, LeastDelta):
            if cost <= problem.objective.at_most:
                return spent
        elif spent <= problem.privacy.delta:
            return cost
    return None


def random_tree(problem, rng, decided):
    """Return a tree of random decisions, each leaf with random multipliers that it allows."""
    size, near = problem.query.num_truths, neighbours_of_zero(problem)
    if len(decided) < 3 and rng.random() < 0.7:
        n = rng.randrange(size)
        key = (n, 0, rng.choice(near))
        if key not in decided:
            halves = {side: random_tree(problem, rng, {**decided, key: side}) for side in (False, True)}
            return Split(comparison=key, kept=halves[False], violated=halves[True])
    sought = isinstance(problem.objective, LeastDelta)
    budgets = {g: Fraction(rng.randint(0, 64), 64) for g in near}
    if sought:
        budgets = {g: w / len(budgets) for g, w in budgets.items()}
    ratios = []
    for n in range(size):
        for g in near:
            side = decided.get((n, 0, g))
            share = Fraction(rng.randint(0, 16), 16)
            if side is not True:
                ratios.append((n, 0, g, budgets[g] * share if side is None else share * 2))
    listed = [(0, g, w) for g, w in budgets.items()]
    return leaf(cost=Fraction(rng.randint(0, 8), 4) if sought else 0, privacy=ratios, budget=listed)


@search(150, st.sampled_from(KADAM), st.integers(0, 2**32 - 1))
def test_no_random_tree_proves_more_than_random_noise_costs(problem, seed):
    rng = random.Random(seed)  # noqa: S311
    costs = [cost for cost in (random_noise(problem, rng) for _ in range(3)) if cost is not None]
    tree = random_tree(problem, rng, {})
    assume(costs)
    assert bound(problem, tree) <= min(costs)


@each("problem", KADAM, every=6, slow_every=2)
def test_the_proof_by_cases_of_noise_is_below_all_random_noise_and_near_the_best(problem):
    certificate = om.design(problem, engine="program").certificate
    result = bound(problem, certificate.proof)
    assert certificate.objective - result <= Fraction(1, 10**7)
    rng = random.Random(0)  # noqa: S311
    costs = [cost for cost in (random_noise(problem, rng) for _ in range(100)) if cost is not None]
    assert costs
    assert result <= min([*costs, certificate.objective])


def test_a_violated_ratio_is_paid_for_once():
    """Noise modulo 4, error rate, ln 2, delta 1/5; decided is x[0] <= 2 x[3], with multiplier 1/3, or not.

    Kept: x[0]/3 + x[1] + x[2] + (1 - 2/3) x[3] is 1/3 at least. Violated, with a budget of 1/3: the same
    with x[3] in place of x[3]/3, less 1/3 of 1/5.
    """
    third = Fraction(int(Fraction(1, 3) * ONE), ONE)
    kept, violated = leaf(privacy=[(0, 0, 1, third)]), leaf(budget=[(0, 1, third)])
    assert bound(KADAM[0], split((0, 0, 1), kept, violated)) == third - third / 5
    assert bound(KADAM[0], split((0, 0, 1), kept, leaf())) == 0


SADEGHI = [
    om.sadeghi(1, "0.5", 2, counts=(1, 3)),
    om.sadeghi("ln 2", "0.3", 2, counts=(2, 4)),
    om.sadeghi_symmetric("ln 2", "0.8", 3),
    om.sadeghi_symmetric("ln 3", "1/7", 2),
]


def random_bounded_noise(problem, rng):
    """Return the per-outcome delta of random noise: atoms of two values, or symmetric masses."""
    query, structure = problem.query, problem.structure
    width, accuracy = structure.half_width, structure.accuracy
    below = below_exponential(problem.privacy.epsilon)
    first = query.responses[0].midpoint
    entries = [[Fraction(0)] * query.num_truths for _ in query.responses]
    shared = [rng.randint(0, 5) for _ in range(width)]
    shared[rng.randrange(width)] += 1
    symmetric = type(structure).__name__ == "SymmetricNoise"
    for f, truth in enumerate(query.truths):
        home = int(truth - first)
        entries[home][f] += accuracy
        if symmetric:
            for i, mass in enumerate(shared, 1):
                for side in (-i, i):
                    entries[home + side][f] += (1 - accuracy) / 2 * Fraction(mass, sum(shared))
            continue
        atoms = [
            (i, j, rng.randint(0, 5))
            for i in range(1, min(width, int(truth)) + 1)
            for j in range(1, width + 1)
        ]
        atoms[0] = (*atoms[0][:2], atoms[0][2] + 1)
        total = sum(mass for *_, mass in atoms)
        for i, j, mass in atoms:
            share = (1 - accuracy) * Fraction(mass, total) / (i + j)
            entries[home - i][f] += share * j
            entries[home + j][f] += share * i
    compared = [(r, f, g) for f, g in query.pairs.tolist() for r in range(query.num_responses)]
    if symmetric:
        outcomes = width + 1 if str(problem.privacy.rows) == "paper" else 2 * width + 1
        compared = [(r, 0, 1) for r in range(outcomes)]
    return max(Fraction(0), *(entries[r][f] - below * entries[r][g] for r, f, g in compared)), compared


@search(120, st.sampled_from(SADEGHI), st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_no_random_multipliers_prove_more_than_the_delta_of_random_noise(problem, seed, size):
    rng = random.Random(seed)  # noqa: S311
    delta, compared = random_bounded_noise(problem, rng)
    weights = [rng.randint(0, 9) for _ in range(size)]
    rows = [
        (*rng.choice(compared), Fraction(weight, max(1, sum(weights)) * rng.choice([1, 1, 3])))
        for weight in weights
    ]
    assert bound(problem, leaf(privacy=rows)) <= delta
    given_delta = replace(
        problem,
        privacy=replace(problem.privacy, delta=Fraction(1, 2)),
        objective=om.croft(problem.query, 1, loss="squared").objective,
    )
    # With delta given, multipliers of any size are a proof; no noise errs by as much as 40.
    assert bound(given_delta, leaf(privacy=rows)) <= 40**2 * problem.query.num_truths


# Invalid proofs.

PLAIN = om.croft(om.count(3), 1)
TWO = om.croft(om.count(3), 1, variant=2)
FALLING = om.croft(om.count(3), 1, properties=["column-monotone"])
ALONG = om.croft(om.count(3), 1, properties=["row-monotone"])
QUARTER = Fraction(1, 4)


@each(
    ("problem", "tree", "words"),
    [
        (PLAIN, leaf(privacy=[(0, 0, 1, -QUARTER)]), "negative"),
        (PLAIN, leaf(privacy=[(-1, 0, 1, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(4, 0, 1, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(0, 0, 2, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(0, 1, 1, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(0, -1, 0, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(0, 1, QUARTER)]), "stands on no rule"),
        # Codes truth * 4 + neighbour: (0, 5) would read as (1, 1), (1, -4 + 4) ...; all are outside.
        (PLAIN, leaf(privacy=[(0, 0, 6, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(privacy=[(0, 2, -3, QUARTER)]), "stands on no rule"),
        (PLAIN, leaf(budget=[(0, 1, QUARTER)]), "budget"),
        (PLAIN, leaf(nonsense=[(0, 1, QUARTER)]), "nonsense"),
        # Orders of a 4 x 4 count: down column 0 falls, column 3 rises; row 0 falls, row 3 rises.
        (PLAIN, leaf(order=[(1, 0, 0, 0, QUARTER)]), "order"),
        (PLAIN, leaf(order=[(0, 1, 0, 0, QUARTER)]), "order"),
        (FALLING, leaf(order=[(0, 1, 0, 0, QUARTER)]), "order"),  # a row where only columns are monotone
        (ALONG, leaf(order=[(1, 0, 0, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(1, 0, 0, 0, -QUARTER)]), "order"),
        (TWO, leaf(order=[(0, 0, 1, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(0, 0, 0, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(0, 0, 0, 1, QUARTER)]), "order"),
        (TWO, leaf(order=[(1, 0, 0, 1, QUARTER)]), "order"),  # neither a row nor a column
        (TWO, leaf(order=[(3, 1, 0, 1, QUARTER)]), "order"),  # past the truth
        (TWO, leaf(order=[(1, 3, 1, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(4, 0, 0, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(-1, 0, 0, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(0, 4, 0, 0, QUARTER)]), "order"),
        (TWO, leaf(order=[(1, 0, 0, QUARTER)]), "order"),
        (PLAIN, Split(comparison=(0, 0, 1), kept=Leaf(), violated=Leaf()), "no decisions"),
        (KADAM[0], Split(comparison=(0, 0, 2), kept=Leaf(), violated=Leaf()), "no comparison"),
        (KADAM[0], Split(comparison=(0,), kept=Leaf(), violated=Leaf()), "no comparison"),
        (KADAM[0], Split(comparison=(-1, 0, 1), kept=Leaf(), violated=Leaf()), "no comparison"),
        (KADAM[0], Split(comparison=(4, 0, 1), kept=Leaf(), violated=Leaf()), "no comparison"),
        (KADAM[0], Split(comparison=(), kept=Leaf(), violated=Leaf()), "no comparison"),
        (KADAM[0], leaf(privacy=[(0, 0, 1, QUARTER)]), "more than its budget"),
        (KADAM[0], leaf(privacy=[(0, 0, 1, 2 * QUARTER)] * 2, budget=[(0, 1, 3 * QUARTER)]), "more than its"),
        (KADAM[0], leaf(privacy=[(0, 0, 1, -QUARTER)], budget=[(0, 1, QUARTER)]), "negative"),
        (KADAM[0], leaf(budget=[(0, 1, QUARTER), (0, 1, QUARTER)]), "budget"),
        (KADAM[0], leaf(budget=[(0, 1, -QUARTER)]), "negative"),
        (KADAM[0], leaf(budget=[(0, 2, QUARTER)]), "budget"),
        (KADAM[4], leaf(budget=[(0, 1, 3 * QUARTER), (0, 3, 3 * QUARTER)]), "more than one"),
        (KADAM[4], leaf(cost=-QUARTER), "not negative"),
        (PLAIN, leaf(cost=QUARTER), "a cost needs a bound"),
        (SADEGHI[0], leaf(privacy=[(0, 0, 1, 3 * QUARTER), (1, 0, 1, 3 * QUARTER)]), "more than one"),
        (SADEGHI[2], leaf(privacy=[(0, 1, 0, QUARTER)]), "stands on no rule"),
        (SADEGHI[2], leaf(privacy=[(7, 0, 1, QUARTER)]), "stands on no rule"),
        (SADEGHI[3], leaf(privacy=[(5, 0, 1, QUARTER)]), "stands on no rule"),  # the rows are 0..4
        (SADEGHI[3], leaf(privacy=[(4, 0, 1, QUARTER), (5, 0, 1, QUARTER)]), "stands on no rule"),
    ],
)
def test_what_stands_on_no_rule_is_no_proof(problem, tree, words):
    with pytest.raises(NotAProofError, match=words):
        bound(problem, tree)


def split(comparison, kept, violated):
    return Split(comparison=comparison, kept=kept, violated=violated)


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        (split((0, 0, 1), Leaf(), leaf(privacy=[(0, 0, 1, QUARTER)], budget=[(0, 1, 1)])), "violated ratio"),
        (split((0, 0, 1), leaf(privacy=[(1, 0, 1, QUARTER)]), Leaf()), "more than its budget"),
        (split((0, 0, 1), Leaf(), leaf(privacy=[(0, 0, 1, -QUARTER)])), "negative"),
    ],
)
def test_a_decision_allows_no_more_than_it_says(tree, words):
    with pytest.raises(NotAProofError, match=words):
        bound(KADAM[0], tree)


def test_no_ratio_has_a_negative_multiplier_whatever_is_decided():
    reversed_ = leaf(privacy=[(1, 0, 1, -QUARTER)])
    for tree in (split((1, 0, 1), Leaf(), reversed_), split((1, 0, 1), reversed_, Leaf()), reversed_):
        with pytest.raises(NotAProofError, match="negative"):
            bound(KADAM[3], tree)


def test_one_multiplier_cannot_stand_on_several_places():
    """A weight of 1 on both places would count once in delta's sum, and twice in the reduced costs."""
    one = np.empty(1, dtype=object)
    one[:] = [ONE]
    twice = Leaf(rules={"privacy": Rule(places=np.array([[0, 0, 1], [4, 1, 0]]), weights=one)})
    with pytest.raises(NotAProofError, match="differ in number"):
        bound(SADEGHI[0], twice)


def test_a_cost_without_a_bound_has_no_multiplier():
    """At a weight of 2**10 it would prove a delta of 1536, and a delta is a probability."""
    loss = om.croft(SADEGHI[0].query, 1).objective
    problem = replace(SADEGHI[0], objective=LeastDelta(loss, None))
    with pytest.raises(NotAProofError, match="a cost needs a bound"):
        bound(problem, leaf(cost=2**10))
    assert bound(problem, Leaf()) == 0


def whole(*numbers):
    array = np.empty(len(numbers), dtype=object)
    array[:] = [int(number * ONE) for number in numbers]
    return array


def test_any_multipliers_of_sums_and_means_prove_no_more_than_the_best_ones():
    rng = random.Random(1)  # noqa: S311
    for problem in (PLAIN, TWO, KADAM[0], SADEGHI[0], SADEGHI[2]):
        size = problem.query.num_truths
        best = bound(problem, Leaf())
        for _ in range(20):
            totals = whole(*(Fraction(rng.randint(-8, 8), 4) for _ in range(size)))
            means = whole(*(Fraction(rng.randint(-8, 8), 4) for _ in range(size)))
            if not hasattr(problem.structure, "half_width"):
                means *= 0
            assert bound(problem, Leaf(totals=totals, means=means)) <= best


@pytest.mark.parametrize("problem", [PLAIN, TWO, KADAM[0]])
def test_only_noise_without_bias_has_a_multiplier_of_its_mean(problem):
    size = problem.query.num_truths
    means = whole(1, *[0] * (size - 1))
    with pytest.raises(NotAProofError, match="mean"):
        bound(problem, Leaf(totals=0 * means, means=means))


def test_each_column_has_one_multiplier_of_its_sum():
    for totals, means in (
        (whole(0), whole(0)),
        (whole(0, 0, 0, 0, 0), whole(0, 0, 0, 0)),
        (whole(), whole()),
    ):
        with pytest.raises(NotAProofError, match="each column must have a multiplier"):
            bound(PLAIN, Leaf(totals=totals, means=means))


@pytest.mark.parametrize("bounds", [[], [whole(1)] * 2, [whole(1, 1)], [whole(-1)]])
def test_each_bounded_loss_has_one_multiplier(bounds):
    bounded = om.question(om.count(2), 1, bounds=["mean absolute <= 1"])
    assert bound(bounded, Leaf(bounds=[whole(0)])) == 0
    with pytest.raises(NotAProofError, match="bounded loss"):
        bound(bounded, Leaf(bounds=bounds))


def test_structures_that_do_not_fit_their_query_prove_nothing():
    """Half a count more is a response that noise within 2 could use, and that the formula does not see."""
    query = SADEGHI[0].query
    more = om.Query(query.truths, [*range(6), Fraction(11, 2)], 1)
    for wrong in (
        replace(SADEGHI[0], query=more),
        replace(SADEGHI[2], query=om.Query(SADEGHI[2].query.truths, range(10), 2)),
        replace(KADAM[0], query=om.Query(range(4), neighbours=1)),
    ):
        with pytest.raises(NotAProofError, match="needs"):
            bound(wrong, Leaf())


def test_orders_that_meet_say_nothing_of_each_other():
    rules = compile_rules(om.croft(om.count(1), 1))
    meeting = Order(  # M[0,0] <= M[0,1] <= M[1,1] and M[1,0] <= M[1,1]
        name="meeting", subscripts=np.arange(3)[:, None], low=np.array([0, 1, 2]), high=np.array([1, 3, 3])
    )
    rules = replace(rules, demands=(meeting,))
    for place, is_known in (((0, 0, 0, 1), True), ((1, 0, 1, 1), True), ((0, 0, 1, 0), False)):
        rule = Rule(places=np.array([place]), weights=np.array([1], dtype=object))
        assert (unknown_multiplier(rules, Leaf(rules={"order": rule})) is None) is is_known
