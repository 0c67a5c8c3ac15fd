"""``optmech design mean --people private``: mean, people and total in one budget; and a total alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.cli.design_table import BUDGET, OUT, designed
from optmech.cli.parsers import Arguments, Command, group, option, switch
from optmech.cli.person import bound_at
from optmech.question.tables.people import sums_of_people

if TYPE_CHECKING:
    from optmech.cli.options import Option
    from optmech.question.tables.table_problem import TableProblem


def _run(arguments: Arguments) -> int:
    return designed(_problem(arguments), arguments)


def _common(arguments: Arguments) -> dict[str, Any]:
    names = ("zcdp", "epsilon", "delta", "unit", "at_most_per_group")
    return {name: getattr(arguments, name) for name in names}


def _problem(arguments: Arguments) -> TableProblem:
    common, bound = _common(arguments), bound_at(getattr(arguments, "bound", None))
    if bound is None:
        between = _needed_range(arguments.range)
        is_total = arguments.formulation == TOTAL_OF_PEOPLE.name
        asked = "total" if is_total else "spread" if arguments.spread else "mean"
        return sums_of_people(
            between, asked, **common, at_most=1 if arguments.at_most is None else arguments.at_most
        )
    if not bound.is_of_people or bound.between is None:
        message = "`--for` must be given with a table of `tabulate --mean` whose sizes are not public."
        raise ProblemError(message)
    told = (arguments.range, arguments.at_most, arguments.at_most_per_group, arguments.spread or None)
    if any(each is not None for each in told) or arguments.unit != "1":
        message = "`--range`, `--unit`, `--at-most` and `--spread` must be left out with `--for`."
        raise ProblemError(message)
    common["at_most_per_group"] = 1
    return sums_of_people(bound.between, **common, at_most=bound.most_groups or 1)


def _needed_range(text: str | None) -> str:
    if text is None:
        message = "`--range` must be given, such as 0:100: known from a law or a form, never from these data."
        raise ProblemError(message)
    return text


def _options(*further: Option) -> tuple[Any, ...]:
    return (
        option(
            "people",
            "private",
            "the word `private`: their number is released, and protected",
            choices=("private",),
        ),
        group(
            "records",
            option(
                "--range", "LOW:HIGH", "of one record, known without these data; others count as its ends"
            ),
            option("--unit", "STEP", "step of the numbers, such as 0.01 or 1000; default: 1", default="1"),
            *further,
        ),
        group(
            "privacy of one person",
            *BUDGET,
            option("--at-most", "N", "records of one person; default: 1", type=int),
            option("--at-most-per-group", "N", "the same in one group; default: as --at-most", type=int),
        ),
        OUT,
    )


MEAN_OF_PEOPLE = Command(
    name="mean --people",
    about="Design noise for the mean of people's records where the number of people is private, too.\n"
    "Distances from both ends of the range are summed, and both sums have the noise of one: mean, people\n"
    "and total follow in one budget.",
    summary="`--people private`: a mean whose people are private, too",
    examples=(
        "optmech design mean --people private --range 0:100 --epsilon 1 --out mean.json",
        "optmech design mean --people private --range 0:5 --unit 0.1 --zcdp 0.1 --spread",
    ),
    options=_options(
        switch("--spread", "the standard deviation, too: people are 1.22 times as noisy, means up to 1.12"),
        option(
            "--for", "TABLE.csv.json", "range and bound of one person, as `tabulate` wrote them", dest="bound"
        ),
    ),
    run=_run,
)
TOTAL_OF_PEOPLE = Command(
    name="total --people",
    about="Design noise for the total of people's records, such as money in cents, without ends and bias.",
    summary="`--people private`: a total of records, such as money in cents",
    examples=(
        "optmech design total --people private --range 0:200000 --unit 0.01 --zcdp 0.1 --out total.json",
    ),
    options=_options(),
    run=_run,
)
