"""``optmech crosscheck``: each optimum against each theorem, as a table, over a grid or of one question."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.numbers import exact
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out, comma_list, count_text, csv_text
from optmech.cli.parsers import Arguments, either, group, option, out, switch
from optmech.cli.progress import watch
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.cli.screen import aligned
from optmech.question.epsilon import exact_epsilon
from optmech.question.problems.command_words import flag_of
from optmech.verify import NO_THEOREM
from optmech.verify.crosscheck.grid import FAMILIES, FULL, QUICK, Case

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.question.problem import Problem
    from optmech.verify.crosscheck.compare import CrosscheckRow

# Each is an attribute of `InstanceGrid`, and the option of the same name.
_RANGES = (
    *("sadeghi_epsilons", "accuracies", "half_widths", "croft_epsilons", "counts", "extremes", "means"),
    *("kadam_epsilons", "largest_answer"),
)
_TITLES = ("verdict", "optimum", "closed form", "difference", "the closed form", "theorem", "problem")
# Columns that a screen lacks, in turn, until the others fit.
_DROPPED = (6, 4, 3)
_WHOLE = ("half_widths", "counts", "extremes")
_NUMBER = "largest_answer"
_MEANS = "means"


def _run(arguments: Arguments) -> int:
    # Theorems and their ball arithmetic load in half a second, which no other command should wait for.
    from optmech.verify.crosscheck.compare import CrosscheckVerdict, crosscheck  # noqa: PLC0415

    check_out(arguments.out, ".csv")
    cases = _grid_cases(arguments) if arguments.formulation == "grid" else [_case(problem_of(arguments))]
    rows: list[CrosscheckRow] = []
    for case in watch(cases, lambda case: case.instance):
        rows += crosscheck(case, arguments.solver, arguments.time_limit)
    if arguments.out is not None:
        write_whole(arguments.out, csv_text([asdict(row) for row in rows]))
    worst_first = sorted(rows, key=lambda row: row.verdict == CrosscheckVerdict.AGREES)
    tally = Counter(row.verdict for row in rows)
    notes = dict.fromkeys(f"  {row.theorem}: {row.note}" for row in rows if row.note)
    text = f"{count_text(cases, 'problem')}, {count_text(rows, 'comparison')}"
    verdicts = ", ".join(f"{number} {verdict}" for verdict, number in sorted(tally.items()))
    answer(
        arguments,
        lambda: {
            "rows": [asdict(row) for row in rows],
            "verdicts": {verdict.name.lower(): tally[verdict] for verdict in CrosscheckVerdict},
        },
        lambda: [
            f"{text}: {verdicts or NO_THEOREM}",
            *notes,
            *(["", *_table(worst_first, () if arguments.explain else _DROPPED)] if rows else []),
        ],
    )
    return 1 if tally[CrosscheckVerdict.FAILS] else 0


def _case(problem: Problem) -> Case:
    """Return one question as a case."""
    return Case(family=problem.name, instance=str(problem), ask=lambda: problem)


def _grid_cases(arguments: Arguments) -> list[Case]:
    grid = (FULL if arguments.full else QUICK).with_ranges(
        **{name: _range(name, getattr(arguments, name)) for name in _RANGES}
    )
    return grid.cases(tuple(arguments.family or FAMILIES))


def _range(name: str, text: str | int | None) -> object:
    if text is None or isinstance(text, int):
        return text
    parts = comma_list(text)
    if name == _MEANS:
        return tuple(_mean(part) for part in parts)
    if name not in _WHOLE:
        for part in parts:
            (exact_epsilon if name.endswith("epsilons") else exact)(part, name)
        return parts
    try:
        numbers = tuple(int(part) for part in parts)
    except ValueError:
        numbers = ()
    if not numbers or min(numbers) < 1:
        message = f"`{name}` must be whole numbers from 1 on, with commas; got {text!r}."
        raise ProblemError(message)
    return numbers


def _mean(text: str) -> tuple[int, int]:
    """Return the number of records, and the largest value of one."""
    records, _, largest = text.partition(":")
    if not (records.isdecimal() and largest.isdecimal() and int(records) and int(largest)):
        message = f"`means` must be RECORDS:LARGEST, whole numbers from 1 on, with commas; got {text!r}."
        raise ProblemError(message)
    return int(records), int(largest)


def _table(rows: Sequence[CrosscheckRow], dropped: Sequence[int]) -> list[str]:
    return aligned([_TITLES, *map(_cells, rows)], dropped)


def _cells(row: CrosscheckRow) -> tuple[str, ...]:
    numbers = f"{row.optimum:.12g}", f"{row.closed_form:.12g}", f"{row.difference:.1e}"
    return row.verdict, *numbers, row.relation, row.theorem, row.instance


_SOLVING = (
    option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto"),
    option("--time-limit", "SECONDS", "seconds for each optimum; default: none", type=float),
)
COMMAND = QuestionCommand(
    name="crosscheck",
    about="Compare each optimum with each theorem that applies to it. Exit code 1 if one fails.",
    examples=(
        "optmech crosscheck count --range 0:5 --epsilon 1",
        "optmech crosscheck question.toml --time-limit 60",
        "optmech crosscheck --quick --family croft --counts 2,5 --extremes 3",
    ),
    formulations=QUESTIONS,
    further={"file": "question.toml"},
    options=(*_SOLVING, out("FILE.csv")),
    usual="grid",
    grid_options=(
        either(switch("--quick", "a grid of seconds; the default"), switch("--full", "a grid of minutes")),
        option(
            "--family",
            "NAME",
            f"only this one: {', '.join(FAMILIES[:-1])} or {FAMILIES[-1]}; may be repeated",
            choices=FAMILIES,
            action="append",
        ),
        group(
            "own ranges, with commas, in place of the grid's",
            *(option(flag_of(name), "LIST") for name in _RANGES if name != _NUMBER),
            option(flag_of(_NUMBER), "N", type=int),
        ),
        *_SOLVING,
        out("FILE.csv"),
    ),
    run=_run,
)
