"""Sums of people's records: privacy of all small data, limits that hold, and files as people have them."""

from __future__ import annotations

import gzip
from fractions import Fraction
from itertools import combinations_with_replacement
from math import isclose, log

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.base.errors import OptmechError
from optmech.mechanisms.tables.sum_limits import SumLimits
from optmech.question.tables.record_sums import RecordSums
from optmech.release.joint.mean_estimate import _estimate, estimate_means
from optmech.release.joint.record_cells import record_cells
from optmech.release.joint.release_joint import release_joint_table

ASKED = (
    lambda **budget: om.sums_of_people("1:5", **budget),
    lambda **budget: om.sums_of_people("1:5", "spread", **budget),
    lambda **budget: om.sums_of_people("-2:2", "total", **budget),
)
VALUES, PEOPLE = range(5), 5
SURE = 0.05


def parameter(certificate):
    noise = certificate.noise
    (own,) = {*getattr(noise, "ratios", None or getattr(noise, "variances", {})).values()}
    return own


def sums_of(asked, data):
    steps = np.array(data, np.int64)
    return tuple(int(part.sum()) for part in asked.records.of_steps(steps))


def neighbours(asked):
    """Yield the changes of all sums between all data of at most five people: one more, or one changed."""
    for number in range(PEOPLE):
        for data in combinations_with_replacement(VALUES, number):
            before = sums_of(asked, data)
            more = [sums_of(asked, (*data, value)) for value in VALUES]
            for first in more:
                yield False, tuple(a - b for a, b in zip(first, before, strict=True))
                for second in more:
                    yield True, tuple(a - b for a, b in zip(first, second, strict=True))


def loss(ratio, change):
    """Return the largest log-ratio of the laws of all outputs, from probabilities at outputs around both."""
    total = 0.0
    for step in change:
        near = range(-abs(step) - 1, 2 * abs(step) + 2)
        total += max(log(ratio) * (abs(z) - abs(z - step)) for z in near)
    return total


def renyi(variance, change, order):
    """Return the divergence of the laws at a change, summed over whole numbers."""
    total = 0.0
    for step in change:
        z = np.arange(-120, 121 + abs(step))
        p, q = (np.exp(-((z - at) ** 2) / (2 * float(variance))) for at in (0, step))
        terms = order * np.log(p / p.sum() + 1e-300) + (1 - order) * np.log(q / q.sum() + 1e-300)
        total += np.log(np.exp(terms - terms.max()).sum()) + terms.max()
    return total / (order - 1)


def test_one_person_costs_the_budget_and_a_changed_record_twice_at_all_small_data():
    for ask in ASKED:
        pure, normal = (om.design(ask(**budget)).certificate for budget in ({"epsilon": 1}, {"zcdp": "0.2"}))
        asked, found = ask(epsilon=1), {*neighbours(ask(epsilon=1))}
        spent = {
            kind: max(loss(parameter(pure), d) for is_change, d in found if is_change == kind)
            for kind in (0, 1)
        }
        assert spent[0] <= 1 < spent[0] + 1e-9  # as typed, and no less
        assert isclose(spent[1], 2, abs_tol=1e-9) or len(asked.records.parts) != 2
        assert spent[1] <= 2
        for order in (2, 8):
            for is_change, change in {(kind, tuple(map(abs, d))) for kind, d in found}:
                allowed = (
                    0.2 * order * (4 if is_change and not asked.records.parts else 2 if is_change else 1)
                )
                assert renyi(parameter(normal), change, order) <= allowed * (1 + 1e-9) + 1e-12


def test_weights_are_never_negative_and_add_up_to_what_one_record_changes():
    for low, high, unit in ((0, 7, 1), (-3, 2, Fraction(1, 2))):
        for asked in ("mean", "spread"):
            sums = RecordSums(low=Fraction(low), high=Fraction(high), unit=Fraction(unit), asked=asked)
            parts = np.array(sums.of_steps(np.arange(sums.span + 1)))
            assert (parts >= 0).all()
            assert (parts.sum(axis=0) == sums.weight).all()
            assert ((parts**2).sum(axis=0) <= sums.weight**2).all()
            at = [sum(m * int(w) for m, w in zip(sums.places, own, strict=True)) for own in parts.T]
            assert [Fraction(each) / sums.weight for each in at] == [
                Fraction(t, sums.span) for t in range(sums.span + 1)
            ]


def misses(ratio, weights, limit):
    """Return the probability that a weighted sum of geometric noise is beyond a limit, by its whole law."""
    reach = int(-40 / log(ratio)) + 1
    z = np.arange(-reach, reach + 1)
    law = (1 - ratio) / (1 + ratio) * ratio ** np.abs(z)
    (first, *others), inside = weights, 0.0
    if not others or not others[0]:
        return law[np.abs(first * z) > limit].sum()
    tails = np.concatenate([[0.0], np.cumsum(law)])
    for at, chance in zip(z, law, strict=True):
        low, high = ((side * limit - first * at) / others[0] for side in (-1, 1))
        low, high = np.ceil(min(low, high)), np.floor(max(low, high))
        first_index, last = (int(np.clip(each + reach, -1, 2 * reach)) for each in (low - 1, high))
        inside += chance * (tails[last + 1] - tails[first_index + 1])
    return 1 - inside


def test_limits_miss_a_place_as_seldom_as_they_say():
    for span, epsilon in ((5, 1), (10, "0.5"), (10, 4)):
        limits = SumLimits(om.design(om.sums_of_people((0, span), epsilon=epsilon)).certificate.noise, SURE)
        for place in (0, 0.25, 0.5, 0.9):
            weights = [1 - place, -place]
            missed = misses(float(limits._parameter), weights, limits.of_sum(weights))
            assert missed <= SURE
            assert missed > 0.6 * SURE or span / float(epsilon) < 5
    draws = np.random.default_rng(1)
    for budget in ({"epsilon": 1}, {"zcdp": "0.1"}):
        noise = om.design(om.sums_of_people((0, 10), **budget)).certificate.noise
        limits = SumLimits(noise, SURE)
        for number in (0, 3, 20, 100):
            sums = [int(draws.integers(0, 10 * number + 1)) + int(draws.integers(-20, 20)) for _ in range(2)]
            found = limits.of_place(sums, [1, 0])
            kept = [
                p
                for p in np.linspace(0, 1, 51)
                if abs((1 - p) * sums[0] - p * sums[1]) <= limits.of_sum([1 - p, p])
            ]
            if found is None:
                assert not kept
            elif kept:  # the whole hull, and little more
                assert found[0] <= kept[0]
                assert found[1] >= kept[-1]
                assert found == (0, 1) or found[1] - found[0] <= kept[-1] - kept[0] + 0.041


def test_limits_of_nobody_are_the_whole_range_and_of_no_mean_none():
    for budget in ({"epsilon": 1}, {"zcdp": "0.1"}):
        limits = SumLimits(om.design(om.sums_of_people((0, 10), **budget)).certificate.noise, SURE)
        assert limits.of_place([-5, 3], [1, 0]) == (0, 1)
        assert limits.of_place([-4000, 9000], [1, 0]) is None


TEXTS = ["1.004", "1.005", " 7 ", "-3", "1e1", "200", ".5", "2."]
STEPS = [4, 51, 650, 0, 950, 950, 0, 150]  # of 0.50..10.00 in cents, half a cent upwards


def written(folder, suffix, texts, group=None):
    path = folder / f"people{suffix}"
    if suffix == ".parquet":
        columns = {"x": pa.array(texts)} if group is None else {"g": pa.array(group), "x": pa.array(texts)}
        pq.write_table(pa.table(columns), path)
        return path
    names = group or [""] * len(texts)
    rows = [f"{name},{text}" for name, text in zip(names, texts, strict=True)]
    text = "\n".join(["g,x", *rows, ""])
    path.write_bytes(gzip.compress(text.encode()) if suffix == ".csv.gz" else text.encode())
    return path


def test_records_are_read_exactly_rounded_clamped_and_added_by_group(tmp_path):
    certificate = om.design(om.sums_of_people("0.5:10", unit="0.01", epsilon=1)).certificate
    steps = [int(np.clip((2 * (Fraction(t.strip()) - Fraction(1, 2)) * 100 + 1) // 2, 0, 950)) for t in map(
        str.strip, ["1.004", "1.005", "7", "-3", "10", "200", ".5", "2."])]  # fmt: skip
    groups = ["b", "a"] * 4
    for suffix in (".csv", ".csv.gz", ".parquet"):
        path = written(tmp_path, suffix, TEXTS, groups)
        cells = record_cells(certificate, path, column="x", by=["g"], groups=["a", "b", "c"])
        found, clamped = cells.read()
        above = [sum(step for step, name in zip(steps, groups, strict=True) if name == own) for own in "abc"]
        assert found[:, 0].tolist() == above
        assert found.sum(axis=1).tolist() == [4 * 950, 4 * 950, 0]
        assert clamped == 2


BAD = ("", "x", "nan", "inf", "1_0", "\u0661", "0x1", "1,5", "1/3", "--1")


def test_what_is_no_number_and_no_listed_group_is_refused(tmp_path):
    certificate = om.design(om.sums_of_people("0:10", epsilon=1)).certificate
    for text in BAD:
        path = written(tmp_path, ".parquet", ["1", text])
        with pytest.raises(OptmechError, match="must have a number"):
            record_cells(certificate, path, column="x", by=[], groups=None).read()
    path = written(tmp_path, ".csv", ["1"], ["z"])
    for by, groups, words in (
        (["g"], ["a"], "categories among"),
        (["g"], None, "groups"),
        ([], ["a"], "groups"),
    ):
        with pytest.raises(OptmechError, match=words):
            record_cells(certificate, path, column="x", by=by, groups=groups).read()
    with pytest.raises(OptmechError, match="column"):
        record_cells(certificate, path, column=None, by=[], groups=None)


def test_a_release_is_estimated_near_the_truth_by_group(tmp_path):
    """At so large an epsilon there is no noise, for all that can be seen."""
    truth = np.array([0, 10, 20, 30, 35] * 4)
    names = ["a", "b"] * 10
    path = written(tmp_path, ".csv", [str(x) for x in truth], names)
    for ask in ("mean", "total", "spread"):
        om.write_certificate(
            om.design(om.sums_of_people("0:40", ask, unit=5, epsilon=100)).certificate, tmp_path / "m.json"
        )
        out = tmp_path / "out.csv"
        release_joint_table(
            tmp_path / "m.json", path, out, column="x", by=["g"], groups=["a", "b", "c"], again=True
        )
        found = {one.group: one for one in estimate_means(out)}
        for name in "ab":
            own = truth[[each == name for each in names]]
            one = found[f"g={name}"]
            assert one.total.low <= own.sum() <= one.total.high
            assert isclose(one.total.estimate, own.sum(), abs_tol=40)
            if one.mean is not None:
                assert one.mean.low <= own.mean() <= one.mean.high
                assert isclose(one.mean.estimate, own.mean(), abs_tol=0.5)
            if one.deviation is not None:
                assert isclose(one.deviation, own.std(), abs_tol=1)


def test_certificates_are_below_a_kilobyte_and_read_back(tmp_path):
    for ask in ASKED:
        for budget in ({"epsilon": 1}, {"zcdp": "0.1"}):
            path = tmp_path / "m.json"
            om.write_certificate(om.design(ask(**budget)).certificate, path)
            assert path.stat().st_size < 1000
            assert om.read_table(path).problem == ask(**budget)


def test_bounds_of_several_records_scale_the_noise():
    errors = [
        float(
            om.design(
                om.sums_of_people("0:10", at_most=rows, at_most_per_group=per, epsilon=1)
            ).certificate.objective
        )
        for rows, per in ((1, 1), (3, 3), (3, 1))
    ]
    assert isclose(errors[1] / errors[0], 9, rel_tol=0.01)
    assert errors[1] == errors[2]
    normal = [
        om.design(
            om.sums_of_people("0:10", at_most=rows, at_most_per_group=per, zcdp="0.1")
        ).certificate.objective
        for rows, per in ((1, 1), (3, 3), (3, 1))
    ]
    assert [each / normal[0] for each in normal] == [1, 9, 3]


@pytest.mark.parametrize("ends", ["0.1:0.3", "36.1:42.3"])
def test_where_any_mean_could_be_none_is_told(ends):
    """Sums that noise makes zero have no ratio; ends in doubles must not hide that."""
    problem = om.sums_of_people(ends, "mean", epsilon=1, unit="0.1")
    sums, limits = problem.records, SumLimits(om.design(problem).certificate.noise, 0.05)
    for own in ([4, -5], [-2, 2], [1, 0]):
        found = _estimate("", own, sums, limits)
        assert found.mean.estimate is None
        assert [found.mean.low, found.mean.high] == [float(sums.low), float(sums.high)]


def test_a_total_over_both_signs_costs_a_changed_record_as_two_people():
    for ends, said in (("-3:3", "as two people do"), ("0:3", "twice")):
        assert f"(changed: spends {said})" in om.sums_of_people(ends, "total", zcdp=1).whose
