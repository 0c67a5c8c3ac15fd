"""How long the proof of noise and thresholds takes, before it is begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.proofs.chain.bound import listed_truths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.chain.noise import Noise
    from optmech.question.chain_question import ChainQuestion

__all__ = ["MOST_WORK", "work"]

MOST_WORK = 2**26


def work(question: ChainQuestion, noise: Noise, thresholds: Sequence[int]) -> int:
    """Return how many truths the thresholds look at: where F is listed, and from there to the turn."""
    number = question.num_truths
    never, always = noise.ends(number)
    total = (len(noise.cumulative) // noise.period + 1) * len(thresholds)
    for place, turn in zip(thresholds, question.signs, strict=True):
        start, stop = listed_truths(noise, place, number) if never < place < always else (0, 0)
        if place >= always:
            start = stop = number
        total += max(stop, turn) - min(start, turn)
    return total
