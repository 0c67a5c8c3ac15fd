"""Losses that are known by hand, and closed forms that agree with others."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from flint import arb, ctx

from benchmarks.audit.library import closed_forms
from benchmarks.audit.library.law import BITS, FiniteLaw, all_pairs, exact, shifted, steps_apart
from tests.each import each


@pytest.fixture(autouse=True)
def _bits():
    with ctx.workprec(BITS):
        yield


def law_of(*columns, unlisted=0):
    distributions = {
        number: {out: arb(exact(Fraction(mass))) for out, mass in column.items()}
        for number, column in enumerate(columns)
    }
    return FiniteLaw(
        distributions=distributions, pairs=all_pairs(range(len(columns))), unlisted=arb(exact(unlisted))
    )


@each(
    ("columns", "epsilon", "delta_at_zero"),
    [
        (({"a": "3/4", "b": "1/4"}, {"a": "1/4", "b": "3/4"}), math.log(3), 0.5),
        (({"a": "1/2", "b": "1/2"}, {"a": "1/2", "b": "1/2"}), 0, 0),
        (({"a": 1}, {"a": "7/8", "b": "1/8"}), None, 0.125),
        (({"a": 1, "b": 0}, {"a": 1}), 0, 0),
    ],
)
def test_loss_and_delta(columns, epsilon, delta_at_zero):
    law = law_of(*columns)
    loss = law.epsilon()
    assert (None if loss is None else float(loss)) == (None if epsilon is None else pytest.approx(epsilon))
    assert float(law.delta(0)) == delta_at_zero


def test_mass_that_is_not_listed_bounds_a_loss_from_below_and_a_delta_from_above():
    law = law_of({"a": "1/2", "b": "1/2"}, {"a": 1}, unlisted=Fraction(1, 2**10))
    assert float(law.epsilon()) == pytest.approx(9 * math.log(2))  # one half over what is not listed
    assert float(law.delta(0)) == 0.5 + 2**-10


def test_truncated_geometric_noise_spends_its_epsilon_exactly():
    a = closed_forms.decay(Fraction(2))
    columns = {truth: closed_forms.geometric_in_range(a, 0, 6, truth) for truth in range(7)}
    for column in columns.values():
        assert abs(float(sum(column.values(), arb(0))) - 1) < 1e-15
    loss = FiniteLaw(distributions=columns, pairs=steps_apart(range(7))).epsilon()
    assert loss.overlaps(arb(exact(Fraction(1, 2))))
    assert float(loss.rad()) < 1e-80


def test_permute_and_flip_is_the_largest_of_scores_with_exponential_noise():
    """The lower one of two candidates that are d apart wins with probability exp(-d / scale) / 2."""
    for gap, scale in product((0, 1, 3), (1, Fraction(1, 2))):
        masses = closed_forms.permute_and_flip((0, gap), scale)
        assert float(masses[0,]) == pytest.approx(math.exp(-gap / scale) / 2)
    both = closed_forms.permute_and_flip((0, 1, 2), 2, 2)
    assert len(both) == 6
    assert float(sum(both.values(), arb(0))) == 1


def test_the_discrete_gaussian_lists_all_but_a_tail():
    noise, rest = closed_forms.gaussian_noise(2)
    assert 0 < float(rest) < 1e-40
    assert float(noise[1] / noise[0]) == pytest.approx(math.exp(-1 / 8))
    mass = {x: math.exp(-(x**2) / 8) for x in range(-60, 61)}
    excess = sum(max(0, mass[x] - math.exp(0.5) * mass[x - 1]) for x in range(-59, 61)) / sum(mass.values())
    assert float(shifted(noise, rest).delta(0.5)) == pytest.approx(excess)
    cut, nothing = closed_forms.gaussian_noise(2, 3)
    assert nothing == 0
    assert shifted(cut, nothing).epsilon() is None  # its ends do not reach each other


def test_neighbouring_scores_move_together_where_they_are_monotonic():
    inputs = closed_forms.scores(2, 1)
    assert len(closed_forms.near(inputs, monotonic=False)) == 12
    assert ((0, 1), (1, 0)) not in closed_forms.near(inputs, monotonic=True)
    assert ((0, 0), (1, 1)) in closed_forms.near(inputs, monotonic=True)
