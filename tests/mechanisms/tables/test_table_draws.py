"""Draws of tables: whole, adding up, without bias, and from the law that is proved."""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

import numpy as np
import pytest
from scipy.stats import chi2

from optmech.base.errors import NotAcceptedError
from optmech.mechanisms.tables import normal_draws
from optmech.mechanisms.tables.lattice_draws import LatticeDraws
from optmech.mechanisms.tables.margin_draws import (
    least_squares,
    margin_noise,
    margin_sums,
    rounded_margins,
    whole_margins,
)
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise
from optmech.question.tables.margins import subsets

ALL = frozenset


def precision_of(sizes, variances):
    parts = [
        variance
        * reduce(
            np.kron,
            [np.eye(n) - 1 / n if axis in axes else np.full((n, n), 1 / n) for axis, n in enumerate(sizes)],
            np.eye(1),
        )
        for axes, variance in ((axes, float(value)) for axes, value in variances.items())
    ]
    return np.linalg.inv(sum(parts))


def even(sizes, asked, ratio=Fraction(3, 5), bits=6):
    """Return noise of one ratio on the asked margins, with nearly even weights."""
    weights = {}
    for part in {part for margin in asked for part in subsets(margin)}:
        margins = [margin for margin in asked if part <= margin]
        share, rest = divmod(1 << bits, len(margins))
        weights |= {(part, margin): share + (place < rest) for place, margin in enumerate(margins)}
    return MarginNoise(sizes, dict.fromkeys(asked, ratio), weights, bits)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "variances", "reach", "repeats"),
    [
        ((), {ALL(): Fraction(3, 7)}, 8, 6000),
        ((3,), {ALL(): Fraction(1, 3), ALL({0}): Fraction(1, 3)}, 6, 6000),
        (
            (2, 2),
            {
                ALL(): Fraction(1),
                **dict.fromkeys([ALL({0}), ALL({1})], Fraction(1, 2)),
                ALL({0, 1}): Fraction(7, 8),
            },
            5,
            6000,
        ),
    ],
)
def test_lattice_noise_has_its_law_also_where_many_tables_are_rejected(sizes, variances, reach, repeats):
    draws = LatticeDraws(LatticeNoise(sizes, variances))
    drawn = Counter(tuple(draws.draw(os.urandom).reshape(-1).tolist()) for _ in range(repeats))
    grid = np.array(list(product(range(-reach, reach + 1), repeat=prod(sizes))))
    precision = precision_of(sizes, variances)
    law = np.exp(-np.einsum("ij,jk,ik->i", grid, precision, grid) / 2)
    law /= law.sum()
    often = np.flatnonzero(law * repeats >= 8)
    seen = np.array([drawn[tuple(grid[place].tolist())] for place in often])
    expected = law[often] * repeats
    rest = repeats - expected.sum()
    distance = ((seen - expected) ** 2 / expected).sum() + (repeats - seen.sum() - rest) ** 2 / rest
    assert chi2.sf(distance, len(often)) > 1e-4


def test_the_product_of_theta_decides_where_the_first_word_does_not(monkeypatch):
    draws = LatticeDraws(LatticeNoise((3,), {ALL(): Fraction(1, 3), ALL({0}): Fraction(1, 3)}))
    assert 0.01 < draws.rejected < 0.5
    ratio = normal_draws.theta_ratio(Fraction(1, 2), Fraction(1, 3))
    exact = sum(np.exp(-((z - 0.5) ** 2) * 1.5) for z in range(-20, 20)) / sum(
        np.exp(-(z**2) * 1.5) for z in range(-20, 20)
    )
    assert float(ratio.mid()) == pytest.approx(exact, rel=1e-12)
    assert exact >= 1 - 4 * 2.0 ** -int(28 / 3)
    kept = []
    monkeypatch.setattr(LatticeDraws, "_is_kept", lambda *rest: bool(kept.append(rest[1])) or True)
    high = iter([b"\xff" * 8])
    draws.draw(lambda number: next(high, None) or os.urandom(number))
    assert len(kept) == 1
    assert sum(len(level.rests) for level in kept[0]) == 3


def test_noise_that_is_too_small_for_the_lattice_is_refused_with_the_reason():
    tiny = LatticeNoise((3, 3), dict.fromkeys(subsets(ALL({0, 1})), Fraction(1, 30)))
    with pytest.raises(NotAcceptedError, match="`noise` must be large enough to be drawn on a lattice"):
        LatticeDraws(tiny)


def test_doubles_decide_as_balls_do():
    generator = np.random.default_rng(3)
    chosen = normal_draws.proposal(3)
    drawn = generator.integers(-12, 13, 60)
    fractions = [Fraction(int(part), 64) for part in generator.integers(-32, 33, 60)]
    parameter = Fraction(17, 3)
    chances = [
        normal_draws._chance(chosen, int(number), rest, parameter)(256)
        for number, rest in zip(drawn, fractions, strict=True)
    ]
    words = np.array([(most >> 192) for _, most in chances], dtype=np.uint64)
    floats = np.array(list(map(float, fractions)))
    kept = normal_draws._kept(chosen, drawn, floats, np.full(60, float(parameter)), words)
    # a word that begins as the chance does is never decided by doubles; one a little off always is
    assert kept.open.keys() == set(range(60))
    for place, (least, _) in enumerate(chances):
        weight = np.exp(-((drawn[place] - floats[place]) ** 2) / (2 * float(parameter)))
        ratio = weight / float(chosen.ratio) ** abs(int(drawn[place]))
        best = np.exp(chosen.rate**2 * float(parameter) / 2 + chosen.rate * abs(floats[place]))
        assert least / 2**256 == pytest.approx(ratio / best, rel=1e-9)


@pytest.mark.parametrize("sizes", [(), (4,), (3, 5), (2, 3, 2)])
def test_a_released_table_of_margins_adds_up_and_moves_with_the_counts(sizes):
    every = ALL(range(len(sizes)))
    noise = even(sizes, list(subsets(every)))
    stream = np.random.default_rng(5).bytes(1 << 16)

    def released(counts):
        at = iter(range(0, len(stream), 8))

        def source(number):
            start = next(at)
            for _ in range(number // 8 - 1):
                next(at)
            return stream[start : start + number]

        drawn = margin_noise(noise, source)
        noisy = {margin: margin_sums(counts, margin) + each for margin, each in drawn.items()}
        return whole_margins(noise, noisy, source)[every]

    counts = np.random.default_rng(6).integers(0, 10**9, sizes)
    zero = np.zeros(sizes, dtype=np.int64)
    assert (released(counts) - counts == released(zero)).all()
    assert released(counts).shape == sizes


def test_least_squares_of_exact_margins_are_the_counts():
    counts = np.random.default_rng(7).integers(0, 9, (3, 4, 2))
    for asked in ([ALL({0, 1, 2}), ALL({0, 1}), ALL()], [ALL({0, 1, 2})]):
        noise = even((3, 4, 2), asked)
        numerators, denominator = least_squares(noise, {each: margin_sums(counts, each) for each in asked})
        assert (numerators == counts * denominator).all()
    some = [ALL({0, 1}), ALL({2})]
    large = counts + 10**12
    noise = even((3, 4, 2), some, bits=16)
    numerators, denominator = least_squares(noise, {each: margin_sums(large, each) for each in some})
    assert numerators.dtype == object
    for margin in some:
        assert (
            margin_sums(numerators, margin) == margin_sums(large.astype(object), margin) * denominator
        ).all()
    rounded = rounded_margins((3, 4, 2), numerators, denominator, some, os.urandom)
    assert all((rounded[margin] == margin_sums(large, margin)).all() for margin in some)


@pytest.mark.slow
def test_rounding_has_no_bias_and_its_bounded_variance():
    generator = np.random.default_rng(8)
    sizes, repeats = (3, 4), 3000
    every = ALL({0, 1})
    table = generator.integers(0, 97, sizes)
    drawn = np.array(
        [rounded_margins(sizes, table, 97, list(subsets(every)), os.urandom)[every] for _ in range(repeats)]
    )
    for margin in subsets(every):
        others = tuple(axis for axis in range(2) if axis not in margin)
        errors = drawn.sum(axis=tuple(axis + 1 for axis in others)) - table.sum(axis=others) / 97
        bound = 0.25 * prod(sum(1 / j**2 for j in range(1, sizes[axis] + 1)) for axis in margin)
        assert (np.abs(errors.mean(axis=0)) < 4.5 * np.sqrt(bound / repeats)).all()
        assert (errors.var(axis=0) < bound * 1.15).all()
