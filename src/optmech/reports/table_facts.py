"""The facts of a certified table in words: person, noise, errors by margin, and the lower bound."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import TYPE_CHECKING, Any

from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.mechanisms.tables.table_limits import limit_of
from optmech.mechanisms.tables.table_noise import LatticeNoise, MarginNoise
from optmech.proofs.certificate import relative_gap
from optmech.question.tables.table_problem import Goal

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate

MARGIN_HEAD = ("margin", "numbers", "standard error", "95 % within")
_SMALL = 0.5


def table_json(certificate: TableCertificate) -> dict[str, Any]:
    """Return what a certificate proves as JSON values: doubles are rounded to the safe side."""
    problem = certificate.problem
    budget, shape = problem.budget, problem.shape
    gap = relative_gap(certificate.objective, certificate.bound)
    return {
        "question": problem.to_dict(),
        "zcdp": None if budget.rho is None else as_text(budget.rho),
        "epsilon": as_text(certificate.epsilon),
        "delta": as_text(certificate.delta),
        "noise": noise_name(certificate),
        "objective": above(certificate.objective),
        "lower_bound": below(certificate.bound),
        "relative_gap": gap,
        "margins": [
            {
                "margin": problem.name_of(margin),
                "numbers": shape.cells(margin),
                "variance": str(variance),
                "standard_error": root_above(variance),
            }
            for margin, variance in certificate.variances.items()
        ],
    }


def above(value: Fraction) -> float:
    """Return a double that is no less.

    >>> above(Fraction(1, 3)) >= Fraction(1, 3), above(Fraction(1, 2))
    (True, 0.5)
    """
    near = float(value)
    return near if near >= value else nextafter(near, inf)


def below(value: Fraction) -> float:
    """Return a double that is no more."""
    near = float(value)
    return near if near <= value else nextafter(near, -inf)


def root_above(value: Fraction) -> float:
    """Return a double that is no less than the square root.

    >>> root_above(Fraction(4)), root_above(Fraction(2)) ** 2 >= 2
    (2.0, True)
    """
    near = sqrt(value)
    while Fraction(near) ** 2 < value:
        near = nextafter(near, inf)
    return near


def noise_name(certificate: TableCertificate) -> str:
    """Return the kind of the noise."""
    kinds = {LatticeNoise: "normal noise on the lattice", MarginNoise: "geometric noise on margins"}
    return kinds.get(type(certificate.noise), "normal noise on margins, rounded with coins")


def spent_text(certificate: TableCertificate) -> str:
    """Return what one person spends, in the unit that was asked for, and as epsilon and delta."""
    budget = certificate.problem.budget
    told = f"epsilon = {as_text(certificate.epsilon)}"
    told += f" at delta = {as_text(certificate.delta)}" if certificate.delta else ", delta = 0"
    return f"{budget}, which is at most {told}" if budget.rho is not None else told


def objective_text(certificate: TableCertificate) -> str:
    """Return objective, lower bound and gap in numbers."""
    same = certificate.problem.goal == Goal.SAME
    name = "largest variance" if same else "weighted sum of variances"
    gap = relative_gap(certificate.objective, certificate.bound)
    value, least = at_most(certificate.objective, 5), at_least(certificate.bound, 5)
    return f"{name} {value}, lower bound {least}, gap {at_most(100 * gap, 2)} %"


def margin_rows(certificate: TableCertificate) -> list[tuple[str, ...]]:
    """Return for each margin its name, its numbers, and at most their standard error and limit."""
    problem = certificate.problem
    return [
        (
            problem.name_of(margin),
            f"{problem.shape.cells(margin):,}",
            at_most(root_above(variance)),
            f"{limit_of(certificate, margin):,}",
        )
        for margin, variance in certificate.variances.items()
    ]


def bound_text(certificate: TableCertificate) -> str:
    """Say what the lower bound means, and what it does not say."""
    problem, bound = certificate.problem, certificate.bound
    same = problem.goal == Goal.SAME
    least = f"{at_least(sqrt(below(bound)), 5)} in its worst number" if same else f"{at_least(bound, 5)}"
    error = "standard error" if same else "weighted sum of squared errors"
    text = (
        f"every {problem.budget.name} mechanism, biased or not, has a larger {error} than {least} at some "
        "table (and on average over tables with large counts), "
    )
    gap = relative_gap(certificate.objective, bound)
    if gap < _SMALL:
        text += (
            f"so none is better there than this one by more than {at_most(100 * gap, 2)} % of the variance. "
        )
    elif bound:
        times = at_most(certificate.objective / bound, 2)
        text += f"so this one has at most {times} times the least variance there. "
    return text + "At one given table, above all one with many small counts, another may be better."
