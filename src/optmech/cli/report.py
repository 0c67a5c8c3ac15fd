"""``optmech report``: a mechanism as one page of HTML, for whoever must decide about it."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.whole_files import check_writable, write_whole
from optmech.cli.certified import certificate_at, need_question, need_same_matrix
from optmech.cli.output import say_next, say_written, tell, warn
from optmech.cli.parsers import add_mechanism, command_parser
from optmech.cli.progress import waiting
from optmech.cli.questions import CHOICES, add_choices
from optmech.cli.show import json_text
from optmech.mechanisms.mechanism import Mechanism
from optmech.proofs.certificate_file import read_certificate
from optmech.question.content import question_of
from optmech.question.problems.named import FORMULATIONS, named_problem

if TYPE_CHECKING:
    import argparse

    from optmech.analysis.comparison import Comparison
    from optmech.proofs.certificate import Certificate
    from optmech.question.problem import Problem

__all__ = ["add_report", "run_report", "typed_again"]

_ABOUT = """\
Write a report of a mechanism: one HTML page that explains the question, the guarantee and the error, shows
the matrix, says what is proved and how to check it, and has room for signatures. It needs no network. Of a
matrix without a certificate say the question, as for `optmech verify`; then nothing is proved, and the page
says so first. Exit code 1 if the mechanism does not hold what was asked."""
_EXAMPLES = (
    "optmech report mechanism.certificate.json",
    "optmech report mechanism.csv --out report.html --date 2026-05-04",
    "optmech report mechanism.csv --query count --range 0:5 --epsilon 0.5",
)
# Comparing designs the question anew; a report does not wait for long.
_SECONDS = 60.0
_NO_PROOF = (
    "Nothing is proved of this matrix, and so it is not held to the best possible or to other tools here."
)
_LEAST_DELTA = (
    "This question asks for the least δ, not for the least loss. Library mechanisms have no setting to "
    "compare with on that."
)


def add_report(subcommands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to the parser of the whole command line."""
    parser = command_parser(
        subcommands.add_parser, _ABOUT, _EXAMPLES, name="report", summary="write a page to decide by"
    )
    add_mechanism(parser)
    parser.add_argument(
        "--out",
        metavar="FILE.html",
        default="report.html",
        help="write it there, whole; default: report.html",
    )
    parser.add_argument(
        "--no-compare",
        action="store_true",
        help="leave out what other tools would do, which takes the longest",
    )
    parser.add_argument(
        "--date", default="", metavar="TEXT", help="a date for the head of the page; default: none"
    )
    parser.add_argument(
        "--formulation", choices=tuple(FORMULATIONS), default="croft", help="whose question; default: croft"
    )
    add_choices(parser, list(CHOICES))


def run_report(arguments: argparse.Namespace, choices: dict[str, Any]) -> int:
    """Read a mechanism, prove it again if it can be, and write its report."""
    from optmech.reports.card import card_of  # noqa: PLC0415 - only this command needs what draws pages
    from optmech.reports.report import Names, report_page  # noqa: PLC0415

    path, out = arguments.mechanism, arguments.out
    if not out.lower().endswith((".html", ".htm")):
        message = f"`--out` must end in .html, which a browser opens; got {out}."
        raise ProblemError(message)
    check_writable(out)
    source, problem, certified = _read(path, out, arguments.formulation, choices)
    name = Path(certified or path).name
    beside = Path(path).with_name(f"{name.removesuffix('.certificate.json')}.csv")
    matrix = shlex.quote(beside.name) if path != certified or beside.is_file() else ""
    names = Names(certificate=shlex.quote(name), matrix=matrix)
    with waiting(f"comparing for {out}"):
        compared = _compared(source, leave_out=arguments.no_compare)
    with waiting(f"drawing {out}"):
        asked = problem or getattr(source, "problem", None)
        again = (
            ""
            if asked is None or asked.query.is_large
            else typed_again(asked, names.certificate if certified else "")
        )
        text = report_page(
            source, problem, comparison=compared, again=again, names=names, date=arguments.date
        )
        card = card_of(source, problem)
    write_whole(out, text)
    if arguments.json:
        told = {
            "out": out,
            "caution": card.words.allows or None,
            "certified": card.certified,
            "holds": card.privacy.holds,
            "differential_privacy": card.words.is_differential_privacy,
            "compared": not isinstance(compared, str),
        }
        tell(json_text(told))
    else:
        say_written(out)
        say_next([f"open {shlex.quote(out)} in a browser; it prints on A4"])
    if not card.privacy.holds:
        warn(f"{path} does not hold what was asked: do not publish with it; the report says what fails")
    elif not card.words.is_differential_privacy:
        warn(f"{path} is not differential privacy at its epsilon and delta: the report says why")
    return 0 if card.privacy.holds else 1


def typed_again(problem: Problem, certificate: str) -> str:
    """Return the command that asks a question, or Python that reads it from its certificate.

    Parameters
    ----------
    problem : Problem
        The question.
    certificate : str
        The file that states it, for Python, where no command does; empty where there is none.

    Examples
    --------
    >>> from optmech.question.problems.croft import croft
    >>> from optmech.question.queries import count
    >>> typed_again(croft(count(5), "0.5", variant=2), "")
    'optmech design croft --query count --range 0:5 --epsilon 0.5 --variant 2 --out mechanism.csv'
    """
    from optmech.reports.report.again import candidates  # noqa: PLC0415 - only reports need it

    wanted = _unnamed(problem)
    for formulation, choices in candidates(problem):
        try:
            same = _unnamed(named_problem(formulation, choices)) == wanted
        except OptmechError:
            continue
        if same:
            words = [word for name, value in choices.items() for word in _option(name, value)]
            return shlex.join(["optmech", "design", formulation, *words, "--out", "mechanism.csv"])
    if not certificate:
        return ""
    return (
        "import optmech as om\n\n"
        f"problem = om.read_certificate({certificate!r}).problem\n"
        'om.design(problem).mechanism.to_csv("mechanism.csv")'
    )


def _unnamed(problem: Problem) -> dict[str, Any]:
    """Return a question but for what its query is called, and in how many ways its distances are listed."""
    question = question_of(problem)
    return {**question, "query": {**question["query"], "name": "", "parameters": {}}}


def _option(name: str, value: Any) -> list[str]:  # noqa: ANN401 - a choice is of its own kind
    flag = str(CHOICES[name].get("flag", f"--{name.replace('_', '-')}"))
    if CHOICES[name].get("action") == "store_const":
        return [flag]
    if CHOICES[name].get("action") == "append":
        return [word for each in value for word in (flag, str(each))]
    if isinstance(value, list):
        lists = value if value and isinstance(value[0], list) else [value]
        value = ";".join(",".join(map(str, each)) for each in lists)
    return [flag, str(value)]


def _read(
    path: str, out: str, formulation: str, choices: dict[str, Any]
) -> tuple[Certificate | Mechanism, Problem | None, str | None]:
    """Return a mechanism, its problem where no certificate says it, and where the certificate is."""
    certified = certificate_at(path, choices)
    for read in (path, certified):
        if read is not None and Path(read).resolve() == Path(out).resolve():
            message = f"`--out` must be another file than {read}, which is read."
            raise ProblemError(message)
    if certified is None:
        need_question(path, formulation, choices)
        return Mechanism.from_csv(path), named_problem(formulation, choices), None
    if choices:
        message = f"`{next(iter(choices))}` must be left out: the certificate says what was asked."
        raise ProblemError(message)
    with waiting(f"proving {certified} again"):
        certificate = read_certificate(certified)
    if certified != path:
        need_same_matrix(path, certificate)
    return certificate, None, certified


def _compared(source: object, *, leave_out: bool) -> Comparison | str:
    """Return what other tools lose, or a sentence on why that is not said."""
    from optmech.analysis.comparison import compare  # noqa: PLC0415 - baselines load in half a second
    from optmech.designs.design import design  # noqa: PLC0415
    from optmech.proofs.certificate import Certificate  # noqa: PLC0415
    from optmech.proofs.geometric_certificate import GeometricCertificate  # noqa: PLC0415

    if leave_out:
        return "Other tools were not compared: the report was written without."
    if isinstance(source, Mechanism):
        return _NO_PROOF
    if isinstance(source, GeometricCertificate):
        return (
            "Library mechanisms are compared by their matrices; this mechanism is a distribution without one."
        )
    assert isinstance(source, Certificate)  # noqa: S101 - there is nothing else
    if source.problem.objective.is_delta:
        return _LEAST_DELTA
    try:
        return compare(source.problem, designer=partial(design, time_limit=_SECONDS))
    except OptmechError as trouble:
        return f"Other tools could not be compared: {trouble}"
