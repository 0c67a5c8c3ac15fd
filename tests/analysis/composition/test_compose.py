"""Compositions, held to sums over all outcomes that share no code with them."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from itertools import product as outcomes

import pytest

from optmech import Query, count, croft, design, sadeghi_symmetric
from optmech.analysis.baselines.whole_number_noise import explicit_fair, truncated_geometric
from optmech.analysis.composition import Queries, compose, privacy_curve
from optmech.analysis.composition.curve import curve_of
from optmech.analysis.composition.pairs import neighbours_of
from optmech.analysis.composition.product_bounds import rounded_product
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from tests.each import each

# The sums below take doubles as they stand, columns that miss one by 2**-53 and all.
CLOSE = 1e-12
FACTORS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4), Fraction(15), Fraction(100)]


def of_doubles(query, make, epsilon="0.5"):
    matrix = make(query, epsilon).matrix
    return MatrixMechanism(matrix=matrix, responses=query.response_values, truths=query.truths), query


def of_columns(truth, neighbour):
    total = sum(truth)
    assert sum(neighbour) == total
    matrix = [[p / total, q / total] for p, q in zip(truth, neighbour, strict=True)]
    query = Query((0, 1), range(len(truth)), neighbours=1)
    return MatrixMechanism(matrix=matrix, responses=range(len(truth)), truths=(0, 1)), query


def pairs_of(source):
    mechanism, query = source
    columns = [[Fraction(value) for value in column] for column in mechanism.matrix.T.tolist()]
    return [(columns[truth], columns[neighbour]) for truth, neighbour in query.pairs.tolist()]


def product_law(columns):
    """Return the probability of each tuple of responses, in one fixed order."""
    return [math.prod(choice) for choice in outcomes(*columns)]


def divergence(truth, neighbour, factor):
    return sum(max(Fraction(0), p - factor * q) for p, q in zip(truth, neighbour, strict=True))


def by_counts(truth, neighbour, uses, factor):
    """Sum over how often each response was seen, each count with its number of orders."""
    spent = Fraction(0)
    for outputs in combinations_with_replacement(range(len(truth)), uses):
        times = Counter(outputs)
        orders = math.factorial(uses) // math.prod(map(math.factorial, times.values()))
        p = math.prod(truth[response] ** number for response, number in times.items())
        q = math.prod(neighbour[response] ** number for response, number in times.items())
        spent += orders * max(Fraction(0), p - factor * q)
    return spent


@each("uses", range(1, 11), every=6, slow_every=2)
def test_the_truncated_geometric_is_the_exact_convolution(uses):
    source = of_doubles(count(3), truncated_geometric)
    spent = {queries: compose(source, uses, queries=queries) for queries in Queries}
    assert spent[Queries.REPEATED].is_exact
    for factor in FACTORS:
        exact = max(by_counts(*pair, uses, factor) for pair in pairs_of(source))
        for composition in spent.values():
            assert float(composition.curve.hockey_stick(factor)) == pytest.approx(float(exact), abs=CLOSE)
            assert float(composition.attained.hockey_stick(factor)) == pytest.approx(float(exact), abs=CLOSE)


@pytest.mark.parametrize("uses", [4, 10])
def test_cells_lose_nothing_of_the_truncated_geometric(uses):
    source = of_doubles(count(3), truncated_geometric)
    exact = compose(source, uses, queries="repeated").curve
    for up in (True, False):
        product = rounded_product([(neighbours_of(source).dominating, uses)], up=up, cells=64)
        for factor in FACTORS:
            result = float(curve_of(product).hockey_stick(factor))
            assert result == pytest.approx(float(exact.hockey_stick(factor)), abs=CLOSE)


def test_all_outcomes_of_three_uses_of_another_mechanism():
    source = of_doubles(count(3), explicit_fair, "1.3")
    spent = compose(source, 3, queries="repeated")
    for factor in FACTORS:
        exact = max(
            divergence(product_law([truth] * 3), product_law([neighbour] * 3), factor)
            for truth, neighbour in pairs_of(source)
        )
        assert float(spent.curve.hockey_stick(factor)) == pytest.approx(float(exact), abs=CLOSE)


# Two rows of a matrix, none of which dominates the other: one hides more, the other excludes more.
CROSSING = of_columns([12, 3, 1], [4, 12, 0])


def worst_fixed(first, second, factor):
    return max(
        divergence(product_law([p, r]), product_law([q, s]), factor)
        for p, q in pairs_of(first)
        for r, s in pairs_of(second)
    )


def worst_adaptive(first, second, factor):
    """Let an adversary choose the second pair after each response of the first."""
    return max(
        sum(
            max(
                divergence([p[outputs] * one for one in r], [q[outputs] * one for one in s], factor)
                for r, s in pairs_of(second)
            )
            for outputs in range(len(p))
        )
        for p, q in pairs_of(first)
    )


def test_fixed_queries_are_the_worst_combination_of_pairs():
    other = of_columns([9, 6, 1], [2, 5, 9])
    spent = compose([CROSSING, other], queries="fixed")
    assert spent.is_exact
    for factor in FACTORS:
        assert float(spent.curve.hockey_stick(factor)) == pytest.approx(
            float(worst_fixed(CROSSING, other, factor)), abs=CLOSE
        )


def test_adaptive_queries_are_bounded_where_they_are_worse_than_fixed_ones():
    spent = {queries: compose(CROSSING, 2, queries=queries) for queries in Queries}
    worse = 0
    for factor in [Fraction(step, 10) for step in range(10, 80)]:
        repeated, fixed, adaptive = (spent[queries].curve.hockey_stick(factor) for queries in Queries)
        exact = worst_adaptive(CROSSING, CROSSING, factor)
        assert repeated <= fixed <= adaptive
        assert worst_fixed(CROSSING, CROSSING, factor) - Fraction(CLOSE) <= exact
        assert exact <= adaptive + Fraction(CLOSE)
        worse += exact > fixed + Fraction(1, 10**6)
    assert worse
    assert not spent[Queries.ADAPTIVE].is_exact
    assert spent[Queries.FIXED].is_exact


def test_repeated_queries_meet_one_pair_in_all_mechanisms():
    other = of_columns([9, 6, 1], [2, 5, 9])
    spent = compose([CROSSING, other], [2, 1], queries="repeated")
    for factor in FACTORS:
        exact = max(
            divergence(product_law([p, p, r]), product_law([q, q, s]), factor)
            for (p, q), (r, s) in zip(pairs_of(CROSSING), pairs_of(other), strict=True)
        )
        assert float(spent.curve.hockey_stick(factor)) == pytest.approx(float(exact), abs=CLOSE)


@pytest.mark.slow
def test_more_pairs_than_can_be_combined_are_bounded():
    source = of_doubles(count(40), explicit_fair, "0.8")
    fixed, adaptive = (compose(source, 6, queries=queries) for queries in ("fixed", "adaptive"))
    assert not fixed.is_exact
    for factor in FACTORS:
        low, high = fixed.attained.hockey_stick(factor), fixed.curve.hockey_stick(factor)
        assert low <= high == adaptive.curve.hockey_stick(factor)
        assert low >= high * Fraction(9, 10) or high < Fraction(1, 100)


def test_two_uses_of_a_few_pairs_too_many_to_combine_are_bounded():
    rows = [[1, 13, 5, 14, 1], [9, 2, 19, 1, 4], [13, 8, 6, 11, 25], [9, 9, 2, 6, 2]]
    mechanism = MatrixMechanism(
        matrix=[[cell / 32 for cell in row] for row in rows], responses=range(4), truths=range(5)
    )
    source = mechanism, Query(range(5), range(4), neighbours="all")
    assert len(neighbours_of(source).worst()) >= 8  # 36 combinations of two, and 32 are looked at
    spent = compose(source, 2, queries="fixed")
    assert not spent.is_exact
    for factor in FACTORS[:4]:
        exact = float(worst_fixed(source, source, factor))
        assert float(spent.attained.hockey_stick(factor)) - CLOSE <= exact
        assert exact <= float(spent.curve.hockey_stick(factor)) + CLOSE


def test_a_certificate_is_proved_and_doubles_are_recomputed():
    certificate = design(croft(count(3), epsilon="0.5")).certificate
    source = of_doubles(count(3), truncated_geometric)
    assert compose(certificate, 2).provenance == "proved"
    assert compose([certificate, source]).provenance == "recomputed"
    assert compose(certificate, 2).delta(1) == 0
    assert compose(certificate, 2).delta("0.99") > 0


def test_one_use_is_the_curve_itself():
    certificate = design(sadeghi_symmetric("1", "0.5", 2)).certificate
    for queries in Queries:
        assert compose(certificate, queries=queries).curve == privacy_curve(certificate)


def test_uses_of_each_are_uses_in_any_order():
    first, second = of_columns([12, 3, 1], [4, 12, 0]), of_columns([5, 2, 1], [1, 2, 5])
    together = compose([first, second], [2, 3], queries="fixed")
    swapped = compose([second, first], [3, 2], queries="fixed")
    assert together.curve == swapped.curve
    assert together.uses == 5


@each(
    ("ask", "words"),
    [
        (
            lambda: compose(CROSSING, 0),
            "`uses` must be a positive whole number, or one for each mechanism; got 0.",
        ),
        (lambda: compose(CROSSING, 1.5), "`uses` must be a positive whole number"),
        (lambda: compose(CROSSING, uses=True), "`uses` must be a positive whole number, or one for each"),
        (lambda: compose([CROSSING], [True]), "`uses` must be a positive whole number, or one for each"),
        (lambda: compose([CROSSING], [1, 2]), "`uses` must be a positive whole number, or one for each"),
        (lambda: compose(CROSSING, 10**9), "all uses together must be at most 10,000; got 1,000,000,000."),
        (lambda: compose([]), "`mechanisms` must name at least one; got none."),
        (
            lambda: compose(CROSSING, queries="any"),
            "`queries` must be one of repeated, fixed, adaptive; got 'any'.",
        ),
        (lambda: compose(CROSSING, cells=7), "`cells` must be at least 8; got 7."),
        (
            lambda: compose([0.5]),
            "a mechanism must be a design, a certificate, or a Mechanism with its Query; got 0.5.",
        ),
        (
            lambda: compose([CROSSING, of_doubles(count(3), truncated_geometric)], queries="repeated"),
            "`queries` must be fixed or adaptive for mechanisms of different queries; got repeated",
        ),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(ask, words):
    with pytest.raises(ProblemError) as trouble:
        ask()
    assert words in str(trouble.value)
