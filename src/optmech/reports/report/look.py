"""What is released, the whole matrix, and how far releases lie from the truth: charts and their tables."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from optmech.analysis.utility import error_quantiles
from optmech.base.numbers import as_text
from optmech.base.spelled import percent
from optmech.reports.charts import (
    error_by_truth,
    error_measures,
    matrix_heat_map,
    probability_of_error,
    released_column,
)
from optmech.reports.charts.drawn import truth_names
from optmech.reports.charts.frame import cut
from optmech.reports.report.html import Html, element, facts, table
from optmech.reports.report.part import Part, chart
from optmech.reports.report.standing import marked

if TYPE_CHECKING:
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.reports.card import Card
    from optmech.reports.charts import Drawn

__all__ = ["axes_of", "errors", "marks_of", "matrix", "over_all", "released", "sentences"]

_WIDEST_TABLE = 12
_MOST_ROWS = 151


def released(shown: Drawn, told: list[str], marks: list[str], axes: list[str]) -> Part:
    """Return the distribution of what is released for a true answer that the reader chooses.

    Parameters
    ----------
    shown : Drawn
        What of a mechanism is shown.
    told : list of str
        A sentence for each truth that is shown.
    marks : list of str
        Where each truth is marked; empty texts for nowhere.
    axes : list of str
        What the axis is called for each truth, from `axes_of`.
    """
    first = len(shown.truths) // 2
    column = [
        (name, f"{entry:.6g}", exactly[first])
        for name, entry, exactly in zip(
            shown.responses, shown.probabilities[:, first].tolist(), shown.exactly, strict=True
        )
    ]
    return Part(
        html=element(
            "section",
            element("h2", "What is released"),
            element(
                "p",
                "Choose a true answer; the chart and the table show what is released for it, and how often.",
                class_="screen",
            ),
            element("div", *_choosers(shown, first), class_="choose"),
            element("p", told[first], id="told", role="status", aria_live="polite"),
            chart(
                "chart-released", "The probability of each released answer. A dashed line marks the truth."
            ),
            element("p", shown.left_out, class_="quiet") if shown.left_out else None,
            element(
                "details",
                element("summary", "The same as a table"),
                table(
                    "Released answers and their probabilities for the chosen true answer",
                    ("released", "probability", shown.unit),
                    column,
                    id_="column",
                ),
            ),
            id="released",
        ),
        charts={"chart-released": released_column(shown, first, axes[first], marks[first])},
    )


def axes_of(shown: Drawn, name: str = "released when the true answer is {}") -> list[str]:
    """Return what the axis of the released answers is called for each truth, which stands for ``{}``."""
    return [name.replace("{}", cut(truth)) for truth in shown.truths]


def marks_of(shown: Drawn) -> list[str]:
    """Return each truth where it is a response as well."""
    return [name if name in shown.responses else "" for name in shown.truths]


def _choosers(shown: Drawn, first: int) -> list[Html]:
    """Return a slider, and a number box where truths are evenly spaced numbers, else a list to pick from."""
    if len(shown.truths) == 1:
        return [element("p", "There is one true answer only: ", element("output", shown.truths[0]))]
    slider = [
        element("label", "True answer", for_="slider"),
        element(
            "input",
            type="range",
            id="slider",
            min=0,
            max=len(shown.truths) - 1,
            step=1,
            value=first,
            aria_valuetext=shown.truths[first],
        ),
    ]
    steps = {high - low for low, high in pairwise(shown.values)}
    if len(steps) != 1 or any("/" in as_text(value) for value in (*shown.values, *steps)):
        options = [
            element("option", name, value=place, selected="" if place == first else None)
            for place, name in enumerate(shown.truths)
        ]
        return [*slider, element("label", "or pick it", for_="pick"), element("select", *options, id="pick")]
    box = element(
        "input",
        type="number",
        id="box",
        min=shown.truths[0],
        max=shown.truths[-1],
        step=as_text(steps.pop()),
        value=shown.truths[first],
    )
    return [*slider, element("label", "or type it", for_="box"), box]


def sentences(mechanism: Mechanism, shown: Drawn, *, ordered: bool) -> list[str]:
    """Return a sentence for each truth that is shown."""
    measured = error_measures(mechanism) if ordered else {}
    wrong = probability_of_error(mechanism)
    found = []
    for place, (name, position) in enumerate(zip(shown.truths, shown.positions, strict=True)):
        column = shown.probabilities[:, place]
        likeliest = int(column.argmax())
        text = (
            f"When the true answer is {name}, the likeliest release is {shown.responses[likeliest]}, with "
            f"probability {percent(float(column[likeliest]))}."
        )
        if ordered:
            mean, within = measured["mean error"][position], measured["95 % of errors within"][position]
            text += (
                f" The error is {mean:.3g} on average; 95 % of releases lie within {within:.4g} of the truth."
            )
        else:
            text += f" Another answer is released with probability {percent(float(wrong[position]))}."
        found.append(text)
    return found


def matrix(mechanism: Mechanism, shown: Drawn) -> Part:
    """Return the heat map; of a small matrix a table as well."""
    rows, columns = mechanism.matrix.shape
    small = max(rows, columns) <= _WIDEST_TABLE
    if small:
        lines = [
            (name, *(f"{entry:.4f}" for entry in entries))
            for name, entries in zip(shown.responses, shown.probabilities.tolist(), strict=True)
        ]
        other = element(
            "details",
            element("summary", "The same as a table"),
            table(
                "Probability of each release, in rows, for each true answer, in columns",
                ("released", *shown.truths),
                lines,
            ),
        )
    else:
        other = element(
            "p",
            "The column of any true answer stands above as a table with exact numbers; the CSV file has all.",
            class_="quiet",
        )
    return Part(
        html=element(
            "section",
            element("h2", "The whole mechanism"),
            element(
                "p",
                f"Each column is a true answer, each row a released one: {rows:,} by {columns:,} "
                "probabilities. Point at a cell for its exact value.",
            ),
            chart(
                "chart-matrix",
                "The mechanism matrix. Each column sums to one. Shades go with the square root of the "
                "probability.",
                square=True,
            ),
            element("p", shown.left_out, class_="quiet") if shown.left_out else None,
            other,
            id="matrix",
        ),
        charts={"chart-matrix": matrix_heat_map(mechanism)},
    )


def errors(card: Card, mechanism: Mechanism, *, ordered: bool) -> Part:
    """Return how far releases lie from the truth, over all and truth by truth."""
    return Part(
        html=element(
            "section",
            element("h2", "How far releases lie from the truth"),
            element("p", card.errors.measure),
            over_all(card),
            element("h3", "Truth by truth"),
            chart(
                "chart-errors",
                "Recomputed from the matrix for each true answer."
                + (" Bias is the mean release less the truth." if ordered else ""),
            ),
            element(
                "details", element("summary", "The same as a table"), _by_truth(mechanism, ordered=ordered)
            ),
            id="errors",
        ),
        charts={"chart-errors": error_by_truth(mechanism, ordered=ordered)},
    )


def over_all(card: Card) -> Html:
    """Return the errors over all true answers, each with its standing; what is absent is left out."""
    found = card.errors
    return facts(
        (
            ("The truth is released, on average", marked(found.told_truth)),
            ("The truth is released, at least", marked(found.told_truth_least)),
            ("Mean error", marked(found.mean)),
            ("Root mean square error", marked(found.root_mean_square)),
            ("Largest mean error", marked(found.worst_mean, f", where {found.worst_truth} is true")),
            ("Largest bias", marked(found.bias, f", where {found.biased_truth} is true")),
            *(
                (f"{quantile.percent} % of releases lie within", marked(quantile.error))
                for quantile in found.quantiles
            ),
        )
    )


def _by_truth(mechanism: Mechanism, *, ordered: bool) -> Html:
    names = truth_names(mechanism)
    measured = {"another answer": probability_of_error(mechanism)}
    if ordered:
        half, most = error_quantiles(mechanism, [0.5, 0.99])
        measured = {**error_measures(mechanism), "50 % within": half, "99 % within": most}
    step = -(-len(names) // _MOST_ROWS)
    rows = [
        (name, *(f"{values[place]:.4g}" for values in measured.values()))
        for place, name in list(enumerate(names))[::step]
    ]
    caption = (
        "Errors for each true answer, recomputed" if ordered else "Probability of another answer, recomputed"
    )
    if step > 1:
        caption += f"; one in {step} is listed"
    return table(caption, ("true answer", *measured), rows)
