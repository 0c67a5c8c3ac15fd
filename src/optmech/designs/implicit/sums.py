"""Walks along the remap: losses of draws and prices' partial sums, one side at a time, in fixed point.

Each step of the walk is one draw further or one answer further, so that all of a side takes 2 (n + 1) steps.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.designs.implicit.increments import Increments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.designs.implicit.decay import Decay
    from optmech.designs.implicit.question import ImplicitCount

__all__ = ["losses_of_draws", "mirrored_remap", "objective_of"]


def mirrored_remap(remap: Sequence[int]) -> list[int]:
    """Return the remap of the mirrored question."""
    largest = len(remap) - 1
    return [largest - answer for answer in reversed(remap)]


def losses_of_draws(question: ImplicitCount, decay: Decay, remap: Sequence[int]) -> list[int]:
    """Return upper ends of ``b_j = sum_k a^|j-k| p_k l(|rho(j)-k|)``, in units of ``2**-bits / unit``."""
    left = _one_side(question, decay, remap)
    other, other_remap = question.mirrored(), mirrored_remap(remap)
    mirrors = question.weights == other.weights and list(remap) == other_remap
    right = left if mirrors else _one_side(other, decay, other_remap)
    return [
        above + below - (question.cost(answer, draw) << decay.bits)
        for draw, (above, below, answer) in enumerate(zip(left, reversed(right), remap, strict=True))
    ]


def objective_of(question: ImplicitCount, decay: Decay, losses: Sequence[int]) -> Fraction:
    """Return ``sum_j w_j b_j`` with the weights w of the truncated geometric mechanism, rounded up.

    They are ``(1-a)/(1+a)``, and ``1/(1+a)`` for the first and last draw.
    """
    one = 1 << decay.bits
    total = (one - decay.numerator) * sum(losses) + decay.numerator * (losses[0] + losses[-1])
    return Fraction(-(-total // (one + decay.numerator)), one * question.unit)


def _one_side(question: ImplicitCount, decay: Decay, remap: Sequence[int]) -> list[int]:
    """Return upper ends of ``sum_(k<=j) a^(j-k) p_k l(|rho(j)-k|)``."""
    increments = Increments(question, decay)
    rise, width = increments.of, increments.width
    numerator, bits = decay.numerator, decay.bits
    sums, last, answer = [], 0, remap[0]
    for draw, best in enumerate(remap):
        while answer < best:
            last += rise(answer, draw - 1) + width
            answer += 1
        last = -(-last * numerator >> bits) + (question.cost(best, draw) << bits)
        sums.append(last)
    return sums
