"""All distances up to a largest one: the staircase of Lemma 4, Theorem 3 as printed, and what it should be.

Write ``n = b mu + r`` with mu the largest distance, Kadam (26). Without leaks, level i = 1..b has mu
masses and level b + 1 has r. Shortening level i by one mass, which moves to level b + 1, makes one mass
of level i - 1 leak at distance mu. With s_i in {0, 1} for a level shortened, s_1 = 0, corrected Theorem 3
reads

    f(0) = max(delta, max_s min(delta / W(s), 1 / m(s)))
    W(s) = sum_i s_i e^(-(i-1) epsilon)
    m(s) = 1 + sum_{i<=b} (mu - s_i) e^(-i epsilon) + (r + sum_i s_i) e^(-(b+1) epsilon)

For ``b + r > mu`` what is left behind level b + 1 goes on in further levels. The noise is private in both
readings of MILP (13), so this bounds the error rate from above; that nothing is better under the
*printed* program for ``b + r <= mu`` or n <= 12 is known by computation only. Theorem 3
lists the shortenings of its sections (h, j). They are all of them, in the right order, where

    b + r <= mu  and  b <= 3  and  (b <= 2 or e^epsilon >= xi_{b-1}).

Beyond, the printed lengths leak more than delta (b >= 4), or the sections come in another order (small
epsilon). Under Definition 2 less is needed than staircases: `kadam_columns`.

Source: Kadam et al. 2024, Lemma 4, Theorem 3 (30)-(41), Corollary 2 (42).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from optmech.theorems.kadam_staircase import Staircase

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from flint import arb

    from optmech.theorems.kadam_powers import Powers
    from optmech.theorems.kadam_staircase import Levels

__all__ = [
    "MOST_LEVELS",
    "in_corrected_domain",
    "lemma_4",
    "most_levels",
    "printed_accuracy",
    "printed_required_delta",
    "section_lengths",
    "sections",
    "shortened",
    "shortened_levels",
]

Amount = TypeVar("Amount", float, "arb")

_LARGEST_B = 3

MOST_LEVELS = 12
"""With so many levels all choices of shortened ones are tried in some milliseconds."""


def lemma_4(n: int, largest: int) -> Staircase:
    """Return the staircase of Lemma 4 (28)-(29), the best one without leaks."""
    b, r = divmod(n, largest)
    return Staircase((1, *[largest] * b, r), ())


def shortened(n: int, largest: int) -> Iterator[Staircase]:
    """Yield the staircases of corrected Theorem 3: one for each choice of shortened levels.

    Where ``b + r > largest`` further levels follow. With one distance a shortened level is empty, and so are
    all behind it: Theorem 2. With two, zeros may follow a shortened level. The last staircase keeps the
    mass at 0 alone, which leaks itself: Theorem 3 (c).
    """
    if largest == 1:
        yield lemma_4(n, 1)
        for kept in range(1, n):
            yield Staircase((1,) * (kept + 1), (0,) * kept + (1,))
    else:
        yield from _continued(n, largest, (1,), ())
    yield Staircase((1,), (1,))


def _continued(
    left: int, largest: int, masses: tuple[int, ...], leaking: tuple[int, ...]
) -> Iterator[Staircase]:
    if left <= largest:
        yield Staircase((*masses, left), leaking)
    else:
        yield from _continued(left - largest, largest, (*masses, largest), (*leaking, 0))
    if len(masses) > 1 and left >= largest:
        short = largest - 1
        yield from _continued(left - short, largest, (*masses, short), (*leaking, 1))
    if largest == 2 and len(masses) > 1 and masses[-1] == 1 and left >= largest:  # noqa: PLR2004 - a lone mass
        yield Staircase(masses, (*leaking, 1))  # leaks at both distances, and zeros may follow


def most_levels(n: int, largest: int) -> int:
    """Return how many levels besides 0 a staircase may have, so that about 2 to this power must be tried."""
    return 1 if largest == 1 else -(-n // (largest - 1))


def shortened_levels(n: int, stairs: Staircase) -> Levels:
    """Return the level of each noise value of a staircase: the lengths in order, zero behind them."""
    levels = [level for level, length in enumerate(stairs.masses) for _ in range(length)]
    return (*levels, *[None] * (n + 1 - len(levels)))


def in_corrected_domain(powers: Powers[Amount], n: int, largest: int) -> bool:
    """Whether Theorem 3 gives the optimum of the printed program."""
    b, r = divmod(n, largest)
    if b + r > largest or b > _LARGEST_B:
        return False
    # e^epsilon >= xi_{b-1}; for b = 3 that is epsilon >= ln 1.618...
    return b < _LARGEST_B or powers.at_most(powers.terms(b - 1) * powers.power(1), powers.number(1))


def sections(b: int) -> Iterator[tuple[int, int]]:
    """Yield the sections (h, j) of Theorem 3 in the order of its index k."""
    for h in range(1, b):
        for j in range(1, h + 1):
            yield h, j


def section_lengths(n: int, largest: int, h: int, j: int) -> tuple[int, ...]:
    """Return the step lengths of the flat region (h, j), Kadam (31) with (32).

    Examples
    --------
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
    if b < 1 or powers.at_most(budget, flat * powers.power(b - 1)):  # (37b)
        return flat
    for h, j in sections(b):
        flat = 1 / powers.total(section_lengths(n, largest, h, j))
        loss = powers.power(b - h) * powers.terms(j)
        if powers.at_most(budget, flat * loss):  # (37c)
            return budget / loss  # (39), i = 0
        over = powers.power(b - h) * powers.terms(j + 1) if j < h else powers.power(b - h - 1)
        if powers.at_most(budget, flat * over):  # (37a), (37b)
            return flat
    return budget  # (40)


def printed_required_delta(powers: Powers[Amount], n: int, largest: int, accuracy: Fraction) -> Amount:
    """Return the least delta at which ``f(0) >= accuracy``, Kadam Corollary 2 (42)."""
    b = n // largest
    wanted, one = powers.number(accuracy), powers.number(1)
    if accuracy <= 0 or powers.at_most(powers.total(lemma_4(n, largest).masses) * wanted, one):
        return powers.number(0)
    for h, j in sections(b):
        if powers.at_most(powers.total(section_lengths(n, largest, h, j)) * wanted, one):
            return powers.power(b - h) * powers.terms(j) * wanted  # (42)
    return wanted
