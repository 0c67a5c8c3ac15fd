"""Read what was released: the position of each response, the groups, and the names of rows.

The log of a release beside its table says the column, the mechanisms, whether numbers beyond the range were
taken for its ends, and whether rows released as 0 were left out. An estimator needs no more.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.arguments import brief
from optmech.base.errors import FileFormatError, ProblemError, unreadable
from optmech.release.tables.files import reader_of
from optmech.release.tables.frame_in_memory import column_of
from optmech.release.tables.interval import columns_of_limits
from optmech.release.tables.log import log_beside, read_log
from optmech.release.tables.part import index_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

_READ_AT_ONCE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ReleasedAnswers:
    """The released answers of a table.

    Attributes
    ----------
    source : str
        The table, for messages.
    answers : Array
    groups : list of tuple of str
        The groups of each row; empty tuples without any.
    names : list of str
        The public cells of each row, or its number.
    """

    source: str
    answers: pa.Array
    groups: list[tuple[str, ...]]
    names: list[str]
    header: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LoggedFacts:
    """The facts in the log of a release that an estimator needs; without a log, none of them."""

    path: Path | None = None
    content: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def beside(cls, table: Any) -> LoggedFacts:  # noqa: ANN401 - a path, or values
        """Return what the log beside a table says, if there is one."""
        if not isinstance(table, (str, os.PathLike)):
            return cls()
        try:
            Path(table).open("rb").close()  # of a file that is not there, that is what to say
        except (OSError, ValueError) as error:
            raise unreadable(table, error) from None
        path = log_beside(table)
        return cls(path=path, content=read_log(path)) if path.is_file() else cls()

    @property
    def column(self) -> str | None:
        """The column of the draws."""
        return _text(self.content.get("column"))

    @property
    def by(self) -> str | None:
        """The column that decides the mechanism of a row."""
        return _text(self.content.get("by"))

    @property
    def shown_only(self) -> bool:
        """Whether rows released as 0 were left out."""
        return "left_out" in self.content

    @property
    def clamped(self) -> bool:
        """Whether numbers beyond the range were taken for its ends."""
        return str(self.content.get("beyond_the_range", "")).startswith("taken")

    @property
    def mechanisms(self) -> list[Mapping[str, Any]]:
        """The mechanisms of the draws."""
        listed = self.content.get("mechanisms", [])
        return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

    @property
    def digests(self) -> dict[str | None, str]:
        """The digest of the certificate of each group, where all of them have one."""
        found = {_text(one.get("group")): one.get("certificate_sha256") for one in self.mechanisms}
        return {group: str(digest) for group, digest in found.items()} if all(found.values()) else {}

    def certificates(self) -> dict[str | None, Path]:
        """Return the path of the certificate of each group, in the folder of the log."""
        if self.path is None or not self.mechanisms:
            message = (
                "`mechanism` must be given: no log stands beside the table. On the command line it is "
                "--mechanism, the certificate that `apply` drew from."
            )
            raise ProblemError(message)
        paths = {}
        for one in self.mechanisms:
            name = _text(one.get("file"))
            if name is None or Path(name).name != name:
                message = (
                    f"`{self.path}` must name the file of each certificate; it does not. Give the mechanism."
                )
                raise FileFormatError(message)
            path = self.path.parent / name
            if not path.is_file():
                message = (
                    f"`{path}` must be the certificate that {self.path.name} names; there is none. Copy it "
                    "there, or give the mechanism: on the command line it is --mechanism."
                )
                raise FileFormatError(message)
            paths[_text(one.get("group"))] = path
        return paths

    def is_of(self, table: str | PathLike[str]) -> bool:
        """Whether the table holds the very bytes that the log names."""
        output = self.content.get("output")
        digest = hashlib.sha256()
        with Path(table).open("rb") as file:
            while block := file.read(_READ_AT_ONCE):
                digest.update(block)
        return isinstance(output, dict) and output.get("sha256") == digest.hexdigest()


def read_released(table: Any, column: str | None, by: Sequence[str]) -> ReleasedAnswers:  # noqa: ANN401 - as below
    """Return the answers of a file, of a frame, or of values in a row.

    Raises
    ------
    FileFormatError, ProblemError
        If it cannot be read, or lacks a column.
    """
    if isinstance(table, (str, os.PathLike)):
        return _from_file(table, column, by)
    if hasattr(table, "columns"):
        if column is None:
            message = "`column` must name the released column of the frame; got none."
            raise ProblemError(message)
        groups = [column_of(table, name).to_pylist() for name in by]
        return _answers("frame", column_of(table, column), groups, None, ())
    if by:
        message = "`group` must be left out: values in a row have no columns."
        raise ProblemError(message)
    try:
        listed = [float(value) if isinstance(value, Fraction) else value for value in table]
        answers = pa.array(listed)
    except (pa.ArrowException, TypeError, OverflowError):
        message = f"`released` must be a file, a frame or numbers in a row; got {brief(table)}."
        raise ProblemError(message) from None
    return _answers("released", answers, [], None, ())


def _from_file(table: str | PathLike[str], column: str | None, by: Sequence[str]) -> ReleasedAnswers:
    if column is None:
        message = (
            f"`column` must name the released column of {table}: no log beside it does. On the command line "
            "it is --column NAME."
        )
        raise ProblemError(message)
    with reader_of(table, column, None) as reader:
        header = reader.header
        indices = [index_of(header, name, str(table)) for name in by]
        left_out = {column, *columns_of_limits(column)}
        shown = [at for at, name in enumerate(header) if name not in left_out]
        parts = []
        groups: list[list[Any]] = [[] for _ in by]
        names: list[list[Any]] = [[] for _ in shown]
        for part in reader.parts():
            parts.append(part.answers)
            for cells, at in ((groups, indices), (names, shown)):
                for column_cells, index in zip(cells, at, strict=True):
                    column_cells.extend(part.cells(index).to_pylist())
        answers = pa.chunked_array(parts, type=None if parts else reader.type).combine_chunks()
    if isinstance(answers, pa.ChunkedArray):
        answers = pa.concat_arrays(answers.chunks) if answers.num_chunks else pa.array([], answers.type)
    return _answers(str(table), answers, groups, names, header)


def _answers(
    source: str,
    answers: pa.Array,
    groups: list[list[Any]],
    names: list[list[Any]] | None,
    header: tuple[str, ...],
) -> ReleasedAnswers:
    rows = len(answers)
    return ReleasedAnswers(
        source=source,
        answers=answers,
        groups=[tuple(_cell(one) for one in row) for row in zip(*groups, strict=True)]
        if groups
        else [()] * rows,
        names=[", ".join(map(_cell, row)) for row in zip(*names, strict=True)]
        if names
        else [f"row {number + 1}" for number in range(rows)],
        header=header,
    )


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
