"""How a report of checks and theorems looks: as text, its verdict last, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.theorems.consistency import TheoremRow
    from optmech.verify import Report

__all__ = ["report_json", "report_text", "theorems_json"]


def report_text(report: Report) -> str:
    """Return a report as text, its verdict last."""
    verdicts = [check.holds for check in report.checks if check.holds is not None]
    num_failed = verdicts.count(False)
    verdict = f"{num_failed} of {len(verdicts)} floating-point checks FAIL"
    if not num_failed:
        verdict = f"all {len(verdicts)} floating-point checks pass"
    num_contradicted = sum(row.fails for row in report.theorems)
    if num_contradicted:
        verdict += f", {num_contradicted} of {len(report.theorems)} theorems FAIL"
    proof = "the exact proof is in the certificate" if report.is_certified else "nothing is proved"
    return f"{report}\n\n{verdict}; {proof}"


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON values."""
    return {
        "verified": bool(report),
        "caution": report.caution,
        "checks": [
            {
                "name": check.name,
                "holds": check.holds,
                "provenance": check.provenance.value,
                "value": check.value,
                "text": check.text,
            }
            for check in report.checks
        ],
        "theorems": theorems_json(report.theorems),
        "without_theorems": report.without_theorems,
    }


def theorems_json(rows: Sequence[TheoremRow]) -> list[dict[str, Any]]:
    """Return theorems as JSON values; the value of each is text, which says how exact it is."""
    return [
        {
            "name": row.name,
            "source": row.source,
            "relation": row.relation.value,
            "theorem": row.truth.value,
            "value": row.value,
            "provenance": Provenance.RECOMPUTED.value,
            "arithmetic": row.arithmetic,
            "holds": row.holds,
            "difference": row.difference,
            "false_as_printed": row.is_false_as_printed,
            "counter_example": row.counter_example,
            "text": row.text,
        }
        for row in rows
    ]
