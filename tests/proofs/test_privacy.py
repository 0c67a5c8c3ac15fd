"""The privacy loss of a matrix, against the definitions, one response at a time."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.base import slices
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.privacy import delta_spent, first_excess
from optmech.rules import compile_rules
from tests.each import each
from tests.proofs.by_hand import over_one_denominator
from tests.search import search

QUERIES = [
    om.count(3),
    om.extremum(0, 3),
    om.mean(2, 2),
    om.Query(range(4), neighbours=[(0, 2), (3, 1)], symmetric=False),
]
EXACT = Enclosure(Fraction(3, 2), Fraction(3, 2))
RATIO = EXACT.lower


def random_matrix(rng, number, truths):
    columns = [[rng.choice([0, 2, 3, 3, 4, 6, 9]) for _ in range(number)] for _ in range(truths)]
    for column in columns:
        column[rng.randrange(number)] += 1
    entries = [[Fraction(columns[f][r], sum(columns[f])) for f in range(truths)] for r in range(number)]
    numerators, denominator = over_one_denominator(entries)
    return entries, ExactMatrix(numerators=numerators, denominator=denominator)


@settings(max_examples=200)
@given(st.sampled_from(QUERIES), st.integers(0, 2**32 - 1))
def test_an_excess_is_found_where_there_is_one_and_nowhere_else(query, seed):
    entries, matrix = random_matrix(Random(seed), query.num_responses, query.num_truths)  # noqa: S311
    all_of_them = {
        (r, f, g)
        for f, g in query.pairs.tolist()
        for r in range(query.num_responses)
        if entries[r][f] > RATIO * entries[r][g]
    }
    rules = compile_rules(om.croft(query, 1))
    result = first_excess(rules, matrix, RATIO)
    assert (result in all_of_them) if all_of_them else (result is None)
    with mock.patch.object(slices, "_ENTRIES", 1):  # a row at a time
        result = first_excess(rules, matrix, RATIO)
    assert (result in all_of_them) if all_of_them else (result is None)


def test_a_ratio_of_the_factor_itself_is_kept_and_one_unit_more_is_not():
    big = 3 * 10**40
    for more, kept in ((0, True), (1, False)):
        lines = [[big + more, 2 * 10**40], [2 * 10**40 + 1 - more, big + 1]]
        matrix = ExactMatrix(numerators=lines, denominator=5 * 10**40 + 1)
        assert (first_excess(compile_rules(om.croft(om.count(1), 1)), matrix, RATIO) is None) is kept


@search(150, st.sampled_from(QUERIES), st.integers(0, 2**32 - 1))
def test_a_per_outcome_delta_is_the_largest_excess(query, seed):
    entries, matrix = random_matrix(Random(seed), query.num_responses, query.num_truths)  # noqa: S311
    problem = om.Problem(
        name="free",
        query=query,
        structure=om.croft(query, 1).structure,
        privacy=om.sadeghi("ln 3/2", "0.5", 1, counts=(1, 2)).privacy,
        properties=frozenset(),
        objective=om.sadeghi(1, "0.5", 1, counts=(1, 2)).objective,
    )
    largest = max(
        entries[r][f] - RATIO * entries[r][g]
        for f, g in query.pairs.tolist()
        for r in range(query.num_responses)
    )
    assert delta_spent(compile_rules(problem), matrix, EXACT) == max(0, largest)


@search(
    150, st.integers(3, 6), st.sets(st.integers(1, 2), min_size=1), st.booleans(), st.integers(0, 2**32 - 1)
)
def test_a_probabilistic_delta_is_the_mass_of_all_that_exceeds(modulus, distances, symmetric, seed):
    query = om.residues(modulus, distances, symmetric=symmetric)
    entries, matrix = random_matrix(Random(seed), modulus, modulus)  # noqa: S311
    problem = om.kadam(query, "ln 3/2", "0.5")
    leaks = [sum(row[f] for row in entries if row[f] > RATIO * row[g]) for f, g in query.pairs.tolist()]
    assert delta_spent(compile_rules(problem), matrix, EXACT) == max(leaks)


def test_of_an_interval_the_end_is_taken_that_spends_more():
    """A ratio of 2 inside [3/2, 3] counts as a violation."""
    wide = Enclosure(Fraction(3, 2), Fraction(3))
    masses = [2, 1, 1]
    lines = [[masses[(r - f) % 3] for f in range(3)] for r in range(3)]
    matrix = ExactMatrix(numerators=lines, denominator=4)
    problem = om.kadam(om.residues(3, [1]), "ln 2", "0.5")
    assert delta_spent(compile_rules(problem), matrix, wide) == Fraction(1, 2)


def test_symmetric_noise_compares_the_first_two_counts():
    """Masses over 20: 2 at the truth, 6 one step off on each side, 3 two steps off; at epsilon 0.

    For outcomes n-2..n+2 the column of n exceeds that of n+1 by 3 - 0, 6 - 3, 2 - 6, 6 - 2, 3 - 6.
    """
    lines = [[3, 0], [6, 3], [2, 6], [6, 2], [3, 6], [0, 3]]
    matrix = ExactMatrix(numerators=lines, denominator=20)
    rules = compile_rules(om.sadeghi_symmetric(0, "1/10", 2, counts=(2, 3)))
    assert delta_spent(rules, matrix, Enclosure(Fraction(1), Fraction(1))) == Fraction(4, 20)


@each(
    ("problem", "pure"),
    [
        (om.croft(om.count(2), 1), True),
        (om.kadam(om.residues(4, [1]), 1, 0), True),
        (om.kadam(om.residues(4, [1]), 1, "0.1"), False),
        (om.kadam_least_delta(om.residues(4, [1]), 1, at_most=1), False),
        (om.sadeghi(1, "0.5", 1, counts=(1, 2)), False),
    ],
)
def test_privacy_is_pure_where_nothing_may_be_spent(problem, pure):
    assert compile_rules(problem).is_pure is pure
    assert problem.privacy.is_pure is pure
