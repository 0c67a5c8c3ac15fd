"""A mechanism in a notebook, with the provenance of each number, and a question in plain words."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING

from optmech.base.number_format import at_least, at_most
from optmech.base.wording import plural
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import mechanism_of
from optmech.proofs.certificate import Certificate, reported_facts
from optmech.question.losses import LeastDelta
from optmech.question.privacy import ApproximatePrivacy
from optmech.question.problem import Problem
from optmech.question.structures import FreeMatrix
from optmech.question.words import words_of
from optmech.reports.charts.chart import brief, cut
from optmech.reports.charts.matrix_view import response_names, truth_names
from optmech.reports.display.blocks import Facts, Fold, Paragraph, Shade, Table, care, number, page

if TYPE_CHECKING:
    from optmech.designs.design import AnyDesign
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.query import Query

_PROVED = "proved"
_DIGITS = 10
# Rows on a screen: all, or the first and the last.
_MOST, _FIRST, _LAST = 12, 7, 3
_LONGEST = 40


def html_of_mechanism(mechanism: Mechanism) -> str:
    """Return the matrix as a table."""
    return page(repr(mechanism)[1:-1], *_probabilities(mechanism))


def html_of_certificate(certificate: Certificate) -> str:
    """Return the question, the proved facts of its answer, and the matrix folded away."""
    return page(
        f"Certificate: {certificate.problem.query.title}, {certificate.problem.privacy}",
        care(certificate.caution),
        question_facts(certificate.problem, certificate.delta, certificate.delta_of_sets),
        Facts(proved_facts(certificate)),
        Fold("The mechanism", _probabilities(mechanism_of(certificate))),
    )


def html_of_anydesign(design: AnyDesign) -> str:
    """Return the numbers and the matrix; the question is folded away."""
    certificate = design.certificate
    if certificate is None:
        question = question_facts(design.problem)
        facts = [
            ("objective", number(design.objective, design.objective_standing)),
            ("lower bound", number(design.lower_bound, design.lower_bound_standing)),
            (
                "caution",
                "This is the raw answer of an engine, in doubles: nothing is proved, not even privacy.",
            ),
        ]
    else:
        question = question_facts(design.problem, certificate.delta, certificate.delta_of_sets)
        facts = proved_facts(certificate)
    facts = [
        ("wanted", words_of(design.problem).objective),
        *facts,
        ("engine", f"{design.engine}, in {design.seconds:.2g} seconds"),
    ]
    return page(
        f"Design: {design.problem.query.title}, {design.problem.privacy}",
        care(design.caution),
        Fold("The question in words", [question]),
        Facts(facts),
        *map(Paragraph, design.notes),
        *_probabilities(design.mechanism),
    )


def proved_facts(certificate: Certificate) -> list[tuple[str, str]]:
    """Return the proved facts, and below them the reports of the certificate."""
    bound, gap = certificate.bound, certificate.relative_gap
    least = "no bound is proved" if bound is None else f"{at_least(bound, _DIGITS)} [{_PROVED}]"
    return [
        ("objective", number(float(certificate.objective), _PROVED)),
        ("delta spent, at most", f"{at_most(certificate.delta, _DIGITS)} [{_PROVED}]"),
        ("lower bound", least),
        ("gap, at most", "" if gap is None else f"{at_most(gap, 2)} of the objective [{_PROVED}]"),
        ("SHA-256 of the matrix", certificate.matrix_sha256 or ""),
        *((name, f"{text} [reported]") for name, text in reported_facts(certificate)),
    ]


@singledispatch
def _probabilities(mechanism: Mechanism) -> list[Table | Paragraph]:
    """Return the matrix with a shade behind each probability, abbreviated where it is large."""
    largest = float(mechanism.matrix.max())
    rows, columns = map(_shown_positions, mechanism.matrix.shape)
    truths = [cut(name, _LONGEST) for name in truth_names(mechanism)]
    responses = [cut(name, _LONGEST) for name in response_names(mechanism)]

    def cell(row: int | None, column: int | None) -> str | Shade:
        if row is None or column is None:
            return "⋮" if row is None else "…"
        value = float(mechanism.matrix[row, column])
        return Shade(brief(value), value / largest)

    table = Table(
        "Probability of each released answer (row), for each true answer (column)",
        ["", *("…" if column is None else truths[column] for column in columns)],
        [("⋮" if row is None else responses[row], [cell(row, column) for column in columns]) for row in rows],
    )
    if None not in [*rows, *columns]:
        return [table]
    size = "{} and {}".format(*map(plural, mechanism.matrix.shape, ("response", "truth")))
    left_out = f"The first and the last of {size}; .matrix has all, .plot_matrix() draws all."
    return [table, Paragraph(left_out, "quiet")]


def _shown_positions(size: int) -> list[int | None]:
    """Return the shown positions, with ``None`` where some are left out.

    >>> _shown_positions(3), _shown_positions(100)
    ([0, 1, 2], [0, 1, 2, 3, 4, 5, 6, None, 97, 98, 99])
    """
    return [*range(size)] if size <= _MOST else [*range(_FIRST), None, *range(size - _LAST, size)]


def html_of_query(query: Query) -> str:
    """Return the question of a query, and the protected people."""
    # The words for a query and its neighbours do not depend on epsilon: any problem will do.
    words = words_of(
        Problem(
            name="",
            query=query,
            structure=FreeMatrix(),
            privacy=ApproximatePrivacy(Fraction(0)),
            properties=frozenset(),
            objective=LeastDelta(),
        )
    )
    facts = (
        ("asked", words.question),
        ("true answers", words.answers),
        ("released", words.released),
        ("protected", words.protected),
        ("neighbours", words.neighbours),
        ("caution", " ".join(words.cautions)),
    )
    return page(f"Query: {query.title}", Facts(facts))


def html_of_problem(problem: Problem) -> str:
    """Return the question, the protected people, and the objective."""
    title = f"Problem: {problem.query.title}, {problem.privacy}"
    return page(
        title, care(words_of(problem).allows), question_facts(problem), Paragraph(str(problem), "quiet")
    )


def question_facts(question: Problem, delta: Fraction | None = None, whole: Fraction | None = None) -> Facts:
    """Return the question as facts; its mechanism spends the delta `delta`, and `whole` over all sets."""
    words = words_of(question, delta, whole)
    return Facts(
        (
            ("asked", words.question),
            ("true answers", words.answers),
            ("released", words.released),
            ("protected", f"{words.protected} {words.neighbours}"),
            ("privacy", f"{question.privacy} ({words.definition}). {words.guarantee} {words.odds}"),
            ("caution", " ".join(dict.fromkeys((words.deviation, *words.cautions)))),
            ("mechanisms", " ".join((words.structure, *words.properties))),
            ("wanted", words.objective),
        )
    )


@_probabilities.register(NoiseMechanism)
def _(mechanism: NoiseMechanism) -> list[Table | Paragraph]:
    law = f"A distribution. {mechanism.certificate.law} .column(truth) has the probabilities at a truth."
    return [Paragraph(law)]
