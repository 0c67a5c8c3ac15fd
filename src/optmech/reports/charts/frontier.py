"""A chart of a trade-off: certified mechanisms, and the region where none can exist."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Evidence, Verdict
from optmech.base.arguments import of_form
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.question.loss import beyond
from optmech.reports.charts.chart import Axis, Chart, Look, Series

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.analysis.frontiers.curve import Frontier
    from optmech.analysis.frontiers.in_use import BaselineCurve
    from optmech.question.problem import Problem

# A convex bound is drawn as stairs between two points: a straight line is not proved.
_PIECES = 16
# From this ratio of the largest to the least value on, small ones are seen on a logarithmic scale only.
_WIDE = 30.0
_ACROSS = {"epsilon": "epsilon", "delta": "delta", "bound": "bound on the other loss"}


@of_form("frontiers", "be a mapping from names to trade-offs, with an iterable of baselines")
def frontier_chart(frontiers: Mapping[str, Frontier], baselines: Iterable[BaselineCurve] = ()) -> Chart:
    """Return trade-offs over one quantity, by name.

    Certified mechanisms are marked. In the shaded area of the same colour no mechanism of that question
    exists, proved. On the dotted line some mechanism exists, so the least loss lies between them. Baselines
    are dashed, each in a colour of its own, and crossed out where they are not private.

    ProblemError if there is nothing to draw, or the trade-offs are over different quantities.
    """
    over = {frontier.over for frontier in frontiers.values()}
    if len(over) != 1:
        raise broken_rule("frontiers", "be one or more over the same quantity", sorted(over) or "none")
    curves = list(baselines)
    first = next(iter(frontiers.values()))
    axis = _heights(list(frontiers.values()), curves)
    indices = [float(point.value) for frontier in frontiers.values() for point in frontier.points]
    indices += [float(point.value) for curve in curves for point in curve.points]
    lines = [
        series
        for turn, (name, frontier) in enumerate(frontiers.items())
        for series in _of_frontier(name, frontier, turn, axis.ticks()[-1])
    ]
    lines += [_of_baseline(curve, turn) for turn, curve in enumerate(curves, len(frontiers))]
    wrong = [point for curve in curves for point in curve.points if not point.is_private]
    if wrong:
        lines.append(
            Series(
                name="crossed: not private",
                across=tuple(float(point.value) for point in wrong),
                values=tuple(point.objective for point in wrong),
                look=Look.CROSSES,
            )
        )
    return Chart(
        description=f"{axis.title} over {_ACROSS[first.over]}: certified mechanisms of "
        f"{', '.join(frontiers)}; shaded is the region where no mechanism can be.",
        x=Axis(title=_ACROSS[first.over], low=min(indices), high=max(indices)),
        y=axis,
        series=tuple(lines),
    )


def _heights(frontiers: list[Frontier], baselines: list[BaselineCurve]) -> Axis:
    """Return the axis of the losses, from zero on, or logarithmic where small ones would not be seen."""
    losses = [float(point.objective or 0) for frontier in frontiers for point in _met_points(frontier)]
    losses += [point.objective for curve in baselines for point in curve.points]
    bounds = [bound for frontier in frontiers for _, bound in _bounds(frontier)]
    lowest, highest = min(bounds, default=0.0), max([*losses, *bounds], default=0.0)
    title = _objective_name(frontiers[0].problem)
    if 0 < _WIDE * lowest < max(losses, default=0.0):
        least = min(loss for loss in (lowest, *losses) if loss > 0)
        return Axis(title=title, low=least, high=highest, logarithmic=True)
    return Axis(title=title, high=highest or 1.0)


def _of_frontier(name: str, frontier: Frontier, colour: int, top: float) -> list[Series]:
    """Return certified mechanisms, the region without mechanisms, and upper bounds.

    There is a bound on each interval, and no curve through the points. Between two of them some mechanism
    does what the one of the smaller value does, or where mixtures may be taken a mixture.
    """
    points = [(float(one.value), float(one.objective or 0)) for one in _met_points(frontier)]
    none = [float(point.value) for point in frontier.points if point.verdict is Verdict.REFUTED]
    parts = [
        (f"{name}: certified mechanisms", points, Look.POINTS),
        (f"{name}: lower bound, proved", _stairs(_bounds(frontier), first_up=True), Look.AREA),
        (
            f"{name}: some mechanism on it, proved",
            points if frontier.chords else _stairs(points, first_up=False),
            Look.DOTTED,
        ),
    ]
    if none:
        parts.append(("", [(float(frontier.points[0].value), top), (max(none), top)], Look.SHADE))
    return [
        Series(
            name=text,
            across=tuple(across for across, _ in line),
            values=tuple(value for _, value in line),
            look=look,
            colour=colour,
        )
        for text, line, look in parts
        if line
    ]


def _stairs(points: list[tuple[float, float]], *, first_up: bool) -> list[tuple[float, float]]:
    """Return the corners of stairs through points, each step as high as its end, or as its beginning."""
    corners = points[:1]
    for (left, before), (right, after) in pairwise(points):
        corners += [(left, after) if first_up else (right, before), (right, after)]
    return corners


def _of_baseline(curve: BaselineCurve, colour: int) -> Series:
    return Series(
        name=curve.name,
        across=tuple(float(point.value) for point in curve.points),
        values=tuple(point.objective for point in curve.points),
        look=Look.DASHED,
        colour=colour,
    )


def _bounds(frontier: Frontier) -> list[tuple[float, float]]:
    """Return the proved bounds at the points, and between them where they exceed the stairs."""
    values = [point.value for point in frontier.points]
    pieces = _PIECES if frontier.chords else 1
    inner = [
        left + (right - left) * piece / pieces
        for left, right in pairwise(values)
        for piece in range(1, pieces)
    ]
    bounds = ((value, frontier.lower(value)) for value in sorted([*values, *inner]))
    return [(float(value), float(bound)) for value, bound in bounds if bound is not None and bound != inf]


def _met_points(frontier: Frontier) -> list[Evidence]:
    return [point for point in frontier.points if point.verdict is Verdict.MET]


def _objective_name(problem: Problem) -> str:
    loss = problem.objective.as_loss
    if loss is None:
        return "delta"
    name = loss.loss_name or "loss"
    distance = beyond(loss.loss_name)
    if distance is not None:
        text = f"probability of an error of more than {as_text(distance)}"
    else:
        text = f"expected {name} loss" if name != "loss" else "expected loss"
    return f"{text}{loss.over_truths}"
