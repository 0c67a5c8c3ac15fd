"""The whole page: one HTML file that needs no network, allowed to run nothing but its own two scripts."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition import privacy_curve
from optmech.base.errors import ProblemError
from optmech.mechanisms.mechanism import Mechanism
from optmech.mechanisms.remapped_geometric import RemappedGeometric
from optmech.proofs.certificate import Certificate
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.reports.card import card_of
from optmech.reports.charts import ECHARTS_VERSION, drawn, echarts_script, theme
from optmech.reports.report import distribution, look, papers, promise, worth
from optmech.reports.report.head import head_of
from optmech.reports.report.html import Html, data, digest, element
from optmech.verify import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.analysis.comparison import Comparison
    from optmech.analysis.composition import PrivacyCurve
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.reports.card import Card
    from optmech.reports.report.part import Part

__all__ = ["Names", "report_page"]

_CHAPTERS = {
    "question": "The question",
    "guarantee": "The guarantee",
    "released": "What is released",
    "matrix": "The mechanism",
    "errors": "The error",
    "worth": "Against the best",
    "tools": "Other tools",
    "limits": "Limits",
    "check": "Check it",
    "signoff": "Sign-off",
}
_STANDINGS = (
    "A number is proved in exact arithmetic, recomputed in floating point from the matrix, claimed by a "
    "solver, or reported by whoever made it. The mark beside it says which."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the files are called in the commands of a report.

    Attributes
    ----------
    certificate, matrix : str
        As they are to stand in a command line, quoted where a shell needs it. The matrix may be left empty:
        a certificate is checked without it as well.
    """

    certificate: str = "mechanism.certificate.json"
    matrix: str = "mechanism.csv"


def report_page(
    source: Certificate | Mechanism,
    problem: Problem | None = None,
    *,
    comparison: Comparison | str = "Other tools were not compared.",
    again: str = "",
    names: Names | None = None,
    date: str = "",
) -> str:
    """Return the report of a mechanism as one HTML page, the same bytes for the same input.

    Parameters
    ----------
    source : Certificate or Mechanism
        The first has proved itself as it was read. Of a mechanism of doubles all is recomputed,
        and the page says so first.
    problem : Problem, optional
        What a mechanism of doubles is said to answer. A certificate says it itself.
    comparison : Comparison or str
        From `optmech.compare`, or a sentence on why there is none.
    again : str, optional
        The commands that make the mechanism again.
    names : Names, optional
        What its files are called.
    date : str, optional
        Shown at the head as it is. Without it the page has no date.

    Raises
    ------
    ProblemError
        As `optmech.reports.card.card_of`.
    """
    card = card_of(source, problem)
    if isinstance(source, GeometricCertificate):
        why = "this mechanism is a distribution without a matrix, and pure: δ is 0 from its ε on."
        made = RemappedGeometric(certificate=source)
        shown, told = distribution.near(made)
        marks, axes = ["0"] * len(shown.truths), look.axes_of(shown, distribution.AXIS)
        guaranteed = promise.guarantee(card, why, source.problem.privacy.epsilon)
        drawn_parts = [
            *distribution.distribution_parts(made, shown, told),
            distribution.errors_of_distribution(card),
        ]
        theorems = None
    else:
        if isinstance(source, Certificate):
            mechanism, asked, curve = (
                Mechanism.certified(source),
                source.problem,
                _curve(source, source.problem.query),
            )
        else:
            assert problem is not None  # noqa: S101 - `card_of` has refused it
            mechanism, asked, curve = source, problem, _curve((source, problem.query), problem.query)
        certificate = source if isinstance(source, Certificate) else None
        report = verify(mechanism, asked, certificate=certificate)
        theorems = worth.theorem_table(report.theorems, report.without_theorems)
        ordered = not mechanism.labels and asked.query.kind != "residues"
        shown = drawn(mechanism)
        told = look.sentences(mechanism, shown, ordered=ordered)
        marks, axes = look.marks_of(shown), look.axes_of(shown)
        guaranteed = promise.guarantee(card, curve, asked.privacy.epsilon)
        drawn_parts = [
            look.released(shown, told, marks, axes),
            look.matrix(mechanism, shown),
            look.errors(card, mechanism, ordered=ordered),
        ]
    parts = [
        promise.question(card),
        guaranteed,
        *drawn_parts,
        worth.worth(card, theorems),
        worth.comparison(comparison),
        worth.caveats(card),
        papers.check(card, names or Names(), again),
        papers.sign_off(),
    ]
    content = {
        "charts": {id_: option for part in parts for id_, option in part.charts.items()},
        "themes": {"light": theme(), "dark": theme(dark=True)},
        "told": told,
        "truths": list(shown.truths),
        "values": list(map(float, shown.values)),
        "marks": marks,
        "axes": axes,
    }
    return _page(card, parts, content, date)


def _curve(source: Any, query: Query) -> PrivacyCurve | str:  # noqa: ANN401 - whatever `privacy_curve` takes
    if query.is_weighted:
        return "neighbours have weights here, and a curve is for neighbours that all count alike."
    try:
        return privacy_curve(source)
    except ProblemError as trouble:
        return str(trouble)


def _page(card: Card, parts: Sequence[Part], content: dict[str, Any], date: str) -> str:
    style = _asset("report.css")
    scripts = (echarts_script(), _asset("report.js"))
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(digest, scripts))}",
            f"style-src {digest(style)}",
            "style-src-attr 'unsafe-inline'",  # where ECharts places its tooltip
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    links = [element("li", element("a", name, href=f"#{chapter}")) for chapter, name in _CHAPTERS.items()]
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="generator", content=f"optmech {card.provenance.optmech}"),
        element("title", f"{card.words.asked} Mechanism report"),
        Html(f"<style>{style}</style>"),
    )
    body = element(
        "body",
        element("a", "Skip to the report", href="#report", class_="skip"),
        element(
            "div",
            element("nav", element("ol", *links), aria_label="Contents"),
            element(
                "main",
                head_of(card, date),
                element("p", _STANDINGS, class_="quiet legend"),
                element(
                    "noscript", element("p", "Without JavaScript there are no charts; each table is here.")
                ),
                *(part.html for part in parts),
                id="report",
            ),
            class_="sheet",
        ),
        element("footer", _notice()),
        data(content, "content"),
        *(Html(f"<script>{script}</script>") for script in scripts),
    )
    return f'<!doctype html>\n<html lang="en">{head}{body}</html>\n'


def _notice() -> Html:
    return element(
        "p",
        f"Charts by Apache ECharts {ECHARTS_VERSION}, copyright 2017-2026 The Apache Software Foundation, "
        "Apache License 2.0, which contains code of d3 by Michael Bostock, BSD-3-Clause. This page loads "
        "nothing and sends nothing.",
    )


def _asset(name: str) -> str:
    return files("optmech.reports.report").joinpath(f"assets/{name}").read_text(encoding="utf-8")
