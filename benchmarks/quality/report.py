"""The quality tables as text: optima and proofs, improvements for each family, and what a delta is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.quality.definitions import definitions
from benchmarks.quality.judged import RESOLVED_DELTA, THEOREM_RULE, judged
from benchmarks.quality.questions import questions
from benchmarks.table import Table, figure, markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.quality.judged import Judged

__all__ = ["NAMES", "improvements", "optima", "report"]

NAMES = ("optima.md", "improvements.md", "definitions.md")
# Below it an improvement is the repair's and the rounding's, not the design's.
NO_IMPROVEMENT = 1e-7


def report(*, smoke: bool = False) -> tuple[dict[str, str], list[str]]:
    """Return the text of each table by its file name, and a sentence for each rule that is broken."""
    families = [[judged(question) for question in family] for family in questions(smoke=smoke)]
    texts = {
        name: "\n".join(markdown(build(family)) for family in families)
        for name, build in zip(NAMES, (optima, improvements), strict=False)
    }
    texts["definitions.md"], broken = definitions(smoke=smoke)
    return texts, broken + [line for family in families for row in family for line in row.broken()]


def optima(family: Sequence[Judged]) -> Table:
    """Return optimum, engine and proof of each question; gaps as the rule they keep, which is stable."""
    return Table(
        title=f"{family[0].question.family}: optima",
        header=("question", "optimum", "engine", "proved gap", "theorems that say the same"),
        rows=tuple(
            (
                row.question.name,
                f"< {RESOLVED_DELTA:g}" if row.absolute else figure(row.optimum),
                row.engine,
                _kept(row.gap, row.question.gap_rule, row),
                ", ".join(f"{name} {_kept(gap, THEOREM_RULE, row)}" for name, gap in row.theorems.items())
                or "none",
            )
            for row in family
        ),
    )


def improvements(family: Sequence[Judged]) -> Table:
    """Return by how much of each baseline's loss the design loses less, in per cent."""
    names = list(family[0].improvements)
    useful = [name for name in names if any(isinstance(row.improvements[name], float) for row in family)]
    reasons = {
        name: sorted({str(row.improvements[name]) for row in family}) for name in names if name not in useful
    }
    notes = (
        "No answer to any of these: " + "; ".join(f"{n} ({', '.join(r)})" for n, r in reasons.items()) + ".",
    )
    return Table(
        title=f"{family[0].question.family}: improvement over baselines, per cent of their objective",
        header=("question", *useful),
        rows=tuple(
            (row.question.name, *(_percent(row.improvements[name]) for name in useful)) for row in family
        ),
        notes=notes if reasons else (),
    )


def _kept(gap: float, rule: float, row: Judged) -> str:
    kind = " absolute" if row.absolute else ""
    return f"<= {rule:g}{kind}" if gap <= rule else f"{gap:.2e} > {rule:g}{kind}"


def _percent(gain: float | str) -> str:
    if isinstance(gain, str):
        return gain
    return "0" if abs(gain) < NO_IMPROVEMENT else f"{100 * gain:.3f}"
