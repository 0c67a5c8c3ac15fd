from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import dlaplace

import optmech as om
from benchmarks.baselines.clamped_geometric import clamped_geometric
from optmech.analysis.baselines.whole_number_noise import (
    explicit_fair,
    geometric_noise,
    truncated_geometric,
)
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from tests.each import each

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "croft.json").read_text())


def test_the_truncated_geometric_is_the_known_one():
    known = REFERENCE["bellet"]["truncated_geometric_n5_eps.5"]
    matrix = truncated_geometric(om.count(5), "0.5").matrix
    for column in (0, 2):
        expected = [float(value) for value in known[f"col{column}"]]
        assert matrix[:, column].tolist() == pytest.approx(expected, rel=1e-14)
    error = (om.loss_matrix("absolute", om.count(5)) * matrix).sum() / 6
    assert error == pytest.approx(float(known["E|err|_uniform"]), rel=1e-14)


def test_remapping_its_ends_gives_the_optimal_table_3():
    # Croft's Table 3 is this matrix with 0 taken for 1 and 5 for 4.
    matrix = truncated_geometric(om.count(5), "0.5").matrix
    remapped = np.zeros((6, 6))
    for response, target in enumerate(REFERENCE["table3"]["remap"]):
        remapped[target] += matrix[response]
    assert np.abs(remapped - REFERENCE["table3"]["matrix"]).max() < 1e-14


def test_unbounded_noise_agrees_with_scipy_where_that_does_not_cancel():
    law, theirs = geometric_noise(om.count(5), "0.5"), dlaplace(0.5)
    steps = np.arange(-20, 21)
    assert law.pmf(steps) == pytest.approx(theirs.pmf(steps), rel=1e-13)
    assert law.cdf(steps) == pytest.approx(theirs.cdf(steps), rel=1e-13)
    assert law.sf(steps) == pytest.approx(theirs.sf(steps), rel=1e-9)
    assert law.sf(200) == pytest.approx(math.exp(-0.5 * 201) / (1 + math.exp(-0.5)), rel=1e-13)
    wide = np.arange(-400, 401)
    expected = float(REFERENCE["bellet"]["truncated_geometric_n5_eps.5"]["two_sided_E_abs=2a/(1-a^2)"])
    assert np.abs(wide) @ law.pmf(wide) == pytest.approx(expected, rel=1e-13)


@each("row", [row for row in REFERENCE["count_V2"] if "EM_diag" in row])
def test_the_explicit_fair_mechanism_is_the_known_one(row):
    query = om.count(row["n"])
    baseline = explicit_fair(query, row["eps"])
    assert np.ptp(np.diag(baseline.matrix)) < 1e-15
    assert baseline.matrix[0, 0] == pytest.approx(row["EM_diag"], rel=1e-12)
    loss = (om.loss_matrix("absolute", query) * baseline.matrix).sum()
    assert loss == pytest.approx(row["EM_L1_objective"], rel=1e-12)
    assert baseline.spent_epsilon <= row["eps"] + 1e-12


@each("last", range(1, 41))
def test_columns_of_the_explicit_fair_mechanism_sum_to_one(last):
    assert np.abs(explicit_fair(om.count(last), "0.3").matrix.sum(axis=0) - 1).max() < 1e-13


def test_clamping_leaves_the_privacy_of_geometric_noise_as_it_is():
    query = om.count(8)
    baseline = clamped_geometric(query, "0.2", "0.7")
    assert baseline.spent_epsilon == pytest.approx(-math.log(0.7))
    # One set attains it: all answers on one side. P(Y <= 0) - e^epsilon P(Y <= -1).
    law = geometric_noise(query, -math.log(0.7))
    assert baseline.spent_delta == pytest.approx(law.cdf(0) - math.exp(0.2) * law.cdf(-1))
    mechanism = MatrixMechanism(matrix=baseline.matrix, responses=query.truths, truths=query.truths)
    assert mechanism.hockey_stick_delta(query, "0.2") == baseline.spent_delta


def test_wrong_arguments_are_refused_with_a_remedy():
    with pytest.raises(ProblemError, match="`ratio` must lie strictly between 0 and 1; got 1"):
        clamped_geometric(om.count(3), 1, 1)
    with pytest.raises(NotAcceptedError, match="whole-number noise needs two or more equally spaced points"):
        truncated_geometric(om.Query([0, 1, 3]), 1)
    with pytest.raises(NotAcceptedError, match="truths on their grid; got custom query"):
        truncated_geometric(om.Query(["0", "0.5", "1"], [0, 1], 1), 1)
    with pytest.raises(NotAcceptedError, match="For categories use a snapped mechanism"):
        truncated_geometric(om.Query([0, 1, 2, 3], [(0, 2), (2, 4)]), 1)
    with pytest.raises(NotAcceptedError, match="this mechanism needs responses that are the truths; got 5"):
        explicit_fair(om.Query([1, 2, 3], range(5), 1), 1)
    with pytest.raises(NotAcceptedError, match="this mechanism needs responses that are the truths; got 3"):
        explicit_fair(om.Query([0, 1, 3], [0, 1, 2], 1), 1)  # the truth 3 is no response
