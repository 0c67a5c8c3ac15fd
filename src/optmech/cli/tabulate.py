"""``optmech tabulate``: records of people made a table of counts, and what one person can change in it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from optmech.base.number_format import percent_at_most
from optmech.base.visible import visible
from optmech.cli.output import answer, check_out, comma_list, notice_left_overs, warn
from optmech.cli.parsers import Arguments, Command, option, out, switch
from optmech.cli.person import release_options
from optmech.cli.progress import waiting

if TYPE_CHECKING:
    from optmech.release.tabulate import CountTable, PersonBound

_ENDINGS = (".csv", ".parquet")
_OF_KEYS = (
    "column cell_key has the cell keys: whoever sees them, or the record keys, can subtract the noise. Each "
    "row needs a record key of its own, uniform and independent of all else"
)
_OF_DATA = "which groups there are is of the data, and not to be published either before they are released"


def _run(arguments: Arguments) -> int:
    from optmech.release.tabulate import tabulate  # noqa: PLC0415 - Arrow takes a moment to load

    beside = f"{arguments.out}.json"
    check_out(arguments.out, *_ENDINGS, reads=(arguments.table, arguments.groups))
    check_out(beside, reads=(arguments.table, arguments.groups))
    notice_left_overs(arguments.out)
    with waiting(f"counting {arguments.table}"):
        counts = tabulate(
            arguments.table,
            person=arguments.person,
            group=comma_list(arguments.group),
            groups=arguments.groups,
            groups_from_data=arguments.groups_from_data,
            at_most=arguments.at_most,
            at_most_per_group=arguments.at_most_per_group,
            out=arguments.out,
            drop_others=arguments.drop_others,
            missing=arguments.missing,
            id_may_be=arguments.id_may_be,
            ids_as_written=arguments.ids_as_written,
            record_key=arguments.record_key,
            keys=arguments.keys,
            **({} if arguments.key is None else {"key": arguments.key}),
        )
    bound, out_path = counts.bound, visible(arguments.out)
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "bound": beside,
            "groups_from_data": bound.is_of_data,
            "groups": bound.num_groups,
            "at_most": bound.at_most,
            "at_most_per_group": bound.at_most_per_group,
            "rule": bound.rule,
            "ids_as_written": bound.ids_as_written,
            "confidential": {
                "groups": counts.table.num_rows,
                "rows": counts.rows,
                "counted": counts.counted,
                "left_out": counts.left_out,
                "beyond_bound": counts.beyond_bound,
                "bias": -counts.bias,
            },
        },
        lambda: [
            f"true counts of {counts.table.num_rows} groups written to {out_path}, not to be published",
            *([_OF_DATA] if bound.is_of_data else []),
            *([] if bound.num_keys is None else [_OF_KEYS]),
            f"{visible(bound.sentence)} {visible(beside)} says so",
        ],
        follow=_next_of_keys(arguments.out, bound) or _next(arguments.out, beside, bound),
    )
    _warn_of_rows(counts)
    return 0


def _next(out: str, beside: str, bound: PersonBound) -> list[str]:
    """Return the commands that release the counts; the range is public, and no number of the table."""
    question = "count --range 0:LARGEST --epsilon 1"
    if bound.is_of_data:
        question += " --delta 1e-6 --property zero-stays-zero"
    release = f"{shlex.quote(out)} {release_options(bound)} --out released.csv"
    return [
        f"optmech design {question} --for {shlex.quote(beside)} --out mechanism.json",
        f"optmech apply mechanism.json {release}",
    ]


def _next_of_keys(out: str, bound: PersonBound) -> list[str]:
    """Return the commands that release the counts by cell keys, where they have some."""
    if bound.num_keys is None:
        return []
    release = f"{shlex.quote(out)} --column {bound.column} --cell-key cell_key --data NAME"
    release += " --drop-zero" if bound.is_of_data else ""
    table = "p-table --within 5 --variance 3 --zero-stays-zero --unbiased --epsilon 1"
    return [
        f"optmech design {table} --keys {bound.num_keys} --out p-table.csv",
        f"optmech apply p-table.certificate.json {release} --out released.csv",
    ]


def _warn_of_rows(table: CountTable) -> None:
    """Return lines on the rows lost by the bound and the list: confidential facts about the data."""
    others = f" and {table.left_out:,} are of groups that are not listed" if table.left_out else ""
    beyond = table.beyond_bound
    if beyond or table.left_out:
        bias = ""
        if beyond:
            bias = (
                f"The counts are too low by {percent_at_most(table.bias)} in all, a bias that no error and "
                "no interval includes. "
            )
        warn(
            f"of {table.rows:,} rows {beyond:,} are beyond the bound of their person{others}: they are not "
            f"counted. {bias}These numbers are facts about the data: keep them to yourself"
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
such a table is released by `apply --drop-zero` alone, with a mechanism that has zero-stays-zero.""",
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
    ),
    options=(
        option(
            "table", "TABLE", "a row for each visit: .parquet, or .csv or .csv.gz with a row of column names"
        ),
        option("--person", "NAME", "the column that says whose a row is", required=True),
        option("--group", "NAMES", "the columns that say where it is counted, with commas", required=True),
        option("--groups", "FILE", "all groups, which are public: .csv or .parquet with these columns"),
        switch("--groups-from-data", "in its place: those that occur, which nobody may see before a release"),
        option("--at-most", "N", "how many rows of one person are counted in all", type=int, required=True),
        option(
            "--at-most-per-group", "N", "how many of them in one group; default: as many as in all", type=int
        ),
        out("FILE", "write the counts there, whole or not at all: .csv or .parquet", required=True),
        switch("--drop-others", "leave out rows of groups that are not listed; otherwise they are refused"),
        option("--key", "TEXT", "count other rows of those who have too many; choose it before any counts"),
        option(
            "--missing",
            "TEXT",
            "a text in the column of persons that marks nobody, as NA, nan, - and unknown do",
            action="append",
            default=[],
        ),
        option(
            "--id-may-be",
            "TEXT",
            "one of those texts that is the id of a person all the same; may be repeated",
            action="append",
            default=[],
        ),
        option(
            "--record-key",
            "NAME",
            "the column of record keys, secret random numbers: adds their sum in each cell as cell_key",
        ),
        option("--keys", "K", "how many record keys there are: 0 to K - 1", type=int, default=256),
        switch(
            "--ids-as-written",
            "take two spellings of one id, such as 101 and 0101, for two people; otherwise they are refused",
        ),
    ),
    run=_run,
)
