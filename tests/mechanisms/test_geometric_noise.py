"""Draws follow the certified law, exactly where bytes decide and in frequency where a seed does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import chi2

from optmech.designs.by_geometric import decays_of
from optmech.mechanisms.geometric_noise import GeometricNoise
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.proofs.geometric_sums import Decay
from tests.each import each
from tests.path import distribution, on_path

# One seed in a million would fail.
RARE = 1e-6


def decay_of(epsilon, n=50):
    return decays_of(on_path(n, epsilon))[0]


def threshold(decay, distance):
    return 2 * decay.value**distance / (1 + decay.value)


def fed(*words):
    """Answer like `os.urandom` with these words of 64 bits, all at once or one by one."""
    left = b"".join(word.to_bytes(8, "little") for word in words)

    def random_bytes(number):
        nonlocal left
        assert len(left) >= number, "more random bytes were asked for than foreseen"
        given, left = left[:number], left[number:]
        return given

    return random_bytes


@pytest.mark.parametrize("epsilon", ["0.001", "ln 2", "1", "7"])
def test_words_beside_each_threshold_fall_on_its_two_sides(epsilon):
    decay = decay_of(epsilon)
    noise = GeometricNoise(decay, 20)
    for distance in range(1, 21):
        exact = threshold(decay, distance) * 2**63
        floor = int(exact)
        if floor < 2:
            break
        below, above = fed(floor - 1 << 1), fed(floor + 1 << 1)
        assert noise.draw(1, below)[0] >= distance > noise.draw(1, above)[0]
        # On the threshold itself further words decide: the first bits of what is left, and no more.
        rest = int((exact - floor) * 2**64)
        assert noise.draw(1, fed(floor << 1, rest - 1))[0] >= distance
        assert noise.draw(1, fed(floor << 1, rest + 1))[0] < distance


def test_the_last_bit_is_the_sign():
    noise = GeometricNoise(decay_of("0.5"), 20)
    assert noise.draw(1, fed(1000 << 1))[0] == -noise.draw(1, fed(1000 << 1 | 1))[0] == 20


def test_what_lies_beyond_the_first_word_is_drawn_as_well():
    """At epsilon 5 the first 63 bits tell eight steps apart; the least number there is goes on to the end."""
    noise = GeometricNoise(decay_of("5"), 40)
    assert noise.draw(1, fed(0, 2**63))[0] == 9
    assert noise.draw(1, fed(0, 0, 0, 0, 2**63))[0] == 35
    assert noise.draw(1, fed(*[0] * 8, 2**63))[0] == 40


def test_all_words_of_few_bits_have_the_law():
    """Of 2**12 first bits, each with all later ones zero or all one: the counts enclose the probabilities."""
    decay = Decay(3 << 62, 64)
    noise = GeometricNoise(decay, 30)
    least = noise.draw(2**12, fed(*[(word << 52) | 0x000FFFFFFFFFFFFE for word in range(2**12)]))
    most = noise.draw(2**12, fed(*[max(word << 52, 2) for word in range(2**12)]))
    for distance in range(1, 30):
        exact = threshold(decay, distance) * 2**12
        assert (least >= distance).sum() <= exact <= (most >= distance).sum() <= (least >= distance).sum() + 1


@pytest.mark.slow
@each(
    ("n", "epsilon", "truth", "seed"),
    [(30, "0.3", 4, 1), (30, "2", 30, 2), (30, "0.05", 15, 3), (5, "0.5", 0, 4), (100_000, "0.1", 77_777, 5)],
)
def test_samples_have_the_frequencies_of_the_column(n, epsilon, truth, seed):
    mechanism = distribution(n, epsilon)
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
    mechanism = distribution(1000, "0.1")
    truths = np.arange(12).reshape(3, 4)
    with pytest.warns(NotPrivateWarning):
        first, second = mechanism.sample(truths, seed=7), mechanism.sample(truths, seed=7)
    assert first.shape == (3, 4)
    assert (first == second).all()
    assert isinstance(mechanism.sample(3), int)
    assert mechanism.sample([]).shape == (0,)
    assert mechanism.sample(np.zeros(10**5, np.uint8)).max() > 0


def test_thresholds_are_never_fractions_of_a_power_of_two():
    """For this reason further words decide at last."""
    for epsilon in ("ln 2", "1", "0.01", "ln 4"):
        decay = decay_of(epsilon)
        for distance in (1, 2, 5):
            denominator = Fraction(threshold(decay, distance)).denominator
            assert denominator & (denominator - 1)
