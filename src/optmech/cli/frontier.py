"""``optmech frontier``: a trade-off as a table, CSV and a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Verdict
from optmech.base.errors import ProblemError
from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.base.whole_files import check_writable, write_together
from optmech.cli.least import add_solving
from optmech.cli.output import say_written, tell
from optmech.cli.progress import counting
from optmech.cli.show import json_text
from optmech.cli.table import listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from os import PathLike

    from optmech.analysis.frontiers import Frontier
    from optmech.question.problem import Problem

__all__ = ["ABOUT", "EXAMPLES", "add_frontier_options", "run_frontier"]

# What varies need not be typed, and has a value nevertheless.
_ANY = {"epsilon": "1", "delta": "0.1"}
ABOUT = "Trace a trade-off: certified mechanisms, and a curve that no mechanism can cross."
EXAMPLES = (
    "optmech frontier croft --query count --range 0:50 --prior uniform --from 0.1 --to 2 --figure f.png",
    "optmech frontier problem.toml --instance table-4,median --at 0.5,1,2 --out f.csv",
)


def add_frontier_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command, besides those of the question."""
    group = parser.add_argument_group("trade-off")
    group.add_argument(
        "--over",
        choices=("epsilon", "delta", "bound"),
        default="epsilon",
        help="what varies; default: epsilon",
    )
    group.add_argument("--from", dest="low", metavar="LOW", help="smallest value")
    group.add_argument("--to", dest="high", metavar="HIGH", help="largest value")
    group.add_argument("--points", type=int, default=20, metavar="N", help="how many values; default: 20")
    group.add_argument("--at", metavar="LIST", help="the values themselves, with commas, in place of these")
    group.add_argument(
        "--baselines",
        metavar="LIST",
        help="mechanisms in use to put beside it, with commas: names as in `optmech compare`, or all",
    )
    add_solving(parser, "seconds for each design; a proof may take as long again")
    parser.add_argument("--out", metavar="FILE.csv", help="write all points there, whole or not at all")
    parser.add_argument("--figure", metavar="FILE", help="draw it there; ends in .png, .svg or .pdf")


def run_frontier(arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]) -> int:
    """Design along the trade-off, print it and write the files.

    Parameters
    ----------
    arguments : Namespace
        What was typed.
    asked : callable
        Returns the problem that was typed.
    """
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.frontiers import frontier  # noqa: PLC0415
    from optmech.analysis.frontiers.in_use import baseline_curves  # noqa: PLC0415
    from optmech.analysis.frontiers.table import csv_text, rows  # noqa: PLC0415
    from optmech.reports.plots.trade_off import figure_content, need_format  # noqa: PLC0415

    if arguments.figure is not None:
        need_format(arguments.figure)
    if arguments.out is not None and arguments.out == arguments.figure:
        message = f"`--out` and `--figure` must be two files; got {arguments.out} for both."
        raise ProblemError(message)
    problems = _problems(arguments, asked)
    wanted = {arguments.out: (".csv",), arguments.figure: ()}
    for path in filter(None, wanted):
        check_writable(path, *wanted[path])
    at = None if arguments.at is None else listed(arguments.at)
    found: dict[str, Frontier] = {}
    with counting(len(problems) * (arguments.points if at is None else len(at)), "designs") as step:
        for name, problem in problems.items():
            found[name] = frontier(
                problem,
                arguments.over,
                at=at,
                low=arguments.low,
                high=arguments.high,
                points=arguments.points,
                solver=arguments.solver,
                time_limit=arguments.time_limit,
                threads=arguments.threads,
                on_point=lambda point: step(f"{arguments.over} {as_text(point.value)}", 1),
            )
    names = listed(arguments.baselines or "")
    first = next(iter(found.values()))
    baselines = baseline_curves(first, *(() if names == ("all",) else (names,))) if names else ()
    contents: dict[str | PathLike[str], str | bytes] = {}
    if arguments.out is not None:
        contents[arguments.out] = csv_text(found, baselines)
    if arguments.figure is not None:
        contents[arguments.figure] = figure_content(arguments.figure, found, baselines)
    write_together(contents)
    if arguments.json:
        tell(json_text({"over": arguments.over, "points": rows(found, baselines), "files": list(contents)}))
    else:
        for name, one in found.items():
            question = f"{one.problem.query.title}, {one.problem.objective}"
            tell(f"{visible(name)}: {question}, over {one.over}\n\n{one}\n")
        if baselines:
            tell("\n".join(["in use, recomputed", *map(str, baselines), ""]))
        say_written(*contents)
    met = [point.verdict is Verdict.MET for one in found.values() for point in one.points]
    return 0 if any(met) else 1


def _problems(
    arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]
) -> dict[str, Problem]:
    """Return the questions by the names to show: of a file one for each instance that was named."""
    if arguments.formulation != "file":
        name = arguments.over
        if name in _ANY:
            for typed in (name, f"exp_{name}"):
                if (given := getattr(arguments, typed, None)) is not None:
                    message = (
                        f"`--{typed.replace('_', '-')}` must be left out where it varies; got {given}. "
                        "Give --from and --to, or --at, or another --over."
                    )
                    raise ProblemError(message)
            setattr(arguments, name, _ANY[name])
        return {arguments.formulation: asked(arguments)}
    problems = {}
    for name in listed(arguments.instance or "") or ("",):
        arguments.instance = name or None
        problems[name or arguments.path] = asked(arguments)
    return problems
