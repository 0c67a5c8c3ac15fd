"""``optmech crosscheck``: each optimum against each theorem, as a table, over a grid or of one question."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.whole_files import write_whole
from optmech.cli.answers import answer, check_out, counted, csv_text, listed
from optmech.cli.output import tell
from optmech.cli.parsers import Command, either, group, option, out, switch
from optmech.cli.progress import watched
from optmech.cli.questions import CHOICES, add_choices, choices_of
from optmech.question.problems.named import FORMULATIONS, named_problem
from optmech.verify import NO_THEOREM
from optmech.verify.crosscheck.grid import FAMILIES, FULL, QUICK, Case

if TYPE_CHECKING:
    import argparse

    from optmech.verify.crosscheck.compare import Row, Verdict

__all__ = ["COMMAND"]

_RANGES = {
    "sadeghi_epsilons": "--sadeghi-epsilons",
    "accuracies": "--accuracies",
    "half_widths": "--half-widths",
    "croft_epsilons": "--croft-epsilons",
    "counts": "--counts",
    "extremes": "--extremes",
    "kadam_epsilons": "--kadam-epsilons",
    "largest_answer": "--largest-answer",
}
_HEADER = (
    f"{'verdict':17} {'optimum':>19} {'closed form':>19} {'difference':>10}  "
    f"{'the closed form':24} {'theorem':36} problem"
)
_WHOLE = ("half_widths", "counts", "extremes")
_NUMBER = "largest_answer"
_FEWEST = {"half_widths": 1, "counts": 1, "extremes": 1}


def _run(arguments: argparse.Namespace) -> int:
    # Theorems and their ball arithmetic load in half a second, which no other command should wait for.
    from optmech.verify.crosscheck.compare import Verdict, crosscheck  # noqa: PLC0415

    check_out(arguments.out, ".csv")
    cases = _one_case(arguments) or _grid_cases(arguments)
    rows: list[Row] = []
    if not arguments.json:
        tell(_HEADER)
    for case in watched(cases, lambda case: case.instance):
        for row in crosscheck(case, arguments.solver):
            rows.append(row)
            if not arguments.json:
                tell(_line(row))
    if arguments.out is not None:
        write_whole(arguments.out, csv_text([asdict(row) for row in rows]))
    tally = Counter(row.verdict for row in rows)
    notes = dict.fromkeys(f"  {row.theorem}: {row.note}" for row in rows if row.note)
    compared = f"{counted(cases, 'problem')}, {counted(rows, 'comparison')}"
    answer(
        arguments,
        lambda: {
            "rows": [asdict(row) for row in rows],
            "verdicts": {verdict.name.lower(): tally[verdict] for verdict in Verdict},
        },
        lambda: "\n".join([f"\n{compared}: {_summary(tally)}", *notes]),
    )
    return 1 if tally[Verdict.FAILS] else 0


def _one_case(arguments: argparse.Namespace) -> list[Case]:
    """Return the one question that was typed, as a list; an empty one where a grid is meant."""
    choices = choices_of(arguments)
    counts = choices.pop("counts", None)
    if not choices and arguments.formulation is None:
        return []
    of_grid = {"--quick": arguments.quick, "--full": arguments.full, "--family": arguments.family}
    of_grid |= {flag: getattr(arguments, name) for name, flag in _RANGES.items() if name != "counts"}
    for flag, typed in of_grid.items():
        if typed:
            message = f"`{flag}` must be left out with one question; it is for a grid of them."
            raise ProblemError(message)
    if counts is not None:
        choices["counts"] = counts
    problem = named_problem(arguments.formulation or "croft", choices)
    return [Case(family=problem.name, instance=str(problem), ask=lambda: problem)]


def _grid_cases(arguments: argparse.Namespace) -> list[Case]:
    grid = (FULL if arguments.full else QUICK).with_ranges(
        **{name: _range(name, getattr(arguments, name)) for name in _RANGES}
    )
    return grid.cases(tuple(arguments.family or FAMILIES))


def _range(name: str, given: str | int | None) -> object:
    if given is None or isinstance(given, int):
        return given
    parts = listed(given)
    if name not in _WHOLE:
        return parts
    try:
        numbers = tuple(int(part) for part in parts)
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < _FEWEST[name]:
        message = f"`{name}` must be whole numbers from {_FEWEST[name]} on, with commas; got {given!r}."
        raise ProblemError(message)
    return numbers


def _line(row: Row) -> str:
    numbers = f"{row.optimum:19.12g} {row.closed_form:19.12g} {row.difference:10.1e}"
    return f"{row.verdict:17} {numbers}  {row.relation:24} {row.theorem:36} {row.instance}"


def _summary(tally: Counter[Verdict]) -> str:
    """Return how often each verdict was given."""
    return ", ".join(f"{number} {verdict}" for verdict, number in sorted(tally.items())) or NO_THEOREM


COMMAND = Command(
    name="crosscheck",
    summary="hold optima against theorems",
    about="Hold each optimum against each theorem that speaks of it. Exit code 1 if one fails.",
    examples=(
        "optmech crosscheck --quick --family croft --counts 2,5 --extremes 3",
        "optmech crosscheck --query count --range 0:5 --epsilon 0.5",
        "optmech crosscheck --formulation sadeghi-symmetric --epsilon 1 --accuracy 0.01 --half-width 4",
    ),
    options=(
        either(
            switch("--quick", "a grid of seconds; the default"),
            switch("--full", "a grid of minutes"),
        ),
        option("--family", None, "only this one; may be repeated", choices=FAMILIES, action="append"),
        option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto"),
        group(
            "own ranges, with commas, in place of the grid's",
            *(option(flag, "LIST", dest=name) for name, flag in _RANGES.items() if name != _NUMBER),
            option(_RANGES[_NUMBER], "N", type=int),
        ),
        out("FILE.csv"),
        option(
            "--formulation",
            None,
            "whose question, of one question in place of a grid; default: croft",
            choices=tuple(FORMULATIONS),
        ),
        # `--counts` is of both: a list is of the grid, a range of the question.
        partial(add_choices, names=[name for name in CHOICES if name not in _RANGES]),
    ),
    run=_run,
)
