"""``optmech verify``: a certificate proved again, or a matrix held to a question in floating point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.visible import visible
from optmech.cli.answers import answer
from optmech.cli.certificate_files import matrix_of, need_same_matrix, proved_at
from optmech.cli.certificate_view import (
    certificate_json,
    certificate_lines,
    protection_lines,
    query_json,
    report_json,
    report_text,
    reported_lines,
    theorems_json,
)
from optmech.cli.distribution import verify_distribution
from optmech.cli.output import warn, warn_unsaid
from optmech.cli.parsers import Command, add_mechanism, add_question_file, option
from optmech.cli.progress import waiting
from optmech.cli.questions import question_in_file
from optmech.question.protection import gaps_of
from optmech.verify import NO_THEOREM, verify

if TYPE_CHECKING:
    import argparse

    from optmech.mechanisms.mechanism import Mechanism
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

__all__ = ["COMMAND"]

_YES, _NO = 0, 1


def _run(arguments: argparse.Namespace) -> int:
    path, question = arguments.mechanism, question_in_file(arguments)
    with waiting(f"proving {path} again"):
        own_certificate = proved_at(path, question)
    if own_certificate is None:
        return _verify_matrix(*matrix_of(path, question), arguments)
    certificate, proof = own_certificate
    if not certificate.has_matrix:
        return verify_distribution(certificate, proof, arguments)
    return _verify_certificate(certificate, proof, arguments)


def _verify_matrix(mechanism: Mechanism, problem: Problem, arguments: argparse.Namespace) -> int:
    path = arguments.mechanism
    with waiting(f"checking {path}"):
        report = verify(mechanism, problem)
    answer(
        arguments,
        lambda: {**report_json(report), "protected": query_json(problem.query)},
        lambda: "\n".join([report_text(report), "", *protection_lines(problem.query)]),
    )
    warn_unsaid(report.caution, json=arguments.json)
    if not report:
        warn(f"{path} violates what is required: {report.failures[0].text}")
    return _YES if report else _NO


def _verify_certificate(certificate: Certificate, path: str, arguments: argparse.Namespace) -> int:
    # What is told of a question, and theorems with their ball arithmetic, take a moment to load.
    from optmech.question.words import words_of  # noqa: PLC0415
    from optmech.theorems.consistency import theorem_rows  # noqa: PLC0415
    from optmech.verify.optimum_bracket import proved_bracket  # noqa: PLC0415

    with waiting(f"holding {path} against theorems"):
        rows = theorem_rows(certificate.problem, proved_bracket(certificate))
    contradictions = [row for row in rows if row.fails]
    matrix, sentence = arguments.mechanism, "all of it proved again"
    if matrix == path:
        matrix = arguments.matrix
        if matrix is not None:
            need_same_matrix(matrix, certificate)
    if matrix is not None:
        sentence += f"; {visible(matrix)} holds the nearest doubles"
    caution = certificate.caution
    lines = [*([caution] if caution else []), str(certificate.problem), ""]
    lines += [*certificate_lines(certificate), "", sentence, ""]
    lines += list(map(str, rows)) or [NO_THEOREM]
    answer(
        arguments,
        lambda: {
            "verified": not contradictions,
            "certificate": certificate_json(certificate, path),
            "matrix": matrix,
            "theorems": theorems_json(rows),
            "without_theorems": "" if rows else NO_THEOREM,
        },
        lambda: "\n".join([*lines, *reported_lines(certificate)]),
    )
    warn_unsaid(caution, json=arguments.json)
    for gap in gaps_of(certificate.problem.query):
        warn_unsaid(gap, json=arguments.json)
    words = words_of(certificate.problem, certificate.delta, certificate.delta_of_sets)
    if not words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: {words.deviation}")
    for row in contradictions:
        warn(f"{path} contradicts {row.name}, or it is the theorem that is wrong: {row.text}")
    return _NO if contradictions else _YES


COMMAND = Command(
    name="verify",
    about="Check a certificate exactly, or a matrix against a question in floating point, and compare\n"
    "either with the closed-form theorems that apply to it. Exit code 0 if all holds, 1 if not.",
    examples=(
        "optmech verify mechanism.certificate.json mechanism.csv",
        "optmech verify mechanism.csv --question question.toml",
    ),
    options=(
        add_mechanism,
        option("matrix", "MECHANISM.csv", "the matrix beside the certificate", nargs="?"),
        add_question_file,
    ),
    run=_run,
)
