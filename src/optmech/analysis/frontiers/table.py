"""A trade-off as CSV: one row for each point of each curve."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Verdict
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optmech.analysis.frontiers.curve import Frontier
    from optmech.analysis.frontiers.in_use import BaselineCurve
    from optmech.analysis.inversion.evidence import Evidence

__all__ = ["csv_text", "rows"]

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


def csv_text(frontiers: Mapping[str, Frontier], baselines: Iterable[BaselineCurve] = ()) -> str:
    """Return `rows` as CSV; what is not known is empty."""
    table = rows(frontiers, baselines)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(table[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue()


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
