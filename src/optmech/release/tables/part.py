"""What tables have in common, whatever file they are read from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from optmech.base.errors import FileFormatError, ProblemError, reason_of
from optmech.base.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(ABC):
    """Some rows, which are written with released answers in the place of the true ones."""

    column: int
    by: int | None
    ends_group: bool = False
    """Whether a row group ends with these rows."""

    @abstractmethod
    def cells(self, place: int) -> pa.Array:
        """Return a column, by its place."""

    @abstractmethod
    def text(self, columns: Sequence[pa.Array]) -> pa.Buffer:
        """Return the rows as CSV, with these columns in the place of the answers."""

    @abstractmethod
    def batch(self, columns: Sequence[pa.Array], schema: pa.Schema) -> pa.RecordBatch:
        """Return the rows with these columns in the place of the answers."""

    @property
    def answers(self) -> pa.Array:
        """The true answers."""
        return self.cells(self.column)

    @property
    def groups(self) -> pa.Array | None:
        """The group of each row."""
        return None if self.by is None else self.cells(self.by)


def place_of(
    names: Sequence[str],
    column: str,
    where: str,
    remedy: str = "",
    error: type[ProblemError | FileFormatError] = FileFormatError,
) -> int:
    """Return the place of a column, which must be there once."""
    if names.count(column) != 1:
        message = f"`{where}` must have one column {column!r}; it has {shorten(names)}.{remedy}"
        raise error(message)
    return names.index(column)


@contextmanager
def readable(path: object, kind: str) -> Iterator[None]:
    """Refuse what Arrow cannot read of a file, in one line: FileFormatError."""
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as trouble:
        reason = reason_of(trouble).partition("\n")[0]
        message = f"`{path}` must be a {kind} that can be read; got: {reason.rstrip('.')}."
        raise FileFormatError(message) from None
