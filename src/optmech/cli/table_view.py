"""The numbers of a table for people."""

from __future__ import annotations

from math import cosh, sqrt
from typing import TYPE_CHECKING

from optmech.base.notes import TextLine
from optmech.base.number_format import at_most, number
from optmech.base.provenance import Provenance
from optmech.base.visible import visible
from optmech.cli.mean_view import bound_line, record_lines
from optmech.cli.screen import aligned
from optmech.mechanisms.tables.table_noise import MarginNoise, NormalMargins
from optmech.reports.table_facts import (
    MARGIN_HEAD,
    bound_text,
    margin_rows,
    noise_name,
    objective_text,
    root_above,
    spent_text,
)

_TOO_SMALL = "noise on the lattice needs no rounding; here it is too small to be drawn exactly"

if TYPE_CHECKING:
    from optmech.mechanisms.tables.table_certificate import TableCertificate


def table_lines(certificate: TableCertificate, other: TableCertificate | None = None) -> list[str]:
    """Return what a certificate proves as lines: the person, the numbers, the margins, the bound in words."""
    problem = certificate.problem
    person = TextLine(f"{problem.whose}; spends {spent_text(certificate)}  ", Provenance.PROVED)
    if problem.records is not None:
        (variance,) = certificate.variances.values()
        return [
            f"{problem.title}: sums with {noise_name(certificate)}, whole numbers",
            person,
            bound_line(certificate, root_above(variance)),
            *record_lines(problem, root_above(variance)),
            *([] if other is None else [_other_line(certificate, other)]),
        ]
    return [
        f"{problem.title}: whole numbers that add up, without bias; {noise_name(certificate)}",
        person,
        TextLine(f"{objective_text(certificate)}  ", Provenance.PROVED),
        *aligned([MARGIN_HEAD, *((visible(name), *rest) for name, *rest in margin_rows(certificate))]),
        bound_text(certificate),
        *_apart_lines(certificate),
        *_one_number_lines(certificate),
        *([_TOO_SMALL] if isinstance(certificate.noise, NormalMargins) else []),
        *([] if other is None else [_other_line(certificate, other)]),
    ]


def _apart_lines(certificate: TableCertificate) -> list[str]:
    """Return what each margin by itself, or cells alone, would cost under the same privacy."""
    problem, shape = certificate.problem, certificate.problem.shape
    number_of = len(problem.totals)
    rows = problem.person.at_most
    if not isinstance(certificate.noise, MarginNoise):
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
    if certificate.problem.shape.sizes or not isinstance(certificate.noise, MarginNoise):
        return []
    (ratio,) = certificate.noise.ratios.values()
    error = at_most(2 * ratio / (1 - ratio**2))
    text = f"mean absolute error {error}: no mechanism without bias has less, at any count and for any prior"
    is_least = certificate.problem.budget.is_pure and certificate.problem.person.at_most == 1
    return [text if is_least else f"mean absolute error {error}"]


def _other_line(certificate: TableCertificate, other: TableCertificate) -> str:
    share = float(other.objective / certificate.objective)
    return f"{noise_name(other)} under the same privacy: {number(share)} times the variance"
