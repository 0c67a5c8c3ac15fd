"""How good the mechanism is, how that is known, and what other tools would do here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.comparison.sentences import lost, sentences
from optmech.base.spelled import at_most, percent_at_most
from optmech.reports.report.html import Html, element, facts, prose, table
from optmech.reports.report.part import Part
from optmech.reports.report.standing import least, limit, marked, standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.analysis.comparison import Comparison
    from optmech.analysis.comparison.row import Row
    from optmech.reports.card import Card
    from optmech.theorems.consistency import TheoremRow

__all__ = ["caveats", "comparison", "theorem_table", "worth"]

_NOTHING = 1e-6


def worth(card: Card, theorems: Html | None = None) -> Part:
    """Return how far from the proved optimum it is; without a proof, that nothing is known."""
    proof = card.proof
    title = element("h2", "How far from the best possible")
    if not card.certified:
        none = element(
            "p",
            prose(
                "Nothing is proved of this matrix, so it is not held to the best one here. `optmech design` "
                "finds that one and proves it."
            ),
        )
        value = facts((("What was to be least", proof.least), ("Its value", marked(proof.objective))))
        return Part(html=element("section", title, none, value, theorems, id="worth"))
    return Part(
        html=element(
            "section",
            title,
            element("p", _verdict(card), class_="said"),
            element("p", proof.how),
            facts(
                (
                    ("What was made least", proof.least),
                    ("Its value here", marked(proof.objective, digits=10)),
                    ("No mechanism has less than", least(proof.bound)),
                    ("Gap between the two", limit(proof.gap, digits=3)),
                    ("Gap, as a share", limit(proof.relative_gap, digits=3)),
                    ("Numbers in the proof", f"{proof.multipliers:,}" if proof.multipliers else None),
                )
            ),
            theorems,
            id="worth",
        )
    )


def theorem_table(rows: Sequence[TheoremRow], without: str) -> Html | None:
    """Return each theorem that speaks of the question with its verdict, or why there is none."""
    if not rows:
        return element("p", f"Theorems: {without}.", class_="quiet") if without else None
    head = ("theorem", "verdict", "its value, and how far this mechanism is from it", "source")
    listed = [(row.name, row.verdict, row.text, row.source) for row in rows]
    return table("Closed-form theorems on this question, recomputed", head, listed, id_="theorems")


def _verdict(card: Card) -> str:
    gap, least = card.proof.relative_gap, card.proof.least
    if gap is None:
        return "Nobody has proved how far it is from the best possible."
    if gap.value <= _NOTHING:
        return (
            f"No mechanism that answers this question has a smaller {least}, but for a share of "
            f"{at_most(gap.value, 2)} at most."
        )
    most = percent_at_most(gap.value)
    return f"No mechanism that answers this question has a {least} smaller by more than {most}."


def comparison(found: Comparison | str) -> Part:
    """Return what other tools would do, or the sentence on why that is not said."""
    title = element("h2", "What other tools would do here")
    if isinstance(found, str):
        return Part(html=element("section", title, element("p", found), id="tools"))
    head = ("mechanism", "in", "loss on average", "at the worst truth", "loses", "keeps what was asked")
    rows = [_row(row) for row in (found.optimum, *found.defaults)]
    unfit = None
    if found.refused:
        unfit = element(
            "details",
            element("summary", "Mechanisms that do not fit this question"),
            element(
                "ul",
                *(element("li", element("strong", key), ": ", why) for key, why in found.refused.items()),
            ),
        )
    return Part(
        html=element(
            "section",
            title,
            element(
                "p",
                "Library mechanisms at the same privacy, clamped to the range and rounded to what can be "
                "released, under this question's own loss and prior. What a mechanism loses is how much more "
                "it costs than the best one.",
            ),
            element("p", sentences(found)[0], class_="said"),
            table("Other tools on this question", head, rows)
            if len(rows) > 1
            else element("p", "No library mechanism that is known here answers this question."),
            element(
                "p",
                "Their losses are ",
                standing("recomputed"),
                " from their matrices in floating point. Libraries are named with the version that was "
                "looked up.",
                class_="quiet",
            ),
            unfit,
            id="tools",
        )
    )


def _row(row: Row) -> tuple[Html | str, ...]:
    best = row.key == "optimum"
    kept = row.privacy
    if row.lacks:
        kept += f", but not {', '.join(row.lacks)}" if row.private else f"; not {', '.join(row.lacks)}"
    return (
        Html(f"{element('span', 'the best possible')} {standing(row.standing)}") if best else row.name,
        "optmech" if best else ", ".join(map(str, row.libraries)),
        f"{row.average:.4g}",
        f"{row.worst_loss:.4g}",
        "nothing" if best else lost(row),
        kept,
    )


def caveats(card: Card) -> Part:
    """Return what the guarantee does not cover."""
    listed = element("ul", *(element("li", prose(text)) for text in card.caveats))
    return Part(html=element("section", element("h2", "What this does not cover"), listed, id="limits"))
