"""Draws of noise follow its law, exactly where bytes decide and in frequency where a seed does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

import optmech as om
from optmech.designs.chain.tail_orbit import noise_of_tails
from optmech.mechanisms.noise_draws import NoiseDraws
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.proofs.chain.noise import Noise
from optmech.proofs.enclosure import enclose_exponential
from tests.each import each
from tests.path import on_path

# One seed in a million would fail.
RARE = 1e-6
BITS = 200


def noise_at(epsilon, bits=BITS):
    return noise_of_tails(enclose_exponential(on_path(2, epsilon).privacy.epsilon, bits + 20), bits)


NOISES = {
    "slow": noise_at("0.001"),
    "halves": noise_at("ln 2"),
    "fast": noise_at("7"),
    "no tails": Noise(1, -2, (0, 3 << 90, 9 << 90, 14 << 90, 16 << 90), 94),
    "two places a truth": Noise(2, -1, tuple(value << 70 for value in (6, 9, 20, 26, 27)), 75, 2**73),
    "few bits": Noise(1, -1, (5, 8, 12), 4, 8),
}


def fed(*words):
    """Answer like `os.urandom` with these words of 64 bits, all at once or one by one."""
    left = b"".join(word.to_bytes(8, "little") for word in words)

    def random_bytes(number):
        nonlocal left
        assert len(left) >= number, "more random bytes were asked for than foreseen"
        given, left = left[:number], left[number:]
        return given

    return random_bytes


@each("name", NOISES)
def test_words_beside_each_share_fall_on_its_two_sides(name):
    noise = NOISES[name]
    draws = NoiseDraws(noise, 20)
    reach = 20 * noise.period if noise.tail else 0
    for place in range(noise.first - reach, noise.last + reach + 1):
        exact = noise.share(place) * 2**63
        floor = int(exact)
        if not 2 < floor < 2**63 - 2:
            continue
        assert draws.draw(1, fed(floor - 1 << 1))[0] <= place < draws.draw(1, fed(floor + 1 << 1))[0]
        rest = int((exact - floor) * 2**64)
        if not 1 < rest < 2**64 - 2:
            # A share of few bits is a whole number of words, and all that begin with it are beyond.
            assert draws.draw(1, fed(floor << 1))[0] > place
            continue
        # On the share itself further words decide: the first bits of what is left, and no more.
        assert draws.draw(1, fed(floor << 1, rest - 1))[0] <= place
        assert draws.draw(1, fed(floor << 1, rest + 1))[0] > place


def test_what_lies_beyond_the_first_word_is_drawn_as_well():
    """At epsilon 5 the first 63 bits tell some eight steps apart; the least number goes on to the end."""
    draws = NoiseDraws(noise_at("5", 400), 40)
    noise = noise_at("5", 400)
    for words in ([0, 2**63], [0, 0, 0, 0, 2**63]):
        place = draws.draw(1, fed(*words))[0]
        value = Fraction(
            int("".join(f"{word:064b}" for word in words[1:]), 2), 2 ** (63 + 64 * (len(words) - 1))
        )
        assert noise.share(int(place) - 1) <= value < noise.share(int(place))
    assert draws.draw(1, fed(*[0] * 12, 2**63))[0] == noise.first - 40
    far = draws.draw(1, fed(2**64 - 2, *[2**64 - 1] * 12))[0]
    assert far == noise.last + 40 + 1


@each("name", ["halves", "two places a truth", "few bits"])
def test_all_words_of_few_bits_have_the_law(name):
    """For 2**12 first bits, each with all later ones zero or all one, the counts enclose the
    probabilities."""
    noise = NOISES[name]
    draws = NoiseDraws(noise, 30)
    least = draws.draw(2**12, fed(*[max(word << 52, 1 << 20) for word in range(2**12)]))
    most = draws.draw(2**12, fed(*[(word << 52) | 0x000FFFFFFFF00000 for word in range(2**12)]))
    for place in range(noise.first - 9 * noise.period, noise.last + 9 * noise.period):
        exact = noise.share(place) * 2**12
        few, many = (int((drawn <= place).sum()) for drawn in (most, least))
        assert few <= exact <= many <= few + 1


@pytest.mark.slow
@each(
    ("n", "epsilon", "truth", "seed"),
    [(2100, "0.3", 4, 1), (2100, "2", 2100, 2), (2100, "0.002", 15, 3), (100_000, "0.1", 77_777, 5)],
)
def test_samples_have_the_frequencies_of_the_column(n, epsilon, truth, seed):
    mechanism = om.design(on_path(n, epsilon), engine="chain").mechanism
    with pytest.warns(NotPrivateWarning):
        drawn = mechanism.sample(np.full(200_000, truth), seed=seed)
    expected = mechanism.column(truth) * drawn.size
    counts = np.bincount(drawn, minlength=n + 1)
    assert (counts[expected == 0] == 0).all()
    common = expected >= 10
    left_over = expected[~common].sum()
    squares = ((counts - expected) ** 2 / np.where(common, expected, 1))[common].sum()
    squares += (counts[~common].sum() - left_over) ** 2 / max(left_over, 1e-9) if left_over > 10 else 0
    assert squares < chi2.isf(RARE, common.sum())


def test_a_seed_repeats_and_shapes_are_kept():
    mechanism = om.design(on_path(1000, "0.1"), engine="chain").mechanism
    truths = np.arange(12).reshape(3, 4)
    with pytest.warns(NotPrivateWarning):
        first, second = mechanism.sample(truths, seed=7), mechanism.sample(truths, seed=7)
    assert first.shape == (3, 4)
    assert (first == second).all()
    assert isinstance(mechanism.sample(3), int)
    assert mechanism.sample([]).shape == (0,)
    assert mechanism.sample(np.zeros(10**5, np.uint8)).max() > 0
