"""The numbers of a table for people and for programs."""

from __future__ import annotations

from fractions import Fraction
from math import cosh, inf, nextafter, sqrt
from typing import TYPE_CHECKING, Any

from optmech.base.notes import TextLine
from optmech.base.number_format import at_least, at_most, number
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.visible import visible
from optmech.cli.mean_view import bound_line, record_lines
from optmech.cli.screen import aligned
from optmech.mechanisms.tables.table_limits import limit_of
from optmech.mechanisms.tables.table_noise import LatticeNoise
from optmech.proofs.certificate import relative_gap
from optmech.question.tables.table_problem import Goal

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate

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
        "noise": _noise_name(certificate),
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


def table_lines(certificate: TableCertificate, other: TableCertificate | None = None) -> list[str]:
    """Return what a certificate proves as lines: the person, the numbers, the margins, the bound in words."""
    problem = certificate.problem
    if problem.records is not None:
        (variance,) = certificate.variances.values()
        return [
            f"{problem.title}: sums with {_noise_name(certificate)}, whole numbers",
            _person_line(certificate),
            bound_line(certificate, root_above(variance)),
            *record_lines(problem, root_above(variance)),
            *([] if other is None else [_other_line(certificate, other)]),
        ]
    return [
        f"{problem.title}: whole numbers that add up, without bias; {_noise_name(certificate)}",
        _person_line(certificate),
        _objective_line(certificate),
        *_margin_lines(certificate),
        _bound_line(certificate),
        *_apart_lines(certificate),
        *_one_number_lines(certificate),
        *([] if other is None else [_other_line(certificate, other)]),
    ]


def _objective_line(certificate: TableCertificate) -> str:
    """Return objective, lower bound and gap in numbers."""
    same = certificate.problem.goal == Goal.SAME
    name = "largest variance" if same else "weighted sum of variances"
    gap = relative_gap(certificate.objective, certificate.bound)
    value, least = at_most(certificate.objective, 5), at_least(certificate.bound, 5)
    return TextLine(
        f"{name} {value}, lower bound {least}, gap {at_most(100 * gap, 2)} %  ", Provenance.PROVED
    )


def _noise_name(certificate: TableCertificate) -> str:
    is_normal = isinstance(certificate.noise, LatticeNoise)
    return "normal noise on the lattice" if is_normal else "geometric noise on margins"


def _person_line(certificate: TableCertificate) -> str:
    budget = certificate.problem.budget
    told = f"epsilon = {as_text(certificate.epsilon)}"
    told += f" at delta = {as_text(certificate.delta)}" if certificate.delta else ", delta = 0"
    spends = f"{budget}, which is at most {told}" if budget.rho is not None else told
    return TextLine(f"{certificate.problem.whose}; spends {spends}  ", Provenance.PROVED)


def _margin_lines(certificate: TableCertificate) -> list[str]:
    problem = certificate.problem
    rows = [("margin", "numbers", "standard error", "95 % within")]
    margins = list(certificate.variances)
    for margin in margins:
        error = at_most(root_above(certificate.variances[margin]))
        cells = f"{problem.shape.cells(margin):,}"
        rows.append((visible(problem.name_of(margin)), cells, error, f"{limit_of(certificate, margin):,}"))
    return aligned(rows)


def _bound_line(certificate: TableCertificate) -> str:
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


def _apart_lines(certificate: TableCertificate) -> list[str]:
    """Return what each margin by itself, or cells alone, would cost under the same privacy."""
    problem, shape = certificate.problem, certificate.problem.shape
    number_of = len(problem.totals)
    rows = problem.person.at_most
    if isinstance(certificate.noise, LatticeNoise):
        rho = float(certificate.rho)
        apart, alone = rows * sqrt(number_of / (2 * rho)), rows / sqrt(2 * rho)
    else:
        apart, alone = (_geometric(float(certificate.epsilon) / rows / many) for many in (number_of, 1))
    lines = []
    if number_of > 1:
        text = (
            f"each margin by itself, in equal shares: standard error {number(apart)}, and parts do not add up"
        )
        lines.append(text)
    if shape.sizes:
        largest = max(shape.out(margin) for margin in problem.totals)
        lines.append(
            f"cells alone, summed: standard error {number(alone)} to {number(alone * sqrt(largest))}"
        )
    return lines


def _geometric(epsilon: float) -> float:
    return 1 / sqrt(cosh(epsilon) - 1)


def _one_number_lines(certificate: TableCertificate) -> list[str]:
    """Say how good geometric noise on one number is for its absolute error."""
    if certificate.problem.shape.sizes or isinstance(certificate.noise, LatticeNoise):
        return []
    (ratio,) = certificate.noise.ratios.values()
    error = at_most(2 * ratio / (1 - ratio**2))
    text = f"mean absolute error {error}: no mechanism without bias has less, at any count and for any prior"
    is_least = certificate.problem.budget.is_pure and certificate.problem.person.at_most == 1
    return [text if is_least else f"mean absolute error {error}"]


def _other_line(certificate: TableCertificate, other: TableCertificate) -> str:
    share = float(other.objective / certificate.objective)
    return f"{_noise_name(other)} under the same privacy: {number(share)} times the variance"
