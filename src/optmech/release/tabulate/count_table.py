"""A table of counts and its bound: two files; the bound is JSON with the SHA-256 of the table."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet

from optmech.base.arguments import brief, need_path, takes
from optmech.base.errors import FileFormatError, ProblemError, broken_rule, unreadable
from optmech.base.strict_json import parse_json
from optmech.base.version import __version__
from optmech.base.visible import visible_json
from optmech.base.whole_files import check_writable, is_file, read_text, refusals, whole_files
from optmech.release.tabulate.bound import PersonBound

if TYPE_CHECKING:
    from os import PathLike

ENDINGS = (".csv", ".parquet")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CountTable:
    """Number of rows counted in each group, or a sum: **true answers, not to be published**.

    Attributes
    ----------
    table : pyarrow.Table
        The groups, in the order of their list, further columns of that list, and the column ``count`` or
        ``total``, or ``size`` and ``mean``. Groups that occur are sorted by name, and are not to be published
        either.
    bound : PersonBound
        The change of the answers by one person.
    rows, counted, left_out, dropped : int
        Numbers of rows: all, counted, in no listed group, and with an empty cell. They are unprotected facts
        about the data, as all other numbers here. For sums, `counted` are contributions of people to groups.
    contributions : int, optional
        Number of all contributions of people to groups, where a table of sums bounds them.
    clamped : int
        Number of counted contributions that were clamped.
    caution : str
        A sentence on listed groups that look like the sum of others.
    """

    table: pa.Table
    bound: PersonBound
    rows: int
    counted: int
    left_out: int
    dropped: int = 0
    contributions: int | None = None
    clamped: int = 0
    caution: str = ""

    @property
    def beyond_bound(self) -> int:
        """Number of rows in listed groups, or of contributions, that are beyond the bound of their person."""
        return self._countable - self.counted

    @property
    def bias(self) -> float:
        """The share of rows beyond the bound, by which the counts are too low in total."""
        return self.beyond_bound / max(1, self._countable)

    @property
    def _countable(self) -> int:
        return self.rows - self.left_out - self.dropped if self.contributions is None else self.contributions

    @takes(out=need_path)
    def write(self, out: str | PathLike[str]) -> PersonBound:
        """Write the counts to a .csv or .parquet file, and their bound beside it, both or neither.

        Returns
        -------
        PersonBound
            The written bound, with the name of the file and its SHA-256.

        Raises
        ------
        FileFormatError
            If a file cannot be written.
        """
        check_writable(out, *ENDINGS)
        # The bound is renamed first, so that a killed process leaves no table without a bound.
        with whole_files([bound_beside(out), out]) as (bound_file, file):
            with refusals(out):
                if str(out).lower().endswith(".csv"):
                    with file.open("w", encoding="utf-8", newline="") as text:
                        rows = csv.writer(text, lineterminator="\n")
                        rows.writerow(self.table.column_names)
                        rows.writerows(zip(*self.table.to_pydict().values(), strict=True))
                else:
                    pyarrow.parquet.write_table(self.table, file)
            bound = replace(self.bound, table=Path(out).name, sha256=digest_of(file))
            with refusals(bound_beside(out)):
                bound_file.write_text(bound_text(bound), encoding="utf-8")
        return bound


_FORMAT, _VERSION = "optmech person bound", 3
_UNIT = (
    "One person with all their rows: neighbours are two sets of records, one with a person's rows and one "
    "without them. Replacing the rows of a person by others is two such changes."
)
_UNIT_OF_NUMBERS = (
    "One person with all their numbers: neighbours are two sets of records in which the numbers of one "
    "person differ, and their groups do not."
)
_CONFIDENTIAL = (
    "Keep this file with its table and do not publish it: the SHA-256 is of true counts, which can be "
    "guessed from it. A release log says what may be said of the bound."
)
_PUBLIC = "listed beforehand: they are public."
_OF_DATA = (
    "those that occur in the data: which they are must not be seen. Release the table by a mechanism with "
    "zero-stays-zero, and leave out rows released as 0, by --drop-zero."
)


def bound_beside(path: str | PathLike[str]) -> Path:
    """Return the path of a table's bound: ``counts.csv.json`` beside ``counts.csv``."""
    return Path(f"{os.fspath(path)}.json")


def bound_text(bound: PersonBound) -> str:
    """Return a bound as JSON text, the same bytes for the same bound."""
    content = {
        "format": _FORMAT,
        "version": _VERSION,
        "made_by": f"optmech {__version__}",
        "confidential": _CONFIDENTIAL,
        "table": {
            "file": bound.table,
            "sha256": bound.sha256,
            "groups": list(bound.groups),
            "num_groups": bound.num_groups,
            "groups_are": _OF_DATA if bound.is_of_data else _PUBLIC,
            "column": bound.column,
            **({} if bound.num_keys is None else {"keys": bound.num_keys, "id": bound.table_id}),
        },
        "person": bound.person,
        "unit": _UNIT_OF_NUMBERS if bound.has_public_sizes else _UNIT,
        "at_most": bound.at_most,
        "at_most_per_group": bound.at_most_per_group,
        "rule": bound.rule,
        "ids_as_written": bound.ids_as_written,
        "marks_as_ids": bound.num_marks_as_ids,
        "value": bound.value,
        "between": None if bound.between is None else list(bound.between),
        "most_groups": bound.most_groups,
        **({"reading": list(bound.reading)} if bound.reading else {}),
    }
    return visible_json(json.dumps(content, indent=2, ensure_ascii=False)) + "\n"


@takes(path=need_path)
def read_bound(path: str | PathLike[str]) -> PersonBound:
    r"""Return the bound of a table of counts, and check the table beside the file against it.

    Parameters
    ----------
    path : path
        The file that `tabulate` wrote beside a table, such as ``counts.csv.json``.

    Raises
    ------
    FileFormatError
        If the file is no bound, or the table beside it was changed after its bound was written.

    Examples
    --------
    >>> import tempfile
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "visits.csv").write_text("patient,ward\nx,A\nx,A\ny,B\n")
    >>> _ = om.tabulate(
    ...     folder / "visits.csv", person="patient", group="ward", groups=["A", "B"], at_most=1,
    ...     out=folder / "counts.csv",
    ... )
    >>> read_bound(folder / "counts.csv.json").sentence
    'At most 1 row of one person (patient) is counted.'
    """
    bound = _parse(read_text(path), path)
    table = Path(path).parent / bound.table
    if is_file(table):
        check_table(bound, table)
    return bound


def check_table(bound: PersonBound, table: str | PathLike[str], column: str | None = None) -> None:
    """Refuse another table or column than the one of the bound."""
    if digest_of(table) != bound.sha256:
        message = (
            f"`{table}` must be the table that its bound was written for; it was changed after that. "
            "Run `optmech tabulate` again."
        )
        raise FileFormatError(message)
    _check_groups(bound, Path(table))
    if column is not None and column != bound.column:
        raise broken_rule(
            "column", f"be {bound.column}, of which {bound_beside(table).name} states the bound", column
        )


def _check_groups(bound: PersonBound, table: Path) -> None:
    """Refuse a number of groups that differs from the table's: it limits the groups of a person."""
    if bound.num_groups is not None and (rows := _num_rows(table)) != bound.num_groups:
        message = (
            f"`{bound_beside(table)}` must be as `optmech tabulate` wrote it; it was changed: the table has "
            f"{rows} groups, not {bound.num_groups}."
        )
        raise FileFormatError(message)


def _num_rows(table: Path) -> int:
    if table.suffix.lower() == ".parquet":
        return int(pyarrow.parquet.read_metadata(table).num_rows)
    with table.open(encoding="utf-8", newline="") as text:
        return sum(1 for _ in csv.reader(text)) - 1


def digest_of(path: str | PathLike[str]) -> str:
    """Return the SHA-256 of a file."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def _parse(text: str, path: str | PathLike[str]) -> PersonBound:
    try:
        content: Any = parse_json(text)
        kind, version = content["format"], content["version"]
    except (ValueError, RecursionError, KeyError, TypeError):
        kind = version = None
    if kind != _FORMAT:
        message = (
            f"`{path}` must be the bound of a table, as `optmech tabulate` writes it; got something else."
        )
        raise FileFormatError(message)
    if type(version) is not int or version != _VERSION:
        is_older = type(version) is int and 1 <= version < _VERSION
        remedy = "Run `optmech tabulate` again." if is_older else "Use a newer optmech."
        message = f"`{path}` must be of version {_VERSION}; got {brief(version)}. {remedy}"
        raise FileFormatError(message)
    try:
        table = content["table"]
        if not isinstance(table["groups"], list) or "/" in table["file"] or "\\" in table["file"]:
            raise ValueError  # noqa: TRY301 - one sentence for all
        return PersonBound(
            person=content["person"],
            groups=tuple(table["groups"]),
            num_groups=table["num_groups"],
            at_most=content["at_most"],
            at_most_per_group=content["at_most_per_group"],
            rule=content["rule"],
            ids_as_written=content["ids_as_written"],
            num_marks_as_ids=content["marks_as_ids"],
            table=table["file"],
            sha256=table["sha256"],
            column=table["column"],
            num_keys=table.get("keys"),
            table_id=table.get("id", ""),
            value=content["value"],
            between=None if content["between"] is None else _two(content["between"]),
            most_groups=content["most_groups"],
            reading=tuple(content.get("reading", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        reason = f": {error}" if isinstance(error, ProblemError) else "."
        message = f"`{path}` must be as `optmech tabulate` wrote it; it was changed{reason}"
        raise FileFormatError(message) from None


def _two(numbers: Any) -> tuple[int, int]:  # noqa: ANN401 - any JSON value
    low, high = numbers
    return low, high
