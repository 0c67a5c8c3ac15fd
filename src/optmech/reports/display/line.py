"""One line for each object, for the terminal: what it is, how large, and whose word its numbers are.

Nothing is imported here that the object has not imported itself: it is shown in tracebacks and debuggers too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.analysis.comparison.held import Comparison
    from optmech.analysis.frontiers.curve import Frontier
    from optmech.designs.design import Design
    from optmech.designs.implicit.mechanism import ImplicitMechanism
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.query import Query
    from optmech.verify import Report

__all__ = ["line_of"]


def line_of(thing: object) -> str:
    """Return one line that says what a thing is. It is in angle brackets: no code that would make the thing.

    Examples
    --------
    >>> from optmech.question.queries import count
    >>> line_of(count(5))
    '<Query: count 0..5; 6 truths, 6 responses, 10 ordered pairs of neighbours>'
    """
    name = next(kind.__name__ for kind in type(thing).__mro__ if kind.__name__ in _LINES)
    return f"<{type(thing).__name__}: {_LINES[name](thing)}>"


def _query(query: Query) -> str:
    return (
        f"{query.title}; {query.num_truths} truths, {query.num_responses} responses, "
        f"{len(query.pairs)} ordered pairs of neighbours"
    )


def _mechanism(mechanism: Mechanism) -> str:
    responses, truths = mechanism.matrix.shape
    standing = "in doubles" if mechanism.exact is None else "in whole numbers"
    return f"{responses} responses by {truths} truths, {standing}"


def _certificate(certificate: Certificate) -> str:
    bound = "no lower bound" if certificate.bound is None else f"lower bound {float(certificate.bound):.10g}"
    said = _first(certificate.caution)
    return f"{said}{certificate.problem}; objective {float(certificate.objective):.10g}, {bound} [proved]"


def _design(design: Design) -> str:
    return (
        f"{_first(design.caution)}{design.problem}; "
        f"objective {_number(design.objective, design.objective_standing)}, "
        f"lower bound {_number(design.lower_bound, design.lower_bound_standing)}"
    )


def _implicit(mechanism: ImplicitMechanism) -> str:
    return (
        f"{_first(mechanism.caution)}{mechanism.question}; objective {float(mechanism.objective):.10g}, "
        f"lower bound {float(mechanism.bound):.10g} [proved]"
    )


def _report(report: Report) -> str:
    failed = ", ".join(check.name for check in report.failures)
    theorems = f", {len(report.theorems)} theorems" if report.theorems else ""
    verdict = f"FAILS: {failed}" if failed else "none fails"
    return f"{_first(report.caution)}{len(report.checks)} checks{theorems}, {verdict}"


def _first(caution: str | None) -> str:
    return f"{caution} " if caution else ""


def _comparison(comparison: Comparison) -> str:
    return f"{comparison.problem}; {len(comparison.rows)} mechanisms beside the optimum"


def _frontier(frontier: Frontier) -> str:
    first, last = (as_text(frontier.points[place].value) for place in (0, -1))
    return f"{frontier.problem}; {len(frontier.points)} points, {frontier.over} from {first} to {last}"


def _number(value: float, whose: str) -> str:
    return f"{value:.10g} [{whose}]"


_LINES: dict[str, Callable[[Any], str]] = {
    "Certificate": _certificate,
    "Comparison": _comparison,
    "Design": _design,
    "Frontier": _frontier,
    "ImplicitMechanism": _implicit,
    "Mechanism": _mechanism,
    "Problem": str,
    "Query": _query,
    "Report": _report,
}
