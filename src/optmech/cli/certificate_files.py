"""The two files that a design leaves, and what they hold, proved again."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import FileFormatError, ProblemError, VerificationError
from optmech.base.whole_files import check_writable, read_text, resolved
from optmech.cli.person import bound_at, release_options
from optmech.mechanisms.certificates.certificate_file import read_certificate
from optmech.mechanisms.certificates.certificate_text import certificate_text
from optmech.mechanisms.certificates.quantile_text import is_quantiles_text, read_quantiles_text
from optmech.mechanisms.certificates.table_text import is_table_text, read_table_text
from optmech.mechanisms.matrix_csv import is_as_written, matrix_text
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.mechanisms.source import certified_matrix_text, mechanism_of
from optmech.mechanisms.tables.table_certificate import TableCertificate

if TYPE_CHECKING:
    from os import PathLike

    from optmech.designs.design import Design
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem
    from optmech.verify import Report


# Doubles of a distribution are powers, whose last digits differ between processors.
_OTHER_PROCESSOR = 1e-9


def next_steps(files: list[str], bound: str | None = None) -> list[str]:
    """Return the commands that a certified design is for, whose certificate is the last of its files.

    `bound` is the file of ``--for``, if that was given: then the table is known.
    """
    *matrix, certificate = map(shlex.quote, files)
    report, table, options = f"optmech report {certificate}", "TABLE.csv", "--column NAME"
    person_bound = bound_at(bound)
    if bound is not None and person_bound is not None:
        report += f" --for {shlex.quote(bound)}"
        table, options = shlex.quote(bound.removesuffix(".json")), release_options(person_bound)
    apply = f"optmech apply {certificate} {table} {options} --out released.csv"
    verify = " ".join(["optmech verify", certificate, *matrix])
    return [report, verify, apply] if bound is None else [apply, report, verify]


def files_of(out: str | None, certificate: str | None, *, raw: bool) -> list[str]:
    """Return the paths that a design is written to: of ``.csv`` the matrix, and its certificate, last.

    A certificate holds the mechanism: of ``.json`` it is the only file. ProblemError if options contradict
    each other.
    """
    if certificate is not None and raw:
        message = "`--certificate` must be left out with `--raw`; nothing is proved of a raw answer."
        raise ProblemError(message)
    if out is None:
        if certificate is not None:
            message = "`--out` must be given with `--certificate`: a certificate stands beside its matrix."
            raise ProblemError(message)
        return []
    check_writable(out, *((".csv",) if raw else (".csv", ".json")))
    if out.lower().endswith(".json"):
        if certificate is not None:
            message = (
                f"`--certificate` must be left out: {out} is the certificate, which holds the mechanism."
            )
            raise ProblemError(message)
        return [out]
    if raw:
        return [out]
    beside = certificate or certificate_beside(out)
    if resolved(beside) == resolved(out):
        message = f"`--certificate` must be another file than `--out`; got {beside} for both."
        raise ProblemError(message)
    check_writable(beside, ".json")
    return [out, beside]


def design_texts(
    design: Design, files: list[str], report: Report | None = None
) -> dict[str | PathLike[str], str | bytes]:
    """Return what is written to these files: the certificate in the last, and the matrix before it.

    A raw design needs a report, which says what does not hold of it.
    """
    mechanism, certificate = design.mechanism, design.certificate
    if certificate is None:
        comments = ["RAW: the unrepaired solution of an engine; nothing of it is proved"]
        failures = () if report is None else report.failures
        comments += [f"{check.name} FAILS: {check.text}" for check in failures]
        text = matrix_text(
            mechanism.responses, mechanism.truths, mechanism.matrix, comments, labels=mechanism.labels
        )
        return {files[0]: text}
    *matrix, file = files
    texts: dict[str | PathLike[str], str | bytes] = {file: certificate_text(certificate)}
    for path in matrix:
        texts[path] = certified_matrix_text(mechanism_of(certificate), certificate, Path(file).name)
    return texts


def certificate_beside(path: str) -> str:
    """Return the path of a matrix's certificate."""
    return f"{path.removesuffix('.csv')}.certificate.json"


def is_certificate(path: str) -> bool:
    """Whether a file is named as certificates are, not as matrices."""
    return path.lower().endswith(".json")


def certificate_at(path: str, question: Problem | None = None) -> str | None:
    """Return the certificate that `path` is or has beside it, where no question is given."""
    if is_certificate(path):
        return path
    beside = certificate_beside(path)
    return beside if question is None and Path(beside).is_file() else None


def proved_at(path: str, question: Problem | None = None) -> tuple[Certificate, str] | None:
    """Return what is proved of a mechanism, proved again, and the file that says it; None where none does.

    ProblemError if a question is given that the file says itself; FileFormatError or VerificationError if a
    file cannot be read, or something in it does not hold, or a matrix is not the one beside it.
    """
    proof = certificate_at(path, question)
    if proof is None:
        return None
    if question is not None:
        message = f"a question must be left out: {proof} states it."
        raise ProblemError(message)
    certificate = read_certificate(proof)
    if proof != path:
        need_same_matrix(path, certificate)
    return certificate, proof


def whole_at(path: str) -> TableCertificate | QuantileCertificate | None:
    """Return what is proved of a table or of quantiles, proved again; None of the certificate of a number."""
    text = read_text(path, "utf-8") if Path(path).is_file() else ""
    if is_quantiles_text(text):
        return read_quantiles_text(text, path)
    return read_table_text(text, path) if is_table_text(text) else None


def table_at(path: str) -> TableCertificate | None:
    """Return what is proved of a whole table, proved again; None of any other certificate."""
    found = whole_at(path)
    return found if isinstance(found, TableCertificate) else None


def matrix_of(path: str, question: Problem | None) -> tuple[Mechanism, Problem]:
    """Return a matrix of which nothing is proved, and the question that is given for it: ProblemError."""
    if question is None:
        read_text(path)  # of a file that is not there, that is what to say
        message = (
            f"`{path}` must have its certificate beside it, {certificate_beside(path)}, or follow its "
            "question, typed as for `optmech design` or in a FILE.toml; got neither."
        )
        raise ProblemError(message)
    return MatrixMechanism.from_csv(path), question


def mechanism_at(
    path: str, question: Problem | None
) -> tuple[Certificate | Mechanism, Problem | None, str | None]:
    """Return a mechanism, its problem where no certificate says it, and the file of its certificate."""
    certificate = proved_at(path, question)
    return (certificate[0], None, certificate[1]) if certificate else (*matrix_of(path, question), None)


def need_same_matrix(path: str, certificate: Certificate) -> None:
    """Hold a CSV to the mechanism of a certificate, to the last digit, as `docs/certificate.md` has it.

    VerificationError if it holds other numbers, or calls truths otherwise; FileFormatError if it is no
    matrix, or not as it was written.
    """
    own = mechanism_of(certificate)
    if is_as_written(path, matrix_text(own.responses, own.truths, own.matrix, labels=own.labels)):
        return
    in_file = MatrixMechanism.from_csv(path)
    same_grid = (in_file.responses, in_file.truths) == (own.responses, own.truths)
    if in_file.labels and in_file.labels != own.labels:
        message = (
            f"`{path}` must call truths as its certificate does, {', '.join(own.labels) or 'by numbers'}; "
            f"got {', '.join(in_file.labels)}. Do not use it."
        )
        raise VerificationError(message)
    if not same_grid or (in_file.matrix != own.matrix).any():
        message = (
            f"`{path}` must hold the doubles nearest to the certified numbers; it does not. Do not use it."
        )
        raise VerificationError(message)
    message = (
        f"`{path}` must be as it was written, but for lines that begin with #; its numbers are the certified "
        "ones, its lines are not. Restore the file that `optmech design --out` wrote."
    )
    raise FileFormatError(message)
