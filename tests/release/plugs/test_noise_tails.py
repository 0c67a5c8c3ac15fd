"""Programs draw from noise whose tails never end, each response with its exact probability."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest

import optmech as om
from optmech.mechanisms.source import mechanism_of
from optmech.proofs.chain.noise import Noise
from optmech.release.plugs.source_code import words_of
from tests.each import each
from tests.path import all_tails
from tests.release.plugs.tables import answers, built, bytes_of

LANGUAGES = {"c": om.release.to_c, "rust": om.release.to_rust}
NUMBER = 7
# Tails with much mass, which certified noise never has: a mistake there would show in no draw of it.
NOISES = {
    "one place": Noise(1, -1, (5, 8, 12), 4, 8),
    "two places, unequal tails": Noise(2, -2, (12, 20, 31, 40, 52, 56), 6, 24),
    "three places": Noise(3, 0, (200, 210, 400, 600, 700, 800, 820), 10, 150),
    "one tail": Noise(2, 0, (0, 0, 8, 12, 14, 15), 4, 8),
    "more bits than a word": Noise(2, -1, tuple(value << 60 for value in (6, 9, 20, 26, 27)), 65, 2**63),
    "bits of whole words": Noise(2, -1, tuple(value << 59 for value in (6, 9, 20, 26, 27)), 64, 2**62),
}
QUICK = ("two places, unequal tails", "all tails")
SLOW = [pytest.param(kind, marks=pytest.mark.slow) for kind in NOISES if kind not in QUICK]
LARGE = {
    "pure": lambda: om.design(om.question(om.count(2100), 1), engine="chain"),
    "three places": lambda: om.design(om.question(om.count(2100), privacy=[("0.5", "1e-3"), ("1", "0")])),
    "all tails": lambda: om.design(om.question(om.count(7, 2507), "0.1", loss="squared")),
}


def small(kind):
    """Return a certificate of a count 0..6: all tails, or made to hold a noise that nobody proved."""
    if kind == "all tails":
        return all_tails(om.question(om.count(NUMBER - 1), "ln 3/2"))
    certificate, noise = (
        om.design(om.question(om.count(NUMBER - 1), 1), engine="chain").certificate,
        NOISES[kind],
    )
    never, always = noise.ends(NUMBER)
    # One is infinite, two are one; to the farthest the left tail is the longer one, or the right one.
    first, last, period = noise.first, noise.last, noise.period
    left, right = (first, last + 4 * period) if period % 2 else (first + period + 1, last + 5 * period + 1)
    thresholds = (never, left, last, last, last + period, right)
    assert thresholds[-1] < always
    object.__setattr__(certificate, "noise", noise)
    object.__setattr__(certificate, "thresholds", thresholds)
    object.__setattr__(certificate, "_matrix", None)  # that of the noise that it had
    return certificate


def parts(sums, total=None):
    """Return the lowest and the highest of the numbers below each sum and not below the one before."""
    ends = [0, *sums, *([] if total is None else [total])]
    return [(low, high - 1, high - low) for low, high in pairwise(ends)]


def text(words, *numbers):
    return "".join(bytes_of(number, words.drawn.limbs) for number in numbers)


def offset_text(words, place, side, highest):
    """Return a number that is drawn again where there is one, then one of a place of the period."""
    if not words.tail_weights:
        return ""
    sums = [sum(word << 64 * limb for limb, word in enumerate(row)) for row in words.offsets()[side]]
    assert sums[-1] > 1 << words.offset.bits - 1  # less than every other number is drawn again
    again = [sums[-1]] if sums[-1] < 1 << words.offset.bits else []
    number = parts(sums)[place][highest]
    return "".join(bytes_of(each, words.offset.limbs) for each in (*again, number))


def draws(words, runs):
    """Yield ways a draw can go, by its lowest and its highest numbers: in both routines' words."""
    one, tail, steps, period = 1 << words.drawn.bits, words.tail, words.most_steps, words.period
    trial = {True: (0, tail - 1), False: (tail, one - 1)}
    share = Fraction(tail, one)
    ways = parts(words.numerators, words.denominator)
    for index, (*numbers, weight) in enumerate(ways):
        if not weight:
            continue
        probability = Fraction(weight, words.denominator)
        if 0 < index < len(ways) - 1:
            for highest, number in enumerate(numbers):
                rest = [trial[bool(step % 2)][highest] for step in range(steps)]
                sides = "".join(offset_text(words, -1, side, highest) for side in (0, 1))
                yield index, 0, 0, probability, text(words, number), text(words, number, *rest) + sides
            continue
        side = int(index > 0)
        weights = words.tail_weights[side] if words.tail_weights else [1]
        assert len(weights) == period
        for run in runs:
            here = probability * share**run * (1 - share if run < steps else 1)
            for place, inner in enumerate(weights):
                if not inner:
                    continue
                for highest, number in enumerate(numbers):
                    # Trials after the first failure must not count, whatever they are.
                    trials = [trial[step != run][highest] for step in range(steps)]
                    offsets = [offset_text(words, -1, other, highest) for other in (0, 1)]
                    offsets[side] = offset_text(words, place, side, highest)
                    fast = text(words, number, *trials[: run + 1]) + offsets[side]
                    whole = text(words, number, *trials) + "".join(offsets)
                    yield index, run, place, here * Fraction(inner, sum(weights)), fast, whole


@each("language", ["c", pytest.param("rust", marks=pytest.mark.slow)], every=3, slow_every=3)
@each("kind", [*QUICK, *SLOW])
def test_each_response_has_its_exact_probability(kind, language, tmp_path):
    certificate = small(kind)
    words, exact = words_of(certificate, "it"), mechanism_of(certificate)
    program = built(language, LANGUAGES[language](certificate), tmp_path)
    ways = list(draws(words, range(words.most_steps + 1)))
    # The lowest and the highest number of each way count half.
    for truth in range(NUMBER):
        for routine in (0, 1):
            drawn = Counter()
            outcomes = answers(program, [f"{routine} {truth} {way[4 + routine]}" for way in ways])
            for (*_, probability, _, _), (code, response) in zip(ways, outcomes, strict=True):
                assert code == 0
                drawn[response] += probability / 2
            assert [drawn[response] for response in range(NUMBER)] == [
                exact.probability(response, truth) for response in range(NUMBER)
            ]


def released(certificate, truth, place):
    """Return which response is released where the noise stands at a place; infinite thresholds stay so."""
    noise, thresholds = certificate.noise, certificate.thresholds
    never, always = noise.ends(certificate.question.num_truths)
    finite = [limit for limit in thresholds if never < limit < always]
    return thresholds.count(never) + bisect_left(finite, noise.period * truth + place)


@pytest.mark.parametrize("language", ["c", pytest.param("rust", marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("pure", marks=pytest.mark.long),
        pytest.param("three places", marks=pytest.mark.long),
        "all tails",
    ],
)
def test_a_large_count_is_drawn_as_python_draws_it(kind, language, tmp_path):
    design = LARGE[kind]()
    certificate, words = design.certificate, words_of(design, "it")
    program = built(language, LANGUAGES[language](design), tmp_path)
    steps, lines, expected = words.most_steps, [], []
    runs = {0, 1, 2, 7, 300, steps - 1, steps}
    last = len(certificate.problem.query.truths) - 1
    for index, run, place, _, fast, whole in draws(words, runs):
        beyond = index in (0, len(words.numerators))
        for truth in (0, 1, 900, last):
            further = words.period * run + place
            drawn = released(certificate, truth, words.first + index + (further if index else -further))
            lines += [f"0 {truth} {fast}", f"1 {truth} {whole}"] if beyond else [f"0 {truth} {fast}"]
            expected += [(0, drawn)] * (2 if beyond else 1)
    assert answers(program, lines) == expected
    assert {response for _, response in expected} >= {certificate.released[0], certificate.released[-1]}


@pytest.mark.long
def test_a_hundred_thousand_counts_go_to_both_languages():
    for delta in (0, "1e-6"):
        design = om.design(om.question(om.count(100_000), "0.5", delta=delta))
        assert "#define MECHANISM_TRUTHS ((size_t)100001)" in om.release.to_c(design)
        assert "pub const TRUTHS: usize = 100001;" in om.release.to_rust(design)
