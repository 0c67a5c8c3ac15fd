"""``optmech compare``: what the mechanisms in use lose on a question, as a table, sentences or a page."""

from __future__ import annotations

import math
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.version import __version__
from optmech.base.visible import visible
from optmech.base.whole_files import write_together
from optmech.cli.output import answer, check_out, csv_text, warn_unsaid
from optmech.cli.parsers import QUESTIONS, SOLVER, Arguments, Command, designer_of, group, option, out, switch
from optmech.cli.progress import watch
from optmech.cli.questions import problem_of
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.command_words import command_line
from optmech.question.problems.instances import read_instances

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from optmech.analysis.comparison import Comparison, ComparisonRow
    from optmech.question.problem import Problem

# Questions of least delta: what baselines lose is compared by loss.
_LEAST_DELTA = ("sadeghi", "sadeghi-symmetric")


def _run(arguments: Arguments) -> int:
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.comparison import compare  # noqa: PLC0415
    from optmech.analysis.comparison.sentences import page_text  # noqa: PLC0415

    if arguments.out is not None and arguments.out == arguments.page:
        message = f"`--out` and `--page` must be two files; got {arguments.out} for both."
        raise ProblemError(message)
    problems = _problems(arguments)
    check_out(arguments.out, ".csv")
    check_out(arguments.page, ".md")
    others = {path: MatrixMechanism.from_csv(path) for path in arguments.others}
    designer = designer_of(arguments)
    comparisons = {
        title: compare(
            problems[title],
            beyond=arguments.beyond,
            delta=arguments.gaussian_delta,
            others=others,
            designer=designer,
        )
        for title in watch(list(problems), str)
    }
    texts: dict[str | PathLike[str], str] = {}
    if arguments.out is not None:
        texts[arguments.out] = _csv(comparisons)
    if arguments.page is not None:
        texts[arguments.page] = page_text(comparisons, _command(arguments))
    write_together(texts)
    answer(
        arguments,
        lambda: {"optmech": __version__, "questions": list(map(_json, comparisons, comparisons.values()))},
        lambda: ["\n\n".join(map(_text, comparisons.values()))],
        *texts,
    )
    for comparison in comparisons.values():
        warn_unsaid(comparison.design.caution, json=arguments.json)
    return 0


def _problems(arguments: Arguments) -> dict[str, Problem]:
    """Return the questions by their titles."""
    if not arguments.every:
        problem = problem_of(arguments)
        return {problem.query.title: problem}
    if arguments.formulation != "file":
        message = f"`--every` must come with a file of questions; got {arguments.formulation}. Leave it out."
        raise ProblemError(message)
    return {instance.note or instance.name: instance.problem() for instance in read_instances(arguments.path)}


def _command(arguments: Arguments) -> str:
    """Return the line that writes this page again; of a question that no line asks, the command alone."""
    beyond = [] if arguments.beyond is None else ["--beyond", arguments.beyond]
    rest = [*beyond, "--page", arguments.page]
    if arguments.formulation != "file":
        return command_line(problem_of(arguments), *rest, command="compare") or "optmech compare"
    every = ["--instance", arguments.instance] if arguments.instance else []
    every = ["--every"] if arguments.every else every
    return shlex.join(["optmech", "compare", arguments.path, *every, *rest])


def _text(comparison: Comparison) -> str:
    from optmech.analysis.comparison import sentences  # noqa: PLC0415

    far = "" if comparison.beyond is None else f"{f'P(> {as_text(comparison.beyond)})':>11}"
    header = f"{'mechanism':24}{'on average':>11}{'worst':>10}{far}{'loses':>12}{'spends':>10}  answers"
    lines = [_line(row) for row in (comparison.optimum, *comparison.rows)]
    refusals = [f"not for this query: {', '.join(comparison.refused)}"] if comparison.refused else []
    provenance = "The error of the optimum is proved; all other numbers are recomputed in floating point."
    return "\n".join(
        [
            *filter(None, [comparison.design.caution]),
            str(comparison.problem),
            "",
            header,
            *lines,
            *refusals,
            "",
            *sentences(comparison),
            provenance,
        ]
    )


def _line(row: ComparisonRow) -> str:
    from optmech.analysis.comparison.sentences import excess_loss  # noqa: PLC0415

    far = "" if row.beyond is None else f"{row.beyond:11.4g}"
    epsilon = "infinite" if math.isinf(row.spent_epsilon) else f"{row.spent_epsilon:.4g}"
    instead = [row.privacy] if row.keeps_delta else []
    lacking = [*([] if row.private or instead else ["PRIVACY"]), *row.lacks]
    privacy = "; ".join([*instead, *([f"lacks {', '.join(lacking)}"] if lacking else [])]) or "yes"
    loses = "" if row.key == "optimum" else excess_loss(row)
    errors = f"{row.average:11.4g}{row.worst_loss:10.4g}{far}"
    return f"{visible(row.name):24}{errors} {loses:>11}{epsilon:>10}  {privacy}"


def _json(title: str, comparison: Comparison) -> dict[str, Any]:
    from optmech.analysis.comparison import sentences  # noqa: PLC0415

    design, beyond = comparison.design, comparison.beyond
    return {
        "title": title,
        "caution": design.caution,
        "problem": str(comparison.problem),
        "question": comparison.problem.to_dict(),
        "epsilon": as_text(comparison.problem.privacy.epsilon),
        "gaussian_delta": as_text(comparison.delta),
        "beyond": None if beyond is None else as_text(beyond),
        "lower_bound": design.lower_bound,
        "lower_bound_standing": design.lower_bound_standing,
        "optimum": _row_json(comparison.optimum),
        "baselines": [_row_json(row) for row in comparison.rows],
        "refused": comparison.refused,
        "sentences": list(sentences(comparison)),
    }


def _row_json(row: ComparisonRow) -> dict[str, Any]:
    delta = row.made_for_delta
    return {
        **asdict(row),
        "made_for_delta": None if delta is None else as_text(delta),
        "answers": row.answers,
    }


def _csv(comparisons: Mapping[str, Comparison]) -> str:
    rows = []
    for title, comparison in comparisons.items():
        for row in (comparison.optimum, *comparison.rows):
            cells = _row_json(row)
            cells["libraries"] = [str(call) for call in row.libraries]
            texts = {key: "; ".join(v) if isinstance(v, (list, tuple)) else v for key, v in cells.items()}
            rows.append({"question": title, **texts})
    return csv_text(rows)


COMMAND = Command(
    name="compare",
    about="Say what the mechanisms in use lose on a question, against the proved optimum.",
    examples=(
        "optmech compare count --range 0:50 --epsilon 1 --loss squared --beyond 2",
        "optmech compare problem.toml --every --page page.md",
    ),
    formulations=[name for name in QUESTIONS if name not in _LEAST_DELTA],
    options=(
        SOLVER,
        group(
            "comparison",
            switch("--every", "of a file: compare on each of its instances"),
            option("--beyond", "K", "print the probability of an error of more than K as well, such as 2"),
            option(
                "--gaussian-delta",
                "DELTA",
                "given to mechanisms that need a delta; default: the question's, or 1e-6",
            ),
            option(
                "--with",
                "MECHANISM.csv",
                "compare this matrix too, such as the one in use now; may be repeated",
                dest="others",
                action="append",
                default=[],
            ),
            out("FILE.csv"),
            option("--page", "FILE.md", "write a page of Markdown there"),
        ),
    ),
    run=_run,
)
