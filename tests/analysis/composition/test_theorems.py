"""No theorem promises less than the exact curve spends, and the best of them promises no more."""

from __future__ import annotations

import math

import pytest

from optmech import Query, count, croft, design, sadeghi_symmetric
from optmech.analysis.baselines.whole_number_noise import truncated_geometric
from optmech.analysis.composition import compose, privacy_curve
from optmech.analysis.composition.theorems import (
    advanced_composition,
    basic_composition,
    group_privacy,
    optimal_composition,
    parallel_composition,
)
from optmech.base.errors import ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from tests.each import each

# Theorems are computed in doubles: up to this they may fall short of what they say.
ROUNDING = 1e-12
USES = [1, 2, 5, 10]


@pytest.fixture(scope="module")
def pure():
    return design(croft(count(4), epsilon="0.5")).certificate


@pytest.fixture(scope="module")
def bounded():
    return design(sadeghi_symmetric("1", "0.5", 3)).certificate


def geometric(epsilon, largest=2):
    query = count(largest)
    matrix = truncated_geometric(query, epsilon).matrix
    return MatrixMechanism(matrix=matrix, responses=range(largest + 1), truths=range(largest + 1)), query


@each("uses", USES, every=6, slow_every=2)
@each("each", [0.1, 0.25, 0.4, 0.5])
def test_basic_composition_is_never_below(pure, bounded, uses, each):
    for source in (pure, bounded):
        one = privacy_curve(source)
        promised = basic_composition([(each, one.delta(each))] * uses)
        assert compose(source, uses).delta(promised.epsilon) <= promised.delta + ROUNDING


@each("uses", USES, every=6, slow_every=2)
@each("slack", ["1e-3", "1e-6"])
def test_advanced_composition_is_never_below(pure, bounded, uses, slack):
    for source in (pure, bounded):
        one = privacy_curve(source)
        promised = advanced_composition("0.5", one.delta("0.5"), uses, slack)
        assert compose(source, uses).delta(promised.epsilon) <= promised.delta + ROUNDING


@each("uses", USES, every=4)
@each("total", ["0", "0.3", "1", "2.2", "4"])
def test_no_pure_mechanism_spends_more_than_the_optimal_composition(pure, uses, total):
    most = optimal_composition("0.5", uses, total)
    assert float(compose(pure, uses).delta(total)) <= most + ROUNDING


@each("uses", [1, 3, 10, 60], every=6, slow_every=2)
@each("epsilon", ["0.5", "1.2"])
def test_the_truncated_geometric_spends_all_of_it(uses, epsilon):
    spent = compose(geometric(epsilon), uses)
    for share in (0.0, 0.1, 0.5, 0.9):
        total = share * uses * float(epsilon)
        most = optimal_composition(epsilon, uses, total)
        assert float(spent.delta(total)) == pytest.approx(most, abs=1e-10)
        assert float(spent.attained.delta(total)) == pytest.approx(most, abs=1e-10)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_group_spends_no_more_than_group_privacy(pure, bounded, size):
    for source in (pure, bounded):
        query = source.problem.query
        group = Query(query.truths, [response.midpoint for response in query.responses], neighbours=size)
        curve = privacy_curve((MatrixMechanism.certified(source), group))
        for epsilon in (0.2, 0.5, 1.0):
            promised = group_privacy(epsilon, privacy_curve(source).delta(epsilon), size)
            assert curve.delta(promised.epsilon) <= promised.delta + ROUNDING


def test_uses_on_records_of_their_own_spend_what_the_largest_does():
    first, second = geometric("0.5"), geometric("0.8")
    promised = parallel_composition([("0.5", 0), ("0.8", 0)])
    # One person is in one part: the other part draws from equal columns.
    for source in (first, second):
        assert float(privacy_curve(source).delta(promised.epsilon)) <= promised.delta + ROUNDING
    assert float(compose([first, second]).delta(promised.epsilon)) > 0.1


def test_advanced_composition_is_its_formula():
    promised = advanced_composition("0.1", "1e-8", 100, "1e-6")
    assert promised.epsilon == pytest.approx(
        math.sqrt(200 * math.log(10**6)) * 0.1 + 100 * 0.1 * (math.e**0.1 - 1), rel=1e-14
    )
    assert promised.delta == pytest.approx(2e-6, rel=1e-12)


@each(
    ("ask", "words"),
    [
        (lambda: basic_composition([]), "`each` must name what at least one use spends; got nothing."),
        (lambda: basic_composition([(-1, 0)]), "`epsilon` must be zero or more; got -1."),
        (lambda: parallel_composition([(1, 2)]), "`delta` must be zero or more and below 1; got 2."),
        (lambda: group_privacy(1, 0, 0), "`size` must be a positive whole number; got 0."),
        (lambda: advanced_composition(1, 0, 2, 0), "`slack` must be positive; got 0."),
        (lambda: advanced_composition(1, 0, 1.5, "0.1"), "`uses` must be a positive whole number; got 1.5."),
        (lambda: optimal_composition(1, -1, 1), "`uses` must be a positive whole number; got -1."),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(ask, words):
    with pytest.raises(ProblemError) as trouble:
        ask()
    assert words in str(trouble.value)
