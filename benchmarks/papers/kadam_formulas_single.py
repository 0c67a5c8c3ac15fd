"""Misprinted formulas and false claims of Kadam et al. 2024 on one distance, and on answers without number.

As in `kadam_formulas` a small function evaluates each formula exactly as printed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.papers.digits import misprint
from benchmarks.papers.item import Weight
from benchmarks.papers.kadam_closed_forms import bounded_limit_mass, single_limit_mass
from optmech.designs.design import solved_design
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.question.queries import residues
from optmech.theorems.kadam_question import cycle_length
from optmech.theorems.kadam_single import single_masses
from optmech.theorems.powers import Doubles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.papers.item import Line
    from optmech.question.query import Query

__all__ = ["as_printed", "limit_lines", "one_way", "single_lines"]

_N, _EPSILON = 7, Fraction(3, 4)  # the setting of Fig. 9; its distances are 3 and 2
_FAR = 2_000  # noise beyond is below e^-300 in the limits
_NOTHING = 1e-9  # a solver's zero


def one_way(n: int, distances: Iterable[int]) -> Query:
    """Return answers 0..n of which one neighbour is protected against the other, as in the paper."""
    return residues(n + 1, distances, symmetric=False)


def as_printed(value: float) -> str:
    """Return what a printed formula gives, with six digits."""
    return f"{value:.6g}"


def _flat_end(n: int, k: int, epsilon: float) -> float:
    """Evaluate (19a)."""
    return math.exp(-(n - k - 1) * epsilon) * -math.expm1(-epsilon) / -math.expm1(-(n - k + 1) * epsilon)


def _flat_start(n: int, k: int, epsilon: float) -> float:
    """Evaluate (19c)."""
    return math.exp(-(n - k) * epsilon) * -math.expm1(-epsilon) / -math.expm1(-(n - k + 1) * epsilon)


def _delta_below_first_jump(n: int, error_rate: float, epsilon: float) -> float:
    """Evaluate the trend in the text after (22)."""
    return (1 - error_rate) * math.exp(-n * epsilon)


def _error_rate_at_threshold(n: int, k: int, epsilon: float) -> float:
    """Evaluate the right side of (25)."""
    return 1 - math.expm1(-epsilon) / math.expm1(-(n + 1 - k) * epsilon)


def _mass_in_first_linear_region(n: int, h: int, delta: float) -> float:
    """Evaluate the mass in the proof of Theorem 2, whose exponent lacks epsilon."""
    return math.exp(n - 1 - h) * delta


def _zeros_of_18b(n: int, distance: int) -> int:
    """Count the k of (18b), those outside of [i mu] for every i."""
    left = set(range(n + 1))
    for i in range(cycle_length(n + 1, distance)):
        left -= set(range(i * distance + 1))
    return len(left)


def _limit_44(epsilon: float) -> float:
    """Evaluate (44)."""
    return 0.5 if epsilon <= math.log(2) else math.exp(-epsilon)


def _limit_48(epsilon: float, largest: int) -> float:
    """Evaluate (48)."""
    if epsilon <= math.log(1 + largest):
        return 0.5
    near = largest * math.exp(-epsilon)
    return near / (near - math.expm1(-epsilon))


def _sum_of_45(epsilon: float) -> float:
    return math.fsum((1 - _limit_44(epsilon)) * math.exp(-h * epsilon) for h in range(_FAR))


def _sum_of_50(epsilon: float, largest: int) -> float:
    zero = 1 - _limit_48(epsilon, largest)  # (49)
    return zero + math.fsum(largest * zero * math.exp(-h * epsilon) for h in range(1, _FAR))


def single_lines() -> list[Line]:
    """Return what is wrong with one distance."""
    powers, epsilon = Doubles(_EPSILON), float(_EPSILON)
    size, setting = _N + 1, "n = 7, epsilon 0.75"
    short = single_masses(powers, size, 2, Fraction(0), cycle_length(size, 2) - 1)
    flat = single_masses(powers, size, 3, Fraction("0.009"), _N - 1)  # flat region k = 1
    three, linear = one_way(_N, [3]), "0.00588"
    # In the end, at a delta of 1, nothing is private: it is a limit, and cannot be asked.
    known = solved_design(kadam(three, _EPSILON, "0.999999999999")).mechanism.matrix[:, 0]
    return [
        misprint(
            "the proofs of Lemmas 2 and 3: f(0) of the least error rate, n = 7, distance 3, epsilon 0.1",
            "at least 0.5",
            1 - solved_design(kadam(three, "0.1")).objective,
            "assumed, and not needed: noise may be shifted, so the best has its largest mass at 0 anyway",
            Weight.SLIP,
        ),
        misprint(
            f"Lemma 2, the mass f_(4) in decreasing order, {setting}, distance 2, delta 0",
            as_printed(short[4 * 2 % size]),
            sorted(short, reverse=True)[4],
            "f_(h) = f(h mu) for h below N only: there the walk is at 0 again",
            Weight.SLIP,
        ),
        misprint(
            "(18b), number of masses that are zero, n = 7, distance 2",
            as_printed(_zeros_of_18b(_N, 2)),
            short.count(0),
            "f(k), not f_(k), is zero where k is no multiple of the distance modulo n + 1",
            Weight.SLIP,
        ),
        misprint(
            "the proof of Lemma 3: answers that multiples of the distance reach, n = 3, distance 2",
            as_printed(3 + 1),
            len({2 * k % (3 + 1) for k in range(3 + 1)}),
            "that the distance and n are prime does not help; distance and n + 1 must be relatively prime",
            Weight.SLIP,
        ),
        misprint(
            f"the text after Theorem 2: smallest positive mass of flat region 1, {setting}, distance 3",
            as_printed(_flat_end(_N, 2, epsilon)),
            min(mass for mass in flat if mass),
            "the end of flat region k is its own second smallest mass, not the smallest of region k - 1",
            Weight.SLIP,
        ),
        misprint(
            f"the text after (22): least delta at error rate 0.47, {setting}, distance 3",
            as_printed(_delta_below_first_jump(_N, 0.47, epsilon)),
            solved_design(kadam_least_delta(three, _EPSILON, at_most="0.47")).objective,
            "(1 - rho) e^(-(n-1) epsilon), as (24) has it",
            Weight.FORMULA,
        ),
        misprint(
            "(25) at k = n: error rate of the section, n = 7, distance 3, epsilon 0.01, delta 0.7",
            as_printed(_error_rate_at_threshold(_N, _N, 0.01)),
            solved_design(kadam(three, "0.01", "0.7")).objective,
            "has no root there; epsilon_n = 0",
            Weight.SLIP,
        ),
        misprint(
            f"the proof of Theorem 2: f(0) at delta = {linear}, {setting}, distance 3",
            as_printed(_mass_in_first_linear_region(_N, 0, float(linear))),
            1 - solved_design(kadam(three, _EPSILON, linear)).objective,
            "e^((n-1-h) epsilon) delta; the exponent lacks epsilon",
            Weight.FORMULA,
        ),
        misprint(
            f"the proof of Theorem 2: masses that are zero in the end, {setting}, distance 3",
            as_printed(_N - 1),
            int(np.count_nonzero(known < _NOTHING)),
            "all n masses but that at 0",
            Weight.SLIP,
        ),
    ]


def limit_lines() -> list[Line]:
    """Return what is wrong without bound on the number of answers."""
    low, middle, places = Doubles(Fraction(3, 10)), Doubles(Fraction(1, 2)), range(3 * _FAR + 1)
    i, n = 50, 100
    length = _flat_end(n, n - i, 1.0) - _flat_start(n, n - i, 1.0)
    return [
        misprint(
            "(45) with (44): sum of all masses, epsilon 0.3",
            as_printed(_sum_of_45(0.3)),
            math.fsum(single_limit_mass(low, h) for h in range(_FAR)),
            "f(0) = 1 - e^-epsilon for every epsilon; nothing keeps it at 0.5",
            Weight.THEOREM,
            theorem="kadam-single-limit-printed",
        ),
        misprint(
            "(49), (50) with (48): sum of all masses, largest distance 3, epsilon 0.5",
            as_printed(_sum_of_50(0.5, 3)),
            math.fsum(bounded_limit_mass(middle, 3, eta) for eta in places),
            "f(0) is one less (47) for every epsilon; nothing keeps it at 0.5",
            Weight.THEOREM,
            theorem="kadam-bounded-limit-printed",
        ),
        misprint(
            "the text after (51): length of flat region n - i over e^(-i epsilon), large i, epsilon 1",
            "0",
            length * math.exp(i),
            "tends to (1 - e^-epsilon) (e^epsilon - 1): O(e^(-i epsilon)), not o",
            Weight.SLIP,
        ),
    ]
