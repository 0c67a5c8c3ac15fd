"""The law of a draw is the weights, exactly: by counting all words, by chosen words, and by frequency."""

from __future__ import annotations

import math
import sys
from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from optmech import NotAcceptedError, ProblemError
from optmech.mechanisms.sampling import NotPrivateWarning, Sampler, constant_time, dyadic_weights
from tests.each import each

# A right sampler fails a test of frequencies once in a thousand million runs.
SURELY_WRONG = 1e-9


class OutOfWordsError(Exception):
    """A source that was made for a test has given all it had."""


class Words:
    """A source of chosen bytes; it remembers how many it was asked for."""

    def __init__(self, text):
        self.text, self.asked = bytes(text), []

    def __call__(self, number):
        start = sum(self.asked)
        if start + number > len(self.text):
            raise OutOfWordsError
        self.asked.append(number)
        return self.text[start : start + number]


def words_of(*numbers, size=4):
    return Words(b"".join(number.to_bytes(size, "little") for number in numbers))


def column(weights):
    return [[weight] for weight in weights]


COLUMNS = {
    "halves": [1, 1],
    "bytes": [100, 0, 28, 127, 1],
    "finer than a byte": [1, 2047, 2000, 48],
    "zeros all around": [0, 0, 3, 0, 0, 13, 0],
    "thirds": [2**5, 2**6],
    "a thousand": [1, 333, 0, 333, 333],
    "large": [10**30 // 3, 10**30 - 10**30 // 3 - 7, 7],
    "unlikely": [2**200 - 1, 1],
    "certain": [0, 5, 0],
    "alone": [7],
}


def law_by_counting(weights, depth):
    """Go through all words of 8 bits, and through all that follow where they do not decide."""
    law, left, open_prefixes = [Fraction(0)] * len(weights), Fraction(0), [b""]
    for length in range(1, depth + 1):
        prefixes, open_prefixes = open_prefixes, []
        for prefix in prefixes:
            for byte in range(256):
                words = Words(prefix + bytes([byte]))
                try:
                    (drawn,) = Sampler(column(weights), random_bytes=words, word_bits=8).draw([0])
                except OutOfWordsError:
                    open_prefixes.append(words.text)
                else:
                    assert sum(words.asked) == length
                    law[drawn] += Fraction(1, 256**length)
    left = Fraction(len(open_prefixes), 256**depth)
    return law, left


@each("name", COLUMNS, every=3)
def test_counting_all_words_gives_the_weights(name):
    weights, depth = COLUMNS[name], 3
    law, left = law_by_counting(weights, depth)
    total = sum(weights)
    assert left <= Fraction(len(weights), 256**depth)
    if 256**depth % total == 0:
        assert left == 0
    for counted, weight in zip(law, weights, strict=True):
        assert counted <= Fraction(weight, total) <= counted + left


@pytest.mark.parametrize("name", ["halves", "bytes", "zeros all around", "certain"])
def test_counting_words_at_once_gives_the_weights_in_every_column(name):
    weights = COLUMNS[name]
    total = sum(weights)
    rows = [[weight, other] for weight, other in zip(weights, weights[::-1], strict=True)]
    truths = np.repeat([0, 1, 0], 256)
    drawn = Sampler(rows, random_bytes=Words(bytes(range(256)) * 3), word_bits=8).draw(truths)
    if 256 % total == 0:
        for truth, times, order in ((0, 2, 1), (1, 1, -1)):
            counted = np.bincount(drawn[truths == truth], minlength=len(weights))
            assert (counted * total // 256).tolist() == [times * weight for weight in weights[::order]]
    else:
        assert set(drawn.tolist()) == {1}


@each(
    ("weights", "words", "drawn"),
    [
        # The threshold is 7 * 2**32 + 5 over 2**64: the first word ties, the second decides.
        ([7 * 2**32 + 5, 2**64 - 7 * 2**32 - 5], (7, 4), 0),
        ([7 * 2**32 + 5, 2**64 - 7 * 2**32 - 5], (7, 5), 1),
        ([7 * 2**32 + 5, 2**64 - 7 * 2**32 - 5], (6,), 0),
        ([7 * 2**32 + 5, 2**64 - 7 * 2**32 - 5], (8,), 1),
        # One third is 0.0101...: every word of fives ties once more.
        ([2**70, 2**71], (0x55555555, 0x55555555, 0x55555555, 0x55555554), 0),
        ([2**70, 2**71], (0x55555555, 0x55555555, 0x55555555, 0x55555556), 1),
        # Only a word of ones reaches the last response, of probability 2**-70: 32 + 32 + 6 ones.
        ([2**70 - 1, 1], (2**32 - 1, 2**32 - 1, 0b111111 << 26), 1),
        ([2**70 - 1, 1], (2**32 - 1, 2**32 - 1, (0b111111 << 26) - 1), 0),
        # Nothing lies beyond a last weight of zero.
        ([1, 2**70 - 1, 0, 0], (2**32 - 1,), 1),
        ([0, 0, 1, 2**70 - 1], (0, 0, 0), 2),
        # Two thresholds begin with the same word; the second tells them apart.
        ([2**40 + 1, 5, 2**64 - 2**40 - 6], (256, 0), 0),
        ([2**40 + 1, 5, 2**64 - 2**40 - 6], (256, 1), 1),
        ([2**40 + 1, 5, 2**64 - 2**40 - 6], (256, 6), 2),
    ],
)
def test_a_tie_is_decided_by_the_words_that_follow(weights, words, drawn):
    source = words_of(*words)
    assert Sampler(column(weights), random_bytes=source).draw([0]).tolist() == [drawn]
    assert source.asked == [4] * len(words)  # no word more than it takes


def test_ties_in_a_block_are_decided_draw_by_draw():
    weights = [[7 * 2**32 + 5, 1], [2**64 - 7 * 2**32 - 5, 2]]
    source = words_of(7, 8, 0x55555555, 7, 4, 0x55555556, 5)
    assert Sampler(weights, random_bytes=source).draw([0, 0, 1, 0]).tolist() == [0, 1, 1, 1]
    assert source.asked == [16, 4, 4, 4]


BIG = st.integers(0, 10**40) | st.integers(0, 3) | st.sampled_from([2**63, 2**64, 2**64 - 1, 2**2000])
WEIGHTS = st.lists(BIG, min_size=1, max_size=6).filter(any)


@given(weights=WEIGHTS, text=st.binary(min_size=400, max_size=400), word_bits=st.sampled_from([8, 16, 32]))
def test_what_is_drawn_holds_every_number_that_begins_with_the_words(weights, text, word_bits):
    source = Words(text)
    (drawn,) = Sampler(column(weights), random_bytes=source, word_bits=word_bits).draw([0])
    size = word_bits // 8
    prefix = b"".join(text[i : i + size][::-1] for i in range(0, sum(source.asked), size))
    low, unit = int.from_bytes(prefix, "big"), 256 ** len(prefix)
    sums = [0, *accumulate(weights)]
    assert Fraction(sums[drawn], sums[-1]) <= Fraction(low, unit)
    assert Fraction(low + 1, unit) <= Fraction(sums[drawn + 1], sums[-1])


def powers_of_two(weights):
    """Fill up to the next power of two."""
    total = sum(weights)
    return [*weights, (1 << total.bit_length()) - total]


@given(
    columns=st.lists(st.lists(BIG, min_size=3, max_size=3), min_size=1, max_size=3),
    text=st.binary(min_size=800, max_size=800),
)
def test_constant_time_compares_all_bits(columns, text):
    columns = [powers_of_two(weights) for weights in columns]
    limbs = max(sum(weights).bit_length() - 1 for weights in columns) // 64 + 1
    sampler = Sampler(np.array(columns, dtype=object).T, random_bytes=Words(text))
    for repeat, weights in enumerate(columns):
        part = text[8 * limbs * repeat : 8 * limbs * (repeat + 1)]
        *lower, upper = (int.from_bytes(part[i : i + 8], "little") for i in range(0, 8 * limbs, 8))
        number = sum(limb << 64 * place for place, limb in enumerate([*lower, upper >> 1]))
        expected = bisect_right(list(accumulate(weights)), number * sum(weights) >> (64 * limbs - 1))
        assert sampler.draw_constant_time([repeat]).tolist() == [expected]


def test_constant_time_counts_exactly_as_the_weights_say():
    weights = [[100, 0], [0, 1], [28, 2], [127, 5], [1, 0]]
    words = b"".join((byte << 56).to_bytes(8, "little") for byte in range(256))
    drawn = Sampler(weights, random_bytes=Words(words * 2)).draw_constant_time(np.repeat([0, 1], 256))
    assert np.bincount(drawn[:256], minlength=5).tolist() == [100, 0, 28, 127, 1]
    assert np.bincount(drawn[256:], minlength=5).tolist() == [0, 32, 64, 160, 0]


@each("edge", [63, 64, 127, 128, 129])
def test_constant_time_keeps_zeros_apart_at_the_edges_of_limbs(edge):
    weights = column([0, 1, 0, 2**edge - 2, 1, 0])
    limbs = edge // 64 + 1
    for byte, expected in ((b"\0", 1), (b"\xff", 4)):
        source = Words(byte * 8 * limbs)
        assert Sampler(weights, random_bytes=source).draw_constant_time([0]).tolist() == [expected]


def lines_run(sampler, truth):
    """Return the lines of the module that a draw in constant time goes through, one after the other."""
    lines, before = [], sys.gettrace()

    def trace(frame, event, _):
        if frame.f_code.co_filename != constant_time.__file__:
            return None
        lines.append((frame.f_lineno, event))
        return trace

    sys.settrace(trace)
    try:
        drawn = sampler.draw_constant_time(np.full(50, truth))
    finally:
        sys.settrace(before)
    return lines, drawn


def test_constant_time_runs_the_same_lines_for_all_truths_and_draws():
    size = 40
    weights = np.full((size, size), 2**60 // size, dtype=object)
    weights[0] += 2**60 % size
    sources = {"first": bytes, "last": lambda number: b"\xff" * number, "any": Words(bytes(range(256)) * 99)}
    results = {}
    for name, source in sources.items():
        sampler = Sampler(weights, random_bytes=source)
        sampler.draw_constant_time(0)  # the table is made now
        for truth in (0, 17, size - 1):
            results[name, truth], drawn = lines_run(sampler, truth)
            assert name == "any" or set(drawn.tolist()) == {0 if name == "first" else size - 1}
    first = results["first", 0]
    assert len(first) > size
    assert all(lines == first for lines in results.values())


def test_constant_time_takes_the_same_bytes_for_all_truths():
    weights = [[2**100 - 1, 0, 1], [1, 2, 1]]
    sizes = []
    for truth in range(3):
        source = Words(bytes(range(256)) * 20)
        Sampler(weights, random_bytes=source).draw_constant_time(np.full(77, truth))
        sizes.append(source.asked)
    assert sizes == [[77 * 16]] * 3


def frequencies_fit(drawn, weights):
    expected = np.array([float(Fraction(weight, sum(weights)) * drawn.size) for weight in weights])
    counted = np.bincount(drawn, minlength=len(weights))
    positive = expected > 0
    assert not counted[~positive].any()
    counted, expected = counted[positive], expected[positive]
    return (
        counted.size == 1
        or chisquare(counted, expected * (counted.sum() / expected.sum())).pvalue > SURELY_WRONG
    )


def some_weights(num_responses, num_truths, total):
    """Return weights within a factor of ten of each other, some zeros, columns that sum to `total`."""
    random = np.random.default_rng(7)
    rough = random.integers(1, 10, (num_responses, num_truths)).astype(object)
    rough[random.random(rough.shape) < 0.1] = 0
    rough[0] += 1
    weights = rough * total // rough.sum(axis=0)
    weights[0] += total - weights.sum(axis=0)
    return weights


@each("total", [2**60, 2**200, 3 * 2**70, 10**30, 10**6], every=3)
@each("shape", [(5, 5), (101, 11), (401, 3), (2, 300)])
def test_frequencies_follow_the_weights(shape, total):
    weights = some_weights(*shape, total)
    truths = np.random.default_rng(1).integers(0, shape[1], 400_000)
    drawn = Sampler(weights).draw(truths)
    for truth in range(min(shape[1], 5)):
        assert frequencies_fit(drawn[truths == truth], weights[:, truth].tolist())


@pytest.mark.parametrize("total", [2**60, 2**200])
def test_frequencies_in_constant_time_follow_the_weights(total):
    weights = some_weights(12, 5, total)
    truths = np.tile(np.arange(5), 20_000)
    drawn = Sampler(weights).draw_constant_time(truths)
    for truth in range(5):
        assert frequencies_fit(drawn[truths == truth], weights[:, truth].tolist())


def test_columns_may_have_totals_of_their_own():
    weights = [[1, 10**30, 0, 2**70], [2, 1, 9, 2**71]]
    truths = np.repeat(np.arange(4), 50_000)
    drawn = Sampler(weights).draw(truths).reshape(4, -1)
    for truth, own in enumerate(zip(*weights, strict=True)):
        assert frequencies_fit(drawn[truth], list(own))


@pytest.mark.slow
def test_an_unlikely_response_comes_as_often_as_it_should():
    sampler = Sampler([[2**80 - 2**60], [2**60]])
    truths = np.zeros(2**22, np.int64)
    counted = sum(int(sampler.draw(truths).sum()) for _ in range(16))
    # Poisson with mean 64; each side is left once in 10**10 runs or less.
    assert 20 < counted < 125


def test_draws_keep_the_shape_and_the_place_of_their_truths():
    sampler = Sampler(np.eye(5, dtype=int)[::-1])
    truths = np.random.default_rng(1).integers(0, 5, (30, 40, 70))  # more than a block
    for draw in (sampler.draw, sampler.draw_constant_time):
        assert (draw(truths) == 4 - truths).all()
        assert draw([]).shape == (0,)
        assert draw(3).shape == ()
        assert draw(np.uint8(3)) == 1
        assert draw([3]).dtype == np.int64
    assert (sampler.num_responses, sampler.num_truths) == (5, 5)


@pytest.mark.parametrize("way", ["draw", "draw_constant_time"])
def test_a_seed_repeats_and_warns(way):
    draw = getattr(Sampler([[3, 1], [1, 3]]), way)
    truths = np.zeros(200, int)
    generator = np.random.default_rng(5)
    drawn = []
    for seed in (5, 5, 6, generator, generator):
        with pytest.warns(NotPrivateWarning, match="NOT private") as warned:
            drawn.append(draw(truths, seed=seed))
        assert [warning.filename for warning in warned] == [__file__]
    first, again, other, start, onward = drawn
    assert (first == again).all()
    assert (first == start).all()
    assert (first != other).any()
    assert (first != onward).any()


def test_without_a_seed_nothing_repeats_and_nothing_warns():
    sampler = Sampler(np.ones((100, 1), int))
    assert (sampler.draw(np.zeros(50, int)) != sampler.draw(np.zeros(50, int))).any()


@each(
    ("weights", "sentence"),
    [
        ([], "`weights` must have rows of equal length"),
        ([[1, 2], [3]], "`weights` must have rows of equal length"),
        ([1, 2], "`weights` must have rows of equal length"),
        ([[0.5], [0.5]], "`weights` must be whole numbers; got 0.5 at [0, 0]."),
        ([[1, 1], [1, Fraction(1)]], "`weights` must be whole numbers; got Fraction(1, 1) at [1, 1]."),
        ([[1, 2], [1, -(10**5000)]], "`weights` must be zero or more; got less at [1, 1]."),
        ([[1, 0], [1, 0]], "each column of `weights` must sum to more than zero; got zeros in column 1."),
    ],
)
def test_what_are_no_weights_is_refused(weights, sentence):
    with pytest.raises(ProblemError) as refusal:
        Sampler(weights)
    assert sentence in str(refusal.value)


@each("way", ["draw", "draw_constant_time"])
@each(
    ("positions", "sentence"),
    [
        ([0, 2], "`truth_positions` must be in 0..1; got 2."),
        ([2, 0], "`truth_positions` must be in 0..1; got 2."),
        (-1, "`truth_positions` must be in 0..1; got -1."),
        ([0, -1], "`truth_positions` must be in 0..1; got -1."),
        ([0.0], "`truth_positions` must be whole numbers; got float64."),
        ([True], "`truth_positions` must be whole numbers; got bool."),
    ],
)
def test_what_is_no_position_is_refused(positions, sentence, way):
    with pytest.raises(ProblemError) as refusal:
        getattr(Sampler([[1, 1]]), way)(positions)
    assert sentence in str(refusal.value)


@pytest.mark.parametrize("seed", [-1, "a", 0.5])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(
        ProblemError, match="`seed` must be a whole number, zero or more, or a NumPy Generator"
    ):
        Sampler([[1]]).draw(0, seed=seed)


def test_words_of_another_length_are_refused():
    with pytest.raises(ProblemError, match="`word_bits` must be 8, 16 or 32; got 64"):
        Sampler([[1]], word_bits=64)


@pytest.mark.parametrize("total", [3, 10**30, 10**5000], ids=["3", "10**30", "10**5000"])
def test_constant_time_refuses_a_total_that_is_no_power_of_two(total):
    sampler = Sampler([[2**9, 1], [2**9, total - 1]])
    assert int(sampler.draw(1)) in {0, 1}
    bits = total.bit_length()
    with pytest.raises(NotAcceptedError) as refusal:
        sampler.draw_constant_time(0)
    sentence = f"a power of two; got a total between 2**{bits - 1} and 2**{bits} in column 1."
    assert sentence in str(refusal.value)


PROBABILITIES = st.floats(0, 1) | st.sampled_from([0.0, 5e-324, 2.0**-1060 * 3, 0.1, 0.5, 1.0])


@given(st.lists(st.lists(PROBABILITIES, min_size=2, max_size=2), min_size=1, max_size=5))
def test_doubles_become_whole_numbers_in_exact_proportion(rows):
    matrix = np.array(rows)
    for doubles, weights in zip(matrix.T.tolist(), dyadic_weights(matrix).T.tolist(), strict=True):
        units = {
            Fraction(weight) / Fraction(double)
            for double, weight in zip(doubles, weights, strict=True)
            if double
        }
        assert len(units) <= 1
        assert all(math.log2(unit).is_integer() for unit in units if unit < 2**1000)
        assert all(weight == 0 for double, weight in zip(doubles, weights, strict=True) if not double)
        assert not any(doubles) or any(weight % 2 for weight in weights)
