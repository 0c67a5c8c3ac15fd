"""Show a design as text for people and as JSON for programs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from optmech.base.notes import Note, NoteKind, TextLine
from optmech.base.numbers import as_text
from optmech.base.provenance import Provenance
from optmech.cli.certificate_view import (
    certificate_json,
    objective_lines,
    objective_per_truth,
    protection_lines,
    proved_lines,
    report_json,
    report_lines,
    reported_lines,
)
from optmech.cli.first_screen import first_screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.question.privacy import Privacy
    from optmech.question.problem import Problem
    from optmech.verify import Report

_BOUNDS = {
    Provenance.PROVED: "by a dual certificate",
    Provenance.RECOMPUTED: "from the solver's dual solution",
    Provenance.CLAIMED: "by the solver",
}
# A screen ends with what was written and what can follow, or with a word on `--out`.
_LINES_WRITTEN = 2
# Wider columns of truths wrap in a terminal of 100 columns.
_WIDEST_TABLE = 7 * 13


def design_lines(
    design: Design, report: Report | None = None, before: Sequence[str] = (), *, is_written: bool = False
) -> list[str]:
    """Return a design on a screen: its mechanism, then its numbers, each with its provenance.

    Lines of what people spend stand before it, and the verdict where a check or a theorem fails. A
    distribution has no `report`.
    """
    numbers = _number_lines(design, is_brief=True)
    if design.certificate is None:
        numbers += protection_lines(design.problem.query, is_titled=False)
    verdict = [] if report is None else report_lines(replace(report, caution=None))[-1:]
    failure = verdict if report is not None and not report else []
    head = [*before, *filter(None, [_caution(design, report)]), *failure]
    lines = first_screen(design, head, numbers, _LINES_WRITTEN if is_written else 1)
    if report is None:
        return lines if is_written else [*lines, "--out FILE.json writes mechanism and proof"]
    if design.certificate is None:
        lines += [] if failure else verdict
    elif not is_written:
        lines.append("--out FILE.csv writes mechanism and proof for others to check")
    return lines


def all_lines(
    design: Design, report: Report | None = None, before: Sequence[str] = (), *, is_written: bool = False
) -> list[str]:
    """Return all that is known of a design as lines: the reasons for its engine, checks and theorems, too.

    A distribution has no `report`, and no table.
    """
    problem, solution, certificate = design.problem, design.solution, design.certificate
    notes = [f"note: {note}" for note in design.notes if note.kind is NoteKind.INFORMATION]
    head = [*before, *([""] if before else []), *filter(None, [_caution(design, report)])]
    lines = [*head, str(problem), *notes, ""]
    if report is not None:
        lines += [*_table(design.mechanism, problem), ""]
    lines += _number_lines(design)
    lines.append(f"engine             {_engine(design)}, {design.seconds:.2f} s")
    lines.append(f"{'':19}{solution.ending}")
    lines += [
        f"{'  chosen' if name == design.engine else '':19}{name}: {why}"
        for name, why in design.reasons.items()
    ]
    if report is None:
        return lines if is_written else [*lines, "--out FILE.json writes mechanism and proof"]
    remedy = "; --out writes it for others to check" if certificate is not None and not is_written else ""
    lines += ["", *report_lines(replace(report, caution=None), remedy)]  # which is said first
    lines += reported_lines(certificate) if certificate else ["", *protection_lines(problem.query)]
    return lines


def _caution(design: Design, report: Report | None) -> Note | None:
    """Return the caution of a proved design, else that of what was found in its matrix."""
    found = None if report is None or design.certificate is not None else report.caution
    return found or design.caution


def _number_lines(design: Design, *, is_brief: bool = False) -> list[str]:
    """Return the objective, its bound and the privacy, each with its provenance."""
    problem, certificate = design.problem, design.certificate
    if certificate is not None:
        return proved_lines(certificate, is_brief=is_brief)
    standing = design.lower_bound_standing
    by = _BOUNDS[standing]
    if design.engine == "closed-form" and standing is Provenance.CLAIMED:
        by = "by the theorem"  # until arithmetic proves it
    provenance, how = design.objective_standing, TextLine(standing, f" {by}")
    lines = objective_lines(problem, design.objective, provenance, design.lower_bound, how, is_brief=is_brief)
    epsilon = _effective_epsilon(design)
    text = "infinite: a zero is beside a positive entry" if math.isinf(epsilon) else f"{epsilon:.12g}"
    return [*lines, f"effective epsilon  {text}   recomputed"]


def _engine(design: Design) -> str:
    """Return the engine of a design, with its solver or theorem."""
    solution = design.solution
    if design.engine == "closed-form":
        return f"closed form, {solution.solver}"
    return f"{design.engine}, {solution.solver} ({solution.method})"


def design_json(
    design: Design, report: Report, out: str | None, certificate_file: str | None = None
) -> dict[str, Any]:
    """Return a design as one JSON object. Infinities are the text ``"inf"``."""
    problem, solution, mechanism = design.problem, design.solution, design.mechanism
    certificate = design.certificate
    content: dict[str, Any] = {
        "caution": report.caution if certificate is None else certificate.caution,
        "problem": str(problem),
        "question": problem.to_dict(),
        "formulation": problem.name,
        "epsilon": as_text(problem.privacy.epsilon),
        "delta": _delta_text(problem.privacy),
        "privacies": [
            {
                "kind": privacy.content["kind"],
                "epsilon": as_text(privacy.epsilon),
                "delta": _delta_text(privacy),
            }
            for privacy in problem.privacies
        ],
        "raw": certificate is None,
        "certificate": None if certificate is None else certificate_json(certificate, certificate_file),
        "objective": design.objective,
        "objective_per_truth": objective_per_truth(problem, design.objective),
        "objective_standing": design.objective_standing,
        "lower_bound": design.lower_bound,
        "lower_bound_standing": design.lower_bound_standing,
        "engine": design.engine,
        "engines": design.reasons,
        "status": solution.status.name.lower(),
        "status_text": solution.ending,
        "solver": solution.solver,
        "method": solution.method,
        "attempts": list(solution.attempts),
        "effective_epsilon": _effective_epsilon(design),
        "seconds": design.seconds,
        "responses": len(mechanism.responses),
        "truths": len(mechanism.truths),
        "notes": [{"kind": note.kind, "text": note.text} for note in design.notes],
        "out": out,
        **{name: value for name, value in report_json(report).items() if name != "caution"},
    }
    noise = problem.structure.noise_of(mechanism.matrix)
    if noise is not None:
        content["noise"] = noise.tolist()
    if mechanism.labels:
        content["labels"] = list(mechanism.labels)
    return content


def warnings_of(design: Design, report: Report) -> list[Note]:
    """Return the warnings, a note each."""
    texts = [f"{check.name} FAILS: {check.text}" for check in report.failures]
    if design.problem.privacy.as_printed is not None:
        texts.append(
            "do not publish with this matrix: it answers a program as its paper prints it, of which nothing "
            "is proved. Ask for the definition, without --raw, to get one that is proved private."
        )
    elif any(check.holds is False for check in report.checks):
        texts.append(
            "do not publish with this matrix: a solver's tolerance is not a guarantee. "
            "Without --raw you get one that is proved private."
        )
    notes = (note for note in design.notes if note.kind is not NoteKind.INFORMATION)
    return [*notes, *(Note(NoteKind.PRIVACY, text) for text in texts)]


def _table(mechanism: Mechanism, problem: Problem) -> list[str]:
    noise = problem.structure.noise_of(mechanism.matrix)
    if noise is not None:
        noises = mechanism.labels or list(map(str, range(len(mechanism.truths))))
        width = max(map(len, [*noises, "noise"]))
        masses = zip(noises, noise.tolist(), strict=True)
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


def _effective_epsilon(design: Design) -> float:
    return design.mechanism.effective_epsilon(design.problem.query)


def _delta_text(privacy: Privacy) -> str | None:
    return None if privacy.stated_delta is None else as_text(privacy.stated_delta)
