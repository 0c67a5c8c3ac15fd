"""Means, people and totals of records for people: what a design promises, and what a release says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.notes import TextLine
from optmech.base.number_format import at_least
from optmech.base.number_format import at_most as rounded_up
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.base.visible import visible
from optmech.cli.screen import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.table_problem import TableProblem
    from optmech.release.joint.mean_estimate import MeanEstimate

_DIGITS, _LARGE = 5, 1e4


def record_lines(problem: TableProblem, error: float) -> list[str]:
    """Return what the noise of sums means for mean, people and total; `error` is that of one sum."""
    sums = problem.records
    assert sums is not None  # noqa: S101 - asked of records alone
    if not sums.parts:
        return [f"total: standard error {rounded_up(error * float(sums.unit), 4)}, without bias"]
    weight, reach = sums.weight, float(sums.high - sums.low)
    places = [float(place) for place in sums.places]
    middle, end = (
        rounded_up(reach * sum((place - at) ** 2 for place in places) ** 0.5 * error / weight, 3)
        for at in (0.5, 0.0)
    )
    totals = sum((float(sums.low) + place * reach) ** 2 for place in places) ** 0.5 * error / weight
    ends = f"{as_text(sums.low)}..{as_text(sums.high)}"
    people = "records" if sums.at_most > 1 else "people"
    number = rounded_up(error * len(places) ** 0.5 / weight, 3)
    text = f"mean of n {people}: standard error about {middle}/n in mid-range to {end}/n at an end  "
    return [
        TextLine(
            f"{people}: standard error {number}; total: standard error {rounded_up(totals, 4)}  ",
            Provenance.PROVED,
        ),
        TextLine(text, Provenance.RECOMPUTED, ", of first order"),
        f"the number of {people} is released, and protected by the same budget",
        f"records beyond {ends} count as its ends: a public range, from a law or a form, pays most",
    ]


def bound_line(certificate: TableCertificate, error: float) -> str:
    """Return the standard error of one sum, and the one that no mechanism as private stays below."""
    text = f"each sum: standard error {rounded_up(error, 5)} units"
    if certificate.bound:
        least = at_least(float(certificate.bound) ** 0.5 * (1 - 1e-12), 5)
        text += f"; no mechanism as private stays below {least} for all records"
    return TextLine(f"{text}  ", Provenance.PROVED)


def mean_lines(found: Sequence[MeanEstimate], level: str) -> list[str]:
    """Return a row for each group: mean with limits, people and total with the errors they stay within."""
    first = found[0]
    head = ["group", "total", "within"]
    if first.mean is not None:
        head = ["group", "mean", "low", "high", "people", "within", "total", "within"]
    has_deviation = any(one.deviation is not None for one in found)
    head += ["deviation"] * has_deviation
    lines = aligned([head, *([*_row(one), *[_deviation(one)] * has_deviation] for one in found)])
    if any(one.mean is not None and one.mean.low is None for one in found):
        lines.append("where no limits stand, no mean in the range fits the released sums")
    lines.append(f"limits proved, each with {level} % or more, for the clipped records of these people")
    if first.mean is not None:
        lines.append("a mean is not cut to its range, which would bias it; none stands where any could be")
    return [*lines, "spends nothing: made from what is public"]


def _row(one: MeanEstimate) -> list[str]:
    within = _text(one.total.high - one.total.estimate)
    if one.mean is None or one.people is None:
        return [visible(one.group) or "all", _text(one.total.estimate), within]
    mean, people = one.mean, one.people
    row = [visible(one.group) or "all", _text(mean.estimate), _text(mean.low), _text(mean.high)]
    return [
        *row,
        _text(people.estimate),
        _text(people.high - people.estimate),
        _text(one.total.estimate),
        within,
    ]


def _deviation(one: MeanEstimate) -> str:
    return "not seen" if one.deviation == 0 else _text(one.deviation)


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= _LARGE else f"{value:.{_DIGITS}g}"
