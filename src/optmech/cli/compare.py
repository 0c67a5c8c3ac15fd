"""``optmech compare``: what the mechanisms in use lose on a question, as a table, sentences or a page."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.version import __version__
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.output import say_written, tell
from optmech.cli.parsers import designer_of
from optmech.cli.progress import watched
from optmech.cli.show import json_text
from optmech.mechanisms.mechanism import Mechanism
from optmech.question.problems.instances import read_instances
from optmech.question.problems.named import named_problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping
    from os import PathLike

    from optmech.analysis.comparison import Comparison, Row
    from optmech.question.problem import Problem

__all__ = ["EXAMPLES", "add_compare_options", "run_compare"]

EXAMPLES = (
    "optmech compare croft --query count --range 0:50 --epsilon 1 --loss squared --beyond 2",
    "optmech compare problem.toml --every --page page.md",
)


def add_compare_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command, besides those of the question and the solver."""
    group = parser.add_argument_group("comparison")
    group.add_argument("--every", action="store_true", help="of a file: compare on each of its instances")
    group.add_argument(
        "--beyond", metavar="K", help="ask also how probable an error of more than K is, such as 2"
    )
    group.add_argument(
        "--gaussian-delta",
        metavar="DELTA",
        help="given to mechanisms that need a delta; default: the question's, or 1e-6",
    )
    group.add_argument(
        "--with",
        dest="others",
        action="append",
        default=[],
        metavar="MECHANISM.csv",
        help="compare this matrix too, such as the one in use now; may be repeated",
    )
    group.add_argument("--out", metavar="FILE.csv", help="write the table there, whole or not at all")
    group.add_argument("--page", metavar="FILE.md", help="write a page of Markdown there")


def run_compare(arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]) -> int:
    """Print what each mechanism costs on each question, and write the files.

    Parameters
    ----------
    arguments : Namespace
        What was typed.
    asked : callable
        Returns the problem that was typed.
    """
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.comparison import compare  # noqa: PLC0415
    from optmech.analysis.comparison.page import page_text  # noqa: PLC0415

    if arguments.out is not None and arguments.out == arguments.page:
        message = f"`--out` and `--page` must be two files; got {arguments.out} for both."
        raise ProblemError(message)
    problems = _problems(arguments, asked)
    for path, ending in ((arguments.out, ".csv"), (arguments.page, ".md")):
        if path is not None:
            check_writable(path, ending)
    others = {path: Mechanism.from_csv(path) for path in arguments.others}
    designer = designer_of(arguments)
    found = {
        title: compare(
            problems[title],
            beyond=arguments.beyond,
            delta=arguments.gaussian_delta,
            others=others,
            designer=designer,
        )
        for title in watched(list(problems), str)
    }
    texts: dict[str | PathLike[str], str] = {}
    if arguments.out is not None:
        texts[arguments.out] = _csv(found)
    if arguments.page is not None:
        texts[arguments.page] = page_text(found, _command(arguments))
    write_together(texts)
    if arguments.json:
        tell(json_text({"optmech": __version__, "questions": [_json(t, each) for t, each in found.items()]}))
        return 0
    tell("\n\n".join(_text(each) for each in found.values()))
    say_written(*texts)
    return 0


def _problems(
    arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]
) -> dict[str, Problem]:
    """Return the questions by their titles."""
    if not arguments.every:
        problem = asked(arguments)
        return {problem.query.title: problem}
    if arguments.formulation != "file":
        message = f"`--every` must come with a file of questions; got {arguments.formulation}. Leave it out."
        raise ProblemError(message)
    return {
        instance.note or instance.name: named_problem(instance.formulation, instance.choices)
        for instance in read_instances(arguments.path)
    }


def _command(arguments: argparse.Namespace) -> str:
    """Return what writes a page like this one again, as far as it is a file of questions."""
    if arguments.formulation != "file":
        return "optmech compare"
    beyond = "" if arguments.beyond is None else f" --beyond {arguments.beyond}"
    every = (
        " --every" if arguments.every else f" --instance {arguments.instance}" if arguments.instance else ""
    )
    return f"optmech compare {arguments.path}{every}{beyond} --page {arguments.page}"


def _text(comparison: Comparison) -> str:
    from optmech.analysis.comparison import sentences  # noqa: PLC0415

    far = "" if comparison.beyond is None else f"{f'P(> {as_text(comparison.beyond)})':>11}"
    header = f"{'mechanism':24}{'on average':>11}{'worst':>10}{far}{'loses':>12}{'spends':>10}  answers"
    lines = [_line(row) for row in (comparison.optimum, *comparison.rows)]
    left = [f"not for this query: {', '.join(comparison.refused)}"] if comparison.refused else []
    standing = "What the optimum costs is proved; all other numbers are recomputed in floating point."
    return "\n".join(
        [str(comparison.problem), "", header, *lines, *left, "", *sentences(comparison), standing]
    )


def _line(row: Row) -> str:
    from optmech.analysis.comparison.sentences import lost  # noqa: PLC0415

    far = "" if row.beyond is None else f"{row.beyond:11.4g}"
    spent = "infinite" if math.isinf(row.spent_epsilon) else f"{row.spent_epsilon:.4g}"
    instead = [row.privacy] if row.keeps_delta else []
    lacking = [*([] if row.private or instead else ["PRIVACY"]), *row.lacks]
    kept = "; ".join([*instead, *([f"lacks {', '.join(lacking)}"] if lacking else [])]) or "yes"
    loses = "" if row.key == "optimum" else lost(row)
    return (
        f"{visible(row.name):24}{row.average:11.4g}{row.worst_loss:10.4g}{far}{loses:>12}{spent:>10}  {kept}"
    )


def _json(title: str, comparison: Comparison) -> dict[str, Any]:
    from optmech.analysis.comparison import sentences  # noqa: PLC0415

    design, beyond = comparison.design, comparison.beyond
    return {
        "question": title,
        "problem": str(comparison.problem),
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


def _row_json(row: Row) -> dict[str, Any]:
    delta = row.made_for_delta
    return {
        **asdict(row),
        "made_for_delta": None if delta is None else as_text(delta),
        "answers": row.answers,
        "libraries": [asdict(call) for call in row.libraries],
        "lacks": list(row.lacks),
        "properties": list(row.properties),
        "also": list(row.also),
    }


def _csv(found: Mapping[str, Comparison]) -> str:
    text, rows = io.StringIO(), []
    for title, comparison in found.items():
        for row in (comparison.optimum, *comparison.rows):
            cells = _row_json(row)
            cells["libraries"] = [str(call) for call in row.libraries]
            joined = {key: "; ".join(v) if isinstance(v, list) else v for key, v in cells.items()}
            rows.append({"question": title, **joined})
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
