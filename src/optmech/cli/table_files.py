"""The dialect of a CSV file, as options of each command that reads a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.visible import visible
from optmech.cli.output import warn
from optmech.cli.parsers import Arguments, group, option

if TYPE_CHECKING:
    from optmech.release.tables.dialect import CsvFile

DIALECT = group(
    "the dialect of a .csv file",
    option("--sep", "TEXT", "the text between cells: , or ; or tab or |; default: as the row of names says"),
    option(
        "--decimal",
        "MARK",
        "the decimal mark, . or ,; default: a point, and either where cells have no commas",
    ),
    option(
        "--header-line",
        "N",
        "the line with the names of the columns; those above are left out",
        type=int,
        default=1,
    ),
)
"""Options that `file_of` reads."""


def file_of(arguments: Arguments) -> CsvFile:
    """Return the table of a command line, with its dialect."""
    from optmech.release.tables.dialect import CsvFile  # noqa: PLC0415 - Arrow takes a moment to load

    return CsvFile(
        arguments.table,
        sep=arguments.sep,
        decimal=arguments.decimal,
        header_line=arguments.header_line,
    )


def say_dialect(arguments: Arguments) -> None:
    """Say what was found in the row of names, where nobody asked for it."""
    from optmech.release.tables.files import dialect_of  # noqa: PLC0415 - as above

    if found := dialect_of(file_of(arguments)):
        warn(f"{visible(arguments.table)}: {visible(' '.join(found))} That was found in its row of names")
