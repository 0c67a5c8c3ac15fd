"""``python -m benchmarks audit solvers``: what each backend makes of the same problems, as a table."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING

from benchmarks.audit.solvers.ladder import COUNTS, DEFAULT, FULL, QUICK, backends
from optmech.base.errors import ProblemError
from optmech.base.version import __version__
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out, comma_list, csv_text, tell
from optmech.cli.parsers import Arguments, Command, either, option, out, switch
from optmech.cli.progress import watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.audit.solvers.answer import Task
    from benchmarks.audit.solvers.table import AuditRow, FirstInfinity, Tally

_HEADER = (
    f"{'status':10}{'seconds':>8} {'claimed':>17} {'proved bound':>17} {'proved after':>17} {'gap':>8} "
    f"{'before':>11} {'exposed':>8} {'after':>11} {'':5} {'backend':23}problem"
)
_NEVER = "no backend returns an infinite epsilon on these counts"
_LEGEND = (
    "claimed by the solver; bound proved from its own duals; after: its matrix repaired, objective proved.\n"
    "before, after: effective epsilon with zeros counted, recomputed (d: delta, where it may be spent).\n"
    "exposed: where that is infinite, the probability of answers that a neighbouring truth never gives.\n"
    "below: the claim lies below a bound that is proved, so that no mechanism has it.\n"
)


def _run(arguments: Arguments) -> int:
    # The engines load in half a second, which no other command should wait for.
    from benchmarks.audit.solvers.run import answers  # noqa: PLC0415
    from benchmarks.audit.solvers.table import comparisons, first_infinities, rows_without_repair, tallies  # noqa: PLC0415

    check_out(arguments.out, ".csv")
    problems = _problems(arguments)
    rows: list[AuditRow] = []
    in_full = arguments.explain and not arguments.json
    if in_full:
        tell(f"optmech {__version__}, {platform.platform()}, {os.cpu_count()} cores\n{_LEGEND}\n{_HEADER}")
    for tasks in watch(problems, lambda tasks: f"{tasks[0].rung.name}, epsilon {tasks[0].rung.epsilon}"):
        rows_compared = comparisons(list(answers(tasks)))
        rows += rows_compared
        if in_full:
            tell("\n".join(map(_line, rows_compared)), flush=True)
    if arguments.out is not None:
        write_whole(arguments.out, csv_text([asdict(row) for row in rows]))
    tally, first, rows_left = tallies(rows), first_infinities(rows), rows_without_repair(rows)
    parts = _first_lines(first), _elsewhere(rows), _tally_lines(tally), _verdict(rows, rows_left)
    answer(
        arguments,
        lambda: {
            "optmech": __version__,
            "machine": platform.platform(),
            "cores": os.cpu_count(),
            "rows": [asdict(row) for row in rows],
            "first_infinite": [asdict(each) for each in first],
            "backends": [asdict(each) for each in tally],
            "not_repaired": len(rows_left),
        },
        lambda: (
            [*_verdict(rows, rows_left), "", *_first_of_all(first), *_brief_tally(tally)]
            if not in_full
            else [line for lines in parts if lines for line in ("", *lines)]
        ),
    )
    return 1 if rows_left else 0


def _problems(arguments: Arguments) -> list[list[Task]]:
    """Return the tasks of each problem."""
    from benchmarks.audit.solvers.answer import Task  # noqa: PLC0415

    ladder = (QUICK if arguments.quick else FULL if arguments.full else DEFAULT).with_sizes(
        counts=None if arguments.counts is None else _whole_numbers(arguments.counts),
        epsilons=None if arguments.epsilons is None else comma_list(arguments.epsilons),
    )
    chosen_backends = backends(tuple(arguments.solver))
    by_solver = list({backend.solver: backend for backend in reversed(chosen_backends)}.values())[::-1]
    problems = [
        [
            Task(rung=rung, backend=backend, time_limit=arguments.time_limit, tolerance=arguments.tolerance)
            for backend in (by_solver if rung.integer else chosen_backends)
        ]
        for rung in ladder.rungs()
    ]
    _ = problems[0][0].options  # holds the settings to their rules
    return problems


def _whole_numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(map(int, comma_list(text)))
    except ValueError:
        message = f"`counts` must be whole numbers with commas; got {text!r}."
        raise ProblemError(message) from None


def _line(row: AuditRow) -> str:
    numbers = " ".join(f"{_number(value, '.11g'):>17}" for value in (row.claimed, row.bound, row.objective))
    before = _budget_text(row.epsilon_before, row.delta_before)
    after = _budget_text(row.epsilon_after, row.delta_after)
    exposure, side = _number(row.exposed or None, ".1e"), "below" if row.below else ""
    wrong = ""
    if row.ended != "ANSWERED" or row.status in ("FAILED", "NUMERICAL"):
        wrong = f"  [{row.message}]"
    elif row.repaired is False:
        wrong = "  [could not be repaired]"
    return (
        f"{row.status:10}{_number(row.seconds, '.2f'):>8} {numbers} {_number(row.gap, '.1e'):>8} "
        f"{before:>11} {exposure:>8} {after:>11} {side:5} {row.backend:23}"
        f"{row.problem}, epsilon {row.epsilon}{wrong}"
    )


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _budget_text(epsilon: float | None, delta: float | None) -> str:
    return f"d {delta:.4g}" if delta is not None else _number(epsilon, ".6g")


def _first_lines(first: Sequence[FirstInfinity]) -> list[str]:
    """Return the table of where infinity begins, then who is first of all."""
    epsilons = list(dict.fromkeys(each.epsilon for each in first))
    where = {(each.backend, each.family, each.epsilon): each for each in first}
    lines = [
        "first n at which the solver's own matrix has an infinite effective epsilon (exposed), counts 0..n",
        f"  {'backend':23}{'problem':18}" + "".join(f"{f'epsilon {epsilon}':>16}" for epsilon in epsilons),
    ]
    for backend, family in dict.fromkeys((each.backend, each.family) for each in first):
        cells = [where.get((backend, family, epsilon)) for epsilon in epsilons]
        lines.append(f"  {backend:23}{family:18}" + "".join(f"{_first_cell(cell):>16}" for cell in cells))
    return [*lines, *_first_of_all(first)]


def _first_of_all(first: Sequence[FirstInfinity]) -> list[str]:
    """Return whose own matrix is infinite first, of all backends."""
    reached_rungs = [each for each in first if each.first is not None]
    least = min((each.first for each in reached_rungs if each.first is not None), default=None)
    if least is None:
        return [_NEVER]
    firsts = [
        f"{each.backend} ({each.family}, epsilon {each.epsilon}: {each.exposed:.1e} exposed)"
        for each in reached_rungs
        if each.first == least
    ]
    return [f"the first of all, at n = {least}: {'; '.join(firsts)}"]


def _elsewhere(rows: Sequence[AuditRow]) -> list[str]:
    """Return the other problems with an infinite effective epsilon."""
    solvers_of: dict[str, list[str]] = {}
    for row in rows:
        if row.is_infinite and row.family not in COUNTS:
            solvers_of.setdefault(f"{row.problem}, epsilon {row.epsilon}", []).append(row.backend)
    lines = [f"  {case}: {', '.join(names)}" for case, names in solvers_of.items()]
    return ["infinite elsewhere", *lines] if lines else []


def _first_cell(cell: FirstInfinity | None) -> str:
    if cell is None:
        return "no answer"
    return f"none up to {cell.largest}" if cell.first is None else f"{cell.first} ({cell.exposed:.1e})"


def _brief_tally(tally: Sequence[Tally]) -> list[str]:
    """Return the ends of the answers of each backend, and how many were repaired."""
    header = f"  {'backend':23}{'answers':>8}{'optimal':>8}{'infinite':>12}{'repaired':>12}"
    return [header] + [
        f"  {each.backend:23}{each.answers:8}{each.optimal:8}{f'{each.infinite} of {each.pure}':>12}"
        f"{f'{each.repaired} of {each.matrices}':>12}"
        for each in tally
    ]


def _tally_lines(tally: Sequence[Tally]) -> list[str]:
    header = (
        f"  {'backend':23}{'answers':>8}{'optimal':>8}{'died':>6}{'timed out':>10}{'infinite':>12}"
        f"{'above asked':>13}{'below bound':>12}{'repaired':>12}{'seconds':>9}"
    )
    return [header] + [
        f"  {each.backend:23}{each.answers:8}{each.optimal:8}{each.died:6}{each.timed_out:10}"
        f"{f'{each.infinite} of {each.pure}':>12}{f'{each.exceeding} of {each.pure}':>13}{each.below:12}"
        f"{f'{each.repaired} of {each.matrices}':>12}{each.seconds:9.1f}"
        for each in tally
    ]


def _verdict(rows: Sequence[AuditRow], rows_left: Sequence[AuditRow]) -> list[str]:
    matrices = sum(row.repaired is not None for row in rows)
    number = sum(row.repaired is True for row in rows)
    without = len(rows) - sum(row.claimed is not None for row in rows)
    lines = [f"{len(rows)} answers, {without} of them without a matrix"]
    if not matrices and not rows_left:
        return lines
    if matrices == number and not rows_left:
        return [*lines, f"after repair all {number} are private, proved in exact arithmetic"]
    lines += [f"after repair {number} are private, proved in exact arithmetic; {matrices - number} are not"]
    return lines + [
        f"  called optimal and not repaired: {row.backend}, {row.problem}, epsilon {row.epsilon}"
        for row in rows_left
    ]


COMMAND = Command(
    name="solvers",
    about="Run each solver alone, check its solutions in exact arithmetic, and list what is not private.",
    examples=(
        "python -m benchmarks audit solvers --counts 5,20 --epsilons 2 --time-limit 10",
        (
            "python -m benchmarks audit solvers --solver highs --solver cbc-ipm --counts 20,50 "
            "--epsilons 0.5,1 --out audit.csv"
        ),
    ),
    options=(
        either(
            switch("--quick", "counts to 20 in seconds; default: to 100, some minutes"),
            switch("--full", "counts to 300: up to an hour"),
        ),
        option(
            "--solver",
            "NAME",
            "a solver such as highs, or one of its methods such as highs-ipm; may be repeated; default: all",
            action="append",
            default=[],
        ),
        option("--counts", "LIST", "largest counts, with commas, such as 20,50"),
        option("--epsilons", "LIST", "with commas, such as 0.5,ln 2"),
        option("--time-limit", "SECONDS", "for each answer; default: 30", type=float, default=30.0),
        option(
            "--tolerance",
            "T",
            "of the solver, for rows and reduced costs; default: 1e-9, where their own default is 1e-7",
            type=float,
            default=1e-9,
        ),
        out("FILE.csv"),
    ),
    run=_run,
)
