"""The interface of a table, for files of every format."""

from __future__ import annotations

import json
import shlex
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from optmech.base.errors import FileFormatError, ProblemError, reason_of
from optmech.base.visible import quote
from optmech.base.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from optmech.release.tables.public_view import Mask, PublicRows

_ALIKE = 0.7
_ENDINGS = (".parquet", ".csv.gz", ".csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(ABC):
    """Some rows of a table that is read, with true answers in one of their columns."""

    column: int
    by: int | None
    key: int | None = None

    @abstractmethod
    def cells(self, index: int) -> pa.Array:
        """Return a column, by its index."""

    @abstractmethod
    def location(self, row: int) -> str:
        """Return the location of an answer, for messages."""

    @abstractmethod
    def public(self, mask: Mask | None = None) -> PublicRows:
        """Return the public columns in the rows of a mask, or in all rows."""

    @property
    def answers(self) -> pa.Array:
        """The true answers."""
        return self.cells(self.column)

    @property
    def keys(self) -> pa.Array | None:
        """The cell key of each row."""
        return None if self.key is None else self.cells(self.key)

    @property
    def last_taken(self) -> int:
        """The last of the columns that drawn ones replace: that of the cell keys, which are never written."""
        return self.column if self.key is None else self.key

    @property
    def groups(self) -> pa.Array | None:
        """The group of each row."""
        return None if self.by is None else self.cells(self.by)


def index_of(
    names: Sequence[str],
    column: str,
    where: str,
    remedy: str = "",
    error: type[ProblemError | FileFormatError] = FileFormatError,
) -> int:
    """Return the index of a column, which must occur exactly once."""
    if names.count(column) != 1:
        near = {str(name).strip().lower(): str(name) for name in names if name != column}
        alike = get_close_matches(str(column).strip().lower(), near, n=2, cutoff=_ALIKE)
        meant = f" Did you mean {' or '.join(quote(near[name]) for name in alike)}?" if alike else ""
        message = f"`{where}` must have one column {column!r}; it has {shorten(names)}.{meant}{remedy}"
        raise error(message)
    return names.index(column)


def index_of_key(names: Sequence[str], column: str, key: str | None, where: str) -> int | None:
    """Return the index of the column of cell keys, which must stand behind that of the answers."""
    if key is None:
        return None
    index = index_of(names, key, where)
    if index != names.index(column) + 1:
        message = f"`{where}` must have column {key} directly behind {column}, as `tabulate` writes it."
        raise FileFormatError(message)
    return index


def parts_of(path: str | PathLike[str]) -> list[str]:
    """Return the files of a folder in which Spark or Dask wrote one table in parts, sorted; else the path.

    Names that begin with a point or an underscore, or have no ending, are notes and no parts.
    """
    folder = None if "\0" in str(path) else Path(path)
    if folder is None or not folder.is_dir():
        return [str(path)]
    parts = sorted(
        part
        for part in folder.iterdir()
        if not part.name.startswith((".", "_")) and (part.suffix or not part.is_file())
    )
    kinds = {next((end for end in _ENDINGS if part.name.lower().endswith(end)), "") for part in parts}
    if len(kinds) != 1 or "" in kinds or not all(part.is_file() for part in parts):
        check_no_folder(path)
    return [str(part) for part in parts]


def check_no_folder(path: object) -> None:
    """Refuse a folder, as Spark and Dask write tables in parts, and say how its parts become one file."""
    folder = None if "\0" in str(path) else Path(str(path))
    if folder is None or not folder.is_dir():
        return
    kind = next((kind for kind in ("parquet", "csv") if any(folder.rglob(f"*.{kind}"))), None)
    remedy = ""
    if kind is not None:
        whole = f"{folder.name or 'table'}-whole.{kind}"
        write = "pyarrow.parquet.write_table" if kind == "parquet" else "pyarrow.csv.write_csv"
        table = f'pyarrow.dataset.dataset({json.dumps(str(folder))}, format="{kind}", partitioning="hive")'
        program = f"import pyarrow.{kind}, pyarrow.dataset; {write}({table}.to_table(), {json.dumps(whole)})"
        remedy = f" Join its parts: python -c {shlex.quote(program)}"
    message = f"`{path}` must be one file, .csv, .csv.gz or .parquet; got a folder.{remedy}"
    raise FileFormatError(message)


@contextmanager
def readable(path: object, kind: str) -> Iterator[None]:
    """Turn an error of Arrow into a FileFormatError of one line."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = reason_of(error).partition("\n")[0]
        message = f"`{path}` must be a {kind} that can be read; got: {reason.rstrip('.')}."
        raise FileFormatError(message) from None
