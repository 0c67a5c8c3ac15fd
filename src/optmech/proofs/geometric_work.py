"""How long the proof of geometric noise may take, told from sizes before anything is summed.

Objective and bound walk over all draws from each end, or once where both ends look the same. A step
multiplies numbers of m bits, those of the decay and of what it is multiplied with; a listed loss adds a
product for each distance at which it rises. That is, in the unit of the work of `check_certificate.py`,

    work = sides (n + 1) (5 (512 + m + m^2 / 1024) + rises (128 + m / 16))

More is allowed where there are more answers, and where more numbers are written out: who makes others wait
has to write as much. A million answers at the bits that a design takes are within it for epsilon from 1e-30
to 200, and ten million where it is about 1.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from optmech.base.errors import VerificationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.proofs.geometric_bound import Prices
    from optmech.proofs.geometric_sums import Decay
    from optmech.question.path_question import PathQuestion

_WORK, _WORK_OF_AN_ANSWER, _WORK_OF_A_NUMBER = 2**33, 2**14, 2**21
_SUMS, _STEP, _SQUARE, _PRODUCT, _SHORT = 5, 512, 1024, 128, 16


def need_little_work(
    question: PathQuestion,
    decays: tuple[Decay, Decay],
    remap: Sequence[int],
    prices: Prices,
    smoothing: int | None,
) -> None:
    """Refuse, with a VerificationError, a proof that would take more work than is allowed.

    The decays are those of the distribution and of the bound; by `smoothing` bits weights are finer for it.
    """
    decay, floor = decays
    extras = prices.extras
    is_even = question.weights == question.weights[::-1] and all(
        answer + other == question.largest for answer, other in zip(remap, reversed(remap), strict=True)
    )
    work = work_of(question, decay, 0) * (1 if is_even else 2)
    size = max(extras).bit_length() + max(0, floor.bits - prices.bits) - floor.bits
    is_even = is_even and extras == extras[::-1]
    work += work_of(question, floor, max(size, smoothing or 0, 0)) * (1 if is_even else 2)
    most = most_work(question, remap, extras)
    if work > most:
        message = (
            "the numbers of the distribution and of its prices must be so short that their sums take no more "
            f"work than {most:,}; they take {work:,}. Take fewer answers, or an epsilon nearer to 1."
        )
        raise VerificationError(message)


def work_of(question: PathQuestion, decay: Decay, more_bits: int) -> int:
    """Return the work of a walk from one end, of numbers with more bits than losses and weights ask for."""
    heaviest, loss = max(question.weights).bit_length(), question.loss_at(question.largest).bit_length()
    bits = decay.bits + 2 * decay.reach.bit_length() + heaviest + loss + more_bits
    rises = sum(map(bool, question.steps))
    step = _SUMS * (_STEP + bits + bits * bits // _SQUARE) + rises * (_PRODUCT + bits // _SHORT)
    return (question.largest + 1) * step


def most_work(question: PathQuestion, remap: Sequence[int], extras: Sequence[int]) -> int:
    """Return how much work all walks may take."""
    answers = question.largest + 1
    rises = [after - before for before, after in pairwise(remap)]
    num_runs = sum(1 for numbers in (rises, extras, question.weights) for _ in groupby(numbers))
    written = num_runs + len(question.steps)
    return _WORK + _WORK_OF_AN_ANSWER * answers + _WORK_OF_A_NUMBER * written
