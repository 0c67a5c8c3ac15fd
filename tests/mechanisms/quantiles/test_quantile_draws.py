"""Draws of quantiles: heaps of equal records, fine ranges, and nobody at all."""

from __future__ import annotations

import os
import random
import time
from fractions import Fraction

import pytest

import optmech as om
from optmech.mechanisms.quantiles.dice import Dice


def draw(certificate, records, random_bytes=os.urandom):
    index_of = certificate.problem.index_of
    heaps = [(index_of(Fraction(str(value))), records.count(value)) for value in sorted({*records})]
    return [certificate.problem.value(at) for at in certificate.draw(heaps, Dice(random_bytes))]


def test_a_heap_of_equal_records_is_the_median_though_it_is_lopsided():
    records = [4] * 450 + [6] * 400 + [9] * 150
    for budget in ({"epsilon": 1}, {"zcdp": "0.1"}):
        median = om.design(om.quantiles("0:60", **budget))
        assert [draw(median, records) for _ in range(20)] == [["6"]] * 20
        assert draw(om.design(om.quantiles("0:60", of=".1,.5,.95", **budget)), records) == ["4", "6", "9"]


def test_equal_records_on_a_fine_range_are_drawn_at_once():
    for of, budget in (("median", {"epsilon": 1}), ("median", {"zcdp": "0.1"}), (".4,.6", {"epsilon": 1})):
        cents = om.design(om.quantiles("0:200000", of=of, step="0.01", **budget))
        heaps = [(cents.problem.index_of(Fraction("40.5")), 500)]
        found = cents.draw(heaps, Dice(os.urandom))
        assert {cents.problem.value(at) for at in found} == {"40.5"}


@pytest.mark.slow
def test_many_records_with_cents_take_seconds():
    source = random.Random(1)  # noqa: S311 - no secret
    heaps = sorted({round(source.lognormvariate(10.4, 0.6) * 100): 1 for _ in range(30_000)}.items())
    for of, seconds in (("median", 3), ("deciles", 5)):
        cents = om.design(om.quantiles("0:500000", of=of, step="0.01", epsilon=1))
        start = time.process_time()
        found = cents.draw(heaps, Dice(os.urandom))
        assert time.process_time() - start < seconds
        assert found == sorted(found)


def test_the_lower_quartile_of_many_ages_has_no_error():
    source = random.Random(1)  # noqa: S311 - no secret
    ages = sorted(min(100, round(source.uniform(0, 65))) for _ in range(30_000))
    heaps = [(age, ages.count(age)) for age in sorted({*ages})]
    quartile = om.design(om.quantiles("0:100", of=".25", epsilon=1))
    assert {tuple(quartile.draw(heaps, Dice(os.urandom))) for _ in range(10)} == {(ages[7500],)}


def test_of_nobody_each_value_is_as_likely():
    cents = om.design(om.quantiles("0:1", step="0.1", epsilon=1))
    found = [draw(cents, [])[0] for _ in range(600)]
    assert len({*found}) == 11
    assert max(found.count(value) for value in found) < 120
