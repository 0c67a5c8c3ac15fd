"""``optmech report``: a mechanism as one page of HTML, for its decision maker."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_whole
from optmech.base.wording import join_words
from optmech.cli.certificate_files import certificate_at, mechanism_at, table_at
from optmech.cli.output import answer, check_apart, warn
from optmech.cli.parsers import OF_A_MATRIX, Arguments, option, switch
from optmech.cli.person import FOR_TABLE, bound_at
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import CERTIFICATE, question_beside, question_file_of
from optmech.cli.release_report import files_of_release, report_release
from optmech.mechanisms.mechanism import Mechanism
from optmech.question.problems.again import lines_again

if TYPE_CHECKING:
    from optmech.analysis.comparison import Comparison
    from optmech.proofs.certificate import Certificate

# Comparing designs the question anew; a report does not wait for long.
_SECONDS = 60.0
_NO_PROOF = (
    "Nothing is proved of this matrix, and so it is not compared with the optimum or to other tools here."
)
_LEAST_DELTA = (
    "This question minimises δ, not a loss. Library mechanisms have no setting to compare with on that."
)


def _run(arguments: Arguments) -> int:
    """Read a mechanism, prove it again if it can be, and write its report."""
    from optmech.reports.card import card_of  # noqa: PLC0415 - only this command needs what draws pages
    from optmech.reports.report import Names, report_page  # noqa: PLC0415

    release = files_of_release(arguments)
    if release is not None:
        return report_release(release, arguments)
    if arguments.data is not None:
        message = (
            "`--data` must be given with the logs of a release; a mechanism is of no data. Leave it out."
        )
        raise ProblemError(message)
    question = question_beside(arguments)
    path, out = _one(arguments.mechanism), arguments.out
    if not out.lower().endswith((".html", ".htm")):
        message = f"`--out` must end in .html, which a browser opens; got {out}."
        raise ProblemError(message)
    check_writable(out)
    if table_at(path) is not None:
        message = (
            f"`{visible(path)}` must be given by the log of its release, RELEASED.release.json: the page of "
            f"a table has its numbers. `optmech card {visible(path)}` tells of its noise alone."
        )
        raise ProblemError(message)
    bound = bound_at(arguments.bound)
    check_apart(out, path, certificate_at(path, question), question_file_of(arguments))
    with waiting(f"proving {path} again"):
        source, problem, proof = mechanism_at(path, question)
    name = Path(proof or path).name
    beside = Path(path).with_name(f"{name.removesuffix('.certificate.json')}.csv")
    has_csv = path != proof or beside.is_file()
    matrix = shlex.quote(beside.name) if has_csv else ""
    names = Names(certificate=shlex.quote(name), matrix=matrix)
    with waiting(f"comparing for {out}"):
        comparison = _comparison(source, leave_out=arguments.no_compare)
    with waiting(f"drawing {out}"):
        asked = problem or getattr(source, "problem", None)
        again = "" if asked is None else lines_again(asked)
        card = card_of(source, problem, bound=bound)
        text = report_page(
            source,
            problem,
            comparison=comparison,
            again=again,
            names=names,
            date=arguments.date,
            title=arguments.title or "",
            card=card,
        )
    write_whole(out, text)
    answer(
        arguments,
        lambda: {
            "out": out,
            "caution": card.words.allows or None,
            "certified": card.certified,
            "holds": card.privacy.holds,
            "differential_privacy": card.words.is_differential_privacy,
            "compared": not isinstance(comparison, str),
        },
        lambda: [f"written to {visible(out)}"],
        follow=[f"open {shlex.quote(out)} in a browser; it prints on A4"],
    )
    if not card.privacy.holds:
        warn(f"{path} violates a requirement: do not publish with it; the report says which")
    elif not card.words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: the report says why")
    return 0 if card.privacy.holds else 1


def _one(paths: list[str]) -> str:
    """Return the mechanism that a question is said of."""
    if not paths:
        message = "`FILES` must be a mechanism or a release's logs, or `--ledger` a folder of logs; got none."
        raise ProblemError(message)
    if len(paths) > 1:
        message = (
            f"`MECHANISM.csv` must be one matrix with a question; got {join_words(map(visible, paths))}."
        )
        raise ProblemError(message)
    return paths[0]


def _comparison(source: Certificate | Mechanism, *, leave_out: bool) -> Comparison | str:
    """Return the comparison with other tools, or a sentence on why it is missing."""
    from optmech.analysis.comparison import compare  # noqa: PLC0415 - baselines load in half a second
    from optmech.designs.design import design  # noqa: PLC0415

    if leave_out:
        return "Other tools were not compared: the report was written without."
    if isinstance(source, Mechanism):
        return _NO_PROOF
    if source.exact is None:
        return (
            "Library mechanisms are compared by their matrices; this mechanism is a distribution without one."
        )
    if source.problem.least_loss is None:
        return _LEAST_DELTA
    try:
        return compare(source.problem, designer=partial(design, time_limit=_SECONDS))
    except OptmechError as error:
        return f"Other tools could not be compared: {error}"


COMMAND = QuestionCommand(
    name="report",
    about="""\
Write a report of a mechanism: one HTML page that explains the question, the guarantee and the error, shows
the matrix, says what is proved and how to check it, and has room for signatures. It needs no network.
With a matrix without a certificate give the question, too; then nothing is proved, and the page says so
first. Exit code 1 if the mechanism violates a requirement.

For a release give its logs, or --ledger with the folder of all logs: the certificates and released files that
they name are found beside them, and here. The page has the published numbers with their intervals, a chart,
what a person spends, who is protected, and errors. A description in TOML may say more: title, data, unit,
controller, date, contact.""",
    examples=(
        "optmech report mechanism.certificate.json",
        "optmech report mechanism.csv --out report.html --date 2026-05-04",
        "optmech report noisy.release.json --title 'Counts by place' --out release.html",
        "optmech report release.toml --ledger . --out release.html",
        "optmech report question.toml mechanism.csv",
    ),
    formulations=QUESTIONS,
    usual=CERTIFICATE,
    question_of=OF_A_MATRIX,
    further={**dict.fromkeys(QUESTIONS, " mechanism.csv"), "file": "question.toml mechanism.csv"},
    options=(
        option(
            "mechanism",
            "FILE",
            "CERTIFICATE.json or MECHANISM.csv, which `design --out` wrote; or all files of a release: "
            "LOG.release.json, RELEASE.toml",
            nargs="*",
        ),
        FOR_TABLE,
        option("--out", "FILE.html", "write it there, whole; default: report.html", default="report.html"),
        switch("--no-compare", "leave out what other tools would do, which takes the longest"),
        option("--title", "TEXT", "the heading of the page; default: the question, or the name of the data"),
        option("--ledger", "FOLDER", "the report of a release: of all logs there of the same data"),
        option("--data", "NAME", "which data, if the logs are of several"),
        option("--date", "TEXT", "a date for the head of the page; default: none", default=""),
    ),
    run=_run,
)
