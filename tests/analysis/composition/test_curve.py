"""The curve of one mechanism: what a curve must be, and what floating point says of it."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from optmech import Query, count, croft, design, extremum, question, sadeghi_symmetric
from optmech.analysis.baselines.whole_number_noise import explicit_fair, truncated_geometric
from optmech.analysis.composition import PrivacyCurve, compose, privacy_curve
from optmech.analysis.composition.curve import rounded_down, rounded_up
from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.logarithm import Logarithm
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.proofs.enclosure import enclose_exponential
from optmech.question.privacy.loss import largest_hockey_stick
from tests.each import each

# Doubles sum up to six entries, each right to 2**-53 of one.
ROUNDING = 1e-14
EPSILONS = ["0", "0.1", "ln 2", "0.7", "1", "1.4", "2.5", "6"]


def of_doubles(query, matrix):
    return MatrixMechanism(matrix=matrix, responses=query.response_values, truths=query.truths), query


def sources():
    fair = croft(count(5), epsilon="0.7", variant=2)
    yield "certified", design(fair).certificate
    yield "bounded noise", design(sadeghi_symmetric("1", "0.5", 2)).certificate
    for query in (count(4), extremum(0, 3)):
        for make in (truncated_geometric, explicit_fair):
            yield f"{make.__name__} {query.name}", of_doubles(query, make(query, "0.7").matrix)


CASES = dict(sources())


@pytest.fixture(params=CASES, ids=str)
def source(request):
    return CASES[request.param]


def mechanism_and_query(source):
    return source if isinstance(source, tuple) else (MatrixMechanism.certified(source), source.problem.query)


def test_it_is_the_largest_hockey_stick_divergence(source):
    curve = privacy_curve(source)
    mechanism, query = mechanism_and_query(source)
    for epsilon in (0.0, 0.1, 0.5, 0.7, 1.0, 1.5, 3.0, 6.0):
        recomputed = largest_hockey_stick(mechanism.matrix, query.pairs, math.exp(epsilon)).value
        assert float(curve.delta(epsilon)) == pytest.approx(recomputed, abs=ROUNDING)


def test_at_zero_it_is_the_total_variation(source):
    mechanism, query = mechanism_and_query(source)
    apart = max(
        abs(mechanism.matrix[:, truth] - mechanism.matrix[:, neighbour]).sum() / 2
        for truth, neighbour in query.pairs
    )
    assert float(privacy_curve(source).delta(0)) == pytest.approx(apart, abs=ROUNDING)


def test_it_falls_and_is_convex_in_the_exponential(source):
    curve = privacy_curve(source)
    factors = sorted({Fraction(step, 7) for step in range(30)} | set(curve.ratios))
    deltas = [curve.hockey_stick(factor) for factor in factors]
    assert deltas[0] == 1
    slopes = [
        (high - low) / (right - left)
        for (left, low), (right, high) in pairwise(zip(factors, deltas, strict=True))
    ]
    assert all(slope <= 0 for slope in slopes)
    assert all(first <= second for first, second in pairwise(slopes))


def test_delta_is_enclosed_and_narrowly(source):
    curve = privacy_curve(source)
    for epsilon in EPSILONS:
        low, high = curve.delta_at_least(epsilon), curve.delta(epsilon)
        assert low <= high <= low * (1 + Fraction(1, 2**50))


def test_delta_is_on_the_safe_side_of_a_finer_enclosure(source):
    curve = privacy_curve(source)
    for epsilon in (Fraction(1, 10), Fraction(7, 10), Fraction(6, 5)):
        fine = enclose_exponential(epsilon, 400)
        assert curve.delta(epsilon) >= curve.hockey_stick(fine.upper)
        assert curve.delta_at_least(epsilon) <= curve.hockey_stick(fine.lower)


def test_the_least_epsilon_spends_delta_and_less_does_not_suffice(source):
    curve = privacy_curve(source)
    for delta in (Fraction(1, 5), Fraction(1, 50), Fraction(1, 10**6), Fraction(0)):
        exactly = curve.exact_epsilon(delta)
        if exactly == math.inf:
            assert curve.infinite > delta
        elif exactly == 0:
            assert curve.delta(0) <= delta
        else:
            assert curve.hockey_stick(exactly.of) == max(delta, curve.infinite)
            assert curve.hockey_stick(exactly.of * (1 - Fraction(1, 10**12))) > delta
            assert exactly <= curve.epsilon(delta) <= math.nextafter(float(exactly), math.inf)


def test_a_zero_beside_a_positive_entry_has_infinite_loss():
    query = count(1)
    curve = privacy_curve(of_doubles(query, [[0.75, 0.0], [0.25, 1.0]]))
    assert curve.infinite == Fraction(3, 4)
    assert curve.epsilon("0.7499999") == math.inf
    assert curve.epsilon("0.75") == 0
    assert curve.delta(700) == curve.delta("1e9") == Fraction(3, 4)


@pytest.mark.slow
def test_far_tails_keep_their_digits():
    query = count(60)
    curve = privacy_curve(of_doubles(query, truncated_geometric(query, 1).matrix))
    assert curve.epsilon("1e-40") == pytest.approx(1, abs=1e-12)
    gaussian = np.exp(-(np.subtract.outer(np.arange(61), np.arange(61)) ** 2) / 18.0)
    curve = privacy_curve(of_doubles(query, gaussian / gaussian.sum(axis=0)))
    low, high = curve.delta_at_least(6), curve.delta(6)
    assert 0 < low <= high < Fraction(1, 10**60)
    assert high - low <= high / 2**50


def test_doubles_are_taken_over_their_own_column_sum_as_samples_are():
    query = count(1)
    curve = privacy_curve(of_doubles(query, [[0.75, 0.25], [0.25 + 2e-10, 0.75]]))
    total = Fraction(0.75) + Fraction(0.25 + 2e-10)
    assert sum(curve.masses) == 1
    assert Fraction(0.75) / total in curve.masses


@each(
    ("ask", "words"),
    [
        (lambda curve: curve.delta(-1), "`epsilon` must be zero or more; got -1."),
        (lambda curve: curve.delta("x"), "`epsilon` must be a finite number; got 'x'."),
        (lambda curve: curve.epsilon("1.5"), "`delta` must be zero or more and below 1; got 1.5."),
        (lambda curve: curve.exact_epsilon(-1), "`delta` must be zero or more and below 1; got -1."),
        (lambda _: PrivacyCurve(ratios=(Fraction(1), Fraction(2)), masses=(1, 1)), "`ratios` must decrease"),
        (lambda _: PrivacyCurve(ratios=(Fraction(1),), masses=()), "`ratios` must decrease and have a mass"),
        (lambda _: PrivacyCurve(ratios=(Fraction(0),), masses=(Fraction(1),)), "must be positive"),
    ],
)
def test_what_cannot_be_asked_gets_a_sentence(ask, words):
    curve = PrivacyCurve(ratios=(Fraction(2),), masses=(Fraction(1),))
    with pytest.raises(ProblemError) as trouble:
        ask(curve)
    assert words in str(trouble.value)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (Query(range(2), neighbours=[]), "`query` must have neighbours; got none"),
        (count(2), "`query` must have 2 responses and 2 truths like the matrix; got 3 and 3"),
        (
            Query(range(2), neighbours=[(0, 1, 2)]),
            "must have neighbours that all count alike; got weights up to 2",
        ),
        (None, "a mechanism must be a design, a certificate, or a Mechanism with its Query; got ("),
    ],
)
def test_a_query_that_does_not_fit_gets_a_sentence(query, words):
    mechanism, _ = of_doubles(count(1), [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(ProblemError) as trouble:
        privacy_curve((mechanism, query))
    assert words in str(trouble.value)


def test_too_many_ratios_get_a_sentence():
    query = extremum(0, 100)
    with pytest.raises(ProblemError, match="at most 1,000,000 ratios of neighbours; got 1,020,100"):
        privacy_curve(of_doubles(query, np.full((101, 101), 1 / 101)))


def test_the_noise_of_a_count_composes_by_its_few_columns_where_its_matrix_is_large():
    pairs = [("0.5", "1e-3"), ("1", "1e-6")]
    small, large = (design(question(count(last), privacy=pairs)) for last in (100, 1000))
    assert large.certificate.exact is not None
    assert privacy_curve(large) == privacy_curve(small)
    once, twice = compose(large, 1), compose(large, 2)
    assert float(once.delta(1)) == pytest.approx(float(large.certificate.deltas[1]), rel=1e-9)
    assert once.delta(1) < twice.delta(1) < 1e-2


def test_the_curve_as_csv(tmp_path):
    query = count(1)
    spent = compose(of_doubles(query, [[0.75, 0.25], [0.25, 0.75]]), 2, queries="repeated")
    spent.to_csv(tmp_path / "curve.csv", ["0", "ln 3", "0.5"])
    comment, header, *lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert comment == "# 2 uses, repeated queries: recomputed"
    assert header == "epsilon,delta_at_least,delta"
    assert lines[:2] == ["0,0.5,0.5", "ln 3,0.375,0.375"]
    low, high = (float(cell) for cell in lines[2].split(",")[1:])
    exactly = 9 / 16 - math.exp(0.5) / 16
    assert low <= exactly <= high <= math.nextafter(low, 1)
    with pytest.raises(FileFormatError):
        spent.to_csv(tmp_path, ["0"])


def test_doubles_are_rounded_to_the_side_that_is_asked():
    for value in (Fraction(1, 3), Fraction(1, 10), Logarithm(Fraction(2)), Logarithm(Fraction(9))):
        assert rounded_down(value) < value < rounded_up(value) == math.nextafter(rounded_down(value), 9)
    assert rounded_up(Fraction(1, 10**400)) == 5e-324
    assert rounded_down(Fraction(1, 10**400)) == 0
    assert rounded_up(math.inf) == rounded_down(math.inf) == math.inf
