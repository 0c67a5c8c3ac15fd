"""All distances up to a largest one, under Definition 2: a bound by columns, exact where it can be checked.

Write mu for the largest distance and put the noise values 1..n in mu columns: column c holds c, c + mu,
c + 2 mu, ..., in all L_c = b + 1 values for c <= r and b for the others. Cut column c behind its a_c-th
value, 1 <= a_c <= L_c. Then for every private noise

    f(0) <= max(delta, max_a min(delta / W(a), 1 / m(a)))
    W(a) = sum_{c: a_c < L_c} e^(-a_c epsilon),   m(a) = 1 + sum_c sum_{i <= a_c} e^(-i epsilon).

Proof. If 0 leaks at any distance, ``f(0) <= delta``. Else the first value of each column has a mass of at
least ``e^-epsilon f(0)``. Let column c leak at distance mu first from its a_c-th value (a_c = L_c if
nowhere). The i-th mass is at least ``e^(-i epsilon) f(0)`` up to there. The leaking ones sum to delta at
most, all to one.

The cuts attain it when the columns can be ordered so that no smaller distance leaks more than mu does.
`exact_levels` looks for such an order; with it the bound is the optimum. The paper does not have this;
its Theorem 3 is the optimum of the printed program only.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, islice, product
from math import comb
from typing import TYPE_CHECKING

from optmech.theorems import kadam_question as ask
from optmech.theorems.kadam_question import Letters, closed_form, condition, noise_matrix
from optmech.theorems.kadam_staircase import (
    Staircase,
    best_staircase,
    least_error_rate,
    least_required_delta,
    noise_masses,
)
from optmech.theorems.powers import Doubles
from optmech.theorems.theorem import proved_lower_bound, proved_optimum

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from optmech.base.logarithm import Logarithm
    from optmech.theorems.kadam_staircase import Levels

# This many choices of cuts are tried in about a tenth of a second.
_MOST_CUTS = 20_000
# Orders of the columns tried in search of one whose smaller distances leak no more.
_MOST_ORDERS = 5_000
# Sums of the same powers in another order differ by rounding.
_ROUNDING = 1e-12

Cuts = tuple[tuple[int, ...], tuple[int, ...]]


def _column_cuts(n: int, largest: int) -> Iterator[Cuts]:
    """Yield the cuts of the long and of the short columns, each increasing."""
    b, r = divmod(n, largest)
    long = combinations_with_replacement(range(1, b + 2), r)
    short = tuple(combinations_with_replacement(range(1, b + 1), largest - r))
    return product(long, short)


def _column_staircase(n: int, largest: int, cuts: Cuts) -> Staircase:
    """Return the staircase of one choice of cuts."""
    b = n // largest
    masses, leaking = [0] * (b + 2), [0] * (b + 2)
    masses[0] = 1
    for length, column in ((b + 1, cuts[0]), (b, cuts[1])):
        for border in column:
            for level in range(1, border + 1):
                masses[level] += 1
            leaking[border] += border < length
    return Staircase(tuple(masses), tuple(leaking))


def column_staircases(n: int, largest: int) -> Iterator[Staircase]:
    """Yield the staircase of every choice of cuts, and the one where 0 leaks."""
    for cuts in _column_cuts(n, largest):
        yield _column_staircase(n, largest, cuts)
    yield Staircase((1,), (1,))


def exact_levels(
    n: int, largest: int, epsilon: Fraction | Logarithm, delta: Fraction
) -> tuple[Levels, Staircase] | None:
    """Return the levels of a noise that attains the bound, and its staircase, ``None`` if none is found."""
    powers = Doubles(epsilon)
    best = best_staircase(column_staircases(n, largest), powers, delta)
    if best.masses == (1,):
        return (0, *[None] * n), best
    matching = (cuts for cuts in _column_cuts(n, largest) if _column_staircase(n, largest, cuts) == best)
    for long, short in matching:
        orders = ((*front, *back) for front in _orders(long) for back in _orders(short))
        for order in islice(orders, _MOST_ORDERS):
            levels = _levels(n, largest, order)
            if _smaller_distances_leak_less(levels, largest, best.leaking, powers):
                return levels, best
    return None


def _orders(cuts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the different orders of some cuts; the latest first is the one that most often works."""
    if not cuts:
        yield ()
    for first in sorted(set(cuts), reverse=True):
        rest = list(cuts)
        rest.remove(first)
        for order in _orders(tuple(rest)):
            yield first, *order


def _levels(n: int, largest: int, cuts: Sequence[int]) -> Levels:
    levels: list[int | None] = [0]
    for place in range(n):
        level = place // largest + 1
        levels.append(level if level <= cuts[place % largest] else None)
    return tuple(levels)


def _smaller_distances_leak_less(
    levels: Levels, largest: int, leaking: Sequence[int], powers: Doubles
) -> bool:
    worst = powers.total(leaking)
    budget = Counter({level: count for level, count in enumerate(leaking) if count})
    for distance in range(1, largest + 1):
        leaks = _leaks(levels, distance)
        if leaks != budget and powers.total([leaks[level] for level in range(len(leaking))]) > worst * (
            1 + _ROUNDING
        ):
            return False
    return True


def _leaks(levels: Levels, distance: int) -> Counter[int]:
    """Count the leaking masses of each level at one distance."""
    counts: Counter[int] = Counter()
    for place, level in enumerate(levels):
        beyond = levels[(place + distance) % len(levels)]
        if level is not None and (beyond is None or beyond > level + 1):
            counts[level] += 1
    return counts


def _num_cuts(letters: Letters) -> int:
    """Return the number of essentially different choices of cuts."""
    n, largest = letters.size_and_largest
    b, r = divmod(n, largest)
    return comb(r + b, r) * comb(largest - r + b - 1, largest - r)


_few_cuts = condition(lambda of: _num_cuts(of) <= _MOST_CUTS, "there are too many choices of cuts to try.")
_objection_to_order = condition(
    lambda of: exact_levels(*of.size_and_largest, of.epsilon, of.delta) is not None,
    "no order of the columns was found in which the smaller distances leak no more.",
)


def _masses(powers: Doubles, letters: Letters) -> list[float]:
    levels, stairs = exact_levels(*letters.size_and_largest, letters.epsilon, letters.delta) or (
        (0,),
        Staircase((1,), ()),
    )
    return noise_masses(powers, levels, stairs.leaking, letters.delta)


_COLUMNS = closed_form(
    lambda powers, of: least_error_rate(powers, column_staircases(*of.size_and_largest), of.delta)
)

THEOREMS = (
    proved_lower_bound(
        name="kadam-columns-bound",
        source="kadam_columns, for Kadam et al. 2024, Definition 2",
        says="No noise has a smaller error rate than the best cut of the columns, in either reading.",
        conditions=(ask.error_rate, ask.bounded, _few_cuts),
        form=_COLUMNS,
    ),
    proved_optimum(
        name="kadam-columns-exact",
        source="kadam_columns, for Kadam et al. 2024, Definition 2",
        says=(
            "Where the smaller distances leak no more than the largest, the best cut of the "
            "columns is optimal."
        ),
        conditions=(ask.error_rate, ask.bounded, _few_cuts, ask.definition, _objection_to_order),
        form=_COLUMNS,
        matrix=noise_matrix(_masses),
    ),
    proved_lower_bound(
        name="kadam-columns-least-delta",
        source="kadam_columns, for Kadam et al. 2024, (15)",
        says=(
            "No noise of a wanted error rate leaks less than the best cut of the columns, in either reading."
        ),
        conditions=(ask.least_delta, ask.bounded, _few_cuts),
        form=closed_form(
            lambda powers, of: least_required_delta(
                powers, column_staircases(*of.size_and_largest), of.accuracy
            )
        ),
    ),
)
"""Theorems for cut columns."""
