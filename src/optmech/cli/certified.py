"""``optmech verify``, and the two files that a design leaves."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError, VerificationError
from optmech.base.visible import visible
from optmech.base.whole_files import read_text, write_together
from optmech.cli.checks import report_json, report_text, theorems_json
from optmech.cli.implicit import implicit_of, verify_implicit
from optmech.cli.output import say, tell, warn, warn_unsaid
from optmech.cli.progress import waiting
from optmech.cli.show import (
    certificate_json,
    certificate_lines,
    json_text,
    protection_lines,
    query_json,
    reported_lines,
)
from optmech.mechanisms.matrix_csv import is_as_written, matrix_text
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.certificate_file import read_certificate
from optmech.proofs.certificate_text import certificate_text
from optmech.question.problems.named import named_problem
from optmech.question.protection import gaps_of
from optmech.verify import NO_THEOREM, verify

if TYPE_CHECKING:
    import argparse
    from os import PathLike

    from optmech.designs.design import Design
    from optmech.proofs.certificate import Certificate
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
        return _verify_matrix(arguments, choices)
    if choices:
        message = f"`{next(iter(choices))}` must be left out: the certificate says what was asked."
        raise ProblemError(message)
    implicit = implicit_of(path) if path == arguments.mechanism else None
    return _verify_certificate(path, arguments) if implicit is None else verify_implicit(implicit, arguments)


def _verify_matrix(arguments: argparse.Namespace, choices: dict[str, Any]) -> int:
    need_question(arguments.mechanism, arguments.formulation, choices)
    problem = named_problem(arguments.formulation, choices)
    with waiting(f"checking {arguments.mechanism}"):
        report = verify(Mechanism.from_csv(arguments.mechanism), problem)
    if arguments.json:
        tell(json_text({**report_json(report), "protected": query_json(problem.query)}))
    else:
        say("\n".join([report_text(report), "", *protection_lines(problem.query)]))
    warn_unsaid(report.caution, json=arguments.json)
    if not report:
        warn(f"{arguments.mechanism} does not hold what was asked: {report.failures[0].text}")
    return _DONE if report else _NO


def _verify_certificate(path: str, arguments: argparse.Namespace) -> int:
    # What is told of a question, and theorems with their ball arithmetic, take a moment to load.
    from optmech.reports.card.words import words_of  # noqa: PLC0415
    from optmech.theorems.consistency import theorem_rows  # noqa: PLC0415
    from optmech.verify.optimum_bracket import proved_bracket  # noqa: PLC0415

    with waiting(f"proving {path} again"):
        certificate = read_certificate(path)
        rows = theorem_rows(certificate.problem, proved_bracket(certificate))
    contradicted = [row for row in rows if row.fails]
    matrix = arguments.matrix if arguments.mechanism == path else arguments.mechanism
    if matrix is not None:
        need_same_matrix(matrix, certificate)
    proved = "all of it proved again"
    if matrix is not None:
        proved += f"; {visible(matrix)} holds the nearest doubles"
    if arguments.json:
        content = {
            "verified": not contradicted,
            "certificate": certificate_json(certificate, path),
            "matrix": matrix,
            "theorems": theorems_json(rows),
            "without_theorems": "" if rows else NO_THEOREM,
        }
        tell(json_text(content))
    else:
        caution = certificate.caution
        lines = [*([caution] if caution else []), str(certificate.problem), ""]
        lines += [*certificate_lines(certificate), "", proved, ""]
        lines += list(map(str, rows)) or [NO_THEOREM]
        say("\n".join([*lines, *reported_lines(certificate)]))
    warn_unsaid(certificate.caution, json=arguments.json)
    for gap in gaps_of(certificate.problem.query):
        warn_unsaid(gap, json=arguments.json)
    words = words_of(certificate.problem, certificate.delta, certificate.delta_of_sets)
    if not words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: {words.unlike_usual}")
    for row in contradicted:
        warn(f"{path} contradicts {row.name}, or it is the theorem that is wrong: {row.text}")
    return _NO if contradicted else _DONE


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
    """Hold a CSV to the whole numbers of a certificate, to the last digit, as `docs/certificate.md` has it.

    Raises
    ------
    VerificationError
        If it holds other numbers, or calls truths otherwise.
    FileFormatError
        If it is no matrix, or not as it was written.
    """
    proved = Mechanism.certified(certificate)
    if is_as_written(path, matrix_text(proved.responses, proved.truths, proved.matrix, labels=proved.labels)):
        return
    stated = Mechanism.from_csv(path)
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
    message = (
        f"`{path}` must be as it was written, but for lines that begin with #; its numbers are the certified "
        "ones, its lines are not. Restore the file that `optmech design --out` wrote."
    )
    raise FileFormatError(message)
