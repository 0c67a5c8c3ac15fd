"""Holding a mechanism against its problem, and against the theorems that apply to it.

Where a certificate proves what is required, that decides. Without one every check recomputes from the matrix
in floating point; it proves nothing, and it trusts no solver. The claim of a solver is shown beside it,
labelled *claimed*. Theorems are held against what a certificate proves, or without one against the recomputed
objective.
"""

from __future__ import annotations

from functools import singledispatch
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import an_instance, brief, items, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.mechanisms.matrix_mechanism import COLUMN_SUM_ROUNDING
from optmech.mechanisms.mechanism import PROPERTY_ROUNDING, Mechanism
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.source import source_of
from optmech.models.solution import Solution, Status
from optmech.proofs.certificate import Certificate
from optmech.proofs.privacy import both_ways
from optmech.question.caution import caution_of
from optmech.question.linear_rule import by_name, others_of
from optmech.question.privacy.loss import DELTA_ROUNDING, largest_hockey_stick
from optmech.question.problem import Problem
from optmech.verify.noise_checks import noise_checks
from optmech.verify.privacy_checks import privacy_checks
from optmech.verify.report import (
    KEPT,
    NO_THEOREM,
    OBJECTIVE_ROUNDING,
    STRUCTURE_ROUNDING,
    Check,
    Report,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optmech.base.notes import Note
    from optmech.mechanisms.source import MechanismSource
    from optmech.question.limits import StatedLimit
    from optmech.question.properties import Property
    from optmech.theorems.consistency import TheoremRow
    from optmech.theorems.theorem import Theorem


@takes(
    problem=optional(an_instance(Problem)),
    solution=optional(an_instance(Solution)),
    certificate=optional(an_instance(Certificate)),
)
def verify(
    mechanism: MechanismSource,
    problem: Problem | None = None,
    solution: Solution | None = None,
    *,
    certificate: Certificate | None = None,
    theorems: bool | Iterable[Theorem] = True,
) -> Report:
    """Check that `mechanism` answers `problem`, and hold it against the theorems that apply to that.

    Parameters
    ----------
    mechanism : Design, Certificate or Mechanism
        From `design`, or read from a file.
    problem : Problem, optional
        The question it should answer; that of a design or a certificate may be left out.
    solution : Solution, optional
        The solver's answer, to be held against what the matrix says.
    certificate : Certificate, optional
        The certificate of this mechanism and this problem. Theorems are then held against the objective and
        the bound that it proves, else against the recomputed objective. That of a design may be left out.
    theorems : bool or iterable of Theorem, default True
        Whether theorems are looked at, or which ones besides those that are known.

    Returns
    -------
    Report
        Truthy when all holds.

    Raises
    ------
    ProblemError
        If the certificate is of another mechanism, or nothing says which question is to be answered.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.mechanisms.matrix_mechanism import MatrixMechanism
    >>> from optmech.question.queries import count
    >>> tell_truth = MatrixMechanism(matrix=[[1, 0], [0, 1]], responses=(0, 1), truths=(0, 1))
    >>> report = verify(tell_truth, croft(count(1), "0.5"))
    >>> bool(report)
    False
    >>> print(report.failures[0])  # doctest: +NORMALIZE_WHITESPACE
    FAILS  pure privacy  matrix[0, 0] = 1.0 beside matrix[0, 1] = 0.0: the privacy loss is infinite
    [recomputed]
    >>> coin = MatrixMechanism(matrix=[[0.5, 0.5], [0.5, 0.5]], responses=(0, 1), truths=(0, 1))
    >>> print(verify(coin, croft(count(1), "ln 3")).theorems[0].text)
    0.5 equals the optimum; the objective is 0.5 above it: the mechanism is not optimal, by 0.5
    """
    source = source_of(mechanism, "mechanism")
    mechanism, problem = source.mechanism, problem or source.problem
    if problem is None:
        message = "`problem` must be given with a mechanism; its matrix does not state the question."
        raise ProblemError(message)
    problem.need_definition()
    own = source.certificate
    if certificate is None and own is not None and _is_of(own, mechanism, problem):
        certificate = own
    if certificate is not None and not _is_of(certificate, mechanism, problem):
        message = (
            "`certificate` must be of this mechanism and this problem; got another one. "
            "Pass MatrixMechanism.certified(certificate) and certificate.problem."
        )
        raise ProblemError(message)
    checks, caution = _checks(mechanism, problem, solution, certificate)
    if not checks[0].holds:
        return Report(checks=tuple(checks))
    more = () if isinstance(theorems, bool) else items(theorems, "theorems", "a list of theorems")
    for theorem in more:
        _need_theorem(theorem)
    rows = _theorems(mechanism, problem, checks, certificate, more) if theorems else ()
    return Report(
        checks=tuple(checks),
        caution=caution,
        theorems=rows,
        without_theorems=sentence_without_theorems(problem) if theorems and not rows else "",
        is_certified=certificate is not None,
    )


def sentence_without_theorems(problem: Problem) -> str:
    """Say why there is no theorem's row."""
    from optmech.designs.chain.theorem import CHAIN  # noqa: PLC0415 - as `_theorems`
    from optmech.theorems.consistency import reason_for_no_row  # noqa: PLC0415

    return reason_for_no_row(problem, [CHAIN]) or NO_THEOREM


def _need_theorem(argument: object) -> None:
    if not hasattr(argument, "objection"):
        message = f"`theorems` must be true, false or a list of theorems; got {brief(argument)} among them."
        raise ProblemError(message)


def _caution(mechanism: Mechanism, problem: Problem) -> Note | None:
    both = both_ways(problem.query)  # as the delta of a certificate over all sets
    whole = largest_hockey_stick(mechanism.matrix, both.pairs, problem.privacy.factors(both.weights)).value
    # Sums of doubles are off in the last digits: a delta that is kept is not to be called larger.
    return caution_of(problem.privacy, heaviest=both.heaviest, spent=float(f"{whole:.9g}"))


def _is_of(certificate: Certificate, mechanism: Mechanism, problem: Problem) -> bool:
    return certificate.is_about(problem) and mechanism.is_proved_by(certificate)


@singledispatch
def _checks(
    mechanism: Mechanism, problem: Problem, solution: Solution | None, certificate: Certificate | None
) -> tuple[list[Check], Note | None]:
    """Return all checks of a mechanism but theorems, the grid first, and the caution."""
    grid = _grid(mechanism, problem)
    if not grid.holds:
        return [grid], None
    checks = [grid, _columns(mechanism)]
    caution = _caution(mechanism, problem) if certificate is None else certificate.caution
    checks += privacy_checks(mechanism, problem, certificate)
    for part in (_structure, _properties, _rules, _bounds):
        checks += part(mechanism, problem)
    if certificate is not None:
        checks = [_decided(check) for check in checks]
    checks += _objective(mechanism, problem, solution)
    return checks, caution


@_checks.register(NoiseMechanism)
def _(
    mechanism: NoiseMechanism, problem: Problem, solution: Solution | None, certificate: Certificate | None
) -> tuple[list[Check], Note | None]:
    # Its probabilities may be too small for the doubles of a matrix.
    if certificate is not None:
        return [*noise_checks(mechanism, problem)], certificate.caution
    if problem.query.is_large:
        message = (
            f"`problem` must be that of a distribution, which has no matrix: "
            f"{mechanism.certificate.problem}; got {problem}. Leave it out, or design the other question."
        )
        raise NotAcceptedError(message)
    checks: tuple[list[Check], Note | None] = _checks.dispatch(Mechanism)(mechanism, problem, solution, None)
    return checks


def _theorems(
    mechanism: Mechanism,
    problem: Problem,
    checks: list[Check],
    certificate: Certificate | None,
    more: Iterable[Theorem],
) -> tuple[TheoremRow, ...]:
    # Theorems and their ball arithmetic load in a fifth of a second: `import optmech` should not wait for it.
    from optmech.designs.chain.theorem import CHAIN  # noqa: PLC0415
    from optmech.theorems.consistency import theorem_rows  # noqa: PLC0415
    from optmech.verify.optimum_bracket import proved_bracket, recomputed_bracket  # noqa: PLC0415

    more = (CHAIN, *more)
    if certificate is not None:
        return theorem_rows(problem, proved_bracket(certificate), more)
    failures = tuple(check.name for check in checks if check.holds is False)
    return theorem_rows(problem, recomputed_bracket(mechanism, problem, failures), more)


def _decided(check: Check) -> Check:
    """Return a check of a proved requirement: where doubles miss it by more than rounding, they are wrong."""
    return check if check.holds is not False else Check.proved(check.name, value=0.0, text=KEPT)


def _grid(mechanism: Mechanism, problem: Problem) -> Check:
    query = problem.query
    query_grid = tuple(response.midpoint for response in query.responses), query.truths
    same = (mechanism.responses, mechanism.truths) == query_grid
    shape = f"{len(mechanism.responses)} responses and {len(mechanism.truths)} truths"
    text = f"{shape}, as in {query.title}"
    if not same:
        size = f"{query.num_responses} responses and {query.num_truths} truths"
        span = f"{as_text(query.truths[0])}..{as_text(query.truths[-1])}"
        text = f"{shape} do not match {query.title}, which has {size} (truths {span})"
    return Check.recomputed("grid", holds=same, value=float(mechanism.matrix.size), text=text)


def _columns(mechanism: Mechanism) -> Check:
    gaps = np.abs(mechanism.matrix.sum(axis=0) - 1.0)
    worst = int(np.argmax(gaps))
    holds = bool(gaps[worst] <= COLUMN_SUM_ROUNDING and (mechanism.matrix >= 0).all())
    text = f"entries are zero or more; column {worst} misses one by {gaps[worst]:.1e}, the most"
    return Check.recomputed("distributions", holds=holds, value=float(gaps[worst]), text=text)


def _structure(mechanism: Mechanism, problem: Problem) -> Iterator[Check]:
    for gap in problem.structure.gaps(mechanism.matrix, problem.query):
        holds = gap.amount <= STRUCTURE_ROUNDING
        yield Check.recomputed(gap.name, holds=holds, value=gap.amount, text=gap.text)


def _properties(mechanism: Mechanism, problem: Problem) -> Iterator[Check]:
    asked: list[Property | StatedLimit] = [*sorted(problem.properties), *sorted(problem.limits, key=str)]
    for each in asked:
        gap = each.gap(mechanism.matrix, problem.query)
        text = f"missed by at most {gap:.1e}"
        yield Check.recomputed(str(each), holds=gap <= PROPERTY_ROUNDING, value=gap, text=text)


def _rules(mechanism: Mechanism, problem: Problem) -> Iterator[Check]:
    """Yield one check of all linear rules of a name: one property has as many rules as it has rows."""
    for name, rules in by_name(problem.rules).items():
        gap, worst = max(((rule.gap(mechanism.matrix), rule) for rule in rules), key=itemgetter(0))
        text = f"{worst.formula(problem.query)}{others_of(rules)}: missed by at most {gap:.1e}"
        yield Check.recomputed(name, holds=gap <= PROPERTY_ROUNDING, value=gap, text=text)


def _bounds(mechanism: Mechanism, problem: Problem) -> Iterator[Check]:
    for bound in problem.bounds:
        value, limit = bound.loss.value(mechanism.matrix), float(bound.at_most)
        holds = value <= limit + OBJECTIVE_ROUNDING * max(limit, 1.0)
        text = f"the loss {value:.12g} may be up to {as_text(bound.at_most)}"
        yield Check.recomputed(str(bound), holds=holds, value=value, text=text)


def _objective(mechanism: Mechanism, problem: Problem, solution: Solution | None) -> Iterator[Check]:
    objective, privacy = problem.objective, problem.privacy
    loss, value = objective.as_loss, problem.value(mechanism.matrix)
    if loss is not None:
        yield Check.recomputed(loss.title, holds=None, value=value, text=f"the objective is {value:.15g}")
    for cost, at_most in objective.demands:
        value_of_cost = cost.value(mechanism.matrix)
        holds = value_of_cost <= float(at_most) + OBJECTIVE_ROUNDING
        text = f"the expected cost {value_of_cost:.12g} may be up to {as_text(at_most)}"
        yield Check.recomputed("cost", holds=holds, value=value_of_cost, text=text)
    if solution is None or solution.objective is None:
        return
    claim = solution.objective
    how = "" if solution.method == "closed form" else f"{solution.status}; "
    text = f"{solution.solver} ({solution.method}): {how}objective {claim:.15g}"
    agrees = None
    if loss is not None and solution.status is Status.OPTIMAL:
        scale = max(abs(claim), float(np.max(loss.loss)) * loss.total * 1e-3)
        agrees = abs(value - claim) <= OBJECTIVE_ROUNDING * scale
    elif loss is None and privacy.counts_each and value > claim + _delta_rounding(problem):
        text += f", but the matrix has delta {value:.12g}"
        agrees = False
    yield Check(name="solver", holds=agrees, provenance=Provenance.CLAIMED, value=claim, text=text)


def _delta_rounding(problem: Problem) -> float:
    """Return the allowed excess of a matrix's delta over a solver's."""
    return DELTA_ROUNDING * float(problem.privacy.factors(problem.query.weights).max())
