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
from optmech.cli.output import answer, check_out, count_text, csv_text, warn_unsaid
from optmech.cli.parsers import Arguments, group, option, out, switch
from optmech.cli.progress import watch
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.cli.screen import aligned
from optmech.cli.solving import SOLVER, designer_of
from optmech.mechanisms.matrix_mechanism import MatrixMechanism
from optmech.question.problems.command_words import command_line
from optmech.question.problems.instances import read_instances

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from os import PathLike

    from optmech.analysis.comparison import Comparison, ComparisonRow
    from optmech.question.problem import Problem

_PROVENANCE = "The error of the optimum is proved; all other numbers are recomputed in floating point."
# Columns that a screen lacks, in turn, until the others fit: the loss of the worst truth first.
_DROPPED = (2,)
_LONGEST = 24
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
        lambda: _answer(comparisons, others, explain=arguments.explain),
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


def _answer(comparisons: Mapping[str, Comparison], given: Collection[str], *, explain: bool) -> list[str]:
    if explain:
        blocks = [[*_lines(comparison), ""] for comparison in comparisons.values()]
        return [line for block in blocks for line in block][:-1]
    if len(comparisons) > 1:
        return _screen_of_all(comparisons)
    return _screen(next(iter(comparisons.values())), given)


def _lines(comparison: Comparison) -> list[str]:
    """Return all of a comparison."""
    from optmech.analysis.comparison import sentences  # noqa: PLC0415

    refusals = [f"not for this query: {', '.join(comparison.refused)}"] if comparison.refused else []
    caution = filter(None, [comparison.design.caution])
    title = [*caution, str(comparison.problem), ""]
    return [*title, *_table(comparison, comparison.rows), *refusals, "", *sentences(comparison), _PROVENANCE]


def _screen(comparison: Comparison, given: Collection[str]) -> list[str]:
    """Return a comparison on a screen: verdict and given mechanisms, then those that lose least."""
    from optmech.analysis.comparison.sentences import promise, verdict  # noqa: PLC0415

    rows = sorted(comparison.rows, key=lambda row: row.name not in given)
    broken = [f"{visible(row.name)} {promise(row)}" for row in rows if row.name in given and promise(row)]
    title = [*filter(None, [comparison.design.caution]), comparison.problem.brief]
    table = _table(comparison, rows, _DROPPED)
    return [*title, *verdict(comparison), *broken, "", *table]


def _screen_of_all(comparisons: Mapping[str, Comparison]) -> list[str]:
    """Return the verdict on each of several questions."""
    from optmech.analysis.comparison.sentences import verdict  # noqa: PLC0415

    verdicts = (f"{title.rstrip('.')}: {' '.join(verdict(one))}" for title, one in comparisons.items())
    return [f"{count_text(list(comparisons), 'question')} compared", "", *verdicts]


def _table(
    comparison: Comparison, mechanisms: Sequence[ComparisonRow], dropped: Sequence[int] = ()
) -> list[str]:
    far = "" if comparison.beyond is None else f"P(> {as_text(comparison.beyond)})"
    titles = ("mechanism", "on average", "worst", far, "loses", "spends", "answers")
    rows = [titles, *map(_cells, (comparison.optimum, *mechanisms))]
    if dropped:
        rows = [(_short(row[0]), *row[1:]) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    # Numbers stand at the right of their columns, names at the left.
    numbers = [[cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in rows]
    cells = [[row[0], *right[1:-1], row[-1]] for row, right in zip(rows, numbers, strict=True)]
    kept = [index for index in range(len(titles)) if index != titles.index(far) or far]
    return aligned([[row[index] for index in kept] for row in cells], dropped)


def _short(name: str) -> str:
    """Return the end of a name that is too long for a screen, such as a path.

    >>> _short("/a/folder/with/a/long/name/mine.csv")
    '…th/a/long/name/mine.csv'
    """
    return name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}"


def _cells(row: ComparisonRow) -> tuple[str, ...]:
    from optmech.analysis.comparison.sentences import excess_loss  # noqa: PLC0415

    far = "" if row.beyond is None else f"{row.beyond:.4g}"
    epsilon = "infinite" if math.isinf(row.spent_epsilon) else f"{row.spent_epsilon:.4g}"
    instead = [row.privacy] if row.keeps_delta else []
    lacking = [*([] if row.private or instead else ["PRIVACY"]), *row.lacks]
    privacy = "; ".join([*instead, *([f"lacks {', '.join(lacking)}"] if lacking else [])]) or "yes"
    loses = "" if row.key == "optimum" else excess_loss(row)
    return visible(row.name), f"{row.average:.4g}", f"{row.worst_loss:.4g}", far, loses, epsilon, privacy


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


COMMAND = QuestionCommand(
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
