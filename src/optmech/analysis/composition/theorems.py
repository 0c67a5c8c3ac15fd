"""Bounds of the composition theorems, to compare an exact curve with.

Each takes what single uses promise and returns an (epsilon, delta) that all of them keep. They are formulas
in doubles, *recomputed*: compare with them, and publish what `compose` proves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from optmech.analysis.composition.curve import checked_epsilon
from optmech.base.errors import broken_rule
from optmech.base.numbers import exact_delta

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.base.numbers import Number


class Spent(NamedTuple):
    """An (epsilon, delta) that is kept."""

    epsilon: float
    delta: float


def basic_composition(each: Iterable[tuple[Number, Number]]) -> Spent:
    """Return the sums of epsilons and of deltas: Dwork, McSherry, Nissim, Smith 2006.

    It holds for adaptive queries.

    Examples
    --------
    >>> basic_composition([("0.5", 0), ("0.25", "0.125")])
    Spent(epsilon=0.75, delta=0.125)
    """
    budgets = _checked_budgets(each)
    return Spent(math.fsum(one.epsilon for one in budgets), min(1.0, math.fsum(one.delta for one in budgets)))


def parallel_composition(each: Iterable[tuple[Number, Number]]) -> Spent:
    """Return the largest epsilon and delta: McSherry 2009, Theorem 4.

    It holds where uses see disjoint records, chosen without a look at the data, and neighbours differ
    by the presence of one record. (Where one record is *replaced*, it may leave one part for another: then
    two uses are spent.)

    Examples
    --------
    >>> parallel_composition([("0.5", 0), ("0.25", "0.125")])
    Spent(epsilon=0.5, delta=0.125)
    """
    budgets = _checked_budgets(each)
    return Spent(max(one.epsilon for one in budgets), max(one.delta for one in budgets))


def group_privacy(epsilon: Number, delta: Number, size: int) -> Spent:
    """Return the guarantee for `size` persons: ``size epsilon``, ``delta sum_{i < size} e^(i epsilon)``.

    Vadhan 2017, Lemma 2.2.

    Examples
    --------
    >>> group_privacy("0.5", 0, 3)
    Spent(epsilon=1.5, delta=0.0)
    """
    (one,) = _checked_budgets([(epsilon, delta)])
    number = _positive(size, "size")
    growth = math.fsum(math.exp(step * one.epsilon) for step in range(number))
    return Spent(number * one.epsilon, min(1.0, one.delta * growth))


def advanced_composition(epsilon: Number, delta: Number, uses: int, slack: Number) -> Spent:
    """Return ``epsilon sqrt(2 k ln(1 / slack)) + k epsilon (e^epsilon - 1)`` and ``k delta + slack``.

    Dwork, Rothblum, Vadhan 2010, Theorem III.3, with k for `uses`. It holds for adaptive queries.

    Raises
    ------
    ProblemError
        If `slack` is zero, or an argument breaks its rule.

    Examples
    --------
    >>> promised = advanced_composition("0.1", 0, 100, "1e-6")
    >>> round(promised.epsilon, 6), promised.delta
    (6.308231, 1e-06)
    """
    (one,) = _checked_budgets([(epsilon, delta)])
    number, extra = _positive(uses, "uses"), float(exact_delta(slack))
    if not extra:
        raise broken_rule("slack", "be positive", "0", "Without slack use `basic_composition`.")
    spread = one.epsilon * math.sqrt(2 * number * math.log(1 / extra))
    return Spent(
        spread + number * one.epsilon * math.expm1(one.epsilon), min(1.0, number * one.delta + extra)
    )


def optimal_composition(epsilon: Number, uses: int, total_epsilon: Number) -> float:
    """Return the delta at `total_epsilon` of the worst composition of epsilon-private releases.

    No composition of `uses` pure epsilon-differentially private mechanisms spends more, adaptive or not, and
    randomised response spends as much. Kairouz, Oh, Viswanath 2015, Theorem 3.3: with
    ``t = e^epsilon``, the sum over l of ``C(k, l) max(0, t^(k-l) - e^total t^l) / (1 + t)^k``.

    Examples
    --------
    >>> round(optimal_composition("ln 3", 2, "ln 3"), 12)
    0.375
    """
    (one,) = _checked_budgets([(epsilon, 0)])
    number, total = _positive(uses, "uses"), float(checked_epsilon(total_epsilon))
    share = -math.log1p(math.exp(-one.epsilon))  # log(t / (1 + t))
    terms = []
    for wrong in range(number + 1):
        loss = (number - 2 * wrong) * one.epsilon
        if loss > total:
            weight = math.log(math.comb(number, wrong)) + number * share - wrong * one.epsilon
            terms.append(math.exp(weight) * -math.expm1(total - loss))
    return math.fsum(terms)


def _checked_budgets(each: Iterable[tuple[Number, Number]]) -> list[Spent]:
    budgets = [Spent(float(checked_epsilon(epsilon)), float(exact_delta(delta))) for epsilon, delta in each]
    if not budgets:
        raise broken_rule("each", "name what at least one use spends", "nothing")
    return budgets


def _positive(number: int, name: str) -> int:
    if isinstance(number, bool) or not hasattr(number, "__index__") or number.__index__() < 1:
        raise broken_rule(name, "be a positive whole number", repr(number))
    return number.__index__()
