"""The whole page: one HTML file that needs no network, allowed to run nothing but its own script."""

from __future__ import annotations

import math
from base64 import b64encode
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from optmech.analysis.comparison.sentences import excess_loss, sentences
from optmech.base.number_format import at_most, percent, percent_at_most
from optmech.base.numbers import as_text
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import MechanismSource, source_of
from optmech.reports.card import Card, Number, card_of
from optmech.reports.card.caveats import violation
from optmech.reports.card.text import ONLY_NEIGHBOURS
from optmech.reports.charts.errors import error_chart
from optmech.reports.charts.matrix_view import matrix_chart, near
from optmech.reports.charts.svg import chart_style, chart_svg
from optmech.reports.markup import asset, render
from optmech.reports.report.sections import curve_of, error_table, response_distribution, sentences_of
from optmech.verify import verify

if TYPE_CHECKING:
    from optmech.analysis.comparison import Comparison
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem
    from optmech.release.tabulate.bound import PersonBound

# A gap below this share is rounding of the proof's own whole numbers.
_NOTHING = 1e-6
_WIDEST_TABLE = 12
_LONGEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of the files in the commands of a report, quoted where a shell needs it.

    The matrix may be left empty: a certificate is checked without it as well.
    """

    certificate: str = "mechanism.certificate.json"
    matrix: str = "mechanism.csv"


def report_page(
    source: MechanismSource,
    problem: Problem | None = None,
    *,
    comparison: Comparison | str = "Other tools were not compared.",
    again: str = "",
    names: Names | None = None,
    date: str = "",
    title: str = "",
    bound: PersonBound | None = None,
    card: Card | None = None,
) -> str:
    """Return the report of a mechanism as one HTML page, the same bytes for the same input.

    A certificate has proved itself as it was read. A mechanism of doubles needs the problem that it is said
    to answer; then all is recomputed, and the page says so first. `comparison` may be a sentence on why there
    is none, `again` the commands that make the mechanism again, `date` what stands at the head as it is,
    and `title` the heading in place of the question.
    `bound` and errors are those of `card_of`; `card` is what it returns, where somebody has asked it before.
    """
    source_parts = source_of(source, "source")
    card = card or card_of(source, problem, bound=bound)
    question = source_parts.problem or problem
    assert question is not None  # noqa: S101 - `card_of` has refused it
    content = _content(source_parts.mechanism, source_parts.certificate, question, card)
    style, script = chart_style() + asset("report.css"), asset("tips.js") + asset("report.js")
    policy = (
        "default-src 'none'",
        f"script-src {digest(script)}",
        f"style-src {digest(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return render(
        "report.html",
        **content,
        again=again,
        at_most=at_most,
        card=card,
        compared="" if isinstance(comparison, str) else sentences(comparison)[0],
        comparison=comparison,
        date=date,
        heading=title or card.words.question,
        excess_loss=excess_loss,
        names=names or Names(),
        nothing=_NOTHING,
        only_neighbours=ONLY_NEIGHBOURS,
        violation=violation,
        percent=percent,
        percent_at_most=percent_at_most,
        policy="; ".join(policy),
        script=script,
        style=style,
        told=number_text,
    )


def digest(text: str) -> str:
    """Return the digest of a script or a style for a Content-Security-Policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def number_text(number: Number, digits: int = 6) -> str:
    """Return a number as text: exactly where that is short, else rounded.

    >>> from optmech.base.provenance import Provenance
    >>> from optmech.reports.card import Number
    >>> number_text(Number(value=1 / 3, exact="1/3", provenance=Provenance.PROVED))
    '1/3'
    >>> number_text(Number(value=1.1, exact="11/10", provenance=Provenance.PROVED))
    '1.1'
    """
    text = number.exact
    if text and "ln" not in text:
        text = as_text(Fraction(text))
    if text and len(text) <= _LONGEST:
        return text
    return "infinite" if math.isinf(number.value) else f"{number.value:.{digits}g}"


@singledispatch
def _content(
    mechanism: Mechanism, certificate: Certificate | None, problem: Problem, card: Card
) -> dict[str, Any]:
    """Return the charts and tables of a mechanism: all of a matrix, of noise those near some truths."""
    report = verify(mechanism, problem, certificate=certificate)
    is_ordered = not mechanism.labels and problem.query.kind != "residues"
    view = matrix_chart(mechanism)
    marks = [view.responses.index(name) if name in view.responses else None for name in view.truths]
    rows = [
        (name, *(f"{entry:.4f}" for entry in entries))
        for name, entries in zip(view.responses, view.probabilities.tolist(), strict=True)
    ]
    return {
        **response_distribution(view, sentences_of(mechanism, view, ordered=is_ordered), marks),
        "columns": 0,
        "size": mechanism.matrix.shape,
        "matrix_chart": chart_svg(view, "chart-matrix"),
        "matrix_rows": rows if max(mechanism.matrix.shape) <= _WIDEST_TABLE else [],
        "ordered": is_ordered,
        "error_chart": chart_svg(error_chart(mechanism, ordered=is_ordered), "chart-errors"),
        "error_table": error_table(mechanism, ordered=is_ordered),
        "curve": curve_of(certificate or (mechanism, problem.query), problem, is_certified=card.certified),
        "theorems": [(row.name, row.verdict, row.text, row.source) for row in report.theorems],
        "without_theorems": report.without_theorems,
    }


@_content.register(NoiseMechanism)
def _(
    mechanism: NoiseMechanism, certificate: Certificate | None, problem: Problem, card: Card
) -> dict[str, Any]:
    view, sentences_of_truths = near(mechanism)
    middle = [view.responses.index("0")] * len(view.truths)
    # Where the card has no means, truth by truth, they would take too long here as well.
    errors: dict[str, Any] = {"error_chart": None}
    if card.errors.worst_mean is not None:
        errors = {
            "error_chart": chart_svg(error_chart(mechanism), "chart-errors"),
            "error_table": error_table(mechanism, ordered=True),
        }
    return {
        **response_distribution(view, sentences_of_truths, middle, "released less true answer, which is {}"),
        **errors,
        "columns": card.mechanism.truths,
        "ordered": True,
        "matrix_chart": chart_svg(view, "chart-matrix"),
        "curve": curve_of(certificate or mechanism, problem, is_certified=True),
        "theorems": [],
        "without_theorems": "",
    }
