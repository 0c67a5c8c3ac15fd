"""A lower bound on every private mechanism on a path of truths, from prices of truths, in linear time.

If losses are not convex the best thresholds may cross, and single thresholds prove too little; prices
suffice.

Law of prices. Let ``c[i,f] = p_f l(|i-f|)`` and a a decay with ``a <= e^-epsilon``, so that every row x of a
private matrix has ``a x[f] <= x[f+1] <= x[f] / a``. For prices u let ``g = c[i,.] - u``. From the left,

    S_j = g_j + step(S_(j-1)),     step(s) = a s if s >= 0 else s / a,
    sum_(k<=j) g_k x_k >= S_j x_j  by induction,

likewise T_j from the right. So ``sum_k g_k x_k >= W_i x_h``, ``W_i = step(S_(h-1)) + T_h`` for any position
h, the home, and since ``x_h <= 1`` the objective of every private mechanism is at least ``sum u - sum_i
max(0, -W_i)``.

Law of the remap. Where all S before home are zero or more, ``S_j = L_i(j) = sum_(k<=j) a^(j-k) g_k``, a
linear sum. Given a remap rho that never decreases and prices ``u_f = c[rho(f),f] + e_f`` with ``e_f >= 0``,
let h(i) be the last draw j with ``rho(j) <= i``. If

    (1)  L_i(j) >= 0            for each draw j < n, at i = rho(j+1),
    (2)  L_i(h(i) - 1) >= 0     for each i < h(i) that is no answer of the remap,

then ``L_i(j) >= 0`` for all rows i and j < h(i). Proof, by induction over i. If rho(j+1) = i it is (1). Else
rho(j+1) <= i-1, so that j < h(i-1) and L_(i-1)(j) >= 0. For ``j <= i-1`` the costs of row i are nowhere
lower at k <= j, as the loss does not decrease: ``L_i(j) >= L_(i-1)(j)``. For ``j >= i``, every k in
i..h(i)-1 has ``rho(k) <= i <= k``, so that ``c[i,k] <= c[rho(k),k] <= u_k`` and ``g_k <= 0``; as ``L_i(k-1)
= (L_i(k) - g_k) / a``, all of L_i(i-1), ..., L_i(h(i)-1) are zero or more if the last one is, which is (1)
or (2).

The mirror image of the question gives the same from the right, for all positions beyond h'(i), the first
draw with ``rho(j) >= i``. If i is an answer of the remap, h'(i) <= h(i) and both are a home; if not, h'(i) =
h(i) + 1, and h(i) and h'(i) are homes with one step more that may be negative. The larger of both W_i
counts.

All L that are needed lie on one walk along the remap: the next draw multiplies by a and subtracts e, the next
answer adds a sum of `decaying_sums`. Everything is rounded down, so that no computed sum exceeds the true
one; (1), (2) and W hold for the true sums if they hold for the computed ones.

Source: the prices solve ``K u = b``, K the Kac-Murdock-Szego matrix ``a^|r-j|``;
`optmech.theorems.counting`. For losses that do not decrease the theorem of Ghosh, Roughgarden, Sundararajan
2012 says that they meet (1), (2) and W >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError
from optmech.proofs.chain.decaying_sums import DecayingSums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.chain_question import ChainQuestion

MOST_SMOOTHING = 2**10


@dataclass(frozen=True, slots=True)
class TruthPrices:
    """Value of each truth beyond the loss of its best answer.

    e_0, ..., e_n, zero or more, in units of ``2**-bits / unit``; `bits` are at most those of the decay. With
    `smoothing` they are prices of weights that are all larger by ``2**-smoothing`` of their unit: far from
    truths with positive weight, answers differ by less than the fixed-point resolution. The largest effect on
    any objective is subtracted from the bound.
    """

    extras: tuple[int, ...]
    bits: int
    smoothing: int | None = None


def smoothed(question: ChainQuestion, bits: int | None) -> ChainQuestion:
    """Return the question with each weight larger by ``2**-bits`` of its unit, or as it is."""
    if bits is None:
        return question
    weights = tuple((weight << bits) + 1 for weight in question.weights)
    largest = max(weights) * (question.largest // max(question.weights))
    return replace(question, weights=weights, unit=question.unit << bits, largest=largest)


def price_bound(
    question: ChainQuestion, decay: int, bits: int, answers: Sequence[int], prices: TruthPrices
) -> Fraction:
    """Return the lower bound on the loss of every private mechanism that the prices prove.

    The decay is at most ``e^-epsilon``, in units of ``2**-bits``. The answers to draws, as many as truths,
    never decrease. Any prices are sound; poor ones prove little, or break (1) or (2) and raise
    VerificationError.
    """
    shift, number = bits - prices.bits, question.num_truths
    if len(prices.extras) != number or shift < 0 or prices.bits < 0 or min(prices.extras) < 0:
        message = (
            "prices must be zero or more, one for each truth, and no finer than the noise; they are not."
        )
        raise VerificationError(message)
    if prices.smoothing is not None and not 0 <= prices.smoothing <= MOST_SMOOTHING:
        message = f"`smoothing` must be from 0 to {MOST_SMOOTHING:,}; got {prices.smoothing}."
        raise VerificationError(message)
    priced, excess = smoothed(question, prices.smoothing), Fraction(0)
    if prices.smoothing is not None:
        excess = Fraction(number * question.heights[number - 1], priced.unit)
    extras = [extra << shift for extra in prices.extras]
    own_side = _side(priced, priced.weights, (decay, bits), answers, extras)
    weights, other_answers = priced.weights[::-1], [number - 1 - answer for answer in reversed(answers)]
    mirrors = priced.weights == weights and list(answers) == other_answers and extras == extras[::-1]
    right = own_side if mirrors else _side(priced, weights, (decay, bits), other_answers, extras[::-1])

    def step(value: int) -> int:
        return value * decay >> bits if value >= 0 else (value << bits) // decay

    lacking = 0
    for (first, last), (other_first, other_last) in zip(own_side, reversed(right), strict=True):
        total = max(last + step(other_first), step(first) + other_last)
        if total < 0:
            lacking -= total
    costs = (
        weight * priced.heights[abs(answer - draw)]
        for draw, (answer, weight) in enumerate(zip(answers, priced.weights, strict=True))
    )
    total = sum(costs) << bits
    return Fraction(total + sum(extras) - lacking, priced.unit << bits) - excess


def _side(
    question: ChainQuestion,
    weights: Sequence[int],
    decay: tuple[int, int],
    answers: Sequence[int],
    extras: Sequence[int],
) -> list[tuple[int, int]]:
    """Return for each row the lower ends of L where the walk first reaches it and where it leaves it.

    That is, for an answer i of the remap, L_i before its draws and at the last of them; for any other, twice
    L_i(h(i)); zero where no draw is answered by i or less.
    """
    (numerator, bits), largest = decay, question.num_truths - 1
    rise, heights = DecayingSums(question, weights, numerator, bits).of, question.heights
    pairs = [(0, 0)] * (largest + 1)
    row, value, first = answers[0], 0, 0
    for draw in range(largest + 1):
        value = (value * numerator >> bits) - extras[draw]
        best = answers[draw]
        pairs[row] = first, value
        if draw == largest:
            following = largest + 1
        elif (following := answers[draw + 1]) == row and value < 0:
            raise _no_proof(draw)
        while row < following and row < largest:
            value += rise(row, draw)
            row += 1
            first = value
            if row == following:
                if value < 0:
                    raise _no_proof(draw)  # (1)
                break
            pairs[row] = value, value
            saved = weights[draw] * (heights[abs(row - draw)] - heights[abs(best - draw)])
            if row < draw and value < (saved << bits) - extras[draw]:
                raise _no_proof(draw)  # (2)
    return pairs


def _no_proof(draw: int) -> VerificationError:
    message = (
        f"the prices must leave something over at each draw; at draw {draw} they do not. They prove nothing."
    )
    return VerificationError(message)
