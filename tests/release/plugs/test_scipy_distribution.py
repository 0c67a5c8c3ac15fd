"""Columns and noise answer as SciPy's distributions on the same points do."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.sampling import NotPrivateWarning
from tests.each import each
from tests.release.plugs.certified import columns, designed

# SciPy adds up doubles.
ROUNDING = 1e-12


def laws():
    """Yield distributions of ours beside the probabilities that they are of."""
    for kind in ("count", "mean", "zero bias", "delta", "cells", "halves"):
        certificate = designed(kind)
        query = certificate.problem.query
        place = query.num_truths // 2
        points = [response.midpoint for response in query.responses]
        yield (
            kind,
            om.release.distribution(certificate, query.truths[place]),
            points,
            columns(certificate)[place],
        )
    for kind, lowest in (("residues", 0), ("symmetric", -6)):
        law = columns(designed(kind))[0]
        yield kind, om.release.noise_distribution(designed(kind)), range(lowest, lowest + len(law)), law


@each(("kind", "ours", "points", "law"), [*laws()])
def test_it_answers_as_scipy_does(kind, ours, points, law):
    support = [(float(point), float(mass)) for point, mass in zip(points, law, strict=True) if mass]
    theirs = stats.rv_discrete(values=tuple(zip(*support, strict=True)))()
    places = np.array(
        [*(point for point, _ in support), support[0][0] - 1, support[-1][0] + 1, support[0][0] + 0.25]
    )
    for name in ("pmf", "cdf", "sf"):
        assert getattr(ours, name)(places) == pytest.approx(getattr(theirs, name)(places), abs=ROUNDING)
        assert isinstance(getattr(ours, name)(places[0]), float)
    assert np.exp(ours.logpmf(places)) == pytest.approx(ours.pmf(places), abs=ROUNDING)
    levels = np.array([0, 1e-3, 0.1, 0.25, 0.4999, 0.77, 0.999, -0.1, 1.5, np.nan])
    assert ours.ppf(levels) == pytest.approx(theirs.ppf(levels), nan_ok=True)
    for name in ("mean", "var", "std", "median", "entropy"):
        assert getattr(ours, name)() == pytest.approx(float(getattr(theirs, name)()), abs=1e-9), (kind, name)
    assert ours.support() == theirs.support()
    assert ours.interval(0.9) == theirs.interval(0.9)
    assert ours.expect(lambda x: x**2) == pytest.approx(sum(m * p**2 for p, m in support))
    assert ours.expect() == ours.mean()


def test_every_point_is_its_own_quantile():
    law = om.release.distribution(designed("mean"), 2)
    points = np.array([float(point) for point in law.points])
    assert (law.ppf(law.cdf(points)) == points).all()
    assert law.ppf(1) == points[-1]


def test_moments_are_the_exact_ones_rounded_once():
    law, certificate = om.release.distribution(designed("mean"), "1.3"), designed("mean")
    responses = [response.midpoint for response in certificate.problem.query.responses]
    mean = sum(r * p for r, p in zip(responses, columns(certificate)[13], strict=True))
    assert law.exact_mean == mean
    assert law.mean() == float(mean)


def test_draws_follow_the_law_and_are_whole_where_points_are():
    law = om.release.noise_distribution(designed("symmetric"))
    drawn = law.rvs(size=20_000)
    assert drawn.dtype == np.int64
    kept = law.pmf(np.arange(-6, 7)) * 20_000 >= 5
    counts = np.array([(drawn == noise).sum() for noise in np.arange(-6, 7)])
    expected = law.pmf(np.arange(-6, 7)) * 20_000
    statistic = ((counts[kept] - expected[kept]) ** 2 / expected[kept]).sum()
    assert stats.chi2.sf(statistic, kept.sum() - 1) > 1e-9
    assert isinstance(law.rvs(), int)
    assert law.rvs(1).shape == (1,)
    assert law.rvs((2, 3)).shape == (2, 3)
    assert isinstance(om.release.distribution(designed("mean"), 2).rvs(), float)


def test_a_random_state_repeats_draws_and_warns():
    law = om.release.distribution(designed("count"), 2)
    with pytest.warns(NotPrivateWarning):
        first = law.rvs(50, random_state=7)
    with pytest.warns(NotPrivateWarning):
        assert (law.rvs(50, random_state=7) == first).all()


def test_a_matrix_of_doubles_is_taken_as_it_stands():
    mechanism = om.MatrixMechanism(matrix=[[0.1, 0.9], [0.9, 0.1]], responses=(0, 1), truths=(0, 1))
    assert om.release.distribution(mechanism, 0).pmf(0) == pytest.approx(0.1)


def test_what_is_no_number_is_refused_by_a_sentence():
    with pytest.raises(NotAcceptedError, match="are called red, green, blue"):
        om.release.distribution(designed("categories"), 0)
    with pytest.raises(NotAcceptedError, match="`joint_pmf`"):
        om.release.noise_distribution(designed("vectors"))
    with pytest.raises(NotAcceptedError, match="the same at every truth; got any matrix"):
        om.release.noise_distribution(designed("count"))
    with pytest.raises(NotAcceptedError, match="zero-bias noise"):
        om.release.noise_distribution(designed("zero bias"))
    with pytest.raises(ProblemError, match=r"`truth` must be among 0\.\.5"):
        om.release.distribution(designed("count"), 6)
    with pytest.raises(ProblemError, match="must be a design, a certificate or a mechanism"):
        om.release.distribution([[0.5]], 0)
    for points, weights in (((1, 0), (1, 1)), ((0,), (0,)), ((0, 1), (1,)), ((), ())):
        with pytest.raises(ProblemError, match="`points` must increase and have a positive weight each"):
            om.release.ScipyDistribution(points=points, weights=weights)
    with pytest.raises(ProblemError, match="`size` must be a whole number"):
        om.release.distribution(designed("count"), 1).rvs(-1)
    with pytest.raises(ProblemError, match="`confidence` must lie between 0 and 1"):
        om.release.distribution(designed("count"), 1).interval(95)
