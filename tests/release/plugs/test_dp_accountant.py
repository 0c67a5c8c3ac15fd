"""The loss that dp-accounting computes for a certified mechanism is never below the exact one, and close to
it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.logarithm import Logarithm
from optmech.release.plugs.dp_accountant import INTERVAL, rounded_losses
from tests.analysis.composition.numerical import numerical_delta
from tests.each import each
from tests.release.plugs.certified import by_hand, designed

# Other tests cover the cautions of these mechanisms.
pytestmark = pytest.mark.filterwarnings("ignore:Caution")

dp_accounting = pytest.importorskip("dp_accounting", reason="dp-accounting is not installed")
# Rounding of sums of doubles in dp-accounting.
ROUNDING = 1e-12


def test_the_epsilon_at_delta_zero_is_the_certified_one_within_the_interval():
    for kind in ("count", "mean", "categories", "vectors", "cells", "halves"):
        certificate = designed(kind)
        result = om.release.to_dp_accounting(certificate, interval=1e-3).get_epsilon_for_delta(0.0)
        epsilon = float(certificate.problem.privacy.epsilon)
        assert epsilon - ROUNDING < result + 1e-3
        assert result <= epsilon + 1e-3 + ROUNDING


def test_one_use_is_never_below_the_exact_curve_and_near_it(certificate):
    losses, curve = (
        om.release.to_dp_accounting(certificate, interval=1e-4),
        om.analysis.privacy_curve(certificate),
    )
    for epsilon in ("0", "0.1", "0.5", "1", "2.18"):
        exact = float(curve.delta(epsilon))
        result = losses.get_delta_for_epsilon(float(epsilon))
        assert exact - ROUNDING <= result <= exact + 1e-3


def test_every_loss_goes_up_and_by_less_than_an_interval(certificate):
    curve = om.analysis.privacy_curve(certificate)
    cells = rounded_losses(curve, 0.01)
    step = Fraction(0.01)
    for ratio in curve.ratios:
        above = min(cell for cell in cells if Logarithm(ratio) <= cell * step)
        assert Logarithm(ratio) > (above - 1) * step
    assert sum(map(Fraction, cells.values())) >= sum(curve.masses)


def test_a_loss_on_the_grid_stays_there():
    curve = om.analysis.privacy_curve(by_hand([[1, 1], [1, 1]], 1))
    assert rounded_losses(curve, 0.5) == {0: 1.0}


@pytest.mark.slow
def test_composition_agrees_with_the_exact_one_and_with_other_hands():
    for kind in ("count", "residues", "delta"):
        certificate = designed(kind)
        exact = float(om.compose(certificate, 3, queries="repeated").curve.delta(2))
        result = om.release.to_dp_accounting(certificate).self_compose(3).get_delta_for_epsilon(2.0)
        # Each use rounds its loss up by at most an interval; delta rises no faster than the losses.
        for upper in (result, numerical_delta(certificate, 3, 2.0)):
            assert exact - ROUNDING <= upper <= exact + 3 * INTERVAL


def test_it_composes_with_mechanisms_of_google():
    ours = om.release.to_dp_accounting(designed("count"))
    theirs = dp_accounting.pld.privacy_loss_distribution.from_laplace_mechanism(2.0)
    assert ours.compose(theirs).get_epsilon_for_delta(1e-9) == pytest.approx(1.0, abs=1e-3)


def test_an_event_is_accounted_among_others():
    certificate = designed("residues")
    event = om.release.to_dp_event(certificate)
    accountant = om.release.to_dp_accountant().compose(event, 2)
    alone = om.release.to_dp_accounting(certificate).self_compose(2)
    assert accountant.get_delta(3.0) == pytest.approx(alone.get_delta_for_epsilon(3.0))
    twice = om.release.to_dp_accountant().compose(dp_accounting.SelfComposedDpEvent(event, 2))
    assert twice.get_delta(3.0) == accountant.get_delta(3.0)
    before = accountant.get_delta(3.0)
    accountant.compose(dp_accounting.GaussianDpEvent(noise_multiplier=5.0))
    assert accountant.get_delta(3.0) > before


def test_an_accountant_of_google_does_not_pass_it_over():
    event = om.release.to_dp_event(designed("count"))
    theirs = dp_accounting.pld.PLDAccountant()
    assert not theirs.supports(event)
    with pytest.raises(dp_accounting.UnsupportedEventError):
        theirs.compose(event)
    assert om.release.to_dp_accountant().supports(event)
    assert not om.release.to_dp_accountant().supports(dp_accounting.UnsupportedDpEvent())


def test_events_of_one_mechanism_are_equal():
    assert om.release.to_dp_event(designed("count")) == om.release.to_dp_event(designed("count"))
    assert om.release.to_dp_event(designed("count")) != om.release.to_dp_event(designed("mean"))
    assert designed("count").matrix.sha256() in repr(om.release.to_dp_event(designed("count")))


@each("interval", [0, -1e-4, math.nan, math.inf, "1e-4", True])
def test_an_interval_that_is_none_is_refused(interval):
    with pytest.raises(ProblemError, match="`interval` must be a positive number"):
        om.release.to_dp_accounting(designed("count"), interval=interval)


def test_what_is_not_differential_privacy_has_no_losses():
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    for plug in (om.release.to_dp_accounting, om.release.to_dp_event):
        with pytest.raises(NotAcceptedError, match="only one is protected"):
            plug(one_sided)


def test_weights_are_refused_by_a_sentence():
    query = om.categories(["cold", "flu", "cancer"], [[0, 1, 4], [1, 0, 4], [4, 4, 0]])
    certificate = om.design(om.question(query, epsilon="0.25", loss="zero-one")).certificate
    with pytest.raises(ProblemError, match="neighbours that all count alike"):
        om.release.to_dp_accounting(certificate)
