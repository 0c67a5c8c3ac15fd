"""A design as data for the page: sentences, numbers with their provenance, and tables in HTML."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from markupsafe import Markup

from optmech.base.number_format import at_least, at_most, percent_at_most
from optmech.base.numbers import as_text
from optmech.question.problems.histogram import pairs_text, share_lines
from optmech.question.protection import alone_words
from optmech.reports.card import words_of
from optmech.reports.markup import prose, render
from optmech.reports.studio.inputs import JUDGED, LOSSES, Inputs
from optmech.reports.studio.reading import READING
from optmech.reports.studio.view import MEASURES, view_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem
    from optmech.reports.studio.reading import Answer

ENGINES = {
    "closed-form": "the closed form of a theorem",
    "chain": "the theorem of chains",
    "rays": "column generation over private rows",
    "interior": "interior points over private rows",
    "levels": "a search on the levels of noise values",
    "program": "a linear or mixed-integer program",
}
"""The names of the engines in a sentence."""

# A relative gap below this is the rounding of the proof's own whole numbers: it is not told as one.
_ROUNDING = 1e-9
_SMALL_GAP = 1e-6
_NOT_PRIVATE = "This is not differential privacy at these numbers."
_NOT_STATED = (
    "The controls of this page cannot state the question of this certificate; they hold the one before."
)
# Changes are shown to a tenth of a per cent, probabilities to six digits.
_LEAST_CHANGE, _LAST_DIGIT = 5e-4, 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRow:
    """A number of the table: what it is, its text, its provenance, its value where one compares, a note."""

    name: str
    text: str
    provenance: str
    value: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignSummary:
    """A design in sentences and numbers.

    `origin` is who made it, `caution` what epsilon and delta allow where that is much. Rows have the same
    names in the same order for every design, so that two stand beside each other.
    """

    verdict: str
    caution: str
    origin: str
    rows: tuple[SummaryRow, ...]
    notes: tuple[str, ...]


def design_summary(design: Answer, inputs: Inputs | None) -> DesignSummary:
    """Return the summary of a certified design, or of a certificate that no inputs ask for."""
    certificate, left_out = design.certificate, view_of(design).left_out
    assert certificate is not None  # noqa: S101 - the studio asks for no raw answers
    return DesignSummary(
        verdict=_verdict(certificate),
        caution=_caution(certificate),
        origin=_origin(design),
        rows=_rows(design, certificate, inputs),
        notes=tuple(filter(None, ("" if inputs else _NOT_STATED, *_shares(inputs), *design.notes, left_out))),
    )


def _shares(inputs: Inputs | None) -> list[str]:
    return share_lines(None if inputs is None else inputs.share)


def _verdict(certificate: Certificate) -> str:
    """Return the proved facts in one sentence."""
    private = _private(certificate)
    is_delta, gap = certificate.problem.least_loss is None, certificate.relative_gap
    if gap is None:
        return f"{private}. Its distance from the optimum is not proved."
    if gap <= _ROUNDING:
        less = "a smaller δ" if is_delta else "less error"
        return f"{private}, and optimal: no mechanism of this question has {less}."
    if gap <= _SMALL_GAP:
        return f"{private}, and within {at_most(gap, 1)} of the optimum, relatively."
    if math.isinf(gap):
        return f"{private}. The proved bound is zero: its distance from the optimum is not known."
    share = percent_at_most(gap)
    less = f"a δ up to {share} smaller" if is_delta else f"up to {share} less error"
    return f"{private}. The best mechanism of this question may have {less}."


def _caution(certificate: Certificate) -> str:
    """Return the warning: a definition falls short of differential privacy, or allows much.

    The guarantee says how it falls short.
    """
    unlike = "" if words_of(certificate.problem).is_differential_privacy else _NOT_PRIVATE
    return " ".join(filter(None, (unlike, certificate.caution)))


def _private(certificate: Certificate) -> str:
    """Return the proved privacy, as the beginning of a sentence."""
    problem, words = certificate.problem, words_of(certificate.problem)
    if problem.privacy.curve is not None:
        return f"Proved in exact arithmetic: {words.definition}"
    delta = f", δ = {at_most(certificate.delta)}" if certificate.delta else ""
    private = "private at" if words.is_differential_privacy else f"{words.privacy_name}, at"
    alone = alone_words(problem.query)
    between = f", between neighbours alone: {alone}" if alone else ""
    numbers = "; also ".join([f"ε = {as_text(problem.privacy.epsilon)}{delta}", *words.further])
    return f"Proved in exact arithmetic: {private} {numbers}{between}"


def _origin(design: Answer) -> str:
    """Return the maker of a design, and its time."""
    seconds = design.seconds
    took = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    if design.engine == READING:
        return f"Read from a certificate, and proved again in {took}."
    return f"Computed by {ENGINES[design.engine]} in {took}."


def question_words(problem: Problem, inputs: Inputs | None) -> tuple[str, str]:
    """Return a question in plain words, and the guarantee to the people in the data.

    The guarantee of a histogram is that of all cells together.
    """
    words, question = words_of(problem), words_of(problem).question
    if inputs is not None and inputs.share is not None:
        words = words_of(inputs.whole_problem())
        question = f"In each cell of a histogram: {question[:1].lower()}{question[1:]}"
    return question, " ".join(filter(None, (words.guarantee, words.odds, words.deviation)))


def headline(summary: DesignSummary) -> str:
    """Return the main result as HTML: the objective, and its meaning."""
    (row,) = (row for row in summary.rows if row.name == "objective")
    return Markup("<strong>{}</strong> {}").format(row.text, row.note)


def sentence_html(sentence: str) -> str:
    """Return a sentence of an error as HTML, its names as code.

    >>> print(sentence_html("`largest` must be < 5; got 7."))
    <code>largest</code> must be &lt; 5; got 7.
    """
    return prose(sentence[:1].upper() + sentence[1:])


def facts_table(now: DesignSummary, other: DesignSummary | None = None) -> str:
    """Return the numbers as an HTML table; beside those of a design that was kept, and what changed."""
    if other is None:
        rows = [(row.name, [(row, "")]) for row in now.rows]
        return render("studio_facts.html", names=["value"], rows=rows)
    both = [
        (row.name, [(before, ""), (row, _change(before, row))])
        for before, row in zip(other.rows, now.rows, strict=True)
    ]
    return render("studio_facts.html", names=["A, kept", "B, now"], rows=both)


def column_table(designs: Mapping[str, Answer], truth: str) -> str:
    """Return an HTML table of the released answers at the true answer `truth`, with probabilities."""
    views = {name: view_of(design) for name, design in designs.items()}
    columns = {name: view.released(truth) for name, view in views.items() if view.has(truth)}
    is_named = any(view.mechanism.labels for view in views.values())
    responses = dict.fromkeys(name for column in columns.values() for name in column)
    rows = [
        (name, [_probability(column.get(name)) for column in columns.values()])
        for name in (responses if is_named else sorted(responses, key=Fraction))
    ]
    return render("studio_column.html", truth=truth, names=list(columns), rows=rows)


def _objective(problem: Problem, inputs: Inputs | None) -> str:
    """Return the objective in the words of the controls, where they have it."""
    if inputs is None:
        return "the least δ" if problem.least_loss is None else words_of(problem).objective.removesuffix(".")
    loss = LOSSES["zero-one" if inputs.query == "categories" else inputs.loss]
    return f"{loss.replace('…', str(inputs.beyond))}, {JUDGED[inputs.judged]}"


def _rows(design: Answer, certificate: Certificate, inputs: Inputs | None) -> tuple[SummaryRow, ...]:
    epsilon, delta, view = design.problem.privacy.epsilon, certificate.delta, view_of(design)
    objective, share = _objective(design.problem, inputs), None if inputs is None else inputs.share
    part = f"of one cell; {pairs_text(share.whole)} of all" if share is not None and share.steps > 1 else ""
    return (
        SummaryRow(name="ε", text=as_text(epsilon), provenance="proved", value=float(epsilon), note=part),
        SummaryRow(name="δ", text=at_most(delta, 5), provenance="proved", value=float(delta)),
        SummaryRow(name="objective", text=_objective_text(certificate), provenance="proved", note=objective),
        _bound(certificate),
        *(_measure(name, view.measures.get(name)) for name in MEASURES),
    )


def _objective_text(certificate: Certificate) -> str:
    """Return the objective as it is read; a delta is rounded up, as where it stands as such."""
    objective = certificate.objective
    return at_most(objective, 5) if certificate.problem.least_loss is None else f"{float(objective):.5g}"


def _measure(name: str, value: float | None) -> SummaryRow:
    """Return the row of a number that was recomputed; of categories most do not exist."""
    if value is None:
        return SummaryRow(name=name, text="\N{EN DASH}", provenance="")
    return SummaryRow(name=name, text=f"{value:.5g}", provenance="recomputed", value=value)


def _bound(certificate: Certificate) -> SummaryRow:
    """Return the row of the lower bound, which reads as the objective where the two are one number."""
    name, gap = "no mechanism does better than", certificate.relative_gap
    if certificate.bound is None or gap is None:
        return SummaryRow(name=name, text="not proved", provenance="")
    if gap <= _ROUNDING:
        return SummaryRow(
            name=name, text=_objective_text(certificate), provenance="proved", note="optimal, proved"
        )
    note = f"relative gap at most {at_most(gap, 1)}"
    return SummaryRow(name=name, text=at_least(certificate.bound, 5), provenance="proved", note=note)


def _change(before: SummaryRow, after: SummaryRow) -> str:
    """Return the change of a number, where it is defined."""
    if before.value is None or after.value is None or before.value == after.value or not before.value:
        return ""
    share = after.value / before.value - 1
    text = f"{share:+.1%}".replace("-", "\N{MINUS SIGN}").replace("%", " %")
    return text if abs(share) >= _LEAST_CHANGE else ""


def _probability(value: float | None) -> str:
    if value is None:
        return "\N{EN DASH}"
    return f"{value:.6f}" if value >= _LAST_DIGIT or not value else f"{value:.1e}"
