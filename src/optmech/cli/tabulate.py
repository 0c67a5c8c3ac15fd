"""``optmech tabulate``: records of people made a table, with a bound on the change by one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.wording import plural
from optmech.base.wrapping import wrapped
from optmech.cli.output import answer, check_out, comma_list, notice_left_overs, warn
from optmech.cli.parsers import Arguments, Command, given_to, group, option, out, switch
from optmech.cli.progress import waiting
from optmech.cli.record_options import (
    DROP_EMPTY,
    DROP_OTHERS,
    EMPTY,
    GROUPS,
    IDS,
    KEY,
    columns_typed,
    whose_row,
)
from optmech.cli.table_files import DIALECT, file_of, say_dialect
from optmech.cli.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.release.tabulate import CountTable

_ENDINGS = (".csv", ".parquet")
_OF_KEYS = (
    "column cell_key has the cell keys: whoever sees them, or the record keys, can subtract the noise. Each "
    "row needs a record key of its own, uniform and independent of all else"
)
_OF_DATA = "which groups there are is of the data, and not to be published either before they are released"


def _run(arguments: Arguments) -> int:
    from optmech.cli.table_commands import next_commands, reason_of_none  # noqa: PLC0415 - what help needs not
    from optmech.question.problems.named_query import range_of  # noqa: PLC0415 - as above
    from optmech.release.tabulate import tabulate  # noqa: PLC0415 - as above
    from optmech.release.tabulate.conditions import Condition  # noqa: PLC0415 - as above

    beside = f"{arguments.out}.json"
    check_out(arguments.out, *_ENDINGS, reads=(arguments.table, arguments.groups))
    check_out(beside, reads=(arguments.table, arguments.groups))
    notice_left_overs(arguments.out)
    between = None if arguments.between is None else range_of(arguments.between, "between")
    if arguments.most_people is not None and arguments.most_people < 1:
        message = f"`--most-people` must be at least 1; got {arguments.most_people}."
        raise ProblemError(message)
    table = file_of(arguments)
    conditions = (Condition.of(text).column for text in arguments.where)
    others = filter(None, (arguments.sum, arguments.mean, *dict(arguments.bins), *conditions))
    columns = columns_typed(arguments, table, {"group": arguments.group}, others)
    with waiting(f"counting {arguments.table}"):
        counts = tabulate(
            **given_to(
                tabulate,
                arguments,
                table=table,
                bins=_each_once(arguments.bins),
                empty_as=_empty_as(arguments),
                sum_of=arguments.sum,
                mean_of=arguments.mean,
                between=between,
                **{"person": None, **columns},
            )
        )
    bound, out_path = counts.bound, visible(arguments.out)
    written = f"{plural(counts.table.num_rows, 'group')} written to {out_path}, not to be published"
    follow = next_commands(arguments.out, beside, bound, arguments.most_people)
    reason = "" if follow else reason_of_none(bound, arguments.most_people)
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "bound": beside,
            "person": bound.whose,
            "column": bound.column,
            "groups_from_data": bound.is_of_data,
            "groups": bound.num_groups,
            "at_most": bound.at_most,
            "at_most_per_group": bound.at_most_per_group,
            "most_groups": bound.most_groups,
            "between": bound.between,
            "rule": bound.rule,
            "ids_as_written": bound.ids_as_written,
            "confidential": {
                "groups": counts.table.num_rows,
                "rows": counts.rows,
                "counted": counts.counted,
                "left_out": counts.left_out,
                "dropped": counts.dropped,
                "beyond_bound": counts.beyond_bound,
                "clamped": counts.clamped,
                "bias": -counts.bias,
            },
        },
        lambda: wrapped(
            [
                f"true {'people and total' if bound.is_of_people else bound.column}s of {written}",
                *([_OF_DATA] if bound.is_of_data else []),
                *([] if bound.num_keys is None else [_OF_KEYS]),
                f"{visible(bound.sentence)} {visible(beside)} says so",
                *filter(None, [visible(reason)]),
            ]
        ),
        follow=follow,
    )
    say_dialect(arguments)
    if counts.caution:
        warn(counts.caution)
    _warn_of_rows(counts)
    return 0


def _bins(text: str) -> tuple[str, str]:
    """Return the column and the edges of ``age=0,18,65``."""
    name, equals, edges = text.rpartition("=")
    if not equals or not name or not edges:
        message = f"must be COLUMN=EDGES, such as age=0,18,65; got {text!r}."
        raise UsageError(message)
    return name, edges


def _empty_as(arguments: Arguments) -> str | dict[str, str] | None:
    """Return the group of those without an answer, or for each column of groups that is named."""
    columns = {*arguments.group, *(name for text in arguments.group for name in comma_list(text))}
    columns |= {*dict(arguments.bins)}
    named = {}
    for text in arguments.empty_as:
        column, equals, name = text.partition("=")
        if not equals or column not in columns:
            if len(arguments.empty_as) > 1:
                message = "`--empty-as` must be COLUMN=TEXT for columns of groups, where there are several."
                raise ProblemError(message)
            return str(text)
        named[column] = name
    return named or None


def _each_once(bins: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the edges of each column; ProblemError if a column has several."""
    edges = dict(bins)
    if len(edges) < len(bins):
        message = "`--bins` must be given once for each column; got several for one."
        raise ProblemError(message)
    return edges


def _warn_of_rows(table: CountTable) -> None:
    """Return lines on the rows lost by the bound and the list: confidential facts about the data."""
    from optmech.base.number_format import percent_at_most  # noqa: PLC0415 - as above

    others = [
        text
        for number, text in (
            (table.left_out, f"{table.left_out:,} are of groups that are not listed"),
            (table.dropped, f"{table.dropped:,} have an empty cell"),
        )
        if number
    ]
    beyond = table.beyond_bound
    if table.contributions is not None:
        _warn_of_pairs(table, others)
    elif beyond or others:
        bias = ""
        if beyond:
            bias = (
                f"The counts are too low by {percent_at_most(table.bias)} in all, a bias that no error and "
                "no interval includes. "
            )
        and_others = "".join(f" and {text}" for text in others)
        warn(
            f"of {table.rows:,} rows {beyond:,} are beyond the bound of their person{and_others}: they are "
            f"not counted. {bias}These numbers are facts about the data: keep them to yourself"
        )


def _warn_of_pairs(table: CountTable, others: Sequence[str]) -> None:
    """Say how many people in groups were clamped, or not counted: confidential facts about the data."""
    if not (table.beyond_bound or table.clamped or others):
        return
    and_others = "".join(f" Of {table.rows:,} rows {text}." for text in others)
    clamped = "" if table.bound.between is None else f", and {table.clamped:,} were clamped"
    warn(
        f"of {table.contributions or 0:,} people in groups {table.beyond_bound:,} are beyond the bound of "
        f"their person and not counted{clamped}.{and_others} These numbers are facts about the data: keep "
        "them to yourself"
    )


COMMAND = Command(
    name="tabulate",
    about="""\
Count the rows of a table of records, such as visits, by groups that are listed beforehand; groups with nobody
count 0. At most `--at-most` rows of one person are counted, by a rule that looks at that person's rows alone,
so that it is known what one person can change. That bound is written beside the table, and `design --for`,
`apply`, `card` and `report` say by it what a release spends of one person. The counts are true: they are not
to be published before `apply` has drawn others in their place.

With --groups-from-data the groups are those that occur, and which they are is as confidential as the counts:
such a table is released by `apply --drop-zero` alone, with a mechanism that has zero-stays-zero.

--people counts people in place of rows. --sum adds up a column of whole numbers, of each person no more than
--between says. Choose the bounds without these data: one that was looked up in them is a fact about them.""",
    examples=(
        (
            "optmech tabulate visits.parquet --person patient --group district,age --groups groups.csv "
            "--at-most 3 --out counts.csv"
        ),
        (
            "optmech tabulate visits.parquet --person patient --group district,age --groups-from-data "
            "--at-most 3 --out counts.csv"
        ),
        (
            "optmech tabulate census.csv --person person --group district --groups districts.csv --at-most 1 "
            "--record-key record_key --out keyed.csv"
        ),
        "optmech tabulate survey.csv --each-row-a-person --bins age=0,18,65,.. --out counts.csv",
    ),
    options=(
        option(
            "table",
            "TABLE",
            "a row for each visit: .parquet, .csv, .csv.gz or .xlsx with column names, or a folder of parts",
        ),
        whose_row(required=True),
        option(
            "--group",
            "NAMES",
            "the columns that say where it is counted, with commas; a name with a comma alone, and repeated",
            action="append",
            default=[],
        ),
        option("--at-most", "N", "how many rows of one person are counted in all; of sums, groups", type=int),
        option(
            "--at-most-per-group", "N", "how many of them in one group; default: as many as in all", type=int
        ),
        out("FILE", "write the table there, whole or not at all: .csv or .parquet", required=True),
        KEY,
        option(
            "--most-people",
            "N",
            "the most people there can be, known without these data: for the range of the next command",
            type=int,
        ),
        group(
            "groups",
            GROUPS,
            switch(
                "--groups-from-data", "in its place: those that occur, which nobody may see before a release"
            ),
            option(
                "--bins",
                "COLUMN=EDGES",
                "bins of numbers as groups, each with its lower edge: age=0,18,65 has two; age=0,18,65] "
                "includes 65, and age=..,18,65,.. all other numbers; of dates periods of a public range, as "
                "day=month:2024-01..2024-12, or year, quarter, week, day, weekday, or dates as edges; may be "
                "repeated",
                type=_bins,
                action="append",
                default=[],
            ),
            DROP_OTHERS,
            option(
                "--empty-as",
                "TEXT",
                "the group of those with an empty cell in a column of groups; or COLUMN=TEXT, repeated",
                action="append",
                default=[],
            ),
            switch("--trim", "take names of groups that differ by spaces around them for one"),
            switch("--fold-case", "take names of groups that differ by capitals for one"),
            DROP_EMPTY,
            EMPTY,
        ),
        group(
            "answers, other than counts of rows",
            switch("--people", "count people: at most one row of each in a group, or without groups in all"),
            option("--sum", "COLUMN", "add up these whole numbers, for each person within --between"),
            option("--mean", "COLUMN", "their mean per person, where sizes of groups are public"),
            option("--between", "LOW:HIGH", "to which the sum of one person in a group is clamped"),
            switch("--sizes-are-public", "everybody may know how many people are in each group of a mean"),
        ),
        group(
            "cell keys",
            option(
                "--record-key",
                "NAME",
                "the column of record keys, secret random numbers: adds their sum in each cell as cell_key",
            ),
            option("--keys", "K", "how many record keys there are: 0 to K - 1", type=int, default=256),
        ),
        group(
            "rows",
            option(
                "--where",
                "CONDITION",
                "only rows where it holds, as 'vaccinated = yes' or 'age >= 18': public; may be repeated",
                action="append",
                default=[],
            ),
            option("--dates", "FORM", "how dates are written: DD.MM.YYYY; default YYYY-MM-DD, never guessed"),
        ),
        DIALECT,
        IDS,
    ),
    run=_run,
)
