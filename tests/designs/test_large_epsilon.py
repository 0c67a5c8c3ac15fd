"""Where e^epsilon is beyond what solvers see, mechanism and bound still meet, and both readers agree."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.question.privacy import PerOutcomePrivacy, ProbabilisticPrivacy
from tests.each import each
from tests.readers import by_checker, by_package

QUERIES = {
    "mean": om.mean(3, 2),
    "long mean": om.mean(10, 4),
    "extremum": om.extremum(0, 5),
    "circle": om.residues(7, [1, 3]),
    "graph": om.graph([("a", "b", 1), ("b", "c", 2), ("a", "d", 1)]),
}


@each("epsilon", [30, 50, 100, 300], every=2)
@each("name", list(QUERIES), every=2, slow_every=2)
@each("delta", [0, "1e-6"], every=2)
def test_objective_and_bound_meet(epsilon, name, delta):
    certificate = om.design(om.question(QUERIES[name], epsilon, delta=delta, loss="zero-one")).certificate
    assert 0 < certificate.bound <= certificate.objective
    assert certificate.relative_gap < 1e-9
    text = certificate_text(certificate)
    assert by_checker(text) is None
    assert by_package(text) is None


@each("epsilon", [30, 50, 200], every=3)
@each("definition", [ProbabilisticPrivacy, PerOutcomePrivacy])
@each("name", ["mean", "extremum", "graph"], every=3)
def test_other_definitions_have_a_bound_but_for_delta(epsilon, definition, name):
    problem = om.question(QUERIES[name], privacy=definition(epsilon, "1e-6"), loss="zero-one")
    certificate = om.design(problem).certificate
    assert certificate.relative_gap < 1e-5
    assert by_checker(certificate_text(certificate)) is None


@pytest.mark.parametrize("properties", [["fair"], ["symmetric"], ["row-monotone", "column-monotone"]])
def test_with_properties_the_bound_is_not_zero(properties):
    certificate = om.design(om.question(om.mean(3, 2), 60, properties=properties)).certificate
    assert 0 < certificate.bound <= certificate.objective


def test_of_a_weighted_loss_the_bound_is_that_of_its_weights():
    prior = [0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05]
    certificate = om.design(om.question(om.mean(3, 2), 60, prior=prior)).certificate
    assert certificate.relative_gap < 1e-9


WEIGHTED = {
    "heavy": (om.graph([("a", "b", 6), ("b", "c", 7), ("a", "d", 9)]), 15),
    "light and heavy": (om.graph([("a", "b", 1), ("b", "c", 12)]), 20),
    "as heavy as may be": (om.graph([("a", "b", 450), ("b", "c", 400)]), 1),
}


@each("delta", [0, "1e-6"], every=2, slow_every=2)
@each("worst_case", [False, True], every=2)
@each("name", list(WEIGHTED))
def test_between_neighbours_of_any_weight_they_meet(name, worst_case, delta):
    query, epsilon = WEIGHTED[name]
    problem = om.question(query, epsilon, delta=delta, loss="zero-one", worst_case=worst_case)
    certificate = om.design(problem).certificate
    assert 0 < certificate.bound <= certificate.objective
    assert certificate.relative_gap < 1e-8
    text = certificate_text(certificate)
    assert by_checker(text) is None
    assert by_package(text) is None


def test_weights_that_no_certificate_may_have_are_refused_at_once():
    graph = om.graph([("a", "b", 100_000), ("b", "c", 100_000)])
    with pytest.raises(om.ProblemError, match="must be at most 781; got 100,000"):
        om.design(om.question(graph, "0.001", loss="zero-one"))


@each("loss", ["zero-one", "absolute", "squared"])
@each("name", ["mean", "extremum", "circle"], every=3)
def test_at_the_worst_truth_they_meet(name, loss):
    certificate = om.design(om.question(QUERIES[name], 30, loss=loss, worst_case=True)).certificate
    assert 0 < certificate.bound <= certificate.objective
    assert certificate.relative_gap < 1e-10
    assert by_checker(certificate_text(certificate)) is None


def test_where_the_losses_of_truths_lie_far_apart_the_worst_has_a_sound_bound():
    costs = [[0, 1e-200, 1], [1e200, 0, 1], [1e-3, 5, 0]]
    problem = om.question(om.graph([("a", "b", 1), ("b", "c", 2)]), 30, loss=costs, worst_case=True)
    certificate = om.design(problem).certificate
    assert 0 <= certificate.bound <= certificate.objective
