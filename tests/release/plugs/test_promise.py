"""The promise to other libraries is the exact one, recomputed here by definition."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.matrix import ExactMatrix
from optmech.release.plugs.promise import PurePromise, largest_excess, largest_ratio, promise_of
from tests.release.plugs.certified import by_hand, columns, designed, excess


def test_the_epsilon_between_neighbours_is_the_certified_one(certificate):
    epsilon, _ = promise_of(certificate, "it").one_person
    expected = certificate.problem.privacy.epsilon
    assert expected <= epsilon <= math.nextafter(float(expected), math.inf)


def test_the_delta_between_neighbours_is_the_hockey_stick_and_no_other(certificate):
    epsilon, delta = promise_of(certificate, "it").one_person
    laws, lower = columns(certificate), certificate.factor.lower
    spent = max(excess(laws[f], laws[g], lower) for f, g in certificate.problem.query.pairs.tolist())
    if isinstance(promise_of(certificate, "it"), PurePromise):
        assert spent == delta == 0
    else:
        assert spent <= delta <= math.nextafter(float(spent), math.inf)
    assert om.analysis.privacy_curve(certificate).delta(Fraction(epsilon)) <= delta  # the double itself


def test_a_delta_of_each_outcome_is_never_handed_on():
    for kind in ("symmetric", "zero bias"):
        certificate = designed(kind)
        _, delta = promise_of(certificate, "it").one_person
        assert delta > 1.5 * certificate.delta  # the sum over outcomes is what an attacker gains


def test_further_truths_are_as_far_apart_as_their_columns(certificate):
    promise, laws = promise_of(certificate, "it"), columns(certificate)
    size = min(len(laws), 6)
    for f, g in permutations(range(size), 2):
        epsilon, delta = promise.between(np.array([f]), np.array([g]))
        if not isinstance(promise, PurePromise):
            steps = int(promise.steps[f, g])
            power = certificate.factor.lower**steps
            spent = max(excess(laws[f], laws[g], power), excess(laws[g], laws[f], power))
            assert epsilon >= steps * certificate.problem.privacy.epsilon
            assert spent <= delta <= math.nextafter(float(spent), math.inf)
            continue
        ratios = [
            max(Fraction(p, q), Fraction(q, p)) for p, q in zip(laws[f], laws[g], strict=True) if p and q
        ]
        assert delta == 0
        if promise.steps[f, g] > 1:
            assert epsilon == pytest.approx(math.log(max(ratios)), rel=1e-12)
        assert max(ratios) <= enclose_exponential(Fraction(epsilon), 80).upper


def test_equal_truths_are_no_distance_apart(certificate):
    assert promise_of(certificate, "it").between(np.array([0]), np.array([0])) == (0.0, 0.0)


def test_weights_count_as_many_epsilons():
    query = om.categories(["cold", "flu", "cancer"], [[0, 1, 4], [1, 0, 4], [4, 4, 0]])
    certificate = om.design(om.question(query, epsilon="0.25", loss="zero-one")).certificate
    promise = promise_of(certificate, "it")
    assert promise.one_person == (1.0, 0.0)
    assert promise.between(np.array([0]), np.array([1])) == (0.25, 0.0)


def test_truths_that_no_neighbours_join_are_promised_nothing_they_do_not_keep():
    query = om.Query(range(4), neighbours=[(0, 1), (2, 3)])
    certificate = by_hand([[3, 1, 0, 0], [1, 3, 0, 0], [0, 0, 1, 1], [0, 0, 3, 3]], "ln 3", query)
    promise = promise_of(certificate, "it")
    assert promise.between(np.array([0]), np.array([2])) == (math.inf, 0.0)
    approximate = om.design(om.question(query, epsilon=1, delta="0.01")).certificate
    assert promise_of(approximate, "it").between(np.array([0]), np.array([2])) == (math.inf, 1.0)


def test_what_is_not_differential_privacy_is_refused():
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    with pytest.raises(NotAcceptedError, match=r"only one is protected .*symmetric=True"):
        promise_of(one_sided, "it")
    near = om.Query.from_data([3, 1, 3], max, change="replace", domain=[0, 1, 2, 3, 4])
    with pytest.raises(NotAcceptedError, match=r"near one given table only .*on_domain"):
        promise_of(om.design(om.croft(near, epsilon=1)).certificate, "it")


def test_what_is_not_certified_is_refused():
    design = om.design(om.croft(om.count(2), epsilon=1))
    raw = om.design(design.problem, raw=True)
    for source in (raw, design.mechanism, "mechanism.csv", None):
        with pytest.raises(ProblemError, match="must have a certificate, of which privacy is proved; got"):
            promise_of(source, "it")


def test_ratios_that_doubles_cannot_hold_are_found():
    tiny = 2**1200
    matrix = ExactMatrix(numerators=[[tiny - 3, tiny - 1], [3, 1]], denominator=tiny)
    assert largest_ratio(matrix, np.array([0]), np.array([1])) == 3
    gone = ExactMatrix(numerators=[[tiny - 3, tiny], [3, 0]], denominator=tiny)
    assert largest_ratio(gone, np.array([0]), np.array([1])) is None
    assert largest_excess(gone, np.array([0]), np.array([1]), Fraction(2)) == Fraction(3, tiny)


def test_ratios_that_doubles_cannot_tell_apart_are_told_apart():
    one = 10**40
    matrix = ExactMatrix(
        numerators=[[3 * one, one], [3 * one + 1, one], [one, 5 * one + 1]], denominator=7 * one + 1
    )
    assert largest_ratio(matrix, np.array([0]), np.array([1])) == Fraction(3 * one + 1, one)
