"""How answers look: as text for people, as JSON for programs."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.cli.checks import report_json, report_text
from optmech.proofs.certificate import reported_facts
from optmech.proofs.geometric_certificate import GeometricCertificate
from optmech.question.caution import NOTHING_PROTECTED
from optmech.question.protection import cautions_of, neighbours_of

if TYPE_CHECKING:
    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem
    from optmech.question.query import Query
    from optmech.verify import Report

__all__ = [
    "certificate_json",
    "certificate_lines",
    "concerns_privacy",
    "design_json",
    "design_text",
    "json_text",
    "protection_lines",
    "query_json",
    "reported_lines",
    "warnings_of",
]

_BOUNDS = {
    Provenance.PROVED: "proved by multipliers",
    Provenance.RECOMPUTED: "recomputed from the duals",
    Provenance.CLAIMED: "claimed by the solver",
}
# Wider columns of truths wrap in a terminal of 100 columns.
_WIDEST_TABLE = 7 * 13


def design_text(design: Design, report: Report, *, explain: bool = False, written: bool = False) -> str:
    """Return a design as text: the matrix, then its numbers, each with its standing; engines if asked."""
    problem, solution, certificate = design.problem, design.solution, design.certificate
    caution = design.caution if certificate is not None else report.caution or design.caution
    lines = [*([caution] if caution else []), str(problem), "", *_table(design.mechanism, problem), ""]
    if certificate is not None:
        lines += certificate_lines(certificate)
    else:
        lines += [
            (
                f"objective          {design.objective:.15g}   {design.objective_standing}: "
                f"{_objective_name(problem)}"
            ),
            f"lower bound        {design.lower_bound:.15g}   {_bound_standing(design)}",
            f"effective epsilon  {_number(_effective_epsilon(design))}   recomputed",
        ]
    lines += [f"engine             {_engine(design)}, {design.seconds:.2f} s"]
    if design.engine != "closed-form":
        lines += [f"                   {solution.status}"]
    if explain:
        lines += [
            f"{'  chosen' if name == design.engine else '':19}{name}: {why}"
            for name, why in design.reasons.items()
        ]
    lines += ["", report_text(replace(report, caution=None))]  # which is said first
    if certificate is not None and not written:
        lines[-1] += "; --out writes it down for others to check"
    lines += reported_lines(certificate) if certificate else ["", *protection_lines(problem.query)]
    return "\n".join(lines)


def _bound_standing(design: Design) -> str:
    """Return whose word the bound is: what a theorem says is claimed as well, until arithmetic proves it."""
    by_theorem = design.engine == "closed-form" and design.lower_bound_standing is Provenance.CLAIMED
    return "claimed by the theorem" if by_theorem else _BOUNDS[design.lower_bound_standing]


def _engine(design: Design) -> str:
    """Return who made it: an engine, and the solver or the theorem it relies on."""
    solution = design.solution
    if design.engine == "closed-form":
        return f"closed form, {solution.solver}"
    return f"{design.engine}, {solution.solver} ({solution.method})"


def certificate_lines(certificate: Certificate) -> list[str]:
    """Return what a certificate proves, a line for each number."""
    problem = certificate.problem
    privacy = str(problem.privacy)
    if certificate.caution == NOTHING_PROTECTED:
        privacy += ", of which delta is 1 over all sets of responses: not private"
    if problem.privacy.delta is None:
        privacy += ", which is the objective"
    if problem.privacy.remark:
        privacy += f", {problem.privacy.remark}"
    if not problem.query.symmetric:
        privacy += ", one-sided: not differential privacy"
    lines = [
        f"objective          {float(certificate.objective):.15g}   proved: {_objective_name(problem)}",
        *_bound_lines(certificate),
        f"private            {privacy}   proved",
    ]
    return [*lines, *protection_lines(problem.query)]


def protection_lines(query: Query) -> list[str]:
    """Return who is protected, from the pairs of neighbours, and what they leave unprotected."""
    lines = [f"protected          {query.title}: {neighbours_of(query)}"]
    return [*lines, *(f"{'':19}WARNING: {caution}" for caution in cautions_of(query))]


def reported_lines(certificate: Certificate) -> list[str]:
    """Return what a certificate says of itself and nothing confirms: to stand below every verdict."""
    lines = [f"  {name:17}{text}" for name, text in reported_facts(certificate)]
    return ["", "reported by the certificate, confirmed by nothing:", *lines] if lines else []


def certificate_json(certificate: Certificate, path: str | None) -> dict[str, Any]:
    """Return what a certificate proves as JSON values; exact numbers are text."""
    bound = certificate.bound
    return {
        "file": path,
        "caution": certificate.caution,
        "objective": str(certificate.objective),
        "bound": None if bound is None else str(bound),
        "gap": None if bound is None else str(certificate.gap),
        "relative_gap": certificate.relative_gap,
        "delta": str(certificate.delta),
        "sha256": None if isinstance(certificate, GeometricCertificate) else certificate.matrix.sha256(),
        "protected": query_json(certificate.problem.query),
        "reported": {
            "claimed_bounds": certificate.claimed_bounds,
            "repair": certificate.repair,
            "raw": certificate.raw,
            "made_by": certificate.made_by,
        },
    }


def query_json(query: Query) -> dict[str, Any]:
    """Return what a query is and whom it protects as JSON values."""
    return {
        "kind": query.kind,
        "parameters": query.parameters,
        "title": query.title,
        "scope": str(query.scope),
        "directions": query.directions,
        "neighbours": neighbours_of(query),
        "cautions": list(cautions_of(query)),
    }


def design_json(
    design: Design, report: Report, out: str | None, certified: str | None = None
) -> dict[str, Any]:
    """Return a design as one JSON object. Infinities are the text ``"inf"``."""
    problem, solution, mechanism = design.problem, design.solution, design.mechanism
    delta = problem.privacy.delta if problem.privacy.has_delta else None
    certificate = design.certificate
    content: dict[str, Any] = {
        "caution": report.caution if certificate is None else certificate.caution,
        "problem": str(problem),
        "formulation": problem.name,
        "epsilon": as_text(problem.privacy.epsilon),
        "delta": None if delta is None else as_text(delta),
        "raw": certificate is None,
        "certificate": None if certificate is None else certificate_json(certificate, certified),
        "objective": design.objective,
        "objective_standing": design.objective_standing,
        "lower_bound": design.lower_bound,
        "lower_bound_standing": design.lower_bound_standing,
        "engine": design.engine,
        "engines": design.reasons,
        "status": solution.status.name.lower(),
        "status_text": solution.message if design.engine == "closed-form" else str(solution.status),
        "solver": solution.solver,
        "method": solution.method,
        "attempts": list(solution.attempts),
        "effective_epsilon": _effective_epsilon(design),
        "seconds": design.seconds,
        "responses": len(mechanism.responses),
        "truths": len(mechanism.truths),
        "notes": list(design.notes),
        "out": out,
        **{name: value for name, value in report_json(report).items() if name != "caution"},
    }
    if problem.structure.turns:
        content["noise"] = mechanism.matrix[:, 0].tolist()
    if mechanism.labels:
        content["labels"] = list(mechanism.labels)
    return content


def json_text(content: object) -> str:
    """Return JSON that every reader accepts: infinities and the like become text."""
    return json.dumps(_strict(content), indent=2, allow_nan=False)


def warnings_of(design: Design, report: Report) -> list[str]:
    """Return what must not be overlooked, a sentence each."""
    failures = [f"{check.name} FAILS: {check.text}" for check in report.failures]
    warnings = [*design.notes, *failures]
    if any(check.holds is False for check in report.checks):
        warnings.append(
            "do not publish with this matrix: a solver's tolerance is not a guarantee. "
            "Without --raw you get one that holds."
        )
    return warnings


def concerns_privacy(warning: str) -> bool:
    """Whether a warning is about privacy, not about how good a mechanism is.

    Examples
    --------
    >>> concerns_privacy("of two neighbours only one is protected; this is not differential privacy")
    True
    >>> concerns_privacy("a limit stopped the solver; no mechanism does better than 2 (claimed)")
    False
    """
    return any(word in warning for word in ("privacy", "private", "publish", "delta", "FAILS"))


def _bound_lines(certificate: Certificate) -> list[str]:
    if certificate.bound is not None:
        gap = f"gap {certificate.relative_gap:.1e}"
        return [f"lower bound        {float(certificate.bound):.15g}   proved by multipliers, {gap}"]
    return ["lower bound        none is proved"]


def _table(mechanism: Mechanism, problem: Problem) -> list[str]:
    if problem.structure.turns:
        noises = mechanism.labels or list(map(str, range(len(mechanism.truths))))
        width = max(map(len, [*noises, "noise"]))
        masses = zip(noises, mechanism.matrix[:, 0].tolist(), strict=True)
        return [
            f"{'noise':>{width}}  probability",
            *(f"{noise:>{width}}  {mass:.6f}" for noise, mass in masses),
        ]
    num_responses, num_truths = mechanism.matrix.shape
    names = list(mechanism.labels or map(as_text, mechanism.responses))
    titles = list(mechanism.labels or map(as_text, mechanism.truths))
    width, cell = max(map(len, [*names, "response"])), max(7, 1 + max(map(len, titles)))
    if num_truths * cell > _WIDEST_TABLE:
        return [f"matrix of {num_responses} responses by {num_truths} truths, too wide to be shown here"]
    header = "".join(f"{title:>{cell}}" for title in titles)
    rows = [
        f"{name:>{width}}" + "".join(f"{entry:{cell}.3f}" for entry in row)
        for name, row in zip(names, mechanism.matrix.tolist(), strict=True)
    ]
    return [f"{'response':>{width}}{header}   <- truth", *rows]


def _objective_name(problem: Problem) -> str:
    loss = problem.objective.as_loss
    if loss is None:
        return "delta"
    if loss.is_worst:
        return str(loss)
    return "expected loss" if math.isclose(loss.total, 1.0) else "sum over truths of expected losses"


def _effective_epsilon(design: Design) -> float:
    return design.mechanism.effective_epsilon(design.problem.query)


def _number(value: float) -> str:
    return "infinite: a zero lies beside a positive entry" if math.isinf(value) else f"{value:.12g}"


def _strict(content: object) -> object:
    if isinstance(content, dict):
        return {key: _strict(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_strict(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return str(content)
    return content
