"""What is asked, what is guaranteed, and to whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.composition.curve import rounded_up
from optmech.base.logarithm import Logarithm
from optmech.base.numbers import as_text
from optmech.base.spelled import at_most
from optmech.reports.card.page import ONLY_NEIGHBOURS
from optmech.reports.charts import privacy_curve_chart
from optmech.reports.report.html import Html, element, facts, prose, table
from optmech.reports.report.part import Part, chart
from optmech.reports.report.standing import limit, marked, standing

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.composition import PrivacyCurve
    from optmech.reports.card import Card

__all__ = ["guarantee", "question"]

_NOT_KEPT = "This mechanism does not keep it. What follows is what was asked, and what the matrix spends."
_NOT_PROVED = "Nothing of it is proved. What follows is what was asked, and what doubles show."
_QUARTERS = (0, 1, 2, 3, 4, 5, 6, 8)


def question(card: Card) -> Part:
    """Return the question in plain words."""
    words = card.words
    told = facts(
        (
            ("Asked", words.asked),
            ("True answers", words.answers),
            ("Released", words.released),
            ("Mechanisms allowed", words.structure),
            ("Also asked", " ".join(words.properties)),
            ("Made least", words.objective),
        )
    )
    return Part(html=element("section", element("h2", "The question"), told, id="question"))


def guarantee(card: Card, curve: PrivacyCurve | str, epsilon: Fraction | Logarithm) -> Part:
    """Return the guarantee; `curve` may be a sentence on why there is none."""
    words, privacy = card.words, card.privacy
    held = facts(
        (
            ("Who is protected", words.protected),
            ("Neighbours", words.neighbours),
            ("Definition", words.definition),
            ("Differential privacy", _kept(card)),
            ("How it differs", words.unlike_usual),
            ("ε", marked(privacy.epsilon)),
            (_odds(card), marked(privacy.odds)),
            ("δ of this definition, at most", limit(privacy.delta)),
            ("δ asked", privacy.delta_asked),
            ("δ over all sets of answers, both ways, at most", limit(privacy.delta_of_sets)),
            ("ε that δ = 0 needs, both ways", marked(privacy.effective_epsilon)),
        )
    )
    said = [element("p", text) for text in (words.guarantee, words.odds) if text]
    if words.allows:
        said.insert(0, element("p", words.allows, class_="care"))
    title = element("h2", "What is guaranteed, and to whom")
    if not card.certified:
        title = element("h2", "What was asked to be guaranteed, and to whom")
        said.insert(0, element("p", _NOT_KEPT if not privacy.holds else _NOT_PROVED, class_="warn"))
    if isinstance(curve, str):
        none = element("p", prose(f"There is no curve δ(ε) here: {curve}"), class_="quiet")
        return Part(html=element("section", title, *said, held, none, id="guarantee"))
    return Part(
        html=element(
            "section",
            title,
            *said,
            held,
            element("h3", "The privacy curve"),
            chart(
                "chart-curve",
                "For each ε the least δ of (ε, δ)-differential privacy, exact, over all neighbours that the "
                "question names.",
            ),
            element(
                "details",
                element("summary", "The curve as a table"),
                _points(curve, epsilon, card.certified),
            ),
            id="guarantee",
        ),
        charts={"chart-curve": privacy_curve_chart(curve, epsilon)},
    )


def _odds(card: Card) -> str:
    """Return what e^ε is called, where odds can change by more as well."""
    privacy = card.privacy
    if privacy.delta.value or privacy.delta_asked or not privacy.both_ways:
        return "e^ε"
    return "e^ε, the largest change of odds" + (" for each unit of weight" if privacy.heaviest > 1 else "")


def _kept(card: Card) -> str:
    """Return whether this is differential privacy, no more surely than it is known."""
    if not card.privacy.holds:
        return "No: the matrix does not keep what was asked."
    if not card.words.is_differential_privacy:
        return "No."
    yes = "Yes, at these numbers." if card.certified else "At these numbers within rounding; not proved."
    yes += f" {ONLY_NEIGHBOURS}" if card.words.cautions else ""
    return f"{card.words.allows} {yes}".lstrip()


def _points(curve: PrivacyCurve, epsilon: Fraction | Logarithm, certified: bool) -> Html:  # noqa: FBT001
    word = "proved" if certified else "recomputed"
    exactly = not isinstance(epsilon, Logarithm)
    rows = []
    for quarter in _QUARTERS:
        at = epsilon if quarter == 4 else float(epsilon) * quarter / 4  # noqa: PLR2004 - four quarters
        name = as_text(at) if not isinstance(at, float) else f"{at:.4g}"
        if quarter == 4:  # noqa: PLR2004
            name += ", as asked" if exactly else f" = {float(epsilon):.4g}, as asked"
        delta = rounded_up(curve.delta(at if not isinstance(at, float) else repr(at)))
        rows.append((name, at_most(delta, 6), standing(word)))
    return table("Least δ at some ε, rounded up", ("ε", "δ", "standing"), rows)
