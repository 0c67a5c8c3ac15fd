"""All distances up to a largest one: Theorem 3 and Corollary 2 of Kadam et al. with the sections as printed.

Theorem 3 lists the shortenings of `kadam_bounded` by sections (h, j). They are all of them, in the right
order, where

    b + r <= mu  and  b <= 3  and  (b <= 2 or e^epsilon >= xi_{b-1}).

Beyond, the printed lengths leak more than delta (b >= 4), or the sections come in another order (small
epsilon).

Source: Kadam et al. 2024, Theorem 3 (30)-(41), Corollary 2 (42).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_bounded import LEMMA_4, LIMITS, SHORT_STAIRCASES, lemma_4, shortened_masses
from optmech.theorems.kadam_question import Letters, closed_form, condition, noise_matrix
from optmech.theorems.powers import Amount, Doubles, Powers, at_most
from optmech.theorems.theorem import Relation, Theorem, Truth

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

_LARGEST_B = 3


def in_corrected_domain(powers: Powers[Any], n: int, largest: int) -> bool:
    """Whether Theorem 3 gives the optimum of the printed program."""
    b, r = divmod(n, largest)
    if b + r > largest or b > _LARGEST_B:
        return False
    # e^epsilon >= xi_{b-1}; for b = 3 that is epsilon >= ln 1.618...
    return b < _LARGEST_B or at_most(powers.terms(b - 1) * powers.power(1), powers.number(1))


def sections(b: int) -> Iterator[tuple[int, int]]:
    """Yield the sections (h, j) of Theorem 3 in the order of its index k."""
    for h in range(1, b):
        for j in range(1, h + 1):
            yield h, j


def section_lengths(n: int, largest: int, h: int, j: int) -> tuple[int, ...]:
    """Return the step lengths of the flat region (h, j), Kadam (31) with (32).

    >>> section_lengths(8, 3, 1, 1)
    (1, 3, 2, 3)
    """
    b, r = divmod(n, largest)
    u = int(j != h)  # (32)
    lengths = [1] + [largest] * (b - h) + [largest - 1] * h + [r + h - u]  # (31)
    if u:
        lengths[b - h + j + 1] = largest
    return tuple(lengths)


def printed_accuracy(powers: Powers[Amount], n: int, largest: int, delta: Fraction) -> Amount:
    """Return ``f(0)`` of Theorem 3, its sections searched in the printed order.

    Lengths (31) and boundaries (37) are as printed; flat heights are one over the sum of the lengths' powers.
    """
    b = n // largest
    budget = powers.number(delta)
    flat = 1 / powers.total(lemma_4(n, largest).masses)  # (29)
    if b < 1 or at_most(budget, flat * powers.power(b - 1)):  # (37b)
        return flat
    for h, j in sections(b):
        flat = 1 / powers.total(section_lengths(n, largest, h, j))
        loss = powers.power(b - h) * powers.terms(j)
        if at_most(budget, flat * loss):  # (37c)
            return budget / loss  # (39), i = 0
        over = powers.power(b - h) * powers.terms(j + 1) if j < h else powers.power(b - h - 1)
        if at_most(budget, flat * over):  # (37a), (37b)
            return flat
    return budget  # (40)


def printed_required_delta(powers: Powers[Amount], n: int, largest: int, accuracy: Fraction) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``, Kadam Corollary 2 (42)."""
    b = n // largest
    target, one = powers.number(accuracy), powers.number(1)
    if accuracy <= 0 or at_most(powers.total(lemma_4(n, largest).masses) * target, one):
        return powers.number(0)
    for h, j in sections(b):
        if at_most(powers.total(section_lengths(n, largest, h, j)) * target, one):
            return powers.power(b - h) * powers.terms(j) * target  # (42)
    return target


def _is_inside(letters: Letters) -> bool:
    return in_corrected_domain(Doubles(letters.epsilon), *letters.size_and_largest)


_hypothesis = condition(
    lambda of: of.steps < of.distances[-1],
    "b + r is not below the largest distance.",
)
_inside = condition(
    _is_inside, "b + r <= largest distance, b <= 3 and (b <= 2 or e^epsilon >= xi_(b-1)) do not all hold."
)
_beyond = condition(lambda of: not _is_inside(of), "Theorem 3 holds here, as far as is known.")

_THEOREM_3 = closed_form(lambda powers, of: 1 - printed_accuracy(powers, *of.size_and_largest, of.delta))

THEOREMS = (
    LEMMA_4,
    Theorem(
        name="kadam-theorem-3",
        source="Kadam et al. 2024, Theorem 3 (30)-(41), with its domain corrected",
        says=(
            "Under the printed program the best noise is a staircase with steps shortened section by section."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        conditions=(ask.error_rate, ask.bounded, ask.as_printed, _inside),
        form=_THEOREM_3,
        matrix=noise_matrix(shortened_masses),
    ),
    Theorem(
        name="kadam-theorem-3-under-definition-2",
        source="Kadam et al. 2024, Theorem 3 (30)-(41)",
        says=(
            "The same staircase is the best noise under Definition 2, where each distance has its own budget."
        ),
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        conditions=(ask.error_rate, ask.bounded, _hypothesis, ask.definition),
        form=_THEOREM_3,
        counter_example=(
            "n = 6, largest distance 3, epsilon 1.5, delta 0.26: "
            "it gives f(0) = 0.561775, the optimum is 0.581673. For the printed program (13) it holds "
            "wherever it was computed with b up to 3 and epsilon not small."
        ),
    ),
    Theorem(
        name="kadam-theorem-3-beyond",
        source="Kadam et al. 2024, Theorem 3 (30)-(41), where b > 3 or epsilon is small",
        says="The same staircase is the best noise for any number of steps and any epsilon.",
        relation=Relation.EQUAL,
        truth=Truth.FALSE,
        conditions=(
            ask.error_rate,
            ask.bounded,
            _hypothesis,
            ask.as_printed,
            _beyond,
        ),
        form=_THEOREM_3,
        counter_example=(
            "n = 20, largest distance 5, epsilon 1, delta 0.0989877948: its noise leaks 0.112384; "
            "f(0) = 0.269077 is printed, 0.268241 the optimum. n = 12, largest distance 4, epsilon 0.3, "
            "delta 0.173528: 0.134557 is printed, delta itself the optimum."
        ),
    ),
    Theorem(
        name="kadam-corollary-2",
        source="Kadam et al. 2024, Corollary 2 (42), with the domain of Theorem 3 corrected",
        says=(
            "Under the printed program the least delta belongs to the first section that allows "
            "the error rate."
        ),
        relation=Relation.EQUAL,
        truth=Truth.NUMERICAL,
        conditions=(ask.least_delta, ask.bounded, ask.as_printed, _inside),
        form=closed_form(
            lambda powers, of: printed_required_delta(powers, *of.size_and_largest, of.accuracy)
        ),
    ),
    *SHORT_STAIRCASES,
    *LIMITS,
)
"""Theorems for all distances up to a largest one."""
