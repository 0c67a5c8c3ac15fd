"""The steps of thresholds, with equal ones grouped; their loss, and the work of a proof."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from operator import mul
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.chain.curve import LINE_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion

_WORK, _WORK_OF_A_NUMBER, _MOST_WORK = 2**29, 2**21, 2**30
_MORE_WORK, _WORK_OF_A_BIT = 2**11, 2**8  # further work for each written number, and for each bit of runs
# Truths that take as long as what a step takes besides, more where its bounds are not held; bits that take as
# long as what a truth takes besides; squared bits that take as long as one.
_BESIDES, _BESIDES_NEW, _OF_A_TRUTH, _SQUARED = 8, 32, 512, 2048
# Bits of points times bits of factors, of all privacies: at most, and more for each bit of runs; bits of a
# factor that take as long as what a product takes besides. Squared bits of a period in a tail.
_SPENT, _SPENT_OF_A_BIT, _OF_A_PRODUCT, _TAIL = 2**37, 2**12, 64, 2**36
# Points with cached bounds, the truths of all of them, and the saving of a step with them.
_HELD, _HELD_TRUTHS, _AGAIN = 2**6, 2**17, 8


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the responses, or several equal ones in a row, each one truth further."""

    first: int
    number: int  # the number of equal steps
    threshold: int
    turn: int  # k_j
    is_inside: bool  # whether the threshold is neither below nor beyond all points
    listed: tuple[int, int]  # the first truth, and the one after the last, of listed F(threshold - period f)
    window: tuple[int, int]  # likewise of those that count for the bound, turn and the one before among them


def limited_steps(question: ChainQuestion, noise: Noise, thresholds: Sequence[int], bits: int) -> list[Step]:
    """Return all steps; raise VerificationError if a proof by lines of `bits` bits takes too long."""
    most, work, steps = most_work(question, noise, thresholds), 0, []
    held: dict[int, None] = {}
    for step in steps_of(question, noise, thresholds):
        work += work_of(question, noise, step, held, bits)
        if work > most:
            message = (
                f"thresholds must look at no more true answers than what is written out allows, {most:,} "
                "of bits times truths; they do. Take fewer answers, or a larger epsilon."
            )
            raise VerificationError(message)
        steps.append(step)
    return steps


def most_work(question: ChainQuestion, noise: Noise, thresholds: Sequence[int]) -> int:
    """Return the limit on bits times truths of all steps, which grows with the written numbers."""
    runs = [*runs_of(noise.cumulative), *runs_of(thresholds)]
    written, bits = len(runs) + question.num_listed, sum(map(int.bit_length, runs))
    most = min(_WORK + _WORK_OF_A_NUMBER * written, _MOST_WORK)
    return most + _MORE_WORK * written + _WORK_OF_A_BIT * bits


def need_short_numbers(noise: Noise, factors: Iterable[Fraction]) -> None:
    """Refuse numbers too long to sum up the delta of a shift of the noise in time."""
    if noise.tail and noise.period * noise.bits**2 > _TAIL:
        message = (
            f"the squared bits of noise with tails must be at most {_TAIL // noise.period:,} for a period of "
            f"{noise.period:,} points; it has {noise.bits:,} bits. Take an epsilon of fewer digits."
        )
        raise VerificationError(message)
    longest = (max(map(int.bit_length, factor.as_integer_ratio())) for factor in factors)
    bits = len(noise.cumulative) * noise.bits * (2 if noise.tail else 1)
    work = bits * sum(_OF_A_PRODUCT + length for length in longest)
    most = _SPENT + _SPENT_OF_A_BIT * sum(map(int.bit_length, runs_of(noise.cumulative)))
    if work > most:
        message = (
            "points of the noise times bits, times bits of the factors around e^epsilon, must be at most "
            f"{most:,}; they are {work:,}. Take fewer privacies, or an epsilon of fewer digits."
        )
        raise VerificationError(message)


def most_held(noise: Noise) -> int:
    """Return the number of points with cached bounds of truths, limited by memory.

    A threshold with the same offset from its turn as an earlier one reuses them, at lower cost.
    """
    return max(2, min(_HELD, _HELD_TRUTHS // (len(noise.cumulative) // noise.period + 1)))


def work_of(question: ChainQuestion, noise: Noise, step: Step, held: dict[int, None], bits: int) -> int:
    """Return the bits times truths in the proof of a step, given the cached bounds.

    Bounds cost less where an earlier step had the same offset from its turn; `held` are the last offsets.
    More `bits` of lines and longer costs mean longer products.
    """
    apart = step.threshold - noise.period * step.turn
    is_held = apart in held and not question.is_even
    held.pop(apart, None)
    held[apart] = None
    if len(held) > most_held(noise) // 2:
        del held[next(iter(held))]
    cost, size = question.largest.bit_length(), bits + noise.bits
    bounding = _OF_A_TRUTH + noise.bits + cost + (bits - LINE_BITS) * (size + cost) // _SQUARED
    low, high = step.window
    if not question.is_even:
        low, high = min(low, step.listed[0], step.turn), max(high, step.listed[1], step.turn)
    weighing = cost * (4 * size + cost) // _SQUARED
    truths = high - low
    bounds = (truths + _BESIDES) * bounding // _AGAIN if is_held else (truths + _BESIDES_NEW) * bounding
    return bounds + (truths + _BESIDES) * weighing


def runs_of(numbers: Sequence[int]) -> list[int]:
    """Return the lengths of the runs that a file writes for the first number and the differences."""
    rises = [numbers[0], *(after - before for before, after in pairwise(numbers))]
    return [rise for rise, _ in groupby(rises)]


def steps_of(question: ChainQuestion, noise: Noise, thresholds: Sequence[int]) -> Iterator[Step]:
    """Return all steps, with equal ones grouped."""
    number, period = question.num_truths, noise.period
    never, always = noise.ends(number)
    # For a threshold beyond all points: this many truths on both sides of the turn.
    half = len(noise.cumulative) // period + 1
    step = 0
    while step < len(thresholds):
        point, turn = thresholds[step], question.signs[step]
        inside = never < point < always
        if inside:
            start, stop = listed = _listed_truths(noise, point, number)
        else:
            start, stop = turn - half, turn + half
            listed = (0, 0) if point <= never else (number, number)
        window = max(min(start, turn - 1), 0), min(max(stop, turn + 1), number)
        many = 1
        if question.is_even and inside and window[0] > 0:
            most = min(number - window[1] + 1, len(thresholds) - step)
            while many < most and thresholds[step + many] - thresholds[step + many - 1] == period:
                many += 1
        yield Step(step, many, point, turn, inside, listed, window)
        step += many


def _listed_truths(noise: Noise, point: int, number: int) -> tuple[int, int]:
    start = min(max(-(-(point - noise.last) // noise.period), 0), number)
    return start, min(max((point - noise.first) // noise.period + 1, start), number)


def upper_objective(question: ChainQuestion, noise: Noise, steps: Iterable[Step]) -> Fraction:
    """Return an upper bound on the loss of the mechanism, exact without tails, in time linear in the steps.

    With ``P_f(response <= r_j) = F(threshold_j - period f)``, F of the noise, 0 and 1 beyond both ends, it is

        const + sum_j ( sum_(f < k_j) c_f(j) (1 - F) + sum_(f >= k_j) -c_f(j) F ),

    where no term is negative. F is exact at listed points; in a tail, 1 - F or F is at most its value at the
    nearer end of the list.
    """
    cumulative, one = noise.cumulative, noise.one
    total, certain, in_tails = 0, 0, False
    for step in steps:
        j, turn, (start, stop) = step.first, step.turn, step.listed
        top = step.threshold - noise.period * start - noise.first
        below = (
            cumulative[top - noise.period * (stop - start - 1) : top + 1 : noise.period]
            if start < stop
            else ()
        )
        column = question.column(j, start, stop)
        # c (1 - F) before the turn, where c >= 0, and -c F behind it.
        share = one * sum(column[: max(turn - start, 0)]) - sum(map(mul, column, reversed(below)))
        total += step.number * share
        # At a truth before those listed nearly all mass is below the threshold, at one behind them nearly
        # none.
        beyond = question.total(j, min(turn, start), start) + question.total(j, stop, max(turn, stop))
        certain += step.number * beyond
        in_tails |= step.is_inside and (start > 0 or stop < question.num_truths)
    total += certain << noise.bits
    if in_tails and noise.tail:
        total += max(cumulative[0], one - cumulative[-1]) * question.variation
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << noise.bits)
