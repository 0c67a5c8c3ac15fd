"""Probabilistic privacy at a large epsilon: a theorem gives mechanism and bound."""

from __future__ import annotations

from fractions import Fraction

import pytest

import optmech as om
from optmech.designs.without_cases import pure_matrix
from optmech.mechanisms.certificates.certificate_text import certificate_text
from tests.each import each
from tests.readers import by_checker


def _certificate(query, epsilon, delta, **details):
    problem = om.question(query, epsilon, delta=delta, definition="probabilistic", **details)
    certificate = om.design(problem).certificate
    assert by_checker(certificate_text(certificate)) is None
    return certificate


@each("epsilon", (9, 11), every=3)
@each("largest", (3, 10))
def test_a_count_is_bounded_up_to_delta(largest, epsilon):
    certificate = _certificate(om.count(largest), epsilon, "1e-6")
    assert certificate.objective > 0
    assert certificate.gap <= Fraction("1e-6") * largest  # at most delta of the mass loses that much


@each("epsilon", (9, 11), every=2)
def test_what_no_theorem_speaks_of_has_a_bound_all_the_same(epsilon):
    for query in (om.categories(["a", "b", "c"]), om.mean(3, 2)):
        certificate = _certificate(query, epsilon, "1e-3", loss="zero-one")
        assert certificate.bound is not None, query
        assert 0 <= certificate.bound <= certificate.objective < 1e-2, query


@each("delta", ("0.01", "1e-6"), every=2)
def test_where_no_theorem_speaks_there_is_a_bound_up_to_delta(delta):
    certificate = _certificate(om.mean(2, 2), 11, delta)
    assert certificate.gap <= Fraction(delta) * 2  # the largest loss of a mean 0..2


def test_a_least_delta_has_no_matrix_of_pure_privacy():
    problem = om.kadam_least_delta(om.residues(9, [1, 2]), 1, at_most="0.5")
    assert pure_matrix(problem) is None


@pytest.mark.slow
def test_where_cases_prove_more_they_are_the_proof():
    certificate = _certificate(om.count(3), "0.5", "0.1")
    assert certificate.relative_gap < 1e-7
    assert "pure" not in certificate.repair["how"]
