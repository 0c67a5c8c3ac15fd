"""The best answer for each draw of the geometric mechanism: the remap rho, which never decreases.

Law: with ``B_i(j) = sum_k a^|j-k| p_k l(|i-k|)`` and i < i', the difference ``B_i'(j) - B_i(j)`` changes its
sign at most once as j grows, from plus to minus: ``l(|i'-k|) - l(|i-k|)`` does so in k, and the kernel
``a^|j-k|`` is totally positive. So the least of the best answers never decreases with j.

Where the loss is convex, so is B_i(j) in i, and one walk finds all of rho. Any other loss is a sum of steps,
and the best answer the one with the most weight left inside them; by the law the best answer for the middle
draw of a range divides the answers of the others. What doubles cannot tell apart is compared in whole
numbers.

Source: Ghosh, Roughgarden, Sundararajan 2012. Nothing rests on the remap being best: the proof of the bound
says.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from optmech.proofs.geometric_sums import Increments

if TYPE_CHECKING:
    from optmech.base.arrays import Floats, Integers
    from optmech.proofs.geometric_sums import Decay
    from optmech.question.path_question import PathQuestion

# Weights inside the steps are sums of positive doubles: they err by far less.
_TIE = 1e-9


def best_remap(question: PathQuestion, decay: Decay) -> list[int]:
    """Return rho(0), ..., rho(n), of equally good answers the least; mirrored where the weights are."""
    remap = (_by_steps if question.steps else _by_convexity)(question, decay)
    # Beyond the truths that weigh anything every draw says the same of them.
    weighty = [truth for truth, weight in enumerate(question.weights) if weight]
    first, last = weighty[0], weighty[-1]
    remap[:first], remap[last + 1 :] = [remap[first]] * first, [remap[last]] * (question.largest - last)
    if question.weights == question.weights[::-1]:
        half = (len(remap) + 1) // 2
        remap[half:] = [question.largest - answer for answer in reversed(remap[: len(remap) - half])]
    return remap


def _by_convexity(question: PathQuestion, decay: Decay) -> list[int]:
    largest, numerator, bits = question.largest, decay.numerator, decay.bits
    own, reflected = Increments(question, decay).of, Increments(question.reflection(), decay).of
    remap, answer = [], 0
    for draw in range(largest + 1):
        while answer < largest:
            rise = own(answer, draw)
            if draw < largest:  # seen from the other end, answer + 1 comes first
                rise -= reflected(largest - answer - 1, largest - draw - 1) * numerator >> bits
            if rise >= 0:
                break
            answer += 1
        remap.append(answer)
    return remap


def _by_steps(question: PathQuestion, decay: Decay) -> list[int]:
    """Divide at the middle draws, all of one level at a time."""
    largest = question.largest
    count = largest + 1
    if not any(question.steps[1:]):  # all answers are equal
        return [0] * count
    lows, highs = np.zeros(count, np.int64), np.full(count, largest)
    remap = np.full(count, -1)
    starts, ends = np.array([0]), np.array([largest])
    while starts.size:
        draws = (starts + ends) // 2
        remap[draws] = _best_within(question, decay, draws, lows[draws], highs[draws])
        for start, draw, end in zip(starts.tolist(), draws.tolist(), ends.tolist(), strict=True):
            highs[start:draw] = remap[draw]
            lows[draw + 1 : end + 1] = remap[draw]
        below, above = starts < draws, draws < ends
        starts = np.concatenate([starts[below], draws[above] + 1])
        ends = np.concatenate([draws[below] - 1, ends[above]])
    # Between equals of both comparisons an answer may fall behind the one before it.
    rising: list[int] = np.maximum.accumulate(remap).tolist()
    return rising


def _best_within(
    question: PathQuestion, decay: Decay, draws: Integers, lows: Integers, highs: Integers
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


def _answers_inside(question: PathQuestion) -> list[int]:
    """Return how much less than the most is lost at distances 0, 1, ...."""
    return list(accumulate(reversed(question.steps[1:])))[::-1]


def _weight_inside(question: PathQuestion, decay: Decay, answers: Integers, draws: Integers) -> Floats:
    # As shares of the largest: the whole numbers themselves may be beyond all doubles.
    whole, heaviest = _answers_inside(question), max(question.weights)
    shares = np.array([each / whole[0] for each in whole])
    weights = np.array([weight / heaviest for weight in question.weights])
    log_decay = float(np.log(float(decay.value)))
    total = np.zeros(answers.size)
    for shift in range(1 - len(shares), len(shares)):
        truths = answers + shift
        there = (truths >= 0) & (truths <= question.largest)
        near = np.clip(truths, 0, question.largest)
        total += there * shares[abs(shift)] * weights[near] * np.exp(log_decay * np.abs(draws - near))
    return total


def _best_of(question: PathQuestion, decay: Decay, draw: int, answers: list[int]) -> int:
    """Return the first of the answers with the most weight inside, in whole numbers."""
    if len(answers) == 1:
        return answers[0]
    answers_inside = _answers_inside(question)

    def parts(answer: int) -> list[tuple[int, int]]:
        return [
            (abs(draw - truth), answers_inside[abs(truth - answer)] * question.weights[truth])
            for truth in range(
                max(0, answer - len(answers_inside) + 1),
                min(question.largest, answer + len(answers_inside) - 1) + 1,
            )
        ]

    parts_by_answer = {answer: parts(answer) for answer in answers}
    nearest = min(distance for rows in parts_by_answer.values() for distance, _ in rows)
    power = cache(partial(_power, decay))

    def inside(answer: int) -> int:
        return sum(weight * power(distance - nearest) for distance, weight in parts_by_answer[answer])

    return max(answers, key=lambda answer: (inside(answer), -answer))


def _power(decay: Decay, exponent: int) -> int:
    """Return the power in units of ``2**-bits``, by squaring."""
    result, base = 1 << decay.bits, decay.numerator
    while exponent:
        if exponent & 1:
            result = result * base >> decay.bits
        base = base * base >> decay.bits
        exponent >>= 1
    return result
