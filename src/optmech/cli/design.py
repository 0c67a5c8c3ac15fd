"""``optmech design``: the optimal mechanism of a question, its matrix and its certificate."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

from optmech.analysis.keys import with_keys
from optmech.analysis.price_of_release import with_price_of_release
from optmech.analysis.ties import break_ties
from optmech.base.errors import NoSolutionError, ProblemError, VerificationError
from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.time_left import time_is_up
from optmech.base.whole_files import write_together
from optmech.cli.bias_note import with_bias
from optmech.cli.certificate_files import design_texts, files_of, next_steps
from optmech.cli.certificate_view import proof_json
from optmech.cli.design_mean import MEAN_OF_PEOPLE, TOTAL_OF_PEOPLE
from optmech.cli.design_quantiles import COMMAND as QUANTILES
from optmech.cli.design_table import COMMAND as TABLE
from optmech.cli.design_table import UNBOUNDED_COUNT, UNBOUNDED_TOTAL
from optmech.cli.design_view import all_lines, design_json, design_lines, warnings_of
from optmech.cli.output import answer, warn, warn_unsaid
from optmech.cli.parsers import Arguments, option, out, switch
from optmech.cli.person import FOR_TABLE, ask_for_person
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import ALL_QUESTIONS, QuestionCommand
from optmech.cli.questions import choices_of, problem_of
from optmech.cli.solving import SOLVER, designer_of
from optmech.designs.choice import engine_of_matrix, gives_distribution, seconds_of_noise
from optmech.designs.order import is_in_two_numbers
from optmech.models.solvers.options import Method
from optmech.proofs.file_limits import MOST_TRUTHS
from optmech.question.problems.histogram import HistogramShare, histogram_share, share_lines
from optmech.verify import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.designs.design import Design
    from optmech.question.problem import Problem

# From here on a matrix of as many responses takes a gigabyte and ten seconds, squared beyond.
_WIDE = 2000
# Seconds: who waits longer is told before the work starts.
_LONG = 10
_NO_TIME_FOR_TIES = "the time was up before ties could be broken: this is the first mechanism"


def _run(arguments: Arguments) -> int:
    person = ask_for_person(arguments)
    problem = problem_of(arguments)
    share = histogram_share(choices_of(arguments)) if arguments.formulation == "histogram" else None
    names_solver = arguments.solver != "auto" or arguments.method != Method.AUTO or arguments.raw
    if arguments.engine == "auto" and arguments.break_ties:
        arguments.engine = engine_of_matrix(problem)
    if arguments.keys is not None:
        _need_keys_alone(arguments)
        arguments.engine = "program" if arguments.engine == "auto" else arguments.engine
    seconds = seconds_of_noise(problem, arguments.engine, solver_is_named=names_solver)
    if seconds > _LONG:
        text = (
            f"{problem.query.num_truths:,} true answers {problem.privacy} take about {_rounded(seconds)}; "
            "`--time-limit SECONDS` ends the work sooner, and discrete-gaussian takes seconds"
        )
        warn(Note(NoteKind.INFORMATION, text))
    if gives_distribution(problem, arguments.engine, solver_is_named=names_solver):
        return _design_distribution(problem, arguments, share, person)
    files = files_of(arguments.out, arguments.certificate, raw=arguments.raw)
    _need_matrix(problem, problem.query.title, files, arguments.out)
    if _WIDE < len(problem.query.truths) <= MOST_TRUTHS and not is_in_two_numbers(problem):
        text = (
            f"{len(problem.query.truths)} true answers make a matrix that takes gigabytes, and longer to "
            "prove than any time limit; a count under pure privacy alone is designed without one"
        )
        warn(Note(NoteKind.INFORMATION, text))
    with waiting(f"designing {problem.query.title}", arguments.time_limit):
        result = _designed(arguments, problem)
        report = verify(
            result.mechanism, problem.by_definition, result.solution, certificate=result.certificate
        )
        result = with_bias(with_price_of_release(result))
    if files:
        write_together(design_texts(result, files, report))
    before = [*share_lines(share), *([person] if person else [])]
    answer(
        arguments,
        lambda: {
            **design_json(result, report, arguments.out, None if arguments.raw or not files else files[-1]),
            **_share_json(share),
            "person": person,
        },
        lambda: (all_lines if arguments.explain else design_lines)(
            result, report, before, is_written=bool(files)
        ),
        *files,
        follow=_steps(arguments, files) if result.certificate is not None and files else [],
    )
    warn_unsaid(report.caution if result.certificate is None else result.caution, json=arguments.json)
    for warning in warnings_of(result, report):
        warn(warning)
    return 0


def _designed(arguments: Arguments, problem: Problem) -> Design:
    """Return the design, its ties broken or its probabilities multiples as asked for."""
    limit = arguments.time_limit
    result = designer_of(arguments)(problem, raw=arguments.raw)
    if arguments.keys is not None:
        return with_keys(result, arguments.keys, time_limit=limit)
    if not arguments.break_ties:
        return result
    try:
        return break_ties(result, time_limit=limit).design
    except (NoSolutionError, VerificationError):
        if not time_is_up():
            raise
    return replace(result, notes=(*result.notes, Note(NoteKind.ACCURACY, _NO_TIME_FOR_TIES)))


def _need_matrix(problem: Problem, title: str, files: Sequence[str], out: str | None) -> None:
    """Refuse to write a matrix of so many entries that nobody would read them."""
    no_matrix = problem.query.no_matrix
    if len(files) > 1 and no_matrix is not None:
        message = f"`--out` must end in .json for {title}: {no_matrix}; got {out}."
        raise ProblemError(message)


def _design_distribution(
    problem: Problem, arguments: Arguments, share: HistogramShare | None, person: str
) -> int:
    """Design a distribution, print its numbers after what people spend, and write its certificate."""
    title, out = problem.query.title, arguments.out
    for name in ("raw", "break_ties", "keys"):
        if getattr(arguments, name):
            option = name.replace("_", "-")
            message = f"`--{option}` must be left out: {title} gets a distribution, which has no matrix."
            raise ProblemError(message)
    files = files_of(out, arguments.certificate, raw=False)
    _need_matrix(problem, f"{title}, which gets a distribution", files, out)
    with waiting(f"designing {title}", arguments.time_limit):
        result = with_bias(designer_of(arguments)(problem))
    certificate = result.certificate
    assert certificate is not None  # noqa: S101 - the engine has no other answer
    warn_unsaid(certificate.caution, json=arguments.json)
    if files:
        write_together(design_texts(result, files))
    settings = {"engine": result.engine, "engines": result.reasons, "seconds": result.seconds, "out": out}
    before = [*share_lines(share), *([person] if person else [])]
    answer(
        arguments,
        lambda: {
            **proof_json(certificate, files[-1] if files else None),
            **settings,
            **_share_json(share),
            "person": person,
        },
        lambda: (all_lines if arguments.explain else design_lines)(
            result, before=before, is_written=bool(files)
        ),
        *files,
        follow=_steps(arguments, files) if files else [],
    )
    return 0


def _steps(arguments: Arguments, files: list[str]) -> list[str]:
    """Return the commands that a design is for, the first alone where one screen is wanted."""
    return next_steps(files, arguments.bound)[: None if arguments.explain else 1]


def _need_keys_alone(arguments: Arguments) -> None:
    """Refuse keys beside what chooses another mechanism."""
    for name in ("raw", "break_ties"):
        if getattr(arguments, name):
            message = (
                f"`--{name.replace('_', '-')}` must be left out with `--keys`, which chooses a mechanism."
            )
            raise ProblemError(message)


def _rounded(seconds: float) -> str:
    """Return an estimate in words.

    >>> _rounded(34.2), _rounded(90), _rounded(600)
    ('30 seconds', '2 minutes', '10 minutes')
    """
    return f"{round(seconds, -1):.0f} seconds" if seconds < 60 else f"{ceil(seconds / 60)} minutes"  # noqa: PLR2004


def _share_json(share: HistogramShare | None) -> dict[str, Any]:
    """Return the same as JSON values."""
    if share is None:
        return {}
    content = {"adjacency": share.adjacency, "records_per_person": share.records, "text": str(share)}
    pairs = {"whole": share.whole, "cell": share.cell}
    return {
        "histogram": content | {name: [list(map(as_text, pair)) for pair in of] for name, of in pairs.items()}
    }


COMMAND = QuestionCommand(
    name="design",
    about="Find the optimal mechanism of a question and write its matrix.",
    examples=(
        "optmech design count --range 0:100 --epsilon 1 --out mechanism.csv",
        "optmech design mean --records 28 --range 1:5 --epsilon 1",
        "optmech design count --range 0:20 --privacy '0.5,1e-3; 1,1e-6'",
        "optmech design problem.toml",
    ),
    formulations=ALL_QUESTIONS,
    others=(TABLE, MEAN_OF_PEOPLE, TOTAL_OF_PEOPLE, QUANTILES, UNBOUNDED_COUNT, UNBOUNDED_TOTAL),
    options=(
        FOR_TABLE,
        SOLVER,
        out(
            "FILE.json|FILE.csv",
            "write mechanism and proof there, whole or not at all; of .csv the matrix, up to 2,000 true "
            "answers, with the certificate beside it",
        ),
        option(
            "--certificate", "FILE.json", "with .csv: write the certificate there; default: beside the matrix"
        ),
        switch("--raw", "return the solver's own solution, of which nothing is proved"),
        switch(
            "--break-ties",
            "the optimal mechanism of smallest squared error, symmetric where the question is",
        ),
        option(
            "--keys",
            "K",
            "the best mechanism found whose probabilities are multiples of 1/K, such as 256 cell keys",
            type=int,
        ),
    ),
    run=_run,
)
