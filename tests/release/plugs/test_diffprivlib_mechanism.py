"""A certified mechanism behaves as those of diffprivlib, with that package and without it."""

from __future__ import annotations

import importlib
import secrets
import sys
from fractions import Fraction

import numpy as np
import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.release.plugs import diffprivlib_mechanism
from tests.release.plugs.certified import columns, designed

# Other tests cover the cautions of these mechanisms.
pytestmark = pytest.mark.filterwarnings("ignore:Caution")


@pytest.fixture
def diffprivlib():
    try:
        return importlib.import_module("diffprivlib")
    except ImportError as trouble:
        pytest.skip(f"diffprivlib does not import here: {trouble}")


@pytest.fixture(params=["with the package", "without it"], autouse=True)
def _installed(request, monkeypatch):
    if request.param == "without it":
        monkeypatch.setitem(sys.modules, "diffprivlib.mechanisms.base", None)
    diffprivlib_mechanism._class.cache_clear()
    yield
    diffprivlib_mechanism._class.cache_clear()


def test_it_is_one_of_their_mechanisms_where_they_are_installed(diffprivlib, request):
    if "without" in request.node.name:
        pytest.skip("the other half of this claim")
    mechanism = om.release.to_diffprivlib(designed("count"))
    assert isinstance(mechanism, diffprivlib.mechanisms.base.DPMechanism)
    assert mechanism.randomise(2) in range(6)
    assert (mechanism.epsilon, mechanism.delta) == (0.5, 0.0)


def test_parameters_and_moments_are_those_of_the_certificate(certificate):
    mechanism = om.release.to_diffprivlib(certificate)
    epsilon = certificate.problem.privacy.epsilon
    assert epsilon <= mechanism.epsilon <= np.nextafter(float(epsilon), np.inf)
    assert om.analysis.privacy_curve(certificate).delta(Fraction(mechanism.epsilon)) <= mechanism.delta
    query = certificate.problem.query
    if query.labels:
        assert mechanism.bias(query.labels[0]) is mechanism.variance(query.labels[0]) is None
        assert mechanism.mse(query.labels[0]) is None
        return
    responses = [response.midpoint for response in query.responses]
    for truth, law in list(zip(query.truths, columns(certificate), strict=True))[:5]:
        mean = sum(r * p for r, p in zip(responses, law, strict=True))
        error = sum((r - truth) ** 2 * p for r, p in zip(responses, law, strict=True))
        assert mechanism.bias(truth) == float(mean - truth)
        assert mechanism.mse(float(truth)) == float(error)
        assert mechanism.variance(truth) == float(error - (mean - truth) ** 2)


def test_what_it_draws_is_what_the_mechanism_draws(certificate):
    mechanism, plain = (
        om.release.to_diffprivlib(certificate, random_state=3),
        om.MatrixMechanism.certified(certificate),
    )
    truth = plain.labels[-1] if plain.labels else plain.truths[-1]
    generator = np.random.default_rng(3)
    with pytest.warns(NotPrivateWarning):
        drawn = [mechanism.randomise(truth) for _ in range(20)]
    with pytest.warns(NotPrivateWarning):
        assert drawn == [plain.sample(truth, seed=generator) for _ in range(20)]


def test_wrong_types_and_wrong_values_are_told_apart():
    count, colours = (
        om.release.to_diffprivlib(designed("count")),
        om.release.to_diffprivlib(designed("categories")),
    )
    for value in ("2", None, [2], True, 2j):
        with pytest.raises(TypeError, match="`value` must be a number; got"):
            count.randomise(value)
    for value in (1, None, b"red"):
        with pytest.raises(TypeError, match="`value` must be the text of a label; got"):
            colours.randomise(value)
    for value in (-1, 6, 2.5):
        with pytest.raises(ValueError, match=r"must be among 0\.\.5 .*Round or clamp"):
            count.randomise(value)
    with pytest.raises(ValueError, match="must be among red, green, blue; got 'mauve'"):
        colours.randomise("mauve")
    with pytest.raises(ValueError, match="finite"):
        count.bias(float("nan"))


def test_a_budget_is_asked_before_every_draw(diffprivlib):
    budget = diffprivlib.BudgetAccountant(epsilon=1.0, delta=0.0)
    mechanism = om.release.to_diffprivlib(designed("count"), accountant=budget)
    mechanism.randomise(1)
    mechanism.randomise(1)
    assert budget.total() == (1.0, 0.0)
    with pytest.raises(diffprivlib.utils.BudgetError):
        mechanism.randomise(1)
    with pytest.raises(ValueError, match="must be among"):
        mechanism.randomise(7)
    assert len(budget) == 2


def test_a_copy_is_another_one_like_it():
    mechanism = om.release.to_diffprivlib(designed("delta"))
    twin = mechanism.copy()
    assert twin is not mechanism
    assert (type(twin), twin.epsilon, twin.delta) == (type(mechanism), mechanism.epsilon, mechanism.delta)
    assert "count 0..10" in repr(twin)


def test_random_states_of_theirs_are_taken():
    certificate = designed("count")
    assert om.release.to_diffprivlib(certificate, random_state=secrets.SystemRandom()).randomise(1) in range(
        6
    )
    with pytest.warns(NotPrivateWarning):
        first, again = (
            [om.release.to_diffprivlib(certificate, random_state=state).randomise(1) for _ in range(1)]
            for state in (np.random.RandomState(1), np.random.RandomState(1))
        )
    assert first == again
    with pytest.raises(ProblemError, match="`random_state` must be a whole number"):
        om.release.to_diffprivlib(certificate, random_state="seed")


def test_what_is_not_differential_privacy_is_refused():
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    with pytest.raises(NotAcceptedError, match="`to_diffprivlib` must have a mechanism that is diff"):
        om.release.to_diffprivlib(one_sided)
