"""``optmech certify``: a matrix from anywhere proved, as it is or repaired, beside the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.certificate_files import certificate_beside, design_texts, next_steps
from optmech.cli.certificate_view import certificate_json, certificate_lines, reported_lines
from optmech.cli.output import answer, check_apart, warn
from optmech.cli.parsers import QUESTION_FILE, SOLVER, Arguments, Command, designer_of, option, out
from optmech.cli.progress import waiting
from optmech.cli.questions import add_choices, choices_of, question_in_file
from optmech.question.problems.command_words import flag_of
from optmech.question.problems.named import FORMULATIONS, named_problem
from optmech.verify.certification import ROUNDING, certify

if TYPE_CHECKING:
    from optmech.question.problem import Problem

_CHOICES_OF_QUESTION = [*(name for names in FORMULATIONS["question"][1:] for name in names), "exp_epsilon"]


def _run(arguments: Arguments) -> int:
    path, problem = arguments.matrix, _question(arguments)
    files = [] if arguments.out is None else [arguments.out, certificate_beside(arguments.out)]
    for file, ending in zip(files, (".csv", ".json"), strict=False):
        check_apart(file, path)
        check_writable(file, ending)
    with waiting(f"proving {path}", arguments.time_limit):
        certification = certify(path, problem, designer=designer_of(arguments))
    certificate = certification.certificate
    if files:
        write_together(design_texts(certification.design, files))
    lines = [str(problem), "", *certification.sentences(), ""]
    answer(
        arguments,
        lambda: {
            "problem": str(problem),
            "question": problem.to_dict(),
            "as_given": certification.as_given,
            "violation": certification.violation,
            "moved": certification.moved,
            "excess": certification.excess,
            "certificate": certificate_json(certificate, files[1] if files else None),
        },
        lambda: [*lines, *certificate_lines(certificate), *reported_lines(certificate)],
        *files,
        caution=certificate.caution,
        follow=next_steps(files) if files else [],
    )
    if certification.moved > ROUNDING:
        warn(f"what is certified is the repaired matrix, not {path} as it stands")
    return 0


def _question(arguments: Arguments) -> Problem:
    """Return the question that a file says or that was typed, one of the two."""
    in_file, choices = question_in_file(arguments), choices_of(arguments)
    if in_file is None and not choices:
        message = (
            "`--question FILE.toml` must be given, a file that says what was asked, or the question itself, "
            "such as --query count --range 0:5 --epsilon 0.5; got neither."
        )
        raise ProblemError(message)
    if in_file is None:
        return named_problem("question", choices)
    if choices:
        message = f"`{flag_of(next(iter(choices)))}` must be left out with --question, whose file says it."
        raise ProblemError(message)
    return in_file


COMMAND = Command(
    name="certify",
    about="""\
Prove a matrix that something else made: whether it is private, and how far from optimal. Where it keeps what
is asked exactly it is certified as it is, else repaired, and the answer says how far it was moved. The
question stands in a file, or is typed.""",
    examples=(
        "optmech certify mechanism.csv --query count --range 0:5 --epsilon 0.5",
        "optmech certify mechanism.csv --question question.toml --out certified.csv",
    ),
    options=(
        option("matrix", "MATRIX.csv", "the first row names truths, the first column responses"),
        lambda parser: add_choices(parser, _CHOICES_OF_QUESTION),
        *QUESTION_FILE,
        SOLVER,
        out(
            "FILE.csv", "write the certified matrix there, and its certificate beside it, whole or not at all"
        ),
    ),
    run=_run,
)
