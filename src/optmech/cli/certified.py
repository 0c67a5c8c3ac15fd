"""``optmech verify`` and ``optmech apply``, and the two files that a design leaves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.cli.implicit import implicit_of, released_from, verify_implicit
from optmech.cli.show import certificate_json, certificate_lines, json_text, report_json, report_text
from optmech.errors import ProblemError, VerificationError
from optmech.exact.certificate_text import certificate_text
from optmech.files.certificate import read_certificate
from optmech.files.matrix_csv import matrix_text
from optmech.files.table_csv import read_table, table_text
from optmech.files.whole import check_writable, write_together, write_whole
from optmech.formulations.named import named_problem
from optmech.mechanism import Mechanism
from optmech.verify import verify

if TYPE_CHECKING:
    import argparse
    from os import PathLike

    from optmech.engines.design import Design
    from optmech.exact.certificate import Certificate
    from optmech.verify import Report

__all__ = ["certificate_beside", "design_texts", "files_of", "run_apply", "run_verify", "write_design"]

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
    path = _certificate_path(arguments.mechanism, choices)
    if path is None:
        problem = named_problem(arguments.formulation, choices)
        report = verify(Mechanism.from_csv(arguments.mechanism), problem)
        print(json_text(report_json(report)) if arguments.json else report_text(report))
        return _DONE if report else _NO
    if choices:
        message = f"`{next(iter(choices))}` must be left out: the certificate says what was asked."
        raise ProblemError(message)
    implicit = implicit_of(path) if path == arguments.mechanism else None
    if implicit is not None:
        return verify_implicit(implicit, arguments)
    certificate = read_certificate(path)
    matrix = arguments.matrix if arguments.mechanism == path else arguments.mechanism
    if matrix is not None:
        _check_same(matrix, certificate)
    content = {"verified": True, "certificate": certificate_json(certificate, path), "matrix": matrix}
    text = [str(certificate.problem), "", *certificate_lines(certificate), "", "all of it proved again"]
    if matrix is not None:
        text[-1] += f"; {matrix} holds the nearest doubles"
    print(json_text(content) if arguments.json else "\n".join(text))
    return _DONE


def run_apply(arguments: argparse.Namespace) -> int:
    """Replace a column of true answers by draws from a mechanism."""
    check_writable(arguments.out)
    path = _certificate_path(arguments.mechanism, {})
    implicit = implicit_of(path) if path is not None and path == arguments.mechanism else None
    if path is None:
        mechanism = Mechanism.from_csv(arguments.mechanism)
        print(
            f"optmech: warning: {arguments.mechanism} has no certificate: nothing is proved of what it does",
            file=sys.stderr,
        )
    elif implicit is None:
        certificate = read_certificate(path)
        if path != arguments.mechanism:
            _check_same(arguments.mechanism, certificate)
        mechanism = Mechanism.certified(certificate)
    for read in (arguments.mechanism, arguments.table, path):
        if read is not None and Path(read).resolve() == Path(arguments.out).resolve():
            message = f"`--out` must be another file than {read}, which is read."
            raise ProblemError(message)
    table = read_table(arguments.table, arguments.column)
    if implicit is not None:
        drawn = released_from(implicit, table, arguments)
    else:
        drawn = mechanism.sample(
            table.checked(mechanism.truths, mechanism.labels),
            constant_time=arguments.constant_time,
            seed=arguments.seed,
        ).tolist()
    write_whole(arguments.out, table_text(table, [f"{value}" for value in drawn]))
    print(f"{len(drawn)} answers of column {arguments.column} released to {arguments.out}")
    return _DONE


def certificate_beside(path: str) -> str:
    """Return where the certificate of a matrix is written."""
    return f"{path.removesuffix('.csv')}.certificate.json"


def _certificate_path(path: str, choices: dict[str, Any]) -> str | None:
    """Return the certificate that `path` is or has beside it, where no question is typed."""
    if path.lower().endswith(".json"):
        return path
    beside = certificate_beside(path)
    return beside if not choices and Path(beside).is_file() else None


def _check_same(path: str, certificate: Certificate) -> None:
    """Hold a CSV to the whole numbers of a certificate, to the last digit."""
    stated, proved = Mechanism.from_csv(path), Mechanism.certified(certificate)
    same_grid = (stated.responses, stated.truths) == (proved.responses, proved.truths)
    if not same_grid or (stated.matrix != proved.matrix).any():
        message = (
            f"`{path}` must hold the doubles nearest to the certified numbers; it does not. Do not use it."
        )
        raise VerificationError(message)
