"""Thresholds of continuous Gaussian noise, and the integer noise of their orbits.

From y on, phi_j(F(y), F(y-1), ...) changes by ``-sum_f c_f(j) p(y - f)``, p the density. Divided by the part
of the truths above, that sum falls: it is zero at one y, the best threshold. Thresholds that differ by an
integer are on one orbit. Each orbit has two adjacent points, and the tangent between them is the line for the
bound.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx, fmpq

from optmech.base.errors import NotAcceptedError
from optmech.base.number_format import exactly
from optmech.base.time_left import need_time
from optmech.proofs.chain.gaussian_curve import normal
from optmech.proofs.chain.noise import MOST_POINTS, Noise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.base.arrays import Floats
    from optmech.question.chain_question import ChainQuestion


MOST_TRUTHS = 2001
# A threshold this many standard deviations beyond the truths has all answers on one side.
_FAR = 12.0
_STEPS = 60
_POINT_BITS, _SAME_BITS = 100, 70
_NEAR_BITS = 20  # doubles compare points by these
_SLACK_BITS, _SPARE_BITS = 80, 48
_FEWEST_BITS = 256
# With so few truths tails are listed as far as any of them reaches, if the numbers stay so short.
_WHOLE_TAILS, _LONGEST = 30, 4096


def gaussian_thresholds(question: ChainQuestion, sigma: Fraction) -> list[Fraction | float]:
    """Return a number for each step, never decreasing; infinite where all answers, or none, are below it."""
    return _refined(question, _near_thresholds(question, sigma), sigma)


def _near_thresholds(question: ChainQuestion, sigma: Fraction) -> list[float]:
    number, width = question.num_truths, float(sigma)
    if number > MOST_TRUTHS:
        message = (
            f"`query` must have at most {MOST_TRUTHS:,} true answers for continuous noise; got {number:,}. "
            "Take discrete-gaussian, which any number may have."
        )
        raise NotAcceptedError(message)
    thresholds = []
    for step, turn in enumerate(question.signs):
        need_time("the thresholds of Gaussian noise")
        column = question.column(step, 0, number)
        logs = np.array([math.log(abs(cost)) if cost else -math.inf for cost in column])
        low, high = -_FAR * width, number - 1 + _FAR * width
        if turn == 0 or _balance(logs, turn, low, width) <= 0:
            thresholds.append(-math.inf)
        elif turn == number or _balance(logs, turn, high, width) >= 0:
            thresholds.append(math.inf)
        else:
            for _ in range(_STEPS):
                middle = (low + high) / 2
                low, high = (middle, high) if _balance(logs, turn, middle, width) > 0 else (low, middle)
            thresholds.append(low)
    return thresholds


def _refined(question: ChainQuestion, thresholds: Sequence[float], sigma: Fraction) -> list[Fraction | float]:
    refined: list[Fraction | float] = []
    for step, point in enumerate(thresholds):
        need_time("the thresholds of Gaussian noise")
        column = question.column(step, 0, question.num_truths)
        refined.append(point if math.isinf(point) else _refine(column, Fraction(point), sigma))
    return list(accumulate(refined, max))


def _balance(logs: Floats, turn: int, point: float, width: float) -> float:
    """Return the log ratio of the weights of truths before the turn at a point to those of the others."""
    terms = logs - ((point - np.arange(len(logs))) / width) ** 2 / 2
    below, above = float(np.logaddexp.reduce(terms[:turn])), float(np.logaddexp.reduce(terms[turn:]))
    return 0.0 if below == above else below - above


def _refine(column: Sequence[int], point: Fraction, sigma: Fraction) -> Fraction:
    """Return the point after a step of Newton's method, as a dyadic number."""
    near = min(max(round(point), 0), len(column) - 1)
    reach = math.ceil(2 * _FAR * float(sigma))
    with ctx.workprec(2 * _POINT_BITS):
        value, slope = arb(0), arb(0)
        for truth in range(max(near - reach, 0), min(near + reach + 1, len(column))):
            away = (point - truth) / sigma
            power = -away * away / 2
            term = column[truth] * arb(fmpq(power.numerator, power.denominator)).exp()
            value += term
            slope -= term * fmpq(away.numerator, away.denominator)
        step = value / slope * fmpq(sigma.numerator, sigma.denominator)
        whole = (step * (1 << _POINT_BITS)).mid().floor().unique_fmpz()
    point_after = point if whole is None else point - Fraction(int(whole), 1 << _POINT_BITS)
    return Fraction(round(point_after * 2**_POINT_BITS), 2**_POINT_BITS)


def _offsets(thresholds: Sequence[Fraction | float], same_bits: int = _SAME_BITS) -> list[Fraction]:
    """Return the fractional parts of the thresholds, one for each group of neighbours."""
    parts = sorted({limit % 1 for limit in thresholds if isinstance(limit, Fraction)})
    offsets: list[Fraction] = []
    for part in parts or [Fraction(0)]:
        if not offsets or part - offsets[-1] > Fraction(1, 2**same_bits):
            offsets.append(part)
    return offsets


def gaussian_noise(question: ChainQuestion, sigma: Fraction) -> tuple[Noise, list[int]]:
    """Return a noise with the orbits of the best thresholds, slightly wider than the Gaussian, and points."""
    number, near = question.num_truths, _near_thresholds(question, sigma)
    reach = math.ceil(_FAR * sigma) + 1
    steps = number + 1 if lists_tails(sigma, number) else 0
    wholes = 2 * (reach + steps + 1)
    # A double beside a whole number may be on its other side.
    points = [Fraction(point) if math.isfinite(point) else point for point in near]
    _need_few_values(wholes, len(_offsets(points, _NEAR_BITS)) - 1, number, sigma)
    thresholds = _refined(question, near, sigma)
    offsets = _offsets(thresholds)
    period = 2 * len(offsets)
    _need_few_values(wholes, len(offsets), number, sigma)
    bits = _bits(sigma) + (steps + 1) * _ratio_bits(sigma)
    values = _shares(offsets, range(-reach, reach + 2), sigma, bits)
    one = 1 << bits
    tail = (values[0] << bits) // values[period]
    last = max(
        point
        for point in range(period, len(values))
        if (one - values[point]) << bits >= tail * (one - values[point - period])
    )
    values = values[: last + 1]
    before, after = values[:period], [one - value for value in values[-period:]]
    for _ in range(steps):
        before = [-(-value * tail >> bits) for value in before[:period]] + before
        after += [-(-each * tail >> bits) for each in after[-period:]]
    cumulative = (*before[:-period], *values, *(one - each for each in after[period:]))
    noise = Noise(period, -(reach + steps) * period, cumulative, bits, tail)
    return noise, _points(thresholds, offsets, noise.period, *noise.ends(number))


def _need_few_values(wholes: int, offsets: int, number: int, sigma: Fraction) -> None:
    values = 2 * wholes * offsets
    if values > MOST_POINTS:
        message = (
            f"the proof must list at most {MOST_POINTS:,} values of the noise; {number:,} true answers need "
            f"{values:,} at a standard deviation of {exactly(sigma)}: at {wholes:,} whole numbers "
            f"for each of {offsets:,} thresholds. Take discrete-gaussian, or fewer true answers."
        )
        raise NotAcceptedError(message)


def _shares(offsets: Sequence[Fraction], wholes: range, sigma: Fraction, bits: int) -> list[int]:
    """Return F twice at each offset from each integer, for a slightly larger sigma."""
    wide, values = sigma * (1 + Fraction(1, 2**_SLACK_BITS)), list[int]()
    wider, parts = fmpq(*wide.as_integer_ratio()), [fmpq(*each.as_integer_ratio()) for each in offsets]
    with ctx.workprec(bits + _SPARE_BITS):
        for whole in wholes:
            need_time("the values of Gaussian noise")
            for offset in parts:
                ball = normal(arb((whole + offset) / wider)) * (1 << bits)
                mantissa, exponent = map(int, ball.lower().man_exp())
                values += [mantissa << exponent if exponent >= 0 else mantissa >> -exponent] * 2
    return values


def _bits(sigma: Fraction) -> int:
    """Return the bits of F at the ends of the list without tails, with slack for rounding."""
    farthest = _FAR + 2 / float(sigma)
    return max(_FEWEST_BITS, math.ceil(farthest**2 / 2 / math.log(2)) + _SLACK_BITS + _SPARE_BITS)


def _ratio_bits(sigma: Fraction) -> int:
    """Return the largest decrease of F in the tails from truth to truth, in bits."""
    return math.ceil((_FAR + 2 / float(sigma)) / float(sigma) / math.log(2)) + 2


def lists_tails(sigma: Fraction, number: int) -> bool:
    """Whether none of `number` truths is in a tail, so that there is a matrix."""
    return number <= _WHOLE_TAILS and _bits(sigma) + (number + 2) * _ratio_bits(sigma) < _LONGEST


def _points(
    thresholds: Sequence[Fraction | float], offsets: list[Fraction], period: int, never: int, always: int
) -> list[int]:
    points = []
    for limit in thresholds:
        if not isinstance(limit, Fraction):
            points.append(never if limit < 0 else always)
            continue
        whole, part = divmod(limit, 1)
        nearest = min(range(len(offsets)), key=lambda point: abs(offsets[point] - part))
        points.append(min(max(int(whole) * period + 2 * nearest, never), always))
    return points
