"""The bound of a chain as multipliers of single ratios, for certificates of a matrix.

Law. A line of (E, delta) moves weight from truth to truth because of one of two rows of a threshold,

    a_f - E a_(f+1) <= delta,                    of the responses up to r_j
    (1 - a_(f+1)) - E (1 - a_f) <= delta,        of those beyond it.

Each is a sum of ``M[r,f] - E M[r,g] <= h[r,f,g]`` over these responses and of ``sum_r h[r,f,g] <= delta``. So
the multiplier of a ratio of response r is the sum of those of all thresholds whose responses it is among, and
that of the budget is the sum of all. The two minorants of a threshold are weighted so that slopes cancel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optmech.designs.duals import whole_multipliers
from optmech.proofs.chain.bound import Segments
from optmech.proofs.chain.curve import LINE_BITS, Line, lines_of_pairs
from optmech.proofs.multipliers import Leaf, Rule

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from optmech.proofs.chain.noise import Noise

    Floats = NDArray[np.float64]

__all__ = ["leaf_of_chain"]


class _Charges:
    """Multipliers of both rows of each threshold: shape (num_privacies, 2, num_steps, num_pairs)."""

    def __init__(self, pairs: Sequence[tuple[Fraction, Fraction]], steps: int, truths: int) -> None:
        self.table = np.zeros((len(pairs), 2, steps, truths - 1))
        self.factors = [float(factor) for factor, _ in pairs]
        self._owner: dict[Line, tuple[int, int]] = {}
        for owner, pair in enumerate(pairs):
            for kind, line in enumerate(lines_of_pairs([pair])):
                self._owner.setdefault(line, (owner, kind))

    def add(self, line: Line, step: int, edge: int, weight: float, *, up: bool) -> None:
        """Charge the row that makes this line: weight has moved from truth `edge`, or from the next one."""
        owner, kind = self._owner[line]
        # The first row bounds a_f, and the second 1 - a_(f+1), E times what they bound of the other truth.
        own = (kind == 0) == up
        self.table[owner, kind, step, edge] += weight if own else weight / self.factors[owner]


def leaf_of_chain(  # noqa: PLR0917 - each of another kind
    costs: Floats,
    signs: Sequence[int],
    noise: Noise,
    pairs: Sequence[tuple[Fraction, Fraction]],
    thresholds: Sequence[int],
    worst: Sequence[int],
) -> Leaf:
    """Return multipliers that prove what the thresholds prove, but for rounding.

    Parameters
    ----------
    costs : ndarray, shape (num_steps, num_truths)
        c_f(j).
    signs : sequence of int
        k_j.
    noise : Noise
    pairs : sequence of tuple of Fraction
        e^epsilon or a little more, and delta.
    thresholds : sequence of int
    worst : sequence of int
        The prior, in whole numbers over ``2**BITS``.
    """
    (steps, truths), period = costs.shape, noise.period
    lines = lines_of_pairs(pairs)
    segments = Segments(noise, lines)
    charges = _Charges(pairs, steps, truths)
    for step, (turn, place) in enumerate(zip(signs, thresholds, strict=True)):
        if not 0 < turn < truths:
            continue
        both = [_Charges(pairs, 1, truths) for _ in range(2)]
        slopes = []
        for side, own in enumerate(both):
            left = right = 0.0
            for f in range(turn):
                left += costs[step, f]
                line, _ = segments.at(place + side - period * f)
                if line is None:
                    left = 0.0
                else:
                    own.add(line, 0, f, left, up=True)
                    left *= line.slope / 2.0**LINE_BITS
            for f in range(truths - 1, turn, -1):
                right -= costs[step, f]
                _, line = segments.at(place + side - period * (f - 1))
                if line is None:
                    right = 0.0
                else:
                    right /= line.slope / 2.0**LINE_BITS
                    own.add(line, 0, f - 1, right * line.slope / 2.0**LINE_BITS, up=False)
            slopes.append(right - costs[step, turn] - left)
        fall, rise = slopes
        share = rise / (rise - fall) if fall < 0 < rise else float(abs(fall) < abs(rise))
        charges.table[:, :, step] = share * both[0].table[:, :, 0] + (1 - share) * both[1].table[:, :, 0]
    rules = [_rules(charges.table[owner], delta) for owner, (_, delta) in enumerate(pairs)]
    prior = np.empty(truths, dtype=object)
    prior[:] = worst
    return Leaf(rules=rules[0], further=tuple(rules[1:]) or None, worst=prior)


def _rules(table: Floats, delta: Fraction) -> dict[str, Rule]:
    """Return the multipliers of ratios and budgets that those of thresholds add up to."""
    steps, edges = table.shape[1:]
    zero = np.zeros((1, edges))
    lower = np.concatenate([table[0][::-1].cumsum(axis=0)[::-1], zero])
    upper = np.concatenate([zero, table[1].cumsum(axis=0)])
    places, weights, budgets, payments = [], [], [], []
    response, edge = np.indices((steps + 1, edges)).reshape(2, -1)
    for ratios, (here, beside) in ((lower, (edge, edge + 1)), (upper, (edge + 1, edge))):
        places.append(np.column_stack([response, here, beside]))
        weights.append(ratios.reshape(-1))
        of_edge = np.arange(edges)
        shift = int(here[0] > beside[0])
        budgets.append(np.column_stack([of_edge + shift, of_edge + 1 - shift]))
        payments.append(ratios.max(axis=0))
    privacy = _positive(np.concatenate(places), np.concatenate(weights))
    if not delta:
        return {"privacy": privacy}
    budget = _positive(np.concatenate(budgets), np.concatenate(payments))
    return {"privacy": privacy, "budget": budget}


def _positive(places: NDArray[np.int64], weights: Floats) -> Rule:
    whole = whole_multipliers(weights)
    places_used = np.flatnonzero(whole > 0)
    return Rule(places=places[places_used], weights=whole[places_used])
