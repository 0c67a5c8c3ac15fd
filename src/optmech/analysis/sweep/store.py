"""Rows in Parquet that no kill can lose, tear or double.

::

    OUT.parquet                 all rows, in the order of the spec; only once the sweep is complete
    OUT.parquet.parts/          until then: rows as they came, each file whole from the moment it has its name
        part-00000001.parquet
    OUT.parquet.lock            held while a sweep runs; the system lets go of it when the process ends

Each row is on the disk before the next is taken. If a cell has two rows, the later one counts. A cache of
joblib or Dask would keep answers by the name of a function, in pickles that cannot be read during a sweep.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa
import pyarrow.parquet

from optmech.analysis.sweep.answer import COLUMNS
from optmech.base.errors import FileFormatError
from optmech.base.extras import package
from optmech.base.version import __version__
from optmech.base.whole_files import refusals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from optmech.analysis.sweep.cell import Cell

    Row = Mapping[str, Any]

_PART = re.compile(r"part-\d{8}\.parquet")
# With more files than this a folder becomes slow to read; they are put together into one.
_MOST_PARTS = 200


class Store:
    """The output of one sweep, locked as long as it is open; `rows` are what is answered, by key.

    FileFormatError if the path cannot be written, another sweep holds it, or it has rows of other cells or of
    another version of optmech.
    """

    def __init__(self, out: str | PathLike[str], cells: Sequence[Cell]) -> None:
        self.out = Path(out).resolve()
        self.rows: dict[str, Row] = {}
        self._cells = cells
        self._parts = self.out.with_name(f"{self.out.name}.parts")
        self._last = 0
        self._lock = package("filelock", "sweep", "a sweep").FileLock(f"{self.out}.lock")

    def __enter__(self) -> Self:
        with refusals(self.out):
            os.scandir(self.out.parent).close()  # a lock would make a folder that is not there
            if self.out.exists() and not self.out.is_file():
                raise _not_ours(self.out, "no file")
            try:
                self._lock.acquire(timeout=0)
            except package("filelock", "sweep", "a sweep").Timeout:
                message = (
                    f"`{self.out}` must be free; another sweep writes it just now. "
                    "Wait, or choose another path."
                )
                raise FileFormatError(message) from None
        try:
            with refusals(self._parts):
                self.rows = _read_rows(self.out)
                numbers = (int(part.stem.removeprefix("part-")) for part in _parts_of(self._parts))
                self._last = max(numbers, default=0)
                self._refuse_others()
                self._parts.mkdir(exist_ok=True)
                for torn in self._parts.glob("*.tmp"):
                    torn.unlink()
        except BaseException:
            self._release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._release()

    def add(self, rows: Sequence[Row]) -> None:
        """Put rows on the disk; when this returns, nothing can take them away."""
        self._write(rows)
        self.rows |= {row["key"]: row for row in rows}
        parts = _parts_of(self._parts)
        if len(parts) > _MOST_PARTS:
            self._write(list(self.rows.values()))  # first whole, then in place of the others
            for part in parts:
                part.unlink()

    def finish(self) -> None:
        """Put all rows into the one file, in the order of the spec. Each cell must have one.

        The folder of the parts goes, too, unless it holds what is not ours.
        """
        if _parts_of(self._parts):
            self._replace(self.out, [self.rows[cell.key] for cell in self._cells])
        for part in _parts_of(self._parts):
            part.unlink()
        with suppress(OSError):
            self._parts.rmdir()

    def _write(self, rows: Sequence[Row]) -> None:
        self._last += 1
        self._replace(self._parts / f"part-{self._last:08d}.parquet", rows)

    def _replace(self, path: Path, rows: Sequence[Row]) -> None:
        schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in COLUMNS.items()])
        temporary = self._parts / f"{path.name}.tmp"
        with refusals(path):
            with temporary.open("wb") as file:
                pyarrow.parquet.write_table(pa.Table.from_pylist(list(rows), schema=schema), file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
            _sync(path.parent)

    def _refuse_others(self) -> None:
        keys = {cell.key for cell in self._cells}
        others = [row for row in self.rows.values() if row["key"] not in keys]
        if others:
            message = (
                f"`{self.out}` must hold cells of this spec only; it holds {len(others)} others, such as "
                f"{others[0]['parameters']}. Put them back into the spec, or write to another file."
            )
            raise FileFormatError(message)
        versions = {str(row["optmech"]) for row in self.rows.values()} - {__version__}
        if versions:
            message = (
                f"`{self.out}` must hold answers of optmech {__version__} only; it holds some of "
                f"{', '.join(sorted(versions))}. Write to another file, or go on with that version."
            )
            raise FileFormatError(message)

    def _release(self) -> None:
        """Release the lock. Its file is removed first, while no other process can hold it."""
        with suppress(OSError):  # it holds rows, or was never made
            self._parts.rmdir()
        Path(self._lock.lock_file).unlink(missing_ok=True)
        self._lock.release()


def _read_rows(out: Path) -> dict[str, Row]:
    """Return what is answered in the file and in its parts, by key; of two rows of a cell the later one."""
    rows: dict[str, Row] = {}
    for path in [*([out] if out.exists() else []), *_parts_of(out.with_name(f"{out.name}.parts"))]:
        try:
            table = pyarrow.parquet.read_table(path, partitioning=None)
        except (OSError, ValueError) as error:
            raise _not_ours(path, str(error).splitlines()[0]) from None
        if table.column_names != list(COLUMNS):
            raise _not_ours(path, "other columns")
        rows |= {row["key"]: row for row in table.to_pylist()}
    return rows


def _parts_of(folder: Path) -> list[Path]:
    paths: Iterable[Path] = folder.iterdir() if folder.is_dir() else []
    return sorted(path for path in paths if _PART.fullmatch(path.name))


def _not_ours(path: Path, description: str) -> FileFormatError:
    message = f"`{path}` must be a table that `optmech sweep` wrote; got: {description}. Choose another path."
    return FileFormatError(message)


def _sync(folder: Path) -> None:
    """Bring a new name in a folder to the disk, where the system can do that."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
