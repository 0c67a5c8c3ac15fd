"""The options on records of people: whose each row is, which groups there are, and which rows count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.cli.output import comma_list
from optmech.cli.parsers import either, group, option, switch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.cli.options import Either
    from optmech.cli.parsers import Arguments
    from optmech.release.tables.dialect import CsvFile


def columns_typed(
    arguments: Arguments, table: CsvFile, typed: dict[str, Sequence[str]], others: Iterable[str]
) -> dict[str, Any]:
    """Return the columns of persons and groups, each typed whole, or several with commas.

    FileFormatError if the table does not have one of them, or of the other columns that are typed.
    """
    from optmech.release.tabulate.person_rows import check_names, names_in_file  # noqa: PLC0415 - Arrow loads slowly

    names = names_in_file(table)
    typed = {"person": arguments.person, **typed}
    columns = {key: [name for text in texts for name in _split(text, names)] for key, texts in typed.items()}
    check_names(arguments.table, names, [*columns["person"], *columns["group"], *others])
    return {key: parts for key, parts in columns.items() if parts or typed[key]}


def _split(text: str, names: Sequence[str]) -> Sequence[str]:
    """Return a column that is there as it is typed, else the parts between commas."""
    return (text,) if text in names else comma_list(text)


def whose_row(*, required: bool) -> Either:
    """Return the options that say whose a row is."""
    return either(
        option(
            "--person",
            "NAME",
            "the column that says whose a row is; several that say it together are repeated",
            action="append",
            default=[],
        ),
        switch("--each-row-a-person", "no two rows are of one person: that is your claim"),
        required=required,
    )


GROUPS = option("--groups", "FILE", "all groups, which are public: .csv or .parquet with these columns")
DROP_OTHERS = switch(
    "--drop-others", "leave out rows of groups that are not listed; otherwise they are refused"
)
DROP_EMPTY = switch("--drop-empty", "leave out rows with an empty cell; otherwise they are refused")
EMPTY = option(
    "--empty",
    "TEXT",
    "a text in the columns of groups or numbers that means no answer, as NA; may be repeated",
    action="append",
    default=[],
)
KEY = option("--key", "TEXT", "count other rows of those who have too many; choose it before any counts")
IDS = group(
    "ids",
    option(
        "--missing",
        "TEXT",
        "a text in the column of persons that marks nobody, as NA, n.a., .a, ? and (missing) do",
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
    switch(
        "--ids-as-written",
        "take two spellings of one id, as 101 and 0101, for two people; otherwise they are refused",
    ),
)
