"""``optmech verify``, and the two files that a design leaves."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.cli.implicit import implicit_of, verify_implicit
from optmech.cli.output import say, tell, warn
from optmech.cli.progress import waiting
from optmech.cli.show import (
    certificate_json,
    certificate_lines,
    json_text,
    protection_lines,
    query_json,
    report_json,
    report_text,
    reported_lines,
)
from optmech.errors import ProblemError, VerificationError
from optmech.exact.certificate_text import certificate_text
from optmech.files.certificate import read_certificate
from optmech.files.matrix_csv import matrix_text
from optmech.files.whole import read_text, write_together
from optmech.formulations.named import named_problem
from optmech.mechanism import Mechanism
from optmech.verify import verify
from optmech.visible import visible

if TYPE_CHECKING:
    import argparse
    from os import PathLike

    from optmech.engines.design import Design
    from optmech.exact.certificate import Certificate
    from optmech.verify import Report

__all__ = [
    "certificate_at",
    "certificate_beside",
    "design_texts",
    "files_of",
    "need_question",
    "need_same_matrix",
    "next_steps",
    "run_verify",
    "write_design",
]

_DONE, _NO = 0, 1


def files_of(arguments: argparse.Namespace) -> list[str]:
    """Return the paths that a design is written to: the matrix, and the certificate beside it."""
    if arguments.certificate is not None and arguments.raw:
        message = "`--certificate` must be left out with `--raw`; nothing is proved of a raw answer."
        raise ProblemError(message)
    if arguments.out is None:
        if arguments.certificate is not None:
            message = "`--out` must be given with `--certificate`: a certificate stands beside its matrix."
            raise ProblemError(message)
        return []
    beside = arguments.certificate or certificate_beside(arguments.out)
    if Path(beside).resolve() == Path(arguments.out).resolve():
        message = f"`--certificate` must be another file than `--out`; got {beside} for both."
        raise ProblemError(message)
    return [arguments.out] if arguments.raw else [arguments.out, beside]


def next_steps(files: list[str]) -> list[str]:
    """Return the commands that a certified design is for; of a raw one there are none."""
    if len(files) < 2:  # noqa: PLR2004 - matrix and certificate
        return []
    matrix, certificate = map(shlex.quote, files)
    return [
        f"optmech report {certificate}",
        f"optmech verify {certificate} {matrix}",
        f"optmech apply {certificate} TABLE.csv --column NAME --out released.csv",
    ]


def write_design(found: Design, report: Report, files: list[str]) -> None:
    """Write the matrix, and the certificate where there is one; both or neither."""
    if files:
        write_together(design_texts(found, files, report))


def design_texts(
    found: Design, files: list[str], report: Report | None = None
) -> dict[str | PathLike[str], str | bytes]:
    """Return what is written to these files: the matrix, and the certificate where there is one.

    A raw design needs a report, which says what does not hold of it.
    """
    texts: dict[str | PathLike[str], str | bytes] = {}
    if found.certificate is None:
        told = ["RAW: the answer of an engine as it stands; nothing of it is proved"]
        comments = (
            [*told, *(f"{check.name} FAILS: {check.text}" for check in report.failures)]
            if report is not None and not report
            else told
        )
    else:
        texts[files[1]] = certificate_text(found.certificate)
        digest = found.certificate.matrix.sha256()
        comments = [f"certified: {Path(files[1]).name}, SHA-256 of the matrix in whole numbers {digest}"]
    made = found.mechanism
    texts[files[0]] = matrix_text(made.responses, made.truths, made.matrix, comments, labels=made.labels)
    return texts


def run_verify(arguments: argparse.Namespace, choices: dict[str, Any]) -> int:
    """Check a certificate, exactly, or a matrix against a question, in floating point."""
    path = certificate_at(arguments.mechanism, choices)
    if path is None:
        need_question(arguments.mechanism, arguments.formulation, choices)
        problem = named_problem(arguments.formulation, choices)
        with waiting(f"checking {arguments.mechanism}"):
            report = verify(Mechanism.from_csv(arguments.mechanism), problem)
        if arguments.json:
            tell(json_text({**report_json(report), "protected": query_json(problem.query)}))
        else:
            say("\n".join([report_text(report), "", *protection_lines(problem.query)]))
        if not report:
            warn(f"{arguments.mechanism} does not hold what was asked: {report.failures[0].text}")
        return _DONE if report else _NO
    if choices:
        message = f"`{next(iter(choices))}` must be left out: the certificate says what was asked."
        raise ProblemError(message)
    implicit = implicit_of(path) if path == arguments.mechanism else None
    if implicit is not None:
        return verify_implicit(implicit, arguments)
    with waiting(f"proving {path} again"):
        certificate = read_certificate(path)
    matrix = arguments.matrix if arguments.mechanism == path else arguments.mechanism
    if matrix is not None:
        need_same_matrix(matrix, certificate)
    content = {"verified": True, "certificate": certificate_json(certificate, path), "matrix": matrix}
    text = [str(certificate.problem), "", *certificate_lines(certificate), "", "all of it proved again"]
    if matrix is not None:
        text[-1] += f"; {visible(matrix)} holds the nearest doubles"
    text += reported_lines(certificate)
    if arguments.json:
        tell(json_text(content))
    else:
        say("\n".join(text))
    from optmech.card.words import words_of  # noqa: PLC0415 - what is told of a question takes a moment to load

    words = words_of(certificate.problem, certificate.delta)
    if not words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: {words.unlike_usual}")
    return _DONE


def certificate_beside(path: str) -> str:
    """Return where the certificate of a matrix is written."""
    return f"{path.removesuffix('.csv')}.certificate.json"


def certificate_at(path: str, choices: dict[str, Any]) -> str | None:
    """Return the certificate that `path` is or has beside it, where no question is typed."""
    if path.lower().endswith(".json"):
        return path
    beside = certificate_beside(path)
    return beside if not choices and Path(beside).is_file() else None


def need_question(path: str, formulation: str, choices: dict[str, Any]) -> None:
    """Refuse a matrix of which neither a certificate nor anybody says what was asked: ProblemError."""
    if "query" not in choices and formulation in ("croft", "question"):
        read_text(path)  # of a file that is not there, that is what to say
        message = (
            f"`{path}` must have its certificate beside it, {certificate_beside(path)}, or its question "
            "be typed, such as `--query count --range 0:5 --epsilon 0.5`; got neither."
        )
        raise ProblemError(message)


def need_same_matrix(path: str, certificate: Certificate) -> None:
    """Hold a CSV to the whole numbers of a certificate, to the last digit; raises VerificationError."""
    stated, proved = Mechanism.from_csv(path), Mechanism.certified(certificate)
    same_grid = (stated.responses, stated.truths) == (proved.responses, proved.truths)
    if stated.labels and stated.labels != proved.labels:
        message = (
            f"`{path}` must call truths as its certificate does, {', '.join(proved.labels) or 'by numbers'}; "
            f"got {', '.join(stated.labels)}. Do not use it."
        )
        raise VerificationError(message)
    if not same_grid or (stated.matrix != proved.matrix).any():
        message = (
            f"`{path}` must hold the doubles nearest to the certified numbers; it does not. Do not use it."
        )
        raise VerificationError(message)
