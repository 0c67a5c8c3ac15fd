"""Findings on mechanisms: checks and theorems, a comparison, a trade-off. A row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.comparison.sentences import excess_loss, sentences
from optmech.analysis.inversion.evidence import Evidence, Verdict
from optmech.base.numbers import as_text
from optmech.reports.display.blocks import Paragraph, Table, care, page

if TYPE_CHECKING:
    from optmech.analysis.comparison.compare_baselines import Comparison
    from optmech.analysis.comparison.row import ComparisonRow
    from optmech.analysis.frontiers.curve import Frontier
    from optmech.verify import Report
    from optmech.verify.certification import Certification

_VERDICTS = {True: "holds", False: "FAILS", None: "note"}
_HEAD_OF_COMPARISON = (
    *("mechanism", "in", "on average", "worst truth", "loses"),
    *("effective epsilon", "keeps its promise", "provenance"),
)


def html_of_report(report: Report) -> str:
    """Return a row for each check, and one for each theorem."""
    checks = Table(
        "Checked in floating point; only a certificate is a proof.",
        ["check", "verdict", "result", "provenance"],
        [
            (check.name, [_VERDICTS[check.holds], check.text, str(check.provenance)])
            for check in report.checks
        ],
        texts=range(4),
    )
    theorems = Table(
        "Theorems that apply to this question, compared with the objective.",
        ["theorem", "verdict", "value and difference", "source"],
        [(row.name, [row.verdict, row.text, row.source]) for row in report.theorems],
        texts=range(4),
    )
    without = Paragraph(report.without_theorems) if report.without_theorems else None
    return page(repr(report)[1:-1], care(report.caution), checks, theorems if report.theorems else without)


def html_of_certification(certification: Certification) -> str:
    """Return whether the matrix keeps what is asked, and how far from optimal it is."""
    problem = certification.problem
    return page(
        f"Certification: {problem.query.title}, {problem.privacy}",
        care(certification.certificate.caution),
        *map(Paragraph, certification.sentences()),
    )


def html_of_comparison(comparison: Comparison) -> str:
    """Return a row for each mechanism, the optimum first."""
    first, *_ = sentences(comparison)
    return page(
        f"Comparison: {comparison.problem.query.title}, {comparison.problem.privacy}",
        Paragraph(first),
        Table(
            "Expected loss, in units of the loss; what it loses is relative to the optimum",
            _HEAD_OF_COMPARISON,
            [(row.name, _cells_of_row(row)) for row in (comparison.optimum, *comparison.rows)],
            texts=(0, 1, 6, 7),
        ),
    )


def html_of_frontier(frontier: Frontier) -> str:
    """Return a row for each point: a certified mechanism and a bound, or a sentence on why there is none."""
    points = [point for point in frontier.points if point.verdict is Verdict.MET]
    return page(
        f"Frontier: {frontier.problem.query.title}, {frontier.problem.objective}, over {frontier.over}",
        Table(
            "Certified mechanisms and lower bounds, both proved",
            [frontier.over, "objective", "lower bound"],
            [(as_text(point.value), _cells_of_point(point)) for point in points],
        ),
        *(Paragraph(f"{as_text(point.value)}: {point}") for point in frontier.points if point not in points),
        Paragraph(
            f"A mechanism that is allowed at one {frontier.over} is allowed at every larger one.", "quiet"
        ),
    )


def _cells_of_row(row: ComparisonRow) -> list[str]:
    cells = [
        "yes" if row.private else row.privacy.replace("not private", "NOT PRIVATE"),
        *(f"not {name}" for name in row.lacks),
    ]
    return [
        ", ".join(map(str, row.libraries)),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        "" if row.key == "optimum" else excess_loss(row),
        f"{row.spent_epsilon:.6g}",
        ", ".join(cells),
        row.provenance,
    ]


def _cells_of_point(point: Evidence) -> list[str]:
    bound = "none" if point.bound is None else f"{float(point.bound):.10g}"
    return [f"{float(point.objective or 0):.10g}", bound]
