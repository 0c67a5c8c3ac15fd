"""The matrix of noise is the doubles nearest to its probabilities, in tails and below every normal double."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

import optmech as om
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.matrix_csv import matrix_text
from optmech.mechanisms.nearest_doubles import NearestDoubles
from optmech.proofs.chain.noise import Noise
from tests.each import each
from tests.readers import checker

NOISES = {
    "no tails": Noise(1, -2, (0, 3, 9, 14, 16), 4),
    "tails": Noise(1, -1, (5, 8, 12), 4, 8),
    "two places a truth": Noise(2, -2, (12, 20, 31, 40, 52, 56), 6, 24),
    "hardly any": Noise(1, -1, (1, (1 << 200) - 1), 200, 1 << 100),
    "slow": Noise(1, -1, ((1 << 99) - 1, (1 << 99) + 1), 100, (1 << 100) - 1),
}


@each("name", NOISES)
def test_each_is_the_double_nearest_to_the_fraction(name):
    noise = NOISES[name]
    doubles = NearestDoubles(noise)
    places = [*range(noise.first - 12, noise.last + 13), None]
    for at, low in enumerate([None, *places[:-1]]):
        for high in places[at:]:
            below = Fraction(0) if low is None else noise.share(low)
            until = Fraction(1) if high is None else noise.share(high)
            assert doubles.between(low, high) == float(until - below), (low, high)


def test_where_what_is_known_lies_around_two_doubles_the_fraction_decides(monkeypatch):
    def widened(of_point):
        def wider(self, point):
            least, most, bits = of_point(self, point)
            return 99 * least, 100 * most + 1, bits + 7  # of 128

        return wider

    for name in ("_below", "_beyond"):
        monkeypatch.setattr(NearestDoubles, name, widened(getattr(NearestDoubles, name)))
    noise = NOISES["tails"]
    doubles = NearestDoubles(noise)
    for low, high in [(-1, 0), (0, 1), (None, 1), (1, None), (-3, 4)]:
        below = Fraction(0) if low is None else noise.share(low)
        until = Fraction(1) if high is None else noise.share(high)
        assert doubles.between(low, high) == float(until - below), (low, high)


@pytest.mark.slow
def test_a_difference_that_doubles_would_lose_keeps_all_digits():
    noise = NOISES["slow"]
    exact = noise.share(5001) - noise.share(5000)
    assert NearestDoubles(noise).between(5000, 5001) == float(exact) > 0
    assert float(noise.share(5001)) - float(noise.share(5000)) == 0


@each(
    "question",
    [
        om.question(om.count(330), 2),  # down to 0, below all doubles
        om.question(om.count(310), "0.01", loss="squared"),
        om.question(om.count(305), privacy=[("0.5", "1e-3"), ("1", "0")]),
        om.question(om.count(60), 1),
        om.question(om.count(60), 1, delta="1e-3"),
    ],
    every=6,
    slow_every=2,
)
def test_the_second_reader_holds_a_csv_to_the_same_doubles(question):
    design = om.design(question)
    mechanism, text = design.mechanism, certificate_text(design.certificate)
    table = matrix_text(mechanism.responses, mechanism.truths, mechanism.matrix)
    assert "proved" in checker.check(text, table)
    lines = table.splitlines()
    cells = lines[3].split(",")
    cells[5] = repr(math.nextafter(float(cells[5]), 1))
    lines[3] = ",".join(cells)
    with pytest.raises(checker.RefusedError):
        checker.check(text, "\n".join(lines) + "\n")


def test_a_matrix_too_large_for_a_csv_is_refused():
    text = certificate_text(om.design(om.question(om.count(2001), 1)).certificate)
    assert json.loads(text)["mechanism"]["noise"]["period"] == 1
    with pytest.raises(checker.RefusedError, match="so large a mechanism has no CSV"):
        checker.check(text, "")
