"""The loss of noise with thresholds, from above, in time linear in the number of steps.

Model
-----
    P_f(response <= r_j) = F(threshold_j - period f),      F of the noise; 0 and 1 beyond both ends
    loss = const + sum_j ( sum_(f < k_j) c_f(j) (1 - F) + sum_(f >= k_j) -c_f(j) F )

Every term is zero or more. Where places are listed F is exact; of tails beyond, each 1 - F or F is at most
that at the nearer end of the list.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.proofs.chain.bound import listed_truths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion

__all__ = ["upper_objective"]


def upper_objective(question: ChainQuestion, noise: Noise, thresholds: Sequence[int]) -> Fraction:
    """Return a loss that the mechanism does not exceed, and has without tails."""
    number, period, listed = question.num_truths, noise.period, noise.cumulative
    never, always = noise.ends(number)
    known: dict[tuple[int, int, tuple[int, ...]], int] = {}
    total, whole, cut = 0, 0, False
    for step, place in enumerate(thresholds):
        turn = question.signs[step]
        start, stop = (0, 0) if place <= never else (number, number)
        if never < place < always:
            start, stop = listed_truths(noise, place, number)
            cut |= start > 0 or stop < number
        column = tuple(question.column(step, start, stop))
        key = place - period * start, turn - start, column
        if key not in known:
            below = listed[key[0] - noise.first :: -period][: len(column)]
            certain = sum(cost for cost in column if cost > 0) << noise.bits
            known[key] = certain - sum(cost * share for cost, share in zip(column, below, strict=True))
        total += known[key]
        # Of a truth before those listed nearly all is below the threshold, of one behind them nearly nothing.
        if turn < start:
            whole += sum(map(abs, question.column(step, turn, start)))
        if stop < turn:
            whole += sum(map(abs, question.column(step, stop, turn)))
    total += whole << noise.bits
    if cut and noise.tail:
        total += max(listed[0], noise.one - listed[-1]) * question.variation
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << noise.bits)
