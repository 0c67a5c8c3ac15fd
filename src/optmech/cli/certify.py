"""``optmech certify``: a matrix from anywhere proved, as it is or repaired, beside the optimum."""

from __future__ import annotations

from optmech.base.whole_files import check_writable, write_together
from optmech.cli.certificate_files import certificate_beside, design_texts, next_steps
from optmech.cli.certificate_view import certificate_json, certificate_lines, reported_lines
from optmech.cli.output import answer, check_apart, warn
from optmech.cli.parsers import Arguments, option, out
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.cli.solving import SOLVER, designer_of
from optmech.verify.certification import ROUNDING, certify


def _run(arguments: Arguments) -> int:
    path, problem = arguments.matrix, problem_of(arguments)
    files = [] if arguments.out is None else [arguments.out, certificate_beside(arguments.out)]
    for file, ending in zip(files, (".csv", ".json"), strict=False):
        check_apart(file, path)
        check_writable(file, ending)
    with waiting(f"proving {path}", arguments.time_limit):
        certification = certify(path, problem, designer=designer_of(arguments))
    certificate = certification.certificate
    if files:
        write_together(design_texts(certification.design, files))
    is_brief = not arguments.explain
    lines = [problem.brief if is_brief else str(problem), "", *certification.sentences(), ""]
    answer(
        arguments,
        lambda: {
            "problem": str(problem),
            "question": problem.to_dict(),
            "as_given": certification.as_given,
            "violation": certification.violation,
            "moved": certification.moved,
            **({"reading": certification.reading} if certification.reading else {}),
            "excess": certification.excess,
            "certificate": certificate_json(certificate, files[1] if files else None),
        },
        lambda: [
            *lines,
            *certificate_lines(certificate, is_brief=is_brief),
            *([] if is_brief else reported_lines(certificate)),
        ],
        *files,
        caution=certificate.caution,
        follow=next_steps(files)[: 1 if is_brief else None] if files else [],
    )
    if certification.moved > ROUNDING:
        warn(f"what is certified is the repaired matrix, not {path} as it stands")
    return 0


COMMAND = QuestionCommand(
    name="certify",
    about="""\
Prove a matrix that something else made: whether it is private, and how far from optimal. Where it keeps what
is asked exactly it is certified as it is, else repaired, and the answer says how far it was moved. The
question comes first, typed as for `optmech design` or in a file.""",
    examples=(
        "optmech certify count --range 0:5 --epsilon 0.5 mechanism.csv",
        "optmech certify question.toml mechanism.csv --out certified.csv",
    ),
    formulations=QUESTIONS,
    further={
        **dict.fromkeys(QUESTIONS, " mechanism.csv"),
        "file": "question.toml mechanism.csv",
    },
    options=(
        option(
            "matrix",
            "MATRIX.csv",
            "the first row names truths, the first column responses; or numbers alone, or the solution "
            "of the exported model that HiGHS, CBC, Clp, GLPK, SCIP or Gurobi wrote",
        ),
        SOLVER,
        out(
            "FILE.csv", "write the certified matrix there, and its certificate beside it, whole or not at all"
        ),
    ),
    run=_run,
)
