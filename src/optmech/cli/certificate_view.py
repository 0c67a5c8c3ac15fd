"""Show a certificate as lines and as JSON: the proof, whom it protects, checks and theorems."""

from __future__ import annotations

import math
from dataclasses import asdict
from fractions import Fraction
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from optmech.base.notes import Failure, Note, NoteKind, TextLine
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.proofs.certificate import Certificate, reported_facts
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.question.caution import protects_nothing
from optmech.question.losses.expected import MEAN_OVER_TRUTHS
from optmech.question.protection import alone_words, cautions_of, neighbours_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.theorems.consistency import TheoremRow
    from optmech.verify import Report

_DIGITS, _PROVED = 15, Provenance.PROVED
# Rounding keeps the objective above an optimum of zero; the gap is all of it then.
_DUST = Fraction(1, 10**30)


def certificate_lines(certificate: Certificate, gap: str = "", *, is_brief: bool = False) -> list[str]:
    """Return what a certificate proves, a line for each number; `gap` says how wide its gap is otherwise.

    In brief it does not repeat what was asked, nor say how a bound is proved.
    """
    problem = certificate.problem
    privacy = str(problem.privacy)
    if protects_nothing(problem.privacy, certificate.delta_of_sets):
        privacy += ", of which delta is 1 over all sets of responses: not private"
    if problem.privacy.delta is None:
        privacy += ", which is the objective"
    if not problem.query.symmetric:
        privacy += ", one-sided: not differential privacy"
    if problem.query.scope.caution:
        privacy += ", near one given table alone: not differential privacy"
    if alone := alone_words(problem.query):
        privacy += f", between neighbours alone: {alone}"
    bound = certificate.bound
    lower: Fraction | None = None
    how = TextLine("none is proved")
    if bound is not None:
        text = gap or f"gap {at_most(certificate.relative_gap or 0.0, 2, form='e')}"
        lower, how = bound, TextLine(_PROVED, f"{'' if is_brief else ' by a dual certificate'}, {text}")
    lines = objective_lines(problem, certificate.objective, _PROVED, lower, how, is_brief=is_brief)
    first: str = TextLine(f"private            {privacy}   ", _PROVED)
    if not problem.query.symmetric or problem.query.scope.caution:
        first = Note(NoteKind.PRIVACY, first)
    further = [TextLine(f"also private       {also}   ", _PROVED) for also in problem.further_privacy]
    return [*lines, first, *further, *protection_lines(problem.query, is_titled=not is_brief)]


def objective_lines(
    problem: Problem,
    objective: Fraction | float,
    provenance: Provenance,
    bound: Fraction | float | None,
    how: TextLine,
    *,
    is_brief: bool = False,
) -> list[str]:
    """Return objective and lower bound for each truth, and the sum where that is what a paper makes least.

    In brief the sum is not said.

    Both numbers are as the problem has them; `provenance` and `how` say whose word each is. Exact numbers are
    rounded outwards, the objective up and the bound down: the least loss lies between them as they are
    printed.
    """
    total = _truths_summed(problem)
    mean = _outward(objective, total, at_most)
    lines = [TextLine(f"objective          {mean}   ", provenance, f": {_objective_name(problem)}")]
    lower = "" if bound is None else f"{_outward(bound, total, at_least)}   "
    lines.append(TextLine(f"lower bound        {lower}", how))
    if total != 1 and not is_brief:
        whole = f"sum                {_outward(objective, 1.0, at_most)}   "
        lines.append(TextLine(whole, provenance, ": sum over truths, as its paper has it"))
    return list(lines)


def _outward(value: Fraction | float, total: float, way: Callable[[Fraction, int], str]) -> str:
    """Return a share of a total as text, an exact one rounded as `way` rounds."""
    if isinstance(value, Fraction):
        return way(value / Fraction(total), _DIGITS)
    return f"{value / total:.{_DIGITS}g}"


def objective_per_truth(problem: Problem, objective: float) -> float:
    """Return an objective as a mean, of one that is a sum over truths."""
    return objective / _truths_summed(problem)


def _truths_summed(problem: Problem) -> float:
    """Return the sum of the weights of truths: 1 unless the objective is a plain sum."""
    loss = problem.objective.as_loss
    return 1.0 if loss is None or math.isclose(loss.total, 1.0) else float(loss.total)


def protection_lines(query: Query, *, is_titled: bool = True) -> list[str]:
    """Return the protected people, from the pairs of neighbours, and the gaps in protection."""
    title = f"{query.title}: " if is_titled else ""
    lines = [f"protected          {title}{neighbours_of(query)}"]
    warnings = (f"{'':19}WARNING: {caution}" for caution in cautions_of(query))
    return [*lines, *(Note(NoteKind.PRIVACY, warning) for warning in warnings)]


def reported_lines(certificate: Certificate) -> list[str]:
    """Return the unconfirmed reports of a certificate, to stand below every verdict."""
    lines = [f"  {name:17}{text}" for name, text in reported_facts(certificate)]
    return ["", "reported by the certificate, not verified:", *lines] if lines else []


def certificate_json(certificate: Certificate, path: str | None) -> dict[str, Any]:
    """Return the proved facts of a certificate as JSON values; exact numbers are text."""
    bound = certificate.bound
    return {
        "file": path,
        "caution": certificate.caution,
        "objective": str(certificate.objective),
        "bound": None if bound is None else str(bound),
        "gap": None if bound is None else str(certificate.gap),
        "relative_gap": certificate.relative_gap,
        "delta": str(certificate.delta),
        "sha256": certificate.matrix_sha256,
        "protected": query_json(certificate.problem.query),
        "reported": {
            "claimed_bounds": certificate.claimed_bounds,
            "repair": certificate.repair,
            "raw": certificate.raw,
            "made_by": certificate.made_by,
        },
    }


def proof_lines(certificate: Certificate) -> list[str]:
    """Return the question of a certificate and what it proves, a line for each number."""
    return [str(certificate.problem), "", *proved_lines(certificate)]


@singledispatch
def proved_lines(certificate: Certificate, *, is_brief: bool = False) -> list[str]:
    """Return the proved facts of a certificate, a line for each number."""
    return certificate_lines(certificate, is_brief=is_brief)


@proved_lines.register(NoiseCertificate)
def _(certificate: NoiseCertificate, *, is_brief: bool = False) -> list[str]:
    gap, truths = "", certificate.problem.query.truths
    if certificate.objective < _DUST * certificate.largest_cost:
        summed = _truths_summed(certificate.problem)
        gap = f"gap {_outward(certificate.gap, summed, at_most)} in units of the loss"
    num_unused = len(truths) - len(certificate.released)
    first, last = (as_text(truths[int(index)]) for index in certificate.released[[0, -1]])
    never = f", of which {num_unused} are never released" if num_unused else ""
    lines = certificate_lines(certificate, gap, is_brief=is_brief)
    return lines if is_brief else [*lines, f"responses          {first}..{last}{never}"]


@singledispatch
def proof_json(certificate: Certificate, path: str | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    return {"certificate": certificate_json(certificate, path)}


@proof_json.register(NoiseCertificate)
def _(certificate: NoiseCertificate, path: str | None) -> dict[str, Any]:
    problem = certificate.problem
    return {
        "caution": certificate.caution,
        "problem": str(problem),
        "question": problem.to_dict(),
        "epsilon": as_text(problem.privacy.epsilon),
        "truths": problem.query.num_truths,
        "certificate": certificate_json(certificate, path),
    }


def query_json(query: Query) -> dict[str, Any]:
    """Return the facts of a query and its protected people as JSON values."""
    return {
        "kind": query.kind,
        "parameters": query.parameters,
        "title": query.title,
        "scope": str(query.scope),
        "directions": query.directions,
        "neighbours": neighbours_of(query),
        "cautions": list(cautions_of(query)),
    }


def _objective_name(problem: Problem) -> str:
    loss = problem.objective.as_loss
    if loss is None:
        return "delta"
    if problem.query.labels and loss.loss_name == "zero-one" and loss.minimised == loss.title:
        return "probability of a wrong answer"
    return loss.minimised if _truths_summed(problem) == 1 else MEAN_OVER_TRUTHS


def report_lines(report: Report, remedy: str = "") -> list[str]:
    """Return a report as lines, its verdict and a remedy last."""
    verdicts = [check.holds for check in report.checks if check.holds is not None]
    num_failed = verdicts.count(False)
    checks = "checks" if report.is_certified else "floating-point checks"
    verdict = TextLine(f"{num_failed} of {len(verdicts)} {checks} ", Failure.FAIL)
    if not num_failed:
        verdict = TextLine(f"all {len(verdicts)} {checks} pass")
    num_contradicted = sum(row.fails for row in report.theorems)
    if num_contradicted:
        verdict = TextLine(verdict, f", {num_contradicted} of {len(report.theorems)} theorems ", Failure.FAIL)
    proof = "the exact proof is in the certificate" if report.is_certified else "nothing is proved"
    return [*report.lines, "", TextLine(verdict, f"; {proof}{remedy}")]


def verdict_first(report: Report) -> list[str]:
    """Return a report on a screen: its verdict, then what fails, each check, and a line on theorems."""
    *_, verdict = report_lines(report)
    contradicted: list[str] = [row.line for row in report.theorems if row.fails]
    checks: list[str] = [
        check.line for check in sorted(report.checks, key=lambda check: check.holds is not False)
    ]
    theorems = [theorem_summary(report.theorems)] if report.theorems else [report.without_theorems]
    noted = [row.line for row in report.theorems if row.holds is None][:1]
    caution: list[str] = [] if report.caution is None else [report.caution]
    return [*caution, verdict, "", *contradicted, *checks, *filter(None, theorems), *noted]


def theorem_summary(rows: Sequence[TheoremRow]) -> str:
    """Return the names of theorems that apply to a question, and how many a mechanism contradicts."""
    failing = [row.name for row in rows if row.fails]
    names = ", ".join(dict.fromkeys(row.name for row in rows))
    return f"{'theorems':19}{names}: {f'{len(failing)} contradicted' if failing else 'none contradicted'}"


def report_json(report: Report) -> dict[str, Any]:
    """Return a report as JSON values."""
    return {
        "verified": bool(report),
        "caution": report.caution,
        "checks": [asdict(check) for check in report.checks],
        "theorems": theorems_json(report.theorems),
        "without_theorems": report.without_theorems,
    }


def theorems_json(rows: Sequence[TheoremRow]) -> list[dict[str, Any]]:
    """Return theorems as JSON values; the value of each is text, which says how exact it is."""
    return [
        {
            "name": row.name,
            "source": row.source,
            "relation": row.relation.value,
            "theorem": row.truth.value,
            "value": row.value,
            "provenance": Provenance.RECOMPUTED.value,
            "arithmetic": row.arithmetic,
            "holds": row.holds,
            "difference": row.difference,
            "false_as_printed": row.is_false_as_printed,
            "counter_example": row.counter_example,
            "text": row.text,
        }
        for row in rows
    ]
