"""Cost of mechanisms in use along a trade-off over epsilon, beside the least possible cost; both as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from optmech.analysis.baselines.registry import BASELINES
from optmech.analysis.comparison.row import promises_missed
from optmech.analysis.inversion.evidence import Verdict
from optmech.analysis.inversion.parameter import OVER
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from optmech.analysis.frontiers.curve import Frontier
    from optmech.analysis.inversion.evidence import Evidence
    from optmech.question.problem import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselinePoint:
    """One baseline at the epsilon `value` that is asked of it, which some exceed; numbers are recomputed."""

    value: Fraction
    objective: float
    is_private: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineCurve:
    """One baseline along the values of a frontier; values that it refuses are left out."""

    name: str
    points: tuple[BaselinePoint, ...]

    def __str__(self) -> str:
        text = (
            f"{point.objective:.6g} at {as_text(point.value)}{'' if point.is_private else ' (NOT private)'}"
            for point in self.points
        )
        return f"{self.name}: {', '.join(text)}"


def baseline_curves(frontier: Frontier, names: Iterable[str] = tuple(BASELINES)) -> tuple[BaselineCurve, ...]:
    """Return the baselines of those names at each epsilon of a frontier, but for those that refuse it."""
    if frontier.over != "epsilon" or frontier.problem.least_loss is None:
        message = "baselines can stand beside a loss over epsilon only; leave them out."
        raise ProblemError(message)
    names_in_order = list(names)
    for name in names_in_order:
        if name not in BASELINES:
            raise broken_rule("baselines", f"be among {', '.join(BASELINES)}", repr(name))
    values = [point.value for point in frontier.points]
    curves = (
        BaselineCurve(name=name, points=_points(frontier.problem, name, values)) for name in names_in_order
    )
    return tuple(curve for curve in curves if curve.points)


def _points(problem: Problem, name: str, values: Sequence[Fraction]) -> tuple[BaselinePoint, ...]:
    points = []
    for value in values:
        try:
            baseline = BASELINES[name](problem.query, value)
        except (NotAcceptedError, ProblemError):
            continue
        broken, _ = promises_missed(baseline.mechanism(problem.query), OVER["epsilon"](problem, value))
        objective = problem.value(baseline.matrix)
        points.append(BaselinePoint(value=value, objective=objective, is_private=not broken))
    return tuple(points)


_VERDICTS = {
    Verdict.MET: "certified",
    Verdict.REFUTED: "no mechanism, proved",
    Verdict.OPEN: "nothing proved",
}


def rows(
    frontiers: Mapping[str, Frontier], baselines: Iterable[BaselineCurve] = ()
) -> list[dict[str, str | float | None]]:
    """Return a row for each point, curves by name: numbers are the doubles nearest to the proved ones."""
    table = [
        _row(name, frontier.over, point) for name, frontier in frontiers.items() for point in frontier.points
    ]
    for curve in baselines:
        table += [
            {
                "curve": curve.name,
                "epsilon": as_text(point.value),
                "objective": point.objective,
                "objective_standing": Provenance.RECOMPUTED,
                "lower_bound": None,
                "lower_bound_standing": None,
                "status": "private, recomputed" if point.is_private else "NOT private, recomputed",
            }
            for point in curve.points
        ]
    return table


def _row(name: str, over: str, point: Evidence) -> dict[str, str | float | None]:
    objective, bound = (point.objective, point.bound) if point.verdict is Verdict.MET else (None, None)
    return {
        "curve": name,
        over: as_text(point.value),
        "objective": None if objective is None else float(objective),
        "objective_standing": None if objective is None else Provenance.PROVED,
        "lower_bound": None if bound is None else float(bound),
        "lower_bound_standing": None if bound is None else Provenance.PROVED,
        "status": _VERDICTS[point.verdict],
    }
