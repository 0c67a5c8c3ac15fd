"""A trade-off: for each value a certified mechanism and a bound, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Verdict
from optmech.base.numbers import as_text
from optmech.reports.display.markup import note, page, table

if TYPE_CHECKING:
    from optmech.analysis.frontiers.curve import Frontier
    from optmech.analysis.inversion.evidence import Evidence

__all__ = ["html_of"]


def html_of(frontier: Frontier) -> str:
    """Return a row for each point."""
    return page(
        f"Frontier: {frontier.problem.query.title}, {frontier.problem.objective}, over {frontier.over}",
        table(
            "Certified mechanisms and what no mechanism goes below, both proved",
            [frontier.over, "objective", "lower bound"],
            ((as_text(point.value), _cells(point)) for point in frontier.points if _is_met(point)),
            texts=(),
        ),
        *(note(f"{as_text(point.value)}: {point}") for point in frontier.points if not _is_met(point)),
        note(f"What a mechanism may do at one {frontier.over}, one may do at every larger one.", quiet=True),
    )


def _is_met(point: Evidence) -> bool:
    return point.verdict is Verdict.MET


def _cells(point: Evidence) -> list[str]:
    bound = "none" if point.bound is None else f"{float(point.bound):.10g}"
    return [f"{float(point.objective or 0):.10g}", bound]
