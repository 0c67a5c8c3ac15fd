"""The unbiased estimator of a matrix of some hundred numbers, in balls that hold the exact one.

Exact fractions of such a solution have a million bits in all and take minutes. In balls of 512 bits the
system is solved in seconds; that it could be solved proves that there is one solution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flint import arb, arb_mat, ctx

from optmech.release.estimates.localised import TooCloseError

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism

_BITS, _ENOUGH = 512, 64


def dense_estimates(mechanism: Mechanism) -> list[float]:
    """Return the unbiased estimate for each response in doubles.

    Raises
    ------
    TooCloseError
        If the precision does not tell whether there is one, or there are fewer or more responses than truths.
    """
    columns = [mechanism.weights(truth) for truth in mechanism.truths]
    possible = [at for at, row in enumerate(zip(*columns, strict=True)) if any(row)]
    if len(possible) != len(columns):
        raise TooCloseError
    with ctx.workprec(_BITS):
        shares = [[arb(column[at]) / sum(column) for at in possible] for column in columns]
        values = [[arb(truth.numerator) / truth.denominator] for truth in mechanism.truths]
        try:
            solution = arb_mat(shares).solve(arb_mat(values))
        except ZeroDivisionError:
            raise TooCloseError from None
        estimates = [0.0] * len(mechanism.responses)
        for row, at in enumerate(possible):
            ball = solution[row, 0]
            if ball.rel_accuracy_bits() < _ENOUGH and not abs(ball) < arb(2) ** -_ENOUGH:
                raise TooCloseError
            estimates[at] = float(ball.mid())
    return estimates
