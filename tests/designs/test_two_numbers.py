"""Randomized response as two numbers: the optimum of any number of categories, by two multipliers."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.designs.two_numbers import certificate_of_two_numbers
from optmech.mechanisms.sampling.words import NotPrivateWarning
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.question.all_pairs import AllPairs
from optmech.question.two_costs import no_two_costs
from tests.readers import checker


def asked(number, epsilon=1, cost=None, **others):
    loss = "zero-one" if cost is None else cost * (1 - np.eye(number))
    return om.question(om.categories([f"c{i}" for i in range(number)]), epsilon, loss=loss, **others)


@pytest.mark.slow
def test_2925_categories_have_their_optimum_with_a_proof_that_every_reader_takes(tmp_path):
    for worst_case in (False, True):
        design = om.design(asked(2925, 14, worst_case=worst_case))
        assert design.objective == pytest.approx(2924 / (2924 + math.exp(14)), rel=1e-12)
        assert design.certificate.relative_gap < 1e-12
    path = tmp_path / "m.json"
    om.write_certificate(design, path)
    assert path.stat().st_size < 200_000
    assert om.read_certificate(path) == design.certificate
    assert checker.prove(path.read_text()).bound == design.certificate.bound
    assert pickle.loads(pickle.dumps(design)).certificate == design.certificate  # noqa: S301 - our own


def test_two_numbers_are_as_good_as_a_matrix_entry_by_entry():
    for number, epsilon, others in (
        (2, "ln 2", {}),
        (3, 1, {"worst_case": True}),
        (4, "0.3", {"prior": None}),
        (3, 2, {"cost": 2.5}),
        (4, 1, {"cost": 0.1, "worst_case": True}),
    ):
        problem = asked(number, epsilon, **others)
        two, entries = certificate_of_two_numbers(problem), om.design(problem).certificate
        assert float(two.objective) == pytest.approx(float(entries.objective), rel=1e-9)
        assert two.relative_gap < 1e-12
        again = MatrixCertificate(
            problem=problem, factor=two.factor, matrix=entries.matrix, proof=two.entry_by_entry
        )
        assert again.bound == two.bound


def test_no_epsilon_is_too_large_where_nothing_is_searched_for():
    for number in (2, 3, 7):
        for epsilon in (12, 40, 600):
            certificate = om.design(asked(number, epsilon)).certificate
            exact = (number - 1) / (number - 1 + Fraction(*math.exp(epsilon).as_integer_ratio()))
            assert float(certificate.bound / exact) == pytest.approx(1, rel=1e-12)


def test_questions_that_ask_for_more_are_not_in_two_numbers():
    query = om.categories("abc")
    uneven = np.array([[0, 1, 1], [1, 0, 1], [1, 2, 0]])
    for problem in (
        om.question(query, 1, properties=["accuracy >= 0.5"]),
        om.question(query, 1, prior=[0.5, 0.25, 0.25]),
        om.question(query, 1, loss=uneven),
        om.question(query, 1, delta="0.1"),
        om.question(om.categories("abc", [[0, 1, 2], [1, 0, 1], [2, 1, 0]]), 1),
        om.question(om.extremum(0, 2), 1, loss="zero-one"),
    ):
        assert no_two_costs(problem) is not None


def test_a_draw_is_the_truth_or_any_other_answer_as_its_two_numbers_say():
    mechanism = om.mechanism(certificate_of_two_numbers(asked(4, "ln 3")))
    with pytest.warns(NotPrivateWarning):
        drawn = mechanism.sample(["c1"] * 60_000, seed=1)
    shares = [float((drawn == name).mean()) for name in mechanism.labels]
    assert shares == pytest.approx([1 / 6, 1 / 2, 1 / 6, 1 / 6], abs=0.008)  # four standard errors
    assert mechanism.probability("c1", "c2") == Fraction(1, 6)
    with pytest.raises(om.NotAcceptedError, match="constant_time"):
        mechanism.sample("c1", constant_time=True)


def test_a_query_without_a_list_of_pairs_says_the_same_as_one_with_a_list():
    names = [f"c{i}" for i in range(6)]
    short, listed = AllPairs(names), om.categories(names)
    assert type(listed) is om.Query
    assert short == listed
    assert pickle.loads(pickle.dumps(short)) == short  # noqa: S301 - our own
    for name in ("pairs", "weights", "home", "truth_values", "response_values"):
        assert np.array_equal(getattr(short, name), getattr(listed, name))
    for name in ("title", "is_weighted", "heaviest", "labels", "all_are_neighbours"):
        assert getattr(short, name) == getattr(listed, name)
