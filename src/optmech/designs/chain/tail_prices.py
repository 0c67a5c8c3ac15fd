"""Prices of truths, ``K^-1 b`` for the losses b of the best answers to draws: the proof for crossing answers.

Model
-----
    b_j = sum_k a^|j-k| p_k l(|rho(j)-k|),     K the matrix a^|r-j|

Source: `optmech.theorems.counting`. The proof is in `optmech.proofs.chain.price_bound`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.proofs.chain.decaying_sums import DecayingSums
from optmech.proofs.chain.price_bound import TruthPrices, smoothed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.chain_question import ChainQuestion

# Prices are rounded to this part of their mean, for their text to be short and to leave room for rounding.
_PRICE_BITS = 44


def prices_of(
    question: ChainQuestion, decay: int, bits: int, answers: Sequence[int], smoothing: int | None = None
) -> TruthPrices:
    """Return the prices, rounded down by one to two units.

    Where a draw and those beside it are answered alike, the price is the loss of that answer itself.
    """
    priced = smoothed(question, smoothing)
    one, last = 1 << bits, priced.num_truths - 1
    square, scale = one * one + decay * decay, one * one - decay * decay
    losses = _losses_of_draws(priced, decay, bits, answers)
    costs = [0, *losses, 0]
    sums = [
        square * costs[draw] - decay * one * (costs[draw - 1] + costs[draw + 1])
        for draw in range(1, last + 2)
    ]
    mean = (sum(sums) - decay * decay * (losses[0] + losses[-1])) // (scale * (last + 1))
    kept = min(max(0, _PRICE_BITS + bits - mean.bit_length()), bits - _PRICE_BITS // 2)
    sums[0] -= decay * decay * losses[0]
    sums[-1] -= decay * decay * losses[-1]
    extras = []
    for draw, total in enumerate(sums):
        answer = answers[draw]
        alike = answers[max(draw - 1, 0)] == answer == answers[min(draw + 1, last)]
        extra = total // scale - (priced.weights[draw] * priced.heights[abs(answer - draw)] << bits)
        extras.append(0 if alike else max(0, (extra >> bits - kept) - 1))
    return TruthPrices(tuple(extras), kept, smoothing)


def _losses_of_draws(question: ChainQuestion, decay: int, bits: int, answers: Sequence[int]) -> list[int]:
    """Return upper ends of b, in units of ``2**-bits / unit``."""
    weights, last = question.weights, question.num_truths - 1
    below = _one_side(question, weights, (decay, bits), answers)
    mirrored = [last - answer for answer in reversed(answers)]
    above = _one_side(question, weights[::-1], (decay, bits), mirrored)
    return [
        left + right - (weights[draw] * question.heights[abs(answers[draw] - draw)] << bits)
        for draw, (left, right) in enumerate(zip(below, reversed(above), strict=True))
    ]


def _one_side(
    question: ChainQuestion, weights: Sequence[int], decay: tuple[int, int], answers: Sequence[int]
) -> list[int]:
    """Return upper ends of ``sum_(k<=j) a^(j-k) p_k l(|rho(j)-k|)``."""
    numerator, bits = decay
    rises = DecayingSums(question, weights, numerator, bits)
    sums, last, answer = list[int](), 0, answers[0]
    for draw, best in enumerate(answers):
        while answer < best:
            last += rises.of(answer, draw - 1) + rises.width
            answer += 1
        last = -(-last * numerator >> bits) + (weights[draw] * question.heights[abs(best - draw)] << bits)
        sums.append(last)
    return sums
