"""Randomized response in two numbers, with the two multipliers that prove it best.

With y the multiplier of each pair at home the reduced costs off the diagonal are ``w c - F y - t``, and with
``t = (n - 1) y`` those on it are zero. So y = w c / (F + n - 1) is the largest, and the bound n t.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.designs.closed_form import enclosure
from optmech.proofs.multipliers import TwoMultipliers
from optmech.proofs.two_numbers import TwoNumberCertificate, TwoNumbers
from optmech.question.two_costs import cost_elsewhere, over_truths

if TYPE_CHECKING:
    from optmech.question.problem import Problem


def certificate_of_two_numbers(problem: Problem) -> TwoNumberCertificate:
    """Return the optimum of a question of two costs, proved.

    >>> import optmech as om
    >>> certificate_of_two_numbers(om.question(om.categories("abc"), "ln 2")).objective
    Fraction(1, 2)
    """
    factor, size, cost = enclosure(problem), problem.query.num_truths, cost_elsewhere(problem)
    assert cost is not None  # noqa: S101 - else the question is not in two numbers
    weight = Fraction(1, 1 if over_truths(problem) == "sum" else size)
    price = weight * cost / (factor.upper + size - 1)
    y, unit = price.as_integer_ratio()
    home, other = factor.lower.as_integer_ratio()
    return TwoNumberCertificate(
        problem=problem,
        factor=factor,
        matrix=TwoNumbers(size, home=home, other=other),
        proof=TwoMultipliers(denominator=unit, privacy=y, total=(size - 1) * y),
    )
