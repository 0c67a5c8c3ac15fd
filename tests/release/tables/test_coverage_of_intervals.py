"""An interval that is read holds its truth as often as it says: of shown rows alone, and beyond the range."""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.mechanisms.noise_shares import FAR
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.noise import Noise
from optmech.release.tables.acceptance import ends_of_distribution, regions_of_noise
from optmech.release.tables.column_mechanisms import NoiseColumn
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.interval import Limits
from tests.each import each

LEVELS = [Fraction(1, 2), Fraction(95, 100), 1 - Fraction(1, 10**60)]
KEEPS_ZERO = ["zero-stays-zero"]
QUESTIONS = {
    "count": om.question(om.count(12), "1/2"),
    "count by delta": om.question(om.count(12), 1, delta="1e-3"),
    "mean": om.question(om.mean(3, 2), 1),
    "total": om.question(om.total(4, 3), 1),
    "shown count": om.question(om.count(12), 1, delta="1e-3", properties=KEEPS_ZERO),
    "shown count, less private": om.question(om.count(9), 4, delta="0.1", properties=KEEPS_ZERO),
    "shown count, limited": om.question(om.count(6), 4, delta="0.01", properties=[*KEEPS_ZERO, "within 4"]),
    "shown mean": om.question(om.mean(3, 2), 1, delta="1e-2", properties=KEEPS_ZERO),
    "shown total": om.question(om.total(4, 3), 1, delta="1e-2", properties=KEEPS_ZERO),
}


@cache
def certificate_of(name):
    return om.design(QUESTIONS[name]).certificate


def coverage_of(mechanism, place, low, high, *, shown_only):
    """Return how probably the interval of the truth at a place holds it, given that it is shown, exactly."""
    weights = mechanism.exact.numerators[:, place].tolist()
    shown = [
        weight * (not shown_only or response != 0)
        for weight, response in zip(weights, mechanism.responses, strict=True)
    ]
    truth = mechanism.truths[place]
    held = [weight for weight, least, most in zip(shown, low, high, strict=True) if least <= truth <= most]
    return Fraction(sum(held), sum(shown)) if sum(shown) else None


@each("name", QUESTIONS, every=2)
@each("level", LEVELS)
@each("as_text", [False, True])
def test_the_exact_coverage_of_every_truth_is_the_level_at_least(name, level, as_text):
    certificate, shown_only = certificate_of(name), name.startswith("shown")
    mechanism = om.MatrixMechanism.certified(certificate)
    is_whole = all(value.denominator == 1 for value in mechanism.responses)
    responses = list(map(int if is_whole else float, mechanism.responses))
    kind = pa.string() if as_text else pa.float64()
    column = pa.array(list(map(str, responses))) if as_text else pa.array(map(float, responses))
    limits = Limits(column_mechanism(certificate), level, drop_zero=shown_only).of(column, kind)
    low, high = ([Fraction(end) for end in ends.to_pylist()] for ends in limits)
    if shown_only:
        assert min(low[1:]) > 0
    for place in range(shown_only, len(mechanism.truths)):
        assert coverage_of(mechanism, place, low, high, shown_only=shown_only) >= level, place


def test_a_row_that_is_shown_has_the_interval_of_a_row_that_is_shown(tmp_path):
    """By the released file alone: those of all rows held none of the truths 1 to 3, for they hardly show."""
    certificate = certificate_of("shown count")
    mechanism = om.MatrixMechanism.certified(certificate)
    table = pa.table({"n": np.repeat(np.arange(13), 2_000)})
    pq.write_table(table, tmp_path / "t.parquet")
    out = tmp_path / "r.csv"
    done = om.release_table(
        certificate, tmp_path / "t.parquet", out, column="n", interval="0.95", drop_zero=True
    )
    rows = rows_of(out)
    assert done.rows == len(rows)
    found = {row["n"]: (row["n_low"], row["n_high"]) for row in rows}
    assert all(found[row["n"]] == (row["n_low"], row["n_high"]) for row in rows)
    missed = (Fraction(99), Fraction(-99))  # of what is too rare to have been drawn
    ends = [found.get(response, missed) for response in mechanism.responses]
    for truth in range(1, 13):
        low, high = zip(*ends, strict=True)
        assert coverage_of(mechanism, truth, low, high, shown_only=True) >= Fraction(95, 100), truth
    assert "given that the row is shown" in done.log["interval"]["meaning"]


def rows_of(path):
    """Return the rows of a table of numbers, ``None`` for what is empty."""
    if path.suffix == ".parquet":
        rows = pq.read_table(path).to_pylist()
    else:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    return [
        {name: None if cell in (None, "") else Fraction(cell) for name, cell in row.items()} for row in rows
    ]


@each("kind", ["csv", "parquet"], every=2)
@each("name", ["count", "mean", "shown count"])
def test_the_ends_of_a_clamped_range_are_open(kind, name, tmp_path):
    certificate, drop_zero = certificate_of(name), name == "shown count"
    mechanism = om.MatrixMechanism.certified(certificate)
    last = int(mechanism.truths[-1])
    # a negative number is no count, also with `clamp`
    below = [] if certificate.problem.query.kind == "count" else [-3]
    beyond = [*below, 0, 1, last, last + 1, 10 * last]
    table = pa.table({"n": np.tile(np.array(beyond, float if name == "mean" else int), 500)})
    pq.write_table(table, tmp_path / "t.parquet")
    out = tmp_path / f"{name}.{kind}"
    om.release_table(
        certificate,
        tmp_path / "t.parquet",
        out,
        column="n",
        interval="0.95",
        clamp=True,
        drop_zero=drop_zero,
        log=tmp_path / f"{name}-{kind}.json",
    )
    rows = rows_of(out)
    assert {row["n_high"] for row in rows} >= {None}
    assert all(row["n_high"] is None or row["n_high"] < last for row in rows)
    if drop_zero:  # what is shown is not 0, nor below it
        assert all(row["n_low"] > 0 for row in rows)
    else:
        assert all(row["n_low"] is None or row["n_low"] > 0 for row in rows)
        answers = np.tile(beyond, 500)
        for truth in beyond:
            held = [
                (row["n_low"] is None or row["n_low"] <= truth)
                and (row["n_high"] is None or truth <= row["n_high"])
                for row, answer in zip(rows, answers, strict=True)
                if answer == truth
            ]
            assert sum(held) >= 0.95 * len(held) - 5 * (0.05 * len(held)) ** 0.5, truth
    assert "empty end is open" in om.read_log(tmp_path / f"{name}-{kind}.json")["interval"]["meaning"]


LARGE = {
    "shown": {"epsilon": "0.1", "delta": "1e-6", "properties": KEEPS_ZERO},
    "shown, two privacies": {"privacy": [("0.5", "1e-3"), ("1", "1e-6")], "properties": KEEPS_ZERO},
    "delta": {"epsilon": "0.1", "delta": "1e-6"},
}


@pytest.mark.parametrize("largest", [2_500, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", LARGE)
def test_of_a_distribution_the_exact_coverage_of_every_truth_is_the_level_at_least(name, largest):
    question, shown_only = om.question(om.count(largest), **LARGE[name]), name.startswith("shown")
    mechanism = om.design(question).mechanism
    noise, period, limits = mechanism.certificate.noise, mechanism.period, mechanism.limits.tolist()
    law, responses = column_mechanism(mechanism.certificate), pa.array(range(largest + 1))
    assert isinstance(law, NoiseColumn)
    level = Fraction(95, 100)
    low, high = (
        np.array(end)[shown_only:]
        for end in Limits(law, level, drop_zero=shown_only).of(responses, pa.int64())
    )
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()
    # The responses whose interval holds a truth are a run; most truths have the same one, seen from them.
    starts = high.searchsorted(np.arange(largest + 1)) + shown_only
    stops = low.searchsorted(np.arange(largest + 1), side="right") + shown_only
    runs = {}
    for truth in range(shown_only, largest + 1):
        shift = period * truth
        edge = limits[1] - shift if shown_only else None
        run = limits[starts[truth]] - shift, limits[stops[truth]] - shift
        runs.setdefault((*run, max(edge, noise.first) if shown_only else None), truth)
    for (start, stop, edge), truth in runs.items():
        shown = noise.one - (noise.below(edge)[0] if shown_only else 0)
        assert noise.below(stop)[0] - noise.below(start)[1] >= level * shown, truth


def test_of_a_shown_row_an_interval_is_no_wider_than_its_tail_allows():
    question = om.question(om.count(2_500), **LARGE["shown"])
    mechanism = om.design(question).mechanism
    noise, tail = mechanism.certificate.noise, Fraction(5, 100)
    reaches = regions_of_noise(mechanism, 1 - tail, shown_only=True).reaches
    edge = int(mechanism.limits[1])
    assert len(reaches) > 10
    for truth in np.flatnonzero(
        np.diff(reaches, prepend=-FAR) > 0
    ).tolist():  # others keep what one before has
        shift = mechanism.period * truth
        shown = noise.one - noise.below(edge - shift)[1]
        beyond = [noise.one - noise.below(int(reaches[truth]) - shift - less)[0] for less in (0, 1)]
        assert beyond[0] <= tail * shown < beyond[1], truth


def test_of_large_geometric_noise_the_half_width_is_no_rounding_too_short():
    level = Fraction(95, 100)
    for epsilon in ("0.3", "0.01", "1/7"):
        mechanism = om.design(om.question(om.count(5000), epsilon)).mechanism
        noise = mechanism.certificate.noise
        decay = Fraction(noise.tail, noise.one)
        low, _ = Limits(column_mechanism(mechanism.certificate), level).of(pa.array([2500]), pa.int64())
        reach = 2500 - low[0].as_py()
        assert 2 * decay ** (reach + 1) / (1 + decay) <= 1 - level < 2 * decay**reach / (1 + decay)


def test_a_level_as_high_as_no_sum_reaches_ends():
    for question in ({"epsilon": 1}, {"epsilon": 1, "delta": "1e-9"}):
        mechanism = om.design(om.question(om.count(2500), **question)).mechanism
        limits = Limits(column_mechanism(mechanism.certificate), 1 - Fraction(1, 10**400))
        low, high = limits.of(pa.array([1000]), pa.int64())
        assert low[0].as_py() <= 1000 <= high[0].as_py()


def test_a_distribution_has_open_ends_where_answers_were_clamped():
    mechanism = om.design(om.question(om.count(2500), 1)).mechanism
    limits = Limits(column_mechanism(mechanism.certificate), Fraction(95, 100), clamp=True)
    low, high = limits.of(pa.array([0, 1000, 2500]), pa.int64())
    assert [end.is_valid for end in low] == [False, True, True]
    assert [end.is_valid for end in high] == [True, True, False]


@each("seed", range(300), every=2)
def test_whatever_noise_a_certificate_may_hold_its_regions_hold_every_truth(seed):
    """Not of those that designs have alone, which are log-concave."""
    dice, number = np.random.default_rng(seed), 2 + seed % 12
    cuts = sorted(dice.integers(0, 1 << 12, 2 + seed % 19).tolist())
    first = int(dice.integers(-12, 5))
    noise = Noise(period=1 + seed % 3, first=first, cumulative=(0, *cuts, 1 << 12), bits=12)
    shown_only = bool(seed % 2)
    never, always = noise.ends(number)
    lowest = noise.last if shown_only else never  # where 0 stays 0
    thresholds = sorted(dice.integers(lowest, always + 1, number - 1).tolist())
    ends = np.array([never, *thresholds, always])
    limits = np.where(ends <= never, -FAR, np.where(ends >= always, FAR, ends))
    certificate = object.__new__(NoiseCertificate)
    object.__setattr__(certificate, "noise", noise)
    mechanism = SimpleNamespace(
        limits=limits, period=noise.period, truths=range(number), certificate=certificate
    )
    level = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))[seed // 2 % 3]
    regions = regions_of_noise(mechanism, level, shown_only=shown_only)
    low, high = ends_of_distribution(mechanism, regions, np.arange(number))
    for truth in range(number):
        below = [
            Fraction(limit > 0) if abs(limit) == FAR else noise.share(limit - noise.period * truth)
            for limit in limits.tolist()
        ]
        shares = np.diff(np.array(below, dtype=object))
        shares[0] *= not shown_only
        assert shares[(low <= truth) & (truth <= high)].sum() >= level * shares.sum(), truth


def test_places_that_are_exactly_as_rare_as_each_tail_may_be_are_left_out():
    noise = Noise(period=1, first=-2, cumulative=(0, 3, 9, 13, 16), bits=4)
    mechanism = SimpleNamespace(certificate=SimpleNamespace(noise=noise), truths=range(4))
    regions = regions_of_noise(mechanism, 1 - Fraction(2 * 3, 16), shown_only=False)
    assert (regions.after, regions.until) == (-1, 1)
