"""``optmech verify``: a certificate proved again, or a matrix held to a question in floating point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.notes import Note, NoteKind, TextLine
from optmech.base.provenance import Provenance
from optmech.base.visible import visible
from optmech.base.wording import join_words
from optmech.cli.certificate_files import (
    is_certificate,
    matrix_of,
    need_same_matrix,
    proved_at,
    whole_at,
)
from optmech.cli.certificate_view import (
    proof_json,
    proof_lines,
    protection_lines,
    proved_lines,
    query_json,
    report_json,
    report_lines,
    reported_lines,
    theorem_summary,
    theorems_json,
    verdict_first,
)
from optmech.cli.design_quantiles import quantile_json, quantile_lines
from optmech.cli.other_checker import Agreement, compared, other_verdict
from optmech.cli.output import answer, warn, warn_unsaid
from optmech.cli.p_table import P_TABLE, verify_p_table
from optmech.cli.parsers import MECHANISM, OF_A_MATRIX, Arguments, option
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import CERTIFICATE, question_beside
from optmech.cli.table_view import table_lines
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.question.protection import gaps_of
from optmech.reports.table_facts import table_json
from optmech.verify import sentence_without_theorems, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.cli.other_checker import OtherVerdict
    from optmech.mechanisms.mechanism import Mechanism
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem
    from optmech.theorems.consistency import TheoremRow

_YES, _NO = 0, 1


def _run(arguments: Arguments) -> int:
    if arguments.p_table:
        _need_no_checker(arguments)
        return verify_p_table(arguments)
    path, question = arguments.mechanism, question_beside(arguments)
    matrices = [name for name in (path, arguments.matrix) if name is not None and not is_certificate(name)]
    proofs = [name for name in (path, arguments.matrix) if name is not None and is_certificate(name)]
    if len(proofs) > 1:
        names = join_words(map(visible, proofs))
        message = f"`MECHANISM.csv` must be a matrix; got two certificates, {names}."
        raise ProblemError(message)
    path = (*proofs, *matrices)[0]
    other = other_verdict(arguments.checker, path, question, arguments.checker_time_limit)
    if question is None and is_certificate(path) and (proved := whole_at(path)) is not None:
        return _verify_whole(proved, path, matrices, compared(other, proved), arguments)
    try:
        with waiting(f"proving {path} again"):
            own_certificate = proved_at(path, question)
    except OptmechError:
        if other is not None and other.verdict == Agreement.ACCEPTS:
            warn(f"{visible(other.checker)} accepts {path}, which optmech refuses: one of the two is wrong")
        raise
    if own_certificate is None:
        if len(matrices) > 1:
            message = "`MECHANISM.csv` must be given once with a question, which one matrix is held to."
            raise ProblemError(message)
        return _verify_matrix(*matrix_of(path, question), arguments)
    return _verify_certificate(*own_certificate, matrices, compared(other, own_certificate[0]), arguments)


def _verify_matrix(mechanism: Mechanism, problem: Problem, arguments: Arguments) -> int:
    path = arguments.mechanism
    with waiting(f"checking {path}"):
        report = verify(mechanism, problem)
    answer(
        arguments,
        lambda: {**report_json(report), "protected": query_json(problem.query)},
        lambda: [
            *(report_lines if arguments.explain else verdict_first)(report),
            "",
            *protection_lines(problem.query),
        ],
    )
    warn_unsaid(report.caution, json=arguments.json)
    if not report:
        first = report.failures[0]
        warn(f"{path} violates what is required: {first.name}: {first.text}")
    return _YES if report else _NO


def _verify_certificate(
    certificate: Certificate,
    path: str,
    matrices: list[str],
    other: OtherVerdict | None,
    arguments: Arguments,
) -> int:
    # Theorems with their ball arithmetic take a moment to load.
    from optmech.designs.chain.theorem import CHAIN  # noqa: PLC0415
    from optmech.theorems.consistency import theorem_rows  # noqa: PLC0415
    from optmech.verify.optimum_bracket import proved_bracket  # noqa: PLC0415

    query = certificate.problem.query
    if query.no_matrix is not None and matrices:
        message = f"`MECHANISM.csv` must be left out for {query.title}: {query.no_matrix}."
        raise ProblemError(message)
    for matrix in matrices:
        need_same_matrix(matrix, certificate)
    with waiting(f"holding {path} against theorems"):
        rows = theorem_rows(certificate.problem, proved_bracket(certificate), [CHAIN])
    silence = "" if rows else sentence_without_theorems(certificate.problem)
    contradictions = [row for row in rows if row.fails]
    held = ""
    content = proof_json(certificate, path)
    if matrices:
        verb = "holds" if len(matrices) == 1 else "hold"
        held = f"; {join_words([*map(visible, matrices)])} {verb} the nearest doubles"
    dispute = None if other is None or other.is_compatible else Note(NoteKind.PRIVACY, other.sentence)
    sentence = TextLine("all of it ", Provenance.PROVED, f" again{held}")
    answer(
        arguments,
        lambda: {
            "verified": not contradictions,
            **content,
            **({} if other is None else {"checker": other.content}),
            "matrix": matrices[0] if matrices else None,
            "matrices": matrices,
            "theorems": theorems_json(rows),
            "without_theorems": silence,
        },
        lambda: [
            sentence,
            *([] if other is None else [dispute or other.sentence]),
            "",
            *(_all_lines if arguments.explain else _screen)(certificate, rows),
            *([] if rows else [silence]),
            *(reported_lines(certificate) if arguments.explain else []),
        ],
        caution=certificate.caution,
    )
    _warn_of_privacy(certificate, path, json=arguments.json)
    for row in contradictions:
        warn(f"{path} contradicts {row.name}, or it is the theorem that is wrong: {row.text}")
    warn_unsaid(dispute, json=arguments.json)
    return _NO if contradictions or dispute else _YES


def _verify_whole(
    certificate: TableCertificate | QuantileCertificate,
    path: str,
    matrices: list[str],
    other: OtherVerdict | None,
    arguments: Arguments,
) -> int:
    if matrices:
        message = f"`MECHANISM.csv` must be left out for {path}: its mechanism has no matrix."
        raise ProblemError(message)
    dispute = None if other is None or other.is_compatible else Note(NoteKind.PRIVACY, other.sentence)
    answer(
        arguments,
        lambda: {
            "verified": True,
            **(
                quantile_json(certificate)
                if isinstance(certificate, QuantileCertificate)
                else table_json(certificate)
            ),
            **({} if other is None else {"checker": other.content}),
        },
        lambda: [
            TextLine("all of it ", Provenance.PROVED, " again"),
            *([] if other is None else [dispute or other.sentence]),
            *(
                quantile_lines(certificate)
                if isinstance(certificate, QuantileCertificate)
                else table_lines(certificate)
            ),
        ],
    )
    warn_unsaid(dispute, json=arguments.json)
    return _NO if dispute else _YES


def _need_no_checker(arguments: Arguments) -> None:
    """Refuse a checker of certificates where none is read: ProblemError."""
    if arguments.checker is not None or arguments.checker_time_limit is not None:
        message = (
            "`--checker` and its time limit must be left out with `--p-table`: checkers read certificates, "
            f"and {visible(arguments.mechanism)} is a table."
        )
        raise ProblemError(message)


def _all_lines(certificate: Certificate, rows: Sequence[TheoremRow]) -> list[str]:
    return [*proof_lines(certificate), "", *(row.line for row in rows)]


def _screen(certificate: Certificate, rows: Sequence[TheoremRow]) -> list[str]:
    """Return what a certificate proves on a screen: of theorems only what is contradicted is said in full."""
    summary = [theorem_summary(rows)] if rows else []
    contradicted = [row.line for row in rows if row.fails]
    numbers = proved_lines(certificate, is_brief=True)
    return [*contradicted, certificate.problem.brief, "", *numbers, "", *summary]


def _warn_of_privacy(certificate: Certificate, path: str, *, json: bool) -> None:
    from optmech.question.words import words_of  # noqa: PLC0415 - what is told of a question takes a moment, too

    for gap in gaps_of(certificate.problem.query):
        warn_unsaid(gap, json=json)
    words = words_of(certificate.problem, certificate.delta, certificate.delta_of_sets)
    if not words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: {words.deviation}")


COMMAND = QuestionCommand(
    name="verify",
    about="Check a certificate exactly, or a matrix against a question in floating point, and compare\n"
    "either with the closed-form theorems that apply to it. Exit code 0 if all holds, 1 if not, 2 for a\n"
    "file that cannot be read.",
    examples=(
        "optmech verify mechanism.certificate.json mechanism.csv",
        "optmech verify count --range 0:5 --epsilon 0.5 mechanism.csv",
        "optmech verify question.toml mechanism.csv",
        "optmech verify mechanism.certificate.json --checker coq/optmech-check",
        "optmech verify noise.csv --p-table",
    ),
    formulations=QUESTIONS,
    usual=CERTIFICATE,
    question_of=OF_A_MATRIX,
    further={**dict.fromkeys(QUESTIONS, " mechanism.csv"), "file": "question.toml mechanism.csv"},
    options=(
        MECHANISM,
        option("matrix", "MECHANISM.csv", "the matrix beside the certificate", nargs="?"),
        option(
            "--checker",
            "PROGRAM",
            "another checker of certificates, such as coq/optmech-check: run PROGRAM --json CERTIFICATE, and "
            "say whether both agree; it must answer as `optmech-check-certificate --json` does",
        ),
        option(
            "--checker-time-limit",
            "SECONDS",
            "for that checker, which is killed then; default: 600",
            type=float,
        ),
        P_TABLE,
    ),
    run=_run,
)
