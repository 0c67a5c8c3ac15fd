"""``optmech design table``: the noise of a whole table with its totals, and its certificate."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from optmech.base.errors import OptmechError, ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out
from optmech.cli.parsers import Arguments, Command, group, option, out, switch
from optmech.cli.person import bound_at
from optmech.cli.progress import waiting
from optmech.cli.table_view import table_lines
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.question.tables.table import table
from optmech.reports.table_facts import table_json

if TYPE_CHECKING:
    from optmech.question.tables.table_problem import TableProblem

_REMEDY = "State the axes by `--by`, such as --by 'region:17; sex:f,m'."


def _run(arguments: Arguments) -> int:
    return designed(_problem(arguments), arguments)


def _run_count(arguments: Arguments) -> int:
    return designed(_of_one_number(arguments, arguments.at_most), arguments)


def _run_total(arguments: Arguments) -> int:
    return designed(_of_one_number(arguments, arguments.at_most_change, is_sum=True), arguments)


def _of_one_number(arguments: Arguments, at_most: int, *, is_sum: bool = False) -> TableProblem:
    """Return the question of a table of one cell: a count, or a sum, without ends."""
    budget = {"zcdp": arguments.zcdp, "epsilon": arguments.epsilon, "delta": arguments.delta}
    return table({}, **budget, at_most=at_most, is_sum=is_sum)


def designed(problem: TableProblem, arguments: Arguments) -> int:
    """Design a table, write its certificate, and say what it proves."""
    check_out(arguments.out, ".json", reads=(getattr(arguments, "bound", None),))
    with waiting(f"designing {problem.title}"):
        design = design_table(problem)
    if arguments.out is not None:
        write_whole(arguments.out, table_text(design.certificate))
    files = [] if arguments.out is None else [arguments.out]
    bound, of_records = getattr(arguments, "bound", None), problem.records is not None
    answer(
        arguments,
        lambda: {**table_json(design.certificate), "out": arguments.out},
        lambda: table_lines(design.certificate, design.other),
        *files,
        follow=[command for file in files for command in _commands(file, bound, of_records=of_records)],
    )
    return 0


def _commands(file: str, bound: str | None, *, of_records: bool) -> list[str]:
    """Return the commands that a certificate is for."""
    cells = "RECORDS.csv --column NAME" if of_records else "CELLS.csv"
    cells = cells if bound is None else shlex.quote(bound.removesuffix(".json"))
    return [
        f"optmech apply {shlex.quote(file)} {cells} --out released.csv",
        f"optmech verify {shlex.quote(file)}",
    ]


def _problem(arguments: Arguments) -> TableProblem:
    """Return the question that was typed, with the axes and the person of a table of counts."""
    by: Any = arguments.by
    person: dict[str, Any] = {"at_most": arguments.at_most, "at_most_per_cell": arguments.at_most_per_cell}
    if arguments.bound is not None:
        if by is not None or arguments.at_most is not None or arguments.at_most_per_cell is not None:
            message = "`--by` and `--at-most` must be left out with `--for`, whose file says both."
            raise ProblemError(message)
        by, person = _of_bound(arguments.bound)
    if by is None:
        message = f"`--by` or `--for` must be given. {_REMEDY}"
        raise ProblemError(message)
    return table(
        by,
        zcdp=arguments.zcdp,
        epsilon=arguments.epsilon,
        delta=arguments.delta,
        totals=arguments.totals,
        weights=arguments.weights,
        at_most=person["at_most"] or 1,
        at_most_per_cell=person["at_most_per_cell"],
        is_sum=person.get("is_sum", arguments.sum),
    )


def _of_bound(path: str) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """Return the public categories of each axis, and what one person changes, as `tabulate` wrote them."""
    bound = bound_at(path)
    assert bound is not None  # noqa: S101 - a path was given
    if bound.is_of_data or bound.has_public_sizes:
        rule = "be of a table of counts or totals whose groups are public"
        message = f"`--for` must {rule}; got {visible(path)}. Give all groups to `tabulate` by --groups."
        raise ProblemError(message)
    from optmech.release.joint.joint_cells import groups_in  # noqa: PLC0415 - Arrow takes a moment to load

    found = zip(bound.groups, groups_in(path.removesuffix(".json"), bound.groups), strict=True)
    person = {
        "at_most": bound.at_most,
        "at_most_per_cell": bound.at_most_per_group,
        "is_sum": bound.between is not None,
    }
    return {name: [*categories] for name, categories in found}, person


def whole_table_refusal(path: str, budget: str) -> str:
    """Return why no whole table follows from what `tabulate` wrote to a file; empty where one does."""
    from optmech.release.joint.joint_cells import categories_of, column_of_counts  # noqa: PLC0415 - as above

    source, bound = path.removesuffix(".json"), bound_at(path)
    try:
        by, person = _of_bound(path)
        problem = table(by, zcdp=budget, **person)
        column_of_counts(source, problem.names, None)
        categories_of(problem, source, bound)
    except OptmechError as error:
        return str(error)
    return ""


BUDGET = (
    option("--zcdp", "RHO", "rho of zCDP"),
    option("--epsilon", "EPS", "epsilon, in place of --zcdp: pure privacy without --delta"),
    option("--delta", "DELTA", "delta; with --zcdp where its epsilon is told, 1e-6 if left out"),
)
OUT = out("FILE.json", "write the certificate there, whole or not at all")
_WITHOUT_ENDS = (
    "Design noise on all whole numbers for a {} without ends: no largest one is needed, nothing is\n"
    "clamped, and nothing is biased."
)
UNBOUNDED_COUNT = Command(
    name="count --unbounded",
    about=_WITHOUT_ENDS.format("count"),
    summary="a count without a largest one",
    examples=("optmech design count --unbounded --epsilon 1 --out count.json",),
    options=(
        group(
            "privacy of one person",
            *BUDGET,
            option("--at-most", "N", "rows of one person; default: 1", type=int, default=1),
        ),
        OUT,
    ),
    run=_run_count,
)
UNBOUNDED_TOTAL = Command(
    name="total --unbounded",
    about=_WITHOUT_ENDS.format("sum of whole units, such as cents,"),
    summary="a sum without ends, such as money in cents",
    examples=("optmech design total --unbounded --at-most-change 200000 --zcdp 0.1",),
    options=(
        group(
            "privacy of one person",
            *BUDGET,
            option("--at-most-change", "U", "units by which one person changes it", type=int, required=True),
        ),
        OUT,
    ),
    run=_run_total,
)
COMMAND = Command(
    name="table",
    about="Design whole-number noise for a table and its totals: parts add up, nothing is biased, and the\n"
    "certificate proves privacy, every standard error, and a lower bound.",
    summary="a table with its totals, which add up",
    examples=(
        "optmech design table --by 'region:17; age:20; sex:2' --zcdp 0.1 --out table.json",
        "optmech design table --by 'region:17; sex:f,m' --epsilon 1 --totals 'region; total'",
        "optmech design table --by 'age:20' --epsilon 1 --delta 1e-6 --weights 'every number'",
    ),
    options=(
        group(
            "table",
            option("--by", "AXES", "axes with their categories, or how many: 'region:17; sex:f,m'"),
            option(
                "--for",
                "TABLE.csv.json",
                "axes and one person's bound, from what `tabulate` wrote",
                dest="bound",
            ),
            option("--totals", "LIST", "published margins, such as 'region*age; total'; default: all"),
            option(
                "--weights",
                "WORDS",
                "same error, every number, every margin, or the weight of one number of margins, such as "
                "'total=20'; default: same error",
                default="same error",
            ),
        ),
        group(
            "privacy of one person",
            *BUDGET,
            option("--at-most", "N", "rows of one person, or units of sums; default: 1", type=int),
            option("--at-most-per-cell", "N", "the same in one cell; default: as --at-most", type=int),
            switch("--sum", "cells are sums in whole units, such as cents"),
        ),
        OUT,
    ),
    run=_run,
)
