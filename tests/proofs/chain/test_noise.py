"""Noise in whole numbers is one distribution, however it is read: exactly, rounded, as doubles, or drawn."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from statistics import NormalDist
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import optmech as om
from optmech.base.errors import VerificationError
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.proofs.chain.bound import _least_of_larger
from optmech.proofs.chain.curve import LINE_BITS
from optmech.proofs.chain.gaussian_curve import GaussianCurve
from optmech.proofs.chain.noise import Noise, worst_sets
from optmech.proofs.chain.noise_curve import curve_beside
from optmech.proofs.chain.tail_walk import _least_of_larger as least_from_zero_on
from optmech.question.privacy.noise_laws import noise_law
from tests.each import each

# Tails with much mass, which certified noise never has: a mistake there would show in no draw of it.
NOISES = {
    "no tails": Noise(1, -2, (0, 3, 9, 14, 16), 4),
    "alike everywhere": Noise(1, 0, (0, 4, 8, 12, 16), 4),
    "no tails, two places a truth": Noise(2, -3, (0, 1, 5, 8, 13, 16), 4),
    "tails": Noise(1, -1, (5, 8, 12), 4, 8),
    "unequal tails of two places a truth": Noise(2, -2, (12, 20, 31, 40, 52, 56), 6, 24),
    "tails of three places a truth": Noise(3, 0, (200, 210, 400, 600, 700, 800, 820), 10, 150),
    "more bits than a word": Noise(2, -1, tuple(value << 60 for value in (6, 9, 20, 26, 27)), 65, 2**63),
}
NUMBER = 7
FACTORS = (Fraction(1, 3), Fraction(1), Fraction(3, 2), Fraction(4))


@pytest.fixture(params=NOISES)
def noise(request):
    """A noise, not yet asked for anything."""
    law = NOISES[request.param]
    return Noise(law.period, law.first, law.cumulative, law.bits, law.tail)


def mechanism(noise):
    """Return the noise remapped to 0..6: two thresholds are one, one is before the places, one in a tail."""
    never, always = noise.ends(NUMBER)
    thresholds = (never + 1, noise.first + noise.period, *[noise.last] * 2, noise.last + 3, always)
    query = om.count(NUMBER - 1)
    return NoiseMechanism(
        certificate=SimpleNamespace(problem=SimpleNamespace(query=query), noise=noise, thresholds=thresholds)
    )


def exact(mechanism):
    shares = [[mechanism.probability(row, truth) for truth in range(NUMBER)] for row in range(NUMBER)]
    return np.array(shares, dtype=object)


def spent(here, beside, factor):
    return sum(max(0, p - factor * q) for p, q in zip(here, beside, strict=True))


def test_shares_never_fall_and_shrink_by_the_tail(noise):
    places = range(noise.first - 5 * noise.period, noise.last + 5 * noise.period)
    assert all(noise.share(place) <= noise.share(place + 1) for place in places)
    tail = Fraction(noise.tail, noise.one)
    for place in range(noise.first - 3 * noise.period, noise.first):
        assert noise.share(place) == tail * noise.share(place + noise.period)
    for place in range(noise.last + 1, noise.last + 3 * noise.period):
        assert 1 - noise.share(place) == tail * (1 - noise.share(place - noise.period))


@each("farthest_first", [True, False])
def test_rounded_shares_enclose_the_exact_ones_however_far_out(noise, farthest_first):
    far = 100 * noise.period
    for out in sorted(range(far), reverse=farthest_first):
        for place in (noise.first - out, noise.last + out):
            low, high = noise.below(place)
            assert low <= noise.share(place) * noise.one <= high
            assert high - low <= 2 + out


def test_a_matrix_is_the_shares_in_whole_numbers(noise):
    law = mechanism(noise)
    matrix = noise.matrix(law.certificate.thresholds, NUMBER)
    assert (matrix.sum(axis=0) == noise.one).all()
    assert (abs(matrix - exact(law) * noise.one) <= (4 + NUMBER if noise.tail else 0)).all()


def test_doubles_are_the_exact_probabilities(noise):
    law = mechanism(noise)
    matrix = exact(law)
    assert (matrix.sum(axis=0) == 1).all()
    doubles = matrix.astype(float)
    truths = np.arange(NUMBER)
    for place in range(-1, NUMBER):
        below, above = law.tails(np.full(NUMBER, place), truths)
        np.testing.assert_allclose(below, doubles[: place + 1].sum(axis=0), rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(above, doubles[place + 1 :].sum(axis=0), rtol=1e-13, atol=1e-15)
    for truth in range(NUMBER):
        np.testing.assert_allclose(law.column(truth), doubles[:, truth], rtol=1e-13, atol=1e-15)
        np.testing.assert_allclose(law.row(truth), doubles[truth], rtol=1e-13, atol=1e-15)
        shares = [part / noise.one for part in law.weights(truth)]
        np.testing.assert_allclose(
            shares, doubles[:, truth], atol=2 * NUMBER / noise.one if noise.tail else 0
        )


def test_columns_of_neighbours_have_all_that_a_privacy_curve_needs(noise):
    law = mechanism(noise)
    query, matrix = law.certificate.problem.query, exact(law)
    columns, places = law.neighbour_columns(query, 10**6)
    for truth, place in enumerate(places.tolist()):
        here, beside = ([Fraction(part, sum(column)) for part in column] for column in columns[place])
        for factor in FACTORS:
            assert spent(here, beside, factor) == spent(matrix[:, truth], matrix[:, truth + 1], factor)
    entries = sum(len(here) for here, _ in columns)
    assert len(law.neighbour_columns(query, entries)[0]) == len(columns)
    with pytest.raises(om.NotAcceptedError):
        law.neighbour_columns(query, entries - 1)


def test_shares_far_out_in_a_tail_count_by_their_length():
    """A hundred truths with one threshold at either end: columns of three shares, of up to 6,500 bits."""
    noise, number = NOISES["more bits than a word"], 100
    _, always = noise.ends(number)
    thresholds = (noise.first, *[always - 1] * (number - 2))
    query = om.count(number - 1)
    certificate = SimpleNamespace(problem=SimpleNamespace(query=query), noise=noise, thresholds=thresholds)
    law = NoiseMechanism(certificate=certificate)
    columns, _ = law.neighbour_columns(query, 10**6)
    entries = sum(len(here) for here, _ in columns)
    bits = sum(number.bit_length() for pair in columns for column in pair for number in column) / 2
    with pytest.raises(om.NotAcceptedError):
        law.neighbour_columns(query, int(max(entries, bits / 2048)))


def test_draws_have_the_shares_of_the_noise(noise):
    drawn = mechanism(noise)._draws.draw(20_000, np.random.default_rng(5).bytes)
    ends = range(noise.first - 2 * noise.period, noise.last + 2 * noise.period + 1)
    shares = np.array([0, *map(noise.share, ends), 1], dtype=float)
    expected, observed = np.diff(shares), np.bincount(np.searchsorted(ends, drawn), minlength=len(ends) + 1)
    assert not observed[expected == 0].any()
    likely = expected > 0
    assert chisquare(observed[likely], expected[likely] * len(drawn)).pvalue > 1e-6


def test_a_shift_spends_what_the_shares_say(noise):
    far = range(noise.first - 40 * noise.period, noise.last + 40 * noise.period)
    masses = [noise.share(place) - noise.share(place - 1) for place in far]
    here, beside = masses[noise.period :], masses[: -noise.period]
    for factor in FACTORS[1:]:
        most = max(spent(here, beside, factor), spent(beside, here, factor))
        assert 0 <= noise.delta_spent(factor) - most < Fraction(1, 10**9)
    sets = list(worst_sets(noise))
    whole = noise.one**2 if noise.tail else noise.one
    assert sets[-1] == (whole, whole)
    for factor in FACTORS:
        most = max(0, *(y - factor * x for x, y in sets)) / whole
        assert 0 <= most - spent(here, beside, factor) < Fraction(1, 10**9)


@pytest.mark.parametrize(("more", "is_kept"), [(1, True), (0, False)])
def test_the_gaussian_curve_takes_as_many_bits_as_it_needs(more, is_kept):
    """Between Phi(-1/2), rounded up or down, and one less it lies one to the right, but for 2**-40."""
    unit = 2**40
    x = int(NormalDist().cdf(-0.5) * unit) + more
    assert GaussianCurve(Fraction(1), 20)._holds(x, unit - x, unit) is is_kept


@given(*[st.tuples(st.integers(-50, 50), st.integers(-50, 50))] * 2, st.integers(0, 16))
def test_the_least_of_the_larger_of_two_lines_is_at_an_end_or_where_they_cross(left, right, sixteenths):
    (height, slope), (other, other_slope) = left, right
    first = Fraction(sixteenths, 16)
    places = [first, Fraction(1)]
    if slope != other_slope:
        places.append(min(max(Fraction(height - other, other_slope - slope), first), Fraction(1)))
    least = min(max(start + rise * x for start, rise in (left, right)) for x in places)
    assert 0 <= least - _least_of_larger(left, right, sixteenths << LINE_BITS - 4, LINE_BITS) < 1


@given(*[st.tuples(st.integers(-50, 50), st.integers(-50, 50))] * 2, st.booleans())
def test_no_more_is_said_of_two_lines_from_zero_on_than_the_larger_is_anywhere(line, other, to_one):
    """A bound is proved by it; rounded down, and zero of lines that fall without end."""
    (height, slope), (other_height, other_slope) = line, other
    places = [Fraction(0), Fraction(1 if to_one else 1000)]
    if slope != other_slope:
        crossing = Fraction(height - other_height, other_slope - slope)
        places.append(min(max(crossing, places[0]), places[1]))
    least = min(max(start + rise * x for start, rise in (line, other)) for x in places)
    said = least_from_zero_on(line, other, to_one=to_one)
    assert 0 <= least - said < 1 or (said == 0 and not to_one and max(slope, other_slope) < 0)


@each(
    "parts",
    [
        (1, 0, (0, 1, 2), 0),
        (0, 0, (0, 1, 2), 1),
        (3, 0, (0, 1, 2), 1),
        (1, 0, (0, 2, 1, 2), 1),
        (1, 0, (0, 1, 3), 1),
        (1, 0, (-1, 1, 2), 1),
        (1, 0, (1, 2), 1),
        (1, 0, (0, 1), 1),
        (1, 2**20 + 1, (0, 1, 2), 1),
        (1, -(2**20) - 1, (0, 1, 2), 1),
        (1, 0, (0, 1, 2**40_000), 40_000),
        (1, 0, (1, 1, 2), 1, 2),
        (1, 0, (1, 3, 4), 2, -1),
        (2, 0, (1, 4, 4, 6), 3, 3),
        (2, 0, (2, 4, 4, 7), 3, 3),
    ],
)
def test_what_is_no_distribution_is_refused(parts):
    with pytest.raises(VerificationError, match="the noise must be a distribution"):
        Noise(*parts)


@pytest.mark.parametrize("first", [2**20, -(2**20)])
def test_noise_may_be_as_far_away_as_there_may_be_places(first):
    assert Noise(1, first, (0, 1, 2), 1).share(first + 1) == Fraction(1, 2)


def test_beside_a_gaussian_curve_noise_is_as_much_work_as_is_written_and_no_more():
    """With 1,024 bits, all steps alike: 33 shares are 33 2**20 bits squared, of 2**25 and almost 2**23."""
    law, bits = noise_law("gaussian", sigma=1), 1024
    for places, is_kept in ((32, True), (64, False)):
        noise = Noise(1, 0, tuple(range(0, 2**bits + 1, 2**bits // places)), bits)
        with nullcontext() if is_kept else pytest.raises(VerificationError, match="squared bits"):
            assert curve_beside(law, noise).bits > bits
