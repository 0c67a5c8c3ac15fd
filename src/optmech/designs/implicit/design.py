"""From a question on a count to its implicit mechanism."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.base.errors import VerificationError
from optmech.designs.implicit.decay import decays_of
from optmech.designs.implicit.mechanism import ImplicitMechanism
from optmech.designs.implicit.proof import prices_of
from optmech.designs.implicit.question import ImplicitCount
from optmech.designs.implicit.remap import best_remap
from optmech.designs.implicit.sums import losses_of_draws

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike

    from optmech.base.numbers import Number

__all__ = ["implicit_count"]

# Added to all weights, so much less than the heaviest moves no objective by a gap that counts.
_SMOOTHING_BITS = 90
_GOOD_GAP = 1e-10
# Of all numbers in a list: beyond, minutes pass.
_MOST_BITS = 10_000_000


def implicit_count(
    largest: int,
    epsilon: Number,
    loss: str | Iterable[Number] = "absolute",
    prior: str | ArrayLike | None = None,
) -> ImplicitMechanism:
    """Return the optimal mechanism of a count 0..largest, too large for a matrix, and prove it.

    Time and memory grow linearly with `largest`: a second or so for 100,000. With a matrix the same question
    is ``design(croft(count(largest), epsilon, loss=loss, prior=prior))``.

    Parameters
    ----------
    largest : int
        The largest count, from 1 to ten million. Neighbours are one apart.
    epsilon : str, int, float or Fraction
        From 1e-100 to 700, kept exactly as typed; also ``"ln 2"``.
    loss : {"absolute", "squared", "zero-one"} or sequence
        Or the loss at distance 0, 1, ..., zero or more, not decreasing; the last entry holds for all larger
        distances. Time then grows with `largest` times the number of entries.
    prior : None, "uniform" or array_like, shape (largest + 1,)
        ``None`` counts each truth once: the objective is the plain sum over truths.

    Returns
    -------
    ImplicitMechanism
        Private, with a proved bound on every mechanism.

    Raises
    ------
    ProblemError
        If an argument breaks its rule.
    VerificationError
        If no bound can be proved: the weights differ too much.

    Examples
    --------
    >>> mechanism = implicit_count(100_000, "0.5", prior="uniform")
    >>> round(float(mechanism.objective), 6), mechanism.relative_gap < 1e-9
    (1.918979, True)
    >>> round(float(mechanism.column(500)[499]), 6), mechanism.entry(500, 499) == mechanism.entry(499, 500)
    (0.148551, True)

    References
    ----------
    Ghosh, Roughgarden, Sundararajan 2012; Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variant 1.
    """
    question = ImplicitCount.asked(largest, epsilon, loss, prior)
    heaviest, range_bits = max(question.weights).bit_length(), question.largest.bit_length()
    smoothing = max(0, _SMOOTHING_BITS + 3 * range_bits - heaviest)
    best: ImplicitMechanism | None = None
    attempts: list[tuple[int, int | None]] = [
        (100, None),
        (400, None),
        (400 + heaviest + smoothing, smoothing),
    ]
    attempts += [(bits, None) for bits in (1600, 6400) if bits * largest <= _MOST_BITS]
    for spare_bits, smoothed in attempts:
        try:
            made = _designed(question, spare_bits, smoothed)
        except VerificationError:
            continue
        if best is None or made.relative_gap < best.relative_gap:
            best = made
        if best.relative_gap <= _GOOD_GAP:
            break
    if best is None:
        message = (
            f"no bound can be proved for the {question}: its weights differ too much. "
            "Give every truth some weight, such as 1e-12 of the largest."
        )
        raise VerificationError(message)
    return best


def _designed(question: ImplicitCount, spare_bits: int, smoothing: int | None) -> ImplicitMechanism:
    priced = question if smoothing is None else question.smoothed(smoothing)
    decay, floor = decays_of(question, spare_bits)
    remap = best_remap(priced, floor)
    prices = prices_of(priced, floor, remap, losses_of_draws(priced, floor, remap))
    return ImplicitMechanism(
        question=question,
        decay=decay,
        floor=floor,
        remap=np.array(remap),
        prices=prices,
        smoothing=smoothing,
    )
