"""Write the file of a release and its log, both or neither, and hold a budget."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import broken_rule
from optmech.base.notes import Note, NoteKind
from optmech.base.whole_files import one_at_a_time, refusals, whole_files
from optmech.release.joint.joint_rows import write_rows
from optmech.release.tables.files import is_parquet
from optmech.release.tables.log import log_beside, log_text
from optmech.release.tables.names_in_logs import check_names, logs_of_column
from optmech.release.tables.table import ReleasedTable, check_apart, earlier_draws
from optmech.release.tabulate.count_table import digest_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    import pyarrow as pa

    from optmech.release.tables.budget import Budget


def log_path_of(
    table: str | PathLike[str],
    out: str | PathLike[str],
    log: str | PathLike[str] | None,
    *,
    again: bool,
    data: str | None,
    part: str | None,
) -> Path:
    """Return the path of the log of a release; refuse files and names that cannot be used."""
    if not is_parquet(out) and not str(out).lower().endswith((".csv", ".csv.gz")):
        raise broken_rule("out", "end in .csv, .csv.gz or .parquet, which says what it will be", out)
    log_path = log_beside(out) if log is None else Path(log)
    check_apart(table, out, log_path)
    earlier_draws(log_path, again=again)
    check_names(log_path.parent, Path(table).name, data, part)
    return log_path


def write_release(
    rows: pa.Table,
    out: str | PathLike[str],
    log_path: Path,
    told_of: Callable[..., dict[str, Any]],
    *,
    numbers: int,
    again: bool,
    most: Budget | None,
    table: str | PathLike[str],
    column: str,
) -> ReleasedTable:
    """Write released rows with `numbers` answers, and the log that `told_of` returns."""
    with ExitStack() as alone, whole_files([log_path, out]) as (log_file, file):
        with refusals(out):
            write_rows(rows, file, out)
        digest = digest_of(file)
        alone.enter_context(one_at_a_time(log_path.resolve().parent))  # until both files are renamed
        earlier = earlier_draws(log_path, again=again)  # another command may have written the log first
        content = told_of(rows=numbers, sha256=digest, earlier=earlier)
        if most is not None:
            most.check(log_path, content)
        with refusals(log_path):
            log_file.write_text(log_text(content), encoding="utf-8")
    sentences = [
        f"{path.name} tells of another release of column {column} of {Path(table).name}: if the true numbers "
        "are the same, what both spend adds up."
        for path in logs_of_column(log_path.resolve().parent, Path(table).name, column)
        if path != log_path.resolve()
    ]
    cautions = tuple(Note(NoteKind.PRIVACY, sentence) for sentence in sentences)
    return ReleasedTable(rows=numbers, clamped=0, log=content, log_path=log_path, cautions=cautions)
