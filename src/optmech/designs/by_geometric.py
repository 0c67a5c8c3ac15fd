"""The engine of geometric noise: a distribution for truths in a row, and the prices that prove it.

Time and memory grow linearly with the number of truths, which may be millions: a second or so for 100,000.

Source: Ghosh, Roughgarden, Sundararajan 2012; Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variant 1.
"""

from __future__ import annotations

import time
from math import ceil, log
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import VerificationError
from optmech.designs.engine_result import EngineResult, need_fit
from optmech.designs.geometric_remap import best_remap
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.geometric_bound import Prices
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.proofs.geometric_sums import MOST_BITS, Decay, losses_of_draws
from optmech.question.path_question import PathQuestion, no_path_question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.problem import Problem

# Added to all weights, so much less than the heaviest moves no objective by a gap that counts.
_SMOOTHING_BITS = 90
_GOOD_GAP = 1e-10
# Of all numbers in a list: beyond, minutes pass.
_MOST_LISTED_BITS = 10_000_000
# Prices are rounded to this part of their mean, for their text to be short and to leave room for rounding.
_PRICE_BITS = 44


def by_geometric(problem: Problem) -> EngineResult:
    """Return the optimal mechanism of truths in a row, proved.

    Others are refused with a `ProblemError`; with a `VerificationError` weights that differ too much.
    """
    need_fit("geometric", no_path_question(problem), "Take auto.")
    start = time.perf_counter()
    return EngineResult.certified(
        "geometric",
        _best(problem),
        solver="theorem of Ghosh, Roughgarden and Sundararajan",
        method="closed form",
        message="geometric noise, clamped, then the best answer to each draw",
        seconds=time.perf_counter() - start,
    )


def _best(problem: Problem) -> GeometricCertificate:
    question = PathQuestion.of(problem)
    heaviest, range_bits = max(question.weights).bit_length(), question.largest.bit_length()
    smoothing = max(0, _SMOOTHING_BITS + 3 * range_bits - heaviest)
    best: GeometricCertificate | None = None
    attempts: list[tuple[int, int | None]] = [(100, None), (400, None)]
    attempts.append((400 + heaviest + smoothing, smoothing))
    attempts += [(bits, None) for bits in (1600, 6400) if bits * question.largest <= _MOST_LISTED_BITS]
    for spare_bits, smoothing_of_attempt in attempts:
        try:
            certificate = _design(problem, question, spare_bits, smoothing_of_attempt)
        except VerificationError:
            continue
        if best is None or certificate.relative_gap < best.relative_gap:
            best = certificate
        if best.relative_gap <= _GOOD_GAP:
            break
    if best is None:
        message = (
            f"no bound can be proved for {problem}: its weights differ too much. "
            "Give every truth some weight, such as 1e-12 of the largest."
        )
        raise VerificationError(message)
    return best


def _design(
    problem: Problem, question: PathQuestion, spare_bits: int, smoothing: int | None
) -> GeometricCertificate:
    priced_question = question if smoothing is None else question.smooth(smoothing)
    decay, floor = decays_of(problem, spare_bits)
    remap = best_remap(priced_question, floor)
    prices = prices_of(priced_question, floor, remap, losses_of_draws(priced_question, floor, remap))
    return GeometricCertificate(
        problem=problem, decay=decay, floor=floor, remap=np.array(remap), prices=prices, smoothing=smoothing
    )


def decays_of(problem: Problem, spare_bits: int = 100) -> tuple[Decay, Decay]:
    """Return the decays of mechanism and bound, of equally many bits, around ``e^-epsilon``."""
    epsilon, largest = float(problem.privacy.epsilon), problem.query.num_truths - 1
    # Sums of up to n terms of up to n in size, each with 1 / (1 - a) roundings behind it.
    bits = spare_bits + 2 * largest.bit_length() + 3 * max(0, ceil(-log(epsilon) / log(2)) + 1)
    bits = min(bits + 2 * ceil(epsilon / log(2)), MOST_BITS)
    factor = enclose_exponential(problem.privacy.epsilon, bits + 8)
    one = 1 << bits
    return Decay(ceil(one / factor.lower), bits), Decay(int(one / factor.upper), bits)


def prices_of(question: PathQuestion, decay: Decay, remap: Sequence[int], losses: Sequence[int]) -> Prices:
    """Return ``K^-1 b`` for the losses b of draws, rounded down by one to two units.

    Where a draw and those beside it are answered alike, the price is the loss of that answer itself.
    """
    one, numerator, largest = 1 << decay.bits, decay.numerator, question.largest
    square, scale = one * one + numerator * numerator, one * one - numerator * numerator
    ends = numerator * numerator * (losses[0] + losses[-1])
    costs = [0, *losses, 0]
    sums = [
        square * costs[draw] - numerator * one * (costs[draw - 1] + costs[draw + 1])
        for draw in range(1, largest + 2)
    ]
    mean = (sum(sums) - ends) // (scale * (largest + 1))
    bits = min(max(0, _PRICE_BITS + decay.bits - mean.bit_length()), decay.bits - _PRICE_BITS // 2)
    sums[0] -= numerator * numerator * losses[0]
    sums[-1] -= numerator * numerator * losses[-1]
    extras = []
    for draw, total in enumerate(sums):
        answer = remap[draw]
        alike = remap[max(draw - 1, 0)] == answer == remap[min(draw + 1, largest)]
        extra = total // scale - (question.cost(answer, draw) << decay.bits)
        extras.append(0 if alike else max(0, (extra >> decay.bits - bits) - 1))
    return Prices(tuple(extras), bits)
