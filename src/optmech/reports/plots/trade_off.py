"""A trade-off as a picture: mechanisms that exist, and the region where none can be."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Evidence, Verdict
from optmech.base.errors import FileFormatError, broken_rule
from optmech.base.numbers import as_text
from optmech.question.loss import beyond
from optmech.reports.figure import COLOURS, FORMATS, MARKERS, render_figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from optmech.analysis.frontiers.curve import Frontier
    from optmech.analysis.frontiers.in_use import BaselineCurve
    from optmech.question.problem import Problem

# A convex bound is drawn as so many stairs between two points, for a line from place to place is not proved.
_PIECES = 16
# From this ratio of the largest to the least value on, small ones are seen on a logarithmic scale only.
_WIDE = 30.0
_ACROSS = {"epsilon": "epsilon", "delta": "delta", "bound": "bound on the other loss"}
_SHADE = 0.12
# On a logarithmic scale there is no zero to shade from.
_FAR_BELOW = 1e-6


def figure_content(
    path: str | PathLike[str], frontiers: Mapping[str, Frontier], baselines: Iterable[BaselineCurve] = ()
) -> bytes:
    """Return a picture of trade-offs over one quantity, by name, in the format of a path.

    Certified mechanisms are marked. In the shaded area of the same colour no mechanism of that question can
    be, proved, and on the dotted line some mechanism is, so that the least loss lies between them. Baselines
    are dashed, each in a colour of its own, and crossed out where they are not private.

    ProblemError if there is nothing to draw, or the trade-offs are over different quantities; FileFormatError
    if the path ends otherwise than in .png, .svg or .pdf, or Matplotlib is not installed.
    """
    ending = need_format(path)
    over = {frontier.over for frontier in frontiers.values()}
    if len(over) != 1:
        raise broken_rule("frontiers", "be one or more over the same quantity", sorted(over) or "none")
    curves = list(baselines)
    return render_figure(lambda figure: _draw(figure, frontiers, curves), [ending])[ending]


def need_format(path: str | PathLike[str]) -> str:
    """Return the format of a path; FileFormatError if it has none."""
    ending = Path(path).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        message = f"`figure` must end in .png, .svg or .pdf; got {path}."
        raise FileFormatError(message)
    return ending


def _draw(figure: Figure, frontiers: Mapping[str, Frontier], baselines: list[BaselineCurve]) -> None:
    axes = figure.subplots()
    lines = {name: _bounds(frontier) for name, frontier in frontiers.items()}
    objectives = [
        *(float(point.objective or 0) for frontier in frontiers.values() for point in _met_points(frontier)),
        *(point.objective for curve in baselines for point in curve.points),
    ]
    lowest = min((bound for line in lines.values() for _, bound in line), default=0.0)
    if 0 < _WIDE * lowest < max(objectives, default=0.0):
        axes.set_yscale("log")
        floor, bottom = lowest * _FAR_BELOW, lowest / 2
    else:
        floor = bottom = 0.0
    for place, (name, frontier) in enumerate(frontiers.items()):
        _draw_frontier(axes, name, frontier, lines[name], place=place, floor=floor)
        none = [float(point.value) for point in frontier.points if point.verdict is Verdict.REFUTED]
        if none:
            axes.axvspan(
                float(frontier.points[0].value), max(none), color=_colour(place), alpha=_SHADE, linewidth=0
            )
    for place, curve in enumerate(baselines, len(frontiers)):
        _draw_baseline(axes, curve, place)
    axes.set_ylim(bottom=bottom)
    first = next(iter(frontiers.values()))
    axes.set_xlabel(_ACROSS[first.over])
    axes.set_ylabel(_objective_name(first.problem))
    axes.grid(visible=True, linewidth=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize="small")


def _draw_frontier(
    axes: Axes, name: str, frontier: Frontier, line: list[tuple[float, float]], *, place: int, floor: float
) -> None:
    """Mark certified mechanisms, shade what no mechanism reaches, and draw what some mechanism does.

    There is a bound on each interval, and no curve through the points. Between two of them some mechanism
    does what the one of the smaller value does, or where mixtures may be taken a mixture.
    """
    colour, points = _colour(place), _met_points(frontier)
    values, objectives = [float(one.value) for one in points], [float(one.objective or 0) for one in points]
    across, bounds = [value for value, _ in line], [bound for _, bound in line]
    axes.plot(
        values,
        objectives,
        color=colour,
        marker=MARKERS[place % len(MARKERS)],
        markersize=5,
        linestyle="none",
        label=f"{name}: certified mechanisms",
        zorder=3,
    )
    axes.plot(
        across,
        bounds,
        color=colour,
        linewidth=0.6,
        drawstyle="steps-pre",
        label=f"{name}: lower bound, proved",
    )
    axes.fill_between(across, bounds, floor, step="pre", color=colour, alpha=_SHADE, linewidth=0)
    axes.plot(
        values,
        objectives,
        color=colour,
        linewidth=1.0,
        linestyle=":",
        drawstyle="default" if frontier.chords else "steps-post",
        label=f"{name}: some mechanism on it, proved",
    )


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _draw_baseline(axes: Axes, curve: BaselineCurve, place: int) -> None:
    colour = _colour(place)
    axes.plot(
        [float(point.value) for point in curve.points],
        [point.objective for point in curve.points],
        color=colour,
        linestyle="--",
        marker=MARKERS[place % len(MARKERS)],
        fillstyle="none",
        markersize=4,
        linewidth=0.8,
        label=curve.name
        + ("" if all(point.is_private for point in curve.points) else ", crossed: not private"),
    )
    wrong = [point for point in curve.points if not point.is_private]
    axes.plot(
        [float(point.value) for point in wrong],
        [point.objective for point in wrong],
        color="black",
        linestyle="none",
        marker="x",
    )


def _bounds(frontier: Frontier) -> list[tuple[float, float]]:
    """Return what is proved at the points, and between them where that is more than the stairs."""
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
