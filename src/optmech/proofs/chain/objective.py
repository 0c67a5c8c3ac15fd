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
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.proofs.chain.noise import Noise
    from optmech.proofs.chain.steps import Step
    from optmech.question.chain_question import ChainQuestion


def upper_objective(question: ChainQuestion, noise: Noise, steps: Iterable[Step]) -> Fraction:
    """Return a loss that the mechanism does not exceed, and has without tails."""
    cumulative, one = noise.cumulative, noise.one
    total, certain, in_tails = 0, 0, False
    for step in steps:
        j, turn, (start, stop) = step.first, step.turn, step.listed
        top = step.place - noise.period * start - noise.first
        below = (
            cumulative[top - noise.period * (stop - start - 1) : top + 1 : noise.period]
            if start < stop
            else ()
        )
        column = question.column(j, start, stop)
        # c (1 - F) before the turn, where c >= 0, and -c F behind it.
        share = one * sum(column[: max(turn - start, 0)]) - sum(map(mul, column, reversed(below)))
        total += step.number * share
        # Of a truth before those listed nearly all is below the threshold, of one behind them nearly nothing.
        beyond = question.total(j, min(turn, start), start) + question.total(j, stop, max(turn, stop))
        certain += step.number * beyond
        in_tails |= step.is_inside and (start > 0 or stop < question.num_truths)
    total += certain << noise.bits
    if in_tails and noise.tail:
        total += max(cumulative[0], one - cumulative[-1]) * question.variation
    return Fraction(question.const, question.unit) + Fraction(total, question.unit << noise.bits)
