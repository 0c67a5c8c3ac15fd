"""A measurement of OpenDP draws by the certified matrix and promises what is proved, alone and composed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import optmech as om
from optmech.base.errors import NotAcceptedError, ProblemError
from tests.release.plugs.certified import by_hand, columns, designed, excess

# Other tests cover the cautions of these mechanisms.
pytestmark = pytest.mark.filterwarnings("ignore:Caution")

dp = pytest.importorskip("opendp.prelude", reason="opendp is not installed")
# A sound sampler fails about once in 10**9 runs.
SURE = 1e-9


@pytest.fixture(autouse=True)
def _features():
    dp.enable_features("contrib", "honest-but-curious")


def inputs(certificate):
    """Return what is fed in for each truth."""
    query = certificate.problem.query
    if query.labels:
        return list(query.labels)
    bottom = np.lcm.reduce([truth.denominator for truth in query.truths])
    return [int(truth * bottom) for truth in query.truths]


def test_the_law_of_the_measurement_is_the_certified_matrix(certificate):
    measurement, mechanism = om.release.to_opendp(certificate), om.MatrixMechanism.certified(certificate)
    place = len(mechanism.truths) // 2
    drawn = Counter(measurement(inputs(certificate)[place]) for _ in range(600))
    names = mechanism.labels or [float(response) for response in mechanism.responses]
    counts = np.array([drawn.pop(name, 0) for name in names], dtype=float)
    assert not drawn
    expected = 600 * mechanism.matrix[:, place]
    assert (counts[expected == 0] == 0).all()
    often = expected >= 5
    counts, expected = (np.append(part[often], part[~often].sum()) for part in (counts, expected))
    often_seen = expected > 0
    statistic = ((counts[often_seen] - expected[often_seen]) ** 2 / expected[often_seen]).sum()
    assert stats.chi2.sf(statistic, often_seen.sum() - 1) > SURE


def test_the_map_bounds_every_two_inputs_of_its_distance(certificate):
    measurement, laws, domain = om.release.to_opendp(certificate), columns(certificate), inputs(certificate)
    labels = bool(certificate.problem.query.labels)
    for f, g in list(combinations(range(len(laws)), 2))[:60]:
        mapped = measurement.map(1 if labels else domain[g] - domain[f])
        epsilon, delta = mapped if isinstance(mapped, tuple) else (mapped, 0.0)
        pair = om.Query(
            certificate.problem.query.truths,
            [response.midpoint for response in certificate.problem.query.responses],
            [(f, g)],
        )
        # The double itself, not the decimal that it is printed as.
        assert (
            om.analysis.privacy_curve((om.MatrixMechanism.certified(certificate), pair)).delta(
                Fraction(epsilon)
            )
            <= delta
        )


def test_at_the_distance_of_neighbours_the_map_is_the_certified_epsilon():
    assert om.release.to_opendp(designed("count")).map(1) == 0.5
    assert om.release.to_opendp(designed("mean")).map(4) == 0.2  # the sum of ten records moves by up to 4
    assert om.release.to_opendp(designed("categories")).map(1) == 1.0
    assert om.release.to_opendp(designed("halves")).map(2) == pytest.approx(np.log(2), abs=1e-15)
    epsilon, delta = om.release.to_opendp(designed("delta")).map(1)
    laws, factor = columns(designed("delta")), designed("delta").factor.lower
    spent = max(excess(laws[f], laws[g], factor) for f, g in designed("delta").problem.query.pairs.tolist())
    assert (epsilon, spent) == (1.0, pytest.approx(delta))
    assert delta <= 1e-3


def test_the_map_never_falls(certificate):
    measurement = om.release.to_opendp(certificate)
    distances = (0, 1) if certificate.problem.query.labels else range(12)
    mapped = np.array([np.atleast_1d(measurement.map(distance)) for distance in distances])
    assert (mapped[0] == 0).all()
    assert (np.diff(mapped, axis=0) >= 0).all()


def test_group_privacy_is_the_exact_loss_and_no_more_than_twice():
    measurement = om.release.to_opendp(designed("count"))
    assert 0.999999 < measurement.map(2) <= 1.0


def test_a_count_chains_and_composes():
    measurement = om.release.to_opendp(designed("count"))
    count = dp.t.make_count(dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance())
    chained = count >> measurement
    assert chained(["a", "b", "c"]) in range(6)
    assert chained.map(1) == 0.5
    both = dp.c.make_composition([chained, chained])
    assert both.map(1) == 1.0
    assert len(both(["a"])) == 2


def test_sequential_composition_admits_it_and_counts_it():
    chained = dp.t.make_count(
        dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    ) >> om.release.to_opendp(designed("count"))
    budget = dp.c.make_adaptive_composition(
        chained.input_domain, chained.input_metric, dp.max_divergence(), d_in=1, d_mids=[0.5, 0.5]
    )
    assert budget.map(1) == 1.0
    queryable = budget(["a", "b"])
    assert queryable(chained) in range(6)
    assert queryable(chained) in range(6)
    with pytest.raises(dp.OpenDPException):
        queryable(chained)


def test_the_sum_of_sized_records_chains_into_a_mean():
    records = dp.vector_domain(dp.atom_domain(bounds=(0, 4)), size=10)
    chained = dp.t.make_sum(records, dp.symmetric_distance()) >> om.release.to_opendp(designed("mean"))
    assert chained.map(2) == 0.2  # one record removed, another added
    assert 0 <= chained([1, 2, 3, 4, 0, 1, 2, 3, 4, 0]) <= 4


def test_a_delta_composes_with_epsilons_alone():
    rough, pure = om.release.to_opendp(designed("delta")), om.release.to_opendp(designed("count"))
    epsilon, delta = rough.map(1)
    both = dp.c.make_composition([rough, dp.c.make_approximate(pure)])
    assert both.map(1) == (epsilon + 0.5, pytest.approx(delta))
    assert dp.c.make_fixed_approxDP_to_approxDP(rough).map(1).epsilon(delta) == 1.0


def test_no_input_is_refused_and_what_is_out_of_range_is_clamped():
    measurement = om.release.to_opendp(designed("count"))
    assert {measurement(value) for value in (-(2**31), -1, 6, 2**31 - 1)} <= set(range(6))
    labels = om.release.to_opendp(designed("categories"))
    assert {labels(text) for text in ("", "mauve", "RED")} <= {"red", "green", "blue"}


def test_numbers_between_truths_go_to_the_nearest():
    # Told apart with certainty but for one unit, so that what is drawn is where the input went.
    large = 10**30
    query = om.Query([0, 10, 13])
    table = [[large - 2 if r == f else 1 for f in range(3)] for r in range(3)]
    measurement = om.release.to_opendp(by_hand(table, 80, query))
    answers = [measurement(value) for value in (-99, 0, 5, 6, 11, 12, 13, 99)]
    assert answers == [0, 0, 0, 10, 10, 13, 13, 13]
    assert measurement.map(1) == 80.0  # 5 and 6 are one apart and go to 0 and 10
    assert measurement.map(5) == 80.0
    assert measurement.map(7) <= 160.0


def test_a_text_that_is_no_label_is_no_further_than_labels_are():
    laws = columns(designed("categories"))
    mixed = [sum(law[r] for law in laws) / len(laws) for r in range(len(laws[0]))]
    for law in laws:
        assert excess(mixed, law, designed("categories").factor.upper) == 0
        assert excess(law, mixed, designed("categories").factor.upper) == 0


def test_an_epsilon_that_is_no_double_is_rounded_up():
    certificate = om.design(om.croft(om.count(2), epsilon="0.3")).certificate
    measurement = om.release.to_opendp(certificate)
    assert measurement.map(1) == np.nextafter(0.3, 1)
    assert not measurement.check(1, 0.3)


def test_without_its_features_the_sentence_names_them():
    dp.disable_features("honest-but-curious")
    with pytest.raises(NotAcceptedError, match=r'enable_features\("contrib", "honest-but-curious"\)'):
        om.release.to_opendp(designed("count"))


def test_a_carrier_that_is_too_small_is_refused():
    far = om.design(om.croft(om.Query([0, 2**31]), epsilon=1)).certificate
    with pytest.raises(ProblemError, match=r"'i32' does not\. Give 'i64'"):
        om.release.to_opendp(far)
    assert om.release.to_opendp(far, carrier="i64")(2**31) in (0, 2**31)
    with pytest.raises(ProblemError, match="`carrier` must be i32 or i64; got 'f64'"):
        om.release.to_opendp(far, carrier="f64")


def test_a_negative_distance_has_no_bound():
    with pytest.raises(dp.OpenDPException, match="must be zero or more; got -1"):
        om.release.to_opendp(designed("count")).map(-1)
