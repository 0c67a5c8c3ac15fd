"""Misprinted formulas and false claims of Kadam et al. 2024 on all distances up to a largest one.

Write ``n = b mu + r`` (26). Sections of Theorem 3 are named by its (h, j). As in `kadam_formulas` a small
function evaluates each formula exactly as printed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from scipy.optimize import brentq

from benchmarks.papers.digits import misprint
from benchmarks.papers.item import Weight
from benchmarks.papers.kadam_closed_forms import printed_zero_mass, section_limit_printed
from benchmarks.papers.kadam_formulas_single import as_printed, one_way
from optmech.designs.design import solved_design
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.kadam import kadam, kadam_least_delta
from optmech.theorems.kadam_bounded import lemma_4, shorten
from optmech.theorems.kadam_columns import column_staircases
from optmech.theorems.kadam_printed import printed_required_delta, section_lengths, sections
from optmech.theorems.kadam_staircase import circulant, least_error_rate, least_required_delta
from optmech.theorems.powers import Doubles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.papers.item import Line
    from optmech.question.query import Query

__all__ = ["bounded_lines"]

_EPSILON = Fraction(3, 2)  # of Table 1
# Just beyond a jump of the least delta, and just before one.
_HAIR = Fraction(1, 10**7)
# Sums of the same powers in another order differ by rounding.
_ROUNDING = 1e-9
_TALL = 200  # so many steps stand for infinitely many


def _up_to(n: int, largest: int) -> Query:
    return one_way(n, range(1, largest + 1))


def _lengths_38(n: int, largest: int, h: int, j: int) -> dict[int, int]:
    """Return the group lengths by (38) exactly as printed, of each i that it names."""
    b, r = divmod(n, largest)
    lone = b - h + j + 1
    lengths = {0: 1} | dict.fromkeys(range(1, b - h + 1), largest)
    lengths |= {i: largest - 1 for i in range(b - h + 1, b + 1) if i != lone}
    return lengths | {lone: 1, b + 2: r + h - 1}


def _heights_39(b: int, delta: float, lengths: Mapping[int, int]) -> dict[int, float]:
    """Return the height of each group of section (1, 1) by (39), the lone mass last."""
    lone = b + 1
    heights = {i: delta * math.exp((b - 1 - i + (i > lone)) * float(_EPSILON)) for i in lengths if i != lone}
    return heights | {lone: 1 - math.fsum(lengths[i] * heights[i] for i in heights)}


def _heights_of_proof(n: int, largest: int, delta: float) -> dict[int, float]:
    """Return psi_b and psi_(b+2) of section (1, 1) by the proof of Theorem 3."""
    b, rate = n // largest, float(_EPSILON)
    return {b: delta * math.exp(-b * rate), b + 2: delta * math.exp(-(b + 1) * rate)}


def _zero_mass_of_proof(n: int, largest: int, h: int, j: int) -> float:
    """Evaluate the expansion of (62), the second line before the end of the proof of Theorem 3."""
    b, r = divmod(n, largest)
    u, powers = int(j != h), Doubles(_EPSILON)
    total = 1 + largest * math.fsum(powers.power(i) for i in range(1, b + 1))
    total += (1 - largest * (1 - u)) * powers.power(b - h + j + 1)
    total += (r + h - u) * powers.power(b + 1)
    return 1 / (total - math.fsum(powers.power(i) for i in range(b - h + 1, b + 1)))


def _beta(powers: Doubles, n: int, largest: int, h: int, j: int) -> float:
    """Evaluate (36), which is right for j below h."""
    b, r = divmod(n, largest)
    last = (r + h - int(j != h)) * powers.power(b + 1)
    return 1 + powers.power(b - h + 1) * (powers.power(j) - powers.terms(h)) + last


def _beta_limit_52(powers: Doubles, c: int, j: int) -> float:
    """Evaluate (52)."""
    return 1 - powers.power(c + j + 1) / powers.complement()


def _number_of_sections(b: int) -> int:
    """Evaluate the number of flat regions before Theorem 3."""
    return b * (b - 1) // 2


def _flat_regions(powers: Doubles, n: int, largest: int) -> int:
    """Count the heights at which the least error rate of the printed program stays, but for delta = 0."""
    stairs, result = tuple(shorten(n, largest)), set()
    for one in stairs:
        if sum(one.masses) > 1 and any(one.leaking):
            flat = powers.total(one.masses)
            start = Fraction(powers.total(one.leaking) / flat) * (1 + _HAIR)
            if abs((1 - least_error_rate(powers, stairs, start)) * flat - 1) < _ROUNDING:
                result.add(one)
    return len(result)


def _leak(n: int, largest: int, lengths: Mapping[int, int], heights: Mapping[int, float]) -> float:
    """Return how much noise of these groups truly leaks."""
    masses = [heights[i] for i in sorted(lengths) for _ in range(lengths[i])]
    query = _up_to(n, largest)
    mechanism = MatrixMechanism.answering(query, circulant(masses))
    return mechanism.probabilistic_delta(query, _EPSILON)


def _flat_lines() -> list[Line]:
    """Return what is wrong with flat regions, in section (1, 1) of n = 12 and largest distance 4."""
    n, largest, powers = 12, 4, Doubles(_EPSILON)
    b, where = n // largest, "section (1, 1), n = 12, largest distance 4"
    setting = f"{where}, epsilon 1.5"
    flat = printed_zero_mass(powers, n, largest, 1, 1)
    lengths = section_lengths(n, largest, 1, 1)
    best = 1 - solved_design(kadam(_up_to(n, largest), _EPSILON, "0.05", reading="printed")).objective
    start = least_required_delta(powers, shorten(n, largest), Fraction(best) * (1 - _HAIR / 100))

    def excess(epsilon: float, *, printed: bool) -> float:
        at = Doubles(Fraction(epsilon))
        zero = printed_zero_mass(at, n, largest, 1, 1) if printed else 1 / at.total(lengths)
        return zero - 0.45  # 1 - rho

    roots = [float(brentq(lambda e, p=p: excess(e, printed=p), 0.5, 3, xtol=1e-13)) for p in (True, False)]
    note = (
        "for j = h alpha is e^-epsilon xi_b, and beta lacks e^(-j epsilon): "
        "1 - e^(-(b-h+1) epsilon) xi_h + (r+h) e^(-(b+1) epsilon); the expansion of (62), (37c) and (43) "
        "take it over, (62) itself is right"
    )
    return [
        misprint(f"(34)-(36): f(0) in {setting}, delta 0.05", as_printed(flat), best, note, Weight.FORMULA),
        misprint(
            f"the expansion of (62): f(0) in {setting}, delta 0.05",
            as_printed(_zero_mass_of_proof(n, largest, 1, 1)),
            best,
            note,
            Weight.FORMULA,
        ),
        misprint(
            f"(34) with (31): sum of all masses in {setting}",
            "1",
            flat * powers.total(lengths),
            note,
            Weight.FORMULA,
        ),
        misprint(
            f"(37c) with (34): the delta where {setting} turns flat",
            as_printed(flat * powers.power(b - 1) * powers.terms(1)),
            start,
            note,
            Weight.FORMULA,
        ),
        misprint(
            f"(43): the epsilon from which {where} has error rate 0.55",
            as_printed(roots[0]),
            roots[1],
            note,
            Weight.FORMULA,
        ),
        misprint(
            "the proof of Theorem 3: most masses of the last group, n = 12, largest distance 4",
            as_printed(b + n % largest),
            max(section_lengths(n, largest, h, j)[-1] for h, j in sections(b)),
            "b + r - 1; b + r may equal the largest distance too",
            Weight.SLIP,
        ),
        *(
            misprint(
                f"before Theorem 3: flat regions, delta > 0, n = {n}, largest distance {largest}, epsilon 1",
                as_printed(_number_of_sections(n // largest)),
                _flat_regions(Doubles(Fraction(1)), n, largest),
                "2^(b-1) - 1: each step but the first may be short or not; b (b-1) / 2 for b up to 3 only",
                Weight.FORMULA,
            )
            for n, largest in ((20, 5), (30, 6))
        ),
    ]


def _linear_lines() -> list[Line]:
    """Return what is wrong with linear regions."""
    n, largest, delta = 9, 4, 0.107  # the first linear region is delta = 0.106112 to 0.107298
    lengths = _lengths_38(n, largest, 1, 1)  # right for j = h
    heights, wrong = _heights_39(n // largest, delta, lengths), _heights_of_proof(n, largest, delta)
    setting = "n = 9, largest distance 4, epsilon 1.5"
    powers, b = Doubles(_EPSILON), n // largest
    zero = 1 / powers.total(lemma_4(n, largest).masses)
    lines = [
        misprint(
            "(38): number of masses of all groups in section (2, 1), n = 12, largest distance 4",
            as_printed(sum(_lengths_38(12, 4, 2, 1).values())),
            len(solved_design(kadam(_up_to(12, 4), _EPSILON)).mechanism.responses),
            "the groups with mu - 1 masses are i = b-h+1, ..., b+1 but for the lone one",
            Weight.FORMULA,
        ),
        misprint(
            f"the proof of Theorem 3: phi_b where delta = phi_(b-1), {setting}",
            as_printed(zero * powers.power(b - 1)),
            float(solved_design(kadam(_up_to(n, largest), _EPSILON)).mechanism.matrix[n - 1, 0]),
            "phi_b is e^-epsilon delta, not delta",
            Weight.SLIP,
        ),
    ]
    lone, leaks = b + 1, []
    for i in (b, b + 2):
        changed = heights | {i: wrong[i]}
        changed[lone] += lengths[i] * (heights[i] - wrong[i])
        leaks.append(_leak(n, largest, lengths, changed))
    lines += [
        misprint(
            f"the proof of Theorem 3: psi_{name}^1, {setting}, delta {delta:g}",
            as_printed(wrong[i]),
            heights[i],
            "delta e^-epsilon and delta e^(-2 epsilon), as (39) has them; with the printed psi_b and "
            f"psi_(b+2) the noise leaks {leaks[0]:.6g} and {leaks[1]:.6g}",
            Weight.SLIP,
        )
        for i, name in ((b, "b"), (b + 2, "(b+2)"))
    ]
    return lines


def _definition_lines() -> list[Line]:
    """Return what is wrong under Definition 2 where all of Theorem 3's hypotheses hold."""
    powers = Doubles(_EPSILON)
    zero, where = 1 / powers.total(lemma_4(9, 4).masses), "n = 9, largest distance 4, epsilon 1.5"
    more = Fraction(zero) * (1 + _HAIR)
    return [
        misprint(
            f"(37b): the delta where f(0) begins to rise, Definition 2, {where}",
            as_printed(zero * powers.power(9 // 4 - 1)),
            solved_design(kadam_least_delta(_up_to(9, 4), _EPSILON, at_most=1 - more)).objective,
            "phi_b where r > 0: a mass of the last group can be zero first; (37b) is of the printed program",
            Weight.THEOREM,
            theorem="kadam-theorem-3-under-definition-2",
        ),
        misprint(
            "(42): least delta at error rate 0.43, Definition 2, n = 6, largest distance 3, epsilon 1.5",
            as_printed(printed_required_delta(powers, 6, 3, Fraction("0.57"))),
            solved_design(kadam_least_delta(_up_to(6, 3), _EPSILON, at_most="0.43")).objective,
            "the least of the printed program only",
            Weight.THEOREM,
            theorem="kadam-theorem-3-under-definition-2",
        ),
    ]


def _limit_lines() -> list[Line]:
    """Return what is wrong in the limit of many answers, in section (b - c, j)."""
    powers, largest, c, j = Doubles(Fraction(1)), 5, 1, 2
    n = _TALL * largest
    where = "c = 1, j = 2, largest distance 5, epsilon 1"
    last = least_error_rate(Doubles(_EPSILON), column_staircases(_TALL, 2), Fraction(4, 5))
    note = (
        "1 + e^(-(c+j+1) epsilon) - e^(-(c+1) epsilon) / (1 - e^-epsilon) in (52), which (53) takes over; "
        "besides, b + r outgrows a fixed largest distance, where Theorem 3 does not speak"
    )
    return [
        misprint(
            f"(52): limit of beta, {where}",
            as_printed(_beta_limit_52(powers, c, j)),
            _beta(powers, n, largest, _TALL - c, j),
            note,
            Weight.FORMULA,
        ),
        misprint(
            f"(53): limit of f(0), {where}",
            as_printed(section_limit_printed(powers, largest, c, j)),
            1 / powers.total(section_lengths(n, largest, _TALL - c, j)),
            note,
            Weight.FORMULA,
        ),
        misprint(
            "before (52): f(0) of the last segment, n = 200, largest distance 2, epsilon 1.5, delta 0.8",
            "near 1",
            1 - last,
            "f(0) = delta (40): each other mass vanishes, their sum 1 - delta does not",
            Weight.SLIP,
        ),
    ]


def bounded_lines() -> tuple[Line, ...]:
    """Return the lines on all distances up to a largest one."""
    return (*_flat_lines(), *_linear_lines(), *_definition_lines(), *_limit_lines())
