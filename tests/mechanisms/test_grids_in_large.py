"""Large questions that are no run of whole numbers: their values are not taken for their places.

A distribution knows its responses by position. For truths three apart it once released the position, and took
neighbours for three of its steps: three times the epsilon that was asked for.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import optmech as om
from optmech.designs.choice import gives_distribution
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import mechanism_of
from tests.each import each

GRIDS = {
    "three apart": om.Query(range(0, 1350, 3)),
    "halves": om.Query([Fraction(k, 2) for k in range(450)]),
    "from a third": om.Query([k + Fraction(1, 3) for k in range(450)]),
    "mean": om.mean(449, 0, 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three apart", "mean"])
@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_a_grid_of_other_steps_has_a_matrix_in_its_own_units(name):
    query = GRIDS[name]
    certificate = om.design(om.question(query, 1, delta="1e-6")).certificate
    mechanism = mechanism_of(certificate)
    step = float(query.truths[1] - query.truths[0])
    assert mechanism.matrix.shape == (450, 450)
    middle = query.truths[200]
    released = np.array([float(mechanism.sample(middle, seed=seed)) for seed in range(40)])
    assert np.abs(released - float(middle)).mean() < 3 * step
    counts = om.design(om.question(om.count(449), 1, delta="1e-6")).certificate
    in_units, in_steps = (om.card_of(each).errors.worst_mean.value for each in (certificate, counts))
    assert in_units == pytest.approx(step * in_steps, rel=1e-9)


@each("name", GRIDS)
@each("delta", [0, "1e-6"])
def test_only_runs_of_whole_numbers_are_distributions(name, delta):
    assert not gives_distribution(om.question(GRIDS[name], 1, delta=delta))


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0, "1e-6"])
def test_a_mean_of_very_many_records_is_refused_with_what_to_ask(delta):
    with pytest.raises(om.NotAcceptedError, match="such as for the total of the records"):
        om.design(om.question(om.mean(30_000, 0, 1), 1, delta=delta))
    total = om.design(om.question(om.total(30_000, 0, 1), 1, delta=delta)).mechanism
    assert isinstance(total, NoiseMechanism)


def test_a_distribution_of_another_grid_is_not_made():
    problem = om.question(om.Query(range(0, 60, 3)), 1, delta="0.01")
    certificate = om.design(problem, engine="chain").certificate
    with pytest.raises(om.NotAcceptedError, match="a distribution must be of whole numbers in a row"):
        NoiseMechanism(certificate=certificate)


def test_counts_beyond_64_bits_have_a_matrix_or_are_refused():
    many = om.design(om.question(om.count(2**64, 2**64 + 500), 1))
    for draw in (
        lambda: many.mechanism.sample(2**64),
        lambda: om.release_frame(pa.table({"n": [str(2**64)]}), "n", many),
    ):
        with pytest.raises(om.NotAcceptedError, match="must be whole numbers of 64 bits; got count 18446744"):
            draw()
    few = om.design(om.question(om.count(2**64, 2**64 + 5), 1))
    released = om.release_frame(pa.table({"n": [str(2**64)]}), "n", few)["n"]
    assert float(released.to_pylist()[0]) == 2.0**64


@pytest.mark.parametrize("step", ["1", "1.5"])
def test_a_few_answers_have_a_matrix_where_thresholds_reach_into_a_tail(step):
    """A truth of no weight moves the best threshold far out, where the tail of a large epsilon is nothing."""
    query = om.Query([Fraction(step) * k for k in range(4)])
    problem = om.question(query, 12, prior=[Fraction(1, 3), Fraction(1, 9), Fraction(5, 9), 0])
    certificate = om.design(problem).certificate
    assert certificate.exact is not None
    assert certificate.relative_gap < 1e-9
