"""A count too large for a matrix goes to other libraries like any: by its noise and thresholds."""

from __future__ import annotations

import math
import subprocess
from bisect import bisect_right
from itertools import accumulate

import numpy as np
import pytest

import optmech as om
from optmech.release.plugs.promise import promise_of
from tests.release.plugs.tables import answers, built, bytes_of

ASKED = {"delta": {"delta": "1e-3"}, "pure": {}}


@pytest.fixture(scope="module", params=ASKED)
def certificate(request):
    return om.design(om.question(om.count(2100), 1, **ASKED[request.param])).certificate


def test_group_privacy_holds_between_columns_further_apart(certificate):
    promise, mechanism = promise_of(certificate, "this test"), om.design(certificate.problem).mechanism
    before = (0.0, 0.0)
    for steps in (1, 2, 5):
        epsilon, delta = promise.between(np.array([0]), np.array([steps]))
        here, there = mechanism.column(1000), mechanism.column(1000 + steps)
        assert np.maximum(here - math.exp(epsilon) * there, 0).sum() <= delta + 1e-12
        assert before < (epsilon, delta)
        before = epsilon, delta
    assert promise.one_person == (1.0, pytest.approx(float(certificate.delta)))
    if certificate.delta:
        assert promise.between(np.array([0]), np.array([50])) == (math.inf, 1.0)


def test_a_law_of_scipy_is_the_column(certificate):
    law, mechanism = om.release.distribution(certificate, 7), om.design(certificate.problem).mechanism
    np.testing.assert_allclose(law.pmf(np.arange(2101)), mechanism.column(7), rtol=1e-9, atol=1e-30)
    assert law.mean() == pytest.approx(7, abs=0.01)


def test_opendp_maps_distances_and_clamps(certificate):
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib", "honest-but-curious")
    measurement = om.release.to_opendp(certificate)
    promised = [promise_of(certificate, "it").between(np.array([0]), np.array([k])) for k in (1, 3)]
    pure = not certificate.delta
    assert [measurement.map(k) for k in (1, 3)] == [each[0] if pure else each for each in promised]
    assert measurement.map(10**6) == measurement.map(2100)
    assert 2000 < measurement(10**6) <= 2100


def test_dp_accounting_composes_it(certificate):
    pytest.importorskip("dp_accounting")
    losses = om.release.to_dp_accounting(certificate).self_compose(4)
    assert losses.get_epsilon_for_delta(0.01) <= 4.001
    assert len(om.release.to_dp_event(certificate).sha256) == 64


@pytest.mark.parametrize("language", ["c", pytest.param("rust", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("query", "privacy"),
    [
        (om.count(2100), {"epsilon": 1, "delta": "1e-3"}),
        (om.count(7, 2507), {"privacy": [("0.5", "1e-3"), ("1", "1e-6")]}),
    ],
    ids=["one pair", "two pairs"],
)
def test_a_program_draws_by_the_certified_whole_numbers(query, privacy, language, tmp_path):
    design = om.design(om.question(query, **privacy))
    program = built(language, {"c": om.release.to_c, "rust": om.release.to_rust}[language](design), tmp_path)
    done = subprocess.run([str(program), "table"], capture_output=True, text=True, check=True)
    truths, responses, scale = done.stdout.splitlines()[1:]
    assert scale == "1"
    assert truths == responses
    assert list(map(int, truths.split())) == list(query.truths)
    bits, lines, expected = design.certificate.noise.bits, [], []
    for place in (0, 1, 900, query.num_truths - 1):
        sums = list(accumulate(design.mechanism.weights(int(query.truths[place]))))
        assert sums[-1] == 1 << bits
        for number in {part - below for part in sums for below in (0, 1) if 0 <= part - below < sums[-1]}:
            for routine in (0, 1):
                lines.append(f"{routine} {place} {bytes_of(number, bits // 64 + 1)}")
                expected.append((0, bisect_right(sums, number)))
    assert len(lines) > 100
    assert answers(program, lines) == expected


def test_a_matrix_file_is_refused_with_what_to_do(certificate, tmp_path):
    with pytest.raises(om.NotAcceptedError, match="Draw from its mechanism, or under pure epsilon"):
        om.release.write_parquet(certificate, tmp_path / "m.parquet")
    assert not list(tmp_path.iterdir())
