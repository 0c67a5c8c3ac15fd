"""``optmech frontier``: a trade-off as a table, CSV and a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.analysis.inversion.evidence import Verdict
from optmech.base.errors import ProblemError
from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.visible import visible
from optmech.base.whole_files import write_together
from optmech.cli.output import answer, check_out, comma_list, csv_text
from optmech.cli.parsers import Arguments, group, option, out
from optmech.cli.progress import counting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.cli.solving import solving

if TYPE_CHECKING:
    from os import PathLike

    from optmech.analysis.frontiers import Frontier
    from optmech.question.problem import Problem

# The parameter that varies need not be typed; it has a value nevertheless.
_ANY = {"epsilon": "1", "delta": "0.1"}


def _run(arguments: Arguments) -> int:
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.frontiers import frontier  # noqa: PLC0415
    from optmech.analysis.frontiers.in_use import baseline_curves, rows  # noqa: PLC0415
    from optmech.reports.charts.frontier import frontier_chart  # noqa: PLC0415
    from optmech.reports.charts.picture import content, need_format  # noqa: PLC0415

    if arguments.figure is not None:
        need_format(arguments.figure, "figure")
    if arguments.out is not None and arguments.out == arguments.figure:
        message = f"`--out` and `--figure` must be two files; got {arguments.out} for both."
        raise ProblemError(message)
    problems = _problems(arguments)
    check_out(arguments.out, ".csv")
    check_out(arguments.figure)
    at = None if arguments.at is None else comma_list(arguments.at)
    frontiers: dict[str, Frontier] = {}
    with counting(len(problems) * (arguments.points if at is None else len(at)), "designs") as step:
        for name, problem in problems.items():
            frontiers[name] = frontier(
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
    names = comma_list(arguments.baselines or "")
    first = next(iter(frontiers.values()))
    baselines = baseline_curves(first, *(() if names == ("all",) else (names,))) if names else ()
    contents: dict[str | PathLike[str], str | bytes] = {}
    if arguments.out is not None:
        contents[arguments.out] = csv_text(rows(frontiers, baselines))
    if arguments.figure is not None:
        contents[arguments.figure] = content(frontier_chart(frontiers, baselines), arguments.figure)
    write_together(contents)
    texts = [
        f"{visible(name)}: {one.problem.query.title}, {one.problem.objective}, over {one.over}\n\n{one}\n"
        for name, one in frontiers.items()
    ]
    caution = _caution(list(frontiers.values()))
    blocks = ["in use, recomputed", *map(str, baselines), ""] if baselines else []
    answer(
        arguments,
        lambda: {
            "caution": caution,
            "over": arguments.over,
            "points": rows(frontiers, baselines),
            "files": list(contents),
        },
        lambda: "\n".join([*texts, *blocks]).rstrip("\n").split("\n"),
        *contents,
        caution=caution,
    )
    verdicts = [point.verdict is Verdict.MET for one in frontiers.values() for point in one.points]
    return 0 if any(verdicts) else 1


def _caution(frontiers: list[Frontier]) -> Note | None:
    """Return the warning of the first point with a large epsilon or delta, with its value."""
    for one in frontiers:
        for point in one.points:
            caution = (
                None if point.verdict is not Verdict.MET or point.design is None else point.design.caution
            )
            if caution is not None:
                where = f"from {one.over} {as_text(point.value)} on"
                return Note(NoteKind.CAUTION, f"{where}, {caution.text}")
    return None


def _problems(arguments: Arguments) -> dict[str, Problem]:
    """Return the questions by the names to show: of a file one for each instance that was named."""
    if arguments.formulation != "file":
        name = arguments.over
        if name in _ANY:
            for option_name in (name, f"exp_{name}"):
                if (value := getattr(arguments, option_name, None)) is not None:
                    message = (
                        f"`--{option_name.replace('_', '-')}` must be left out where it varies; got {value}. "
                        "Give --from and --to, or --at, or another --over."
                    )
                    raise ProblemError(message)
            setattr(arguments, name, _ANY[name])
        return {arguments.formulation: problem_of(arguments)}
    problems = {}
    for name in comma_list(arguments.instance or "") or ("",):
        arguments.instance = name or None
        problems[name or arguments.path] = problem_of(arguments)
    return problems


COMMAND = QuestionCommand(
    name="frontier",
    about="Trace a trade-off: certified mechanisms, and a curve that no mechanism can cross.",
    examples=(
        "optmech frontier count --range 0:50 --from 0.1 --to 2 --figure f.png",
        "optmech frontier problem.toml --instance table-4,median --at 0.5,1,2 --out f.csv",
    ),
    formulations=QUESTIONS,
    free_choice="epsilon",
    further={
        **dict.fromkeys(QUESTIONS, " --from 0.5 --to 1 --points 3"),
        "file": "problem.toml --instance table-4 --from 0.5 --to 1 --points 3",
    },
    options=(
        group(
            "trade-off",
            option(
                "--over",
                None,
                "what varies; default: epsilon",
                choices=("epsilon", "delta", "bound"),
                default="epsilon",
            ),
            option("--from", "LOW", "smallest value", dest="low"),
            option("--to", "HIGH", "largest value", dest="high"),
            option("--points", "N", "how many values; default: 20", type=int, default=20),
            option("--at", "LIST", "the values themselves, with commas, in place of these"),
            option(
                "--baselines",
                "LIST",
                "mechanisms in use to put beside it, with commas: names as in `optmech compare`, or all",
            ),
        ),
        solving("seconds for each design, its proof too"),
        out("FILE.csv", "write all points there, whole or not at all"),
        option("--figure", "FILE", "draw it there; ends in .svg, or .png or .pdf with Matplotlib"),
    ),
    run=_run,
)
