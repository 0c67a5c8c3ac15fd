"""Noise that consists of tails, for pure privacy, and its thresholds: the best answer to each draw.

Law: with ``B_i(j) = sum_k a^|j-k| p_k l(|i-k|)`` and i < i', the difference ``B_i'(j) - B_i(j)`` changes its
sign at most once as j grows, from plus to minus: ``l(|i'-k|) - l(|i-k|)`` does so in k, and the kernel
``a^|j-k|`` is totally positive. So the least of the best answers never decreases with j. A threshold is the
last draw with an answer up to its step.

Where the loss is convex, so is B_i(j) in i, and one walk finds all answers. Any other loss is a sum of steps,
and the best answer the one with the most weight left inside them; by the law the best answer for the middle
draw of a range divides the answers of the others. Weights that doubles cannot tell apart are compared in
whole numbers.

Source: Ghosh, Roughgarden, Sundararajan 2012. The proof of the bound does not depend on it.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, pairwise
from math import ceil, log
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import VerificationError
from optmech.designs.chain.tail_prices import prices_of
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.chain.decaying_sums import DecayingSums
from optmech.proofs.chain.noise import MOST_BITS, Noise
from optmech.proofs.chain.price_bound import smoothed
from optmech.proofs.enclosure import enclosures_of
from optmech.proofs.file_limits import FACTOR_BITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.base.arrays import Floats, Integers
    from optmech.proofs.enclosure import Enclosure
    from optmech.question.chain_question import ChainQuestion
    from optmech.question.problem import Problem

# Bits of the rounded sums of a proof, more where weights differ much.
_FEW, _MORE = 100, 400
# Added to all weights, so much less than the heaviest moves no objective by a gap that counts.
_SMOOTHING_BITS = 90
_GOOD_GAP, _TIGHT = 1e-10, 1e-20
_MORE_FACTOR_BITS = 64
# Bits of all numbers in a list: beyond, minutes pass.
_MOST_LISTED_BITS = 100_000_000
# Weights inside the steps are sums of positive doubles: they err by far less.
_TIE = 1e-9


def certificate_of_tails(problem: Problem, question: ChainQuestion) -> NoiseCertificate:
    """Return noise that consists of tails with the best thresholds, and their proof."""
    best: NoiseCertificate | None = None
    for spare_bits, smoothing in _attempts(question):
        bits = _bits(problem, spare_bits)
        if best is not None and bits * question.num_truths > _MOST_LISTED_BITS:
            break
        for certificate in _choices(problem, question, bits, smoothing):
            if best is None or certificate.relative_gap < best.relative_gap:
                best = certificate
            if best.relative_gap <= _TIGHT:
                return best
        if best is not None and best.relative_gap <= _GOOD_GAP:
            break
    assert best is not None  # noqa: S101 - of the fewest bits there is one, or an error was raised
    return best


def _attempts(question: ChainQuestion) -> list[tuple[int, int | None]]:
    """Return spare bits, and the number of them for finer weights of prices."""
    heaviest = max(question.weights).bit_length()
    smoothing = max(0, _SMOOTHING_BITS + 3 * question.num_truths.bit_length() - heaviest)
    return [(_FEW, None), (_MORE, None), (_MORE + heaviest + smoothing, smoothing), (4 * _MORE, None)]


def _choices(
    problem: Problem, question: ChainQuestion, bits: int, smoothing: int | None
) -> Iterator[NoiseCertificate]:
    """Yield certificates of the best thresholds, of others that are as good, and of prices for both."""
    factor = enclosures_of(problem, min(bits + _MORE_FACTOR_BITS, FACTOR_BITS - _MORE_FACTOR_BITS))
    noise, decay = noise_of_tails(factor, bits), int((1 << bits) / factor.upper)
    answers = best_answers(smoothed(question, smoothing), decay, bits)
    points = points_of(answers, noise)
    made = partial(NoiseCertificate, problem=problem, factor=factor, noise=noise)
    yield made(thresholds=tuple(points))
    if is_convex(question):
        apart = apart_from_ties(question, noise, decay, points)
        if apart != points:
            yield made(thresholds=tuple(apart))
        return
    with suppress(VerificationError):  # that prove too little where weights differ too much for these bits
        prices = prices_of(question, decay, bits, answers, smoothing)
        yield made(thresholds=tuple(points), prices=prices)


def is_convex(question: ChainQuestion) -> bool:
    """Whether the loss is convex in the distance."""
    rises = [after - before for before, after in pairwise(question.heights)]
    return all(after >= before for before, after in pairwise(rises))


def apart_from_ties(question: ChainQuestion, noise: Noise, decay: int, points: Sequence[int]) -> list[int]:
    """Return equally good thresholds that are not next to a draw with tied answers.

    There one of the lines of the bound is level, and rounding may let it fall.
    """
    left, right = _both_sides(question, decay, noise.bits)
    never, always = noise.ends(question.num_truths)
    last, moved = question.num_truths - 2, list[int]()
    for step, point in enumerate(points):
        draw, to_side = point - noise.last, 0
        beside = draw + 1 if draw <= step else draw
        if never < point < always and 0 <= beside <= last + 1 and beside != step + 1:
            own, other = left.of(step, beside), right.of(last - step, last - beside)
            slope = own - (other * decay >> noise.bits)
            if -right.width - 1 <= slope + left.width <= left.width + right.width + 1:
                to_side = 1 if draw <= step else -1
        moved.append(min(max(point + to_side, never), always))
    return list(accumulate(moved, max))


def _bits(problem: Problem, spare_bits: int) -> int:
    """Return the bits of sums: n terms of up to n in size, with 1 / (1 - a) roundings behind each."""
    epsilon, largest = float(problem.privacy.epsilon), problem.query.num_truths - 1
    bits = spare_bits + 2 * largest.bit_length() + 4 * max(0, ceil(-log(epsilon) / log(2)) + 1)
    return min(8 * ceil((bits + 2 * ceil(epsilon / log(2))) / 8), MOST_BITS)


def noise_of_tails(factor: Enclosure, bits: int) -> Noise:
    """Return two-sided geometric noise that keeps a factor, as two points and the tails beyond them.

    >>> from fractions import Fraction
    >>> from optmech.proofs.enclosure import Enclosure
    >>> noise = noise_of_tails(Enclosure(Fraction(2), Fraction(2)), 8)
    >>> noise.cumulative, noise.tail, noise.delta_spent(Fraction(2))
    ((86, 170), 128, Fraction(0, 1))
    """
    one, lower = 1 << bits, factor.lower
    tail = min(ceil(one / lower), one - 1)
    # With P(Z < 0) = c the middle point has 1 - 2 c, which is at most E c (1 - tail).
    beside = ceil(one / (2 + lower * (1 - Fraction(tail, one))))
    return Noise(1, -1, (beside, one - beside), bits, tail)


def points_of(answers: Sequence[int], noise: Noise) -> list[int]:
    """Return the point of each step: that of the last draw with an answer up to it."""
    number = len(answers)
    never, always = noise.ends(number)
    draws = np.array(answers).searchsorted(np.arange(number - 1), side="right") - 1
    points: list[int] = np.where(
        draws < 0, never, np.where(draws == number - 1, always, draws + noise.last)
    ).tolist()
    return points


def best_answers(question: ChainQuestion, decay: int, bits: int) -> list[int]:
    """Return the best answer to each draw, of equally good ones the least; mirrored where the weights are.

    The decay is one of units of ``2**-bits``.
    """
    find = _by_convexity if is_convex(question) else _by_steps
    answers = find(question, decay, bits)
    # Draws beyond the truths with positive weight have equal answers.
    weighty = [truth for truth, weight in enumerate(question.weights) if weight]
    first, last, largest = weighty[0], weighty[-1], question.num_truths - 1
    answers[:first], answers[last + 1 :] = [answers[first]] * first, [answers[last]] * (largest - last)
    if question.weights == question.weights[::-1]:
        half = (len(answers) + 1) // 2
        answers[half:] = [largest - answer for answer in reversed(answers[: len(answers) - half])]
    return answers


def _by_convexity(question: ChainQuestion, decay: int, bits: int) -> list[int]:
    last = question.num_truths - 2
    own, other = _both_sides(question, decay, bits)
    answers, answer = [], 0
    for draw in range(last + 2):
        while answer <= last:
            rise = own.of(answer, draw) + own.width // 2
            if draw <= last:  # seen from the other end, answer + 1 comes first
                rise -= (other.of(last - answer, last - draw) + other.width // 2) * decay >> bits
            if rise >= 0:
                break
            answer += 1
        answers.append(answer)
    return answers


def _both_sides(question: ChainQuestion, decay: int, bits: int) -> tuple[DecayingSums, DecayingSums]:
    own, mirrored = DecayingSums(question, question.weights, decay, bits), question.weights[::-1]
    return own, own if mirrored == question.weights else DecayingSums(question, mirrored, decay, bits)


def _by_steps(question: ChainQuestion, decay: int, bits: int) -> list[int]:
    """Divide at the middle draws, all of one level at a time."""
    largest = question.num_truths - 1
    lows, highs = np.zeros(largest + 1, np.int64), np.full(largest + 1, largest)
    answers = np.full(largest + 1, -1)
    starts, ends = np.array([0]), np.array([largest])
    while starts.size:
        draws = (starts + ends) // 2
        answers[draws] = _best_within(question, (decay, bits), draws, lows[draws], highs[draws])
        for start, draw, end in zip(starts.tolist(), draws.tolist(), ends.tolist(), strict=True):
            highs[start:draw] = answers[draw]
            lows[draw + 1 : end + 1] = answers[draw]
        below, above = starts < draws, draws < ends
        starts = np.concatenate([starts[below], draws[above] + 1])
        ends = np.concatenate([draws[below] - 1, ends[above]])
    # Between equals of both comparisons an answer may fall behind the one before it.
    rising: list[int] = np.maximum.accumulate(answers).tolist()
    return rising


def _best_within(
    question: ChainQuestion, decay: tuple[int, int], draws: Integers, lows: Integers, highs: Integers
) -> list[int]:
    """Return the best of the answers low..high for each of `draws`."""
    lengths = highs - lows + 1
    firsts = np.cumsum(lengths) - lengths
    answers = np.arange(lengths.sum()) - np.repeat(firsts - lows, lengths)
    inside = _weight_inside(question, decay, answers, np.repeat(draws, lengths))
    most = np.maximum.reduceat(inside, firsts)
    good = np.flatnonzero(inside >= np.repeat(most, lengths) * (1 - _TIE))
    edges = np.searchsorted(good, [*firsts, inside.size]).tolist()
    return [
        _best_of(question, decay, draw, answers[good[first:last]].tolist())
        for draw, first, last in zip(draws.tolist(), edges[:-1], edges[1:], strict=True)
    ]


def _losses_saved(question: ChainQuestion) -> list[int]:
    """Return the largest loss minus the loss at distances 0, 1, ..., while it is positive."""
    most = question.heights[-1]
    return [most - loss for loss in question.heights if loss < most]


def _weight_inside(
    question: ChainQuestion, decay: tuple[int, int], answers: Integers, draws: Integers
) -> Floats:
    # As shares of the largest: the whole numbers themselves may be beyond all doubles.
    whole, heaviest = _losses_saved(question), max(question.weights)
    shares = np.array([each / whole[0] for each in whole])
    weights = np.array([weight / heaviest for weight in question.weights])
    numerator, bits = decay
    log_decay = float(np.log(numerator / (1 << bits)))
    total = np.zeros(answers.size)
    for shift in range(1 - len(shares), len(shares)):
        truths = answers + shift
        there = (truths >= 0) & (truths < question.num_truths)
        near = np.clip(truths, 0, question.num_truths - 1)
        total += there * shares[abs(shift)] * weights[near] * np.exp(log_decay * np.abs(draws - near))
    return total


def _best_of(question: ChainQuestion, decay: tuple[int, int], draw: int, answers: list[int]) -> int:
    """Return the first of the answers with the most weight inside, in whole numbers."""
    if len(answers) == 1:
        return answers[0]
    saved = _losses_saved(question)

    def parts(answer: int) -> list[tuple[int, int]]:
        near = range(max(0, answer - len(saved) + 1), min(question.num_truths, answer + len(saved)))
        return [(abs(draw - truth), saved[abs(truth - answer)] * question.weights[truth]) for truth in near]

    parts_by_answer = {answer: parts(answer) for answer in answers}
    nearest = min(distance for rows in parts_by_answer.values() for distance, _ in rows)
    power = cache(partial(_power, *decay))

    def inside(answer: int) -> int:
        return sum(weight * power(distance - nearest) for distance, weight in parts_by_answer[answer])

    return max(answers, key=lambda answer: (inside(answer), -answer))


def _power(numerator: int, bits: int, exponent: int) -> int:
    """Return the power of a decay in units of ``2**-bits``, by squaring."""
    result, base = 1 << bits, numerator
    while exponent:
        if exponent & 1:
            result = result * base >> bits
        base = base * base >> bits
        exponent >>= 1
    return result
