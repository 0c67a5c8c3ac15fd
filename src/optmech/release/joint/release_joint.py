"""Release a whole table with its totals into a file, completely or not at all."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import flag, need_path, need_text, optional, takes
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.notes import Note, NoteKind
from optmech.base.whole_files import one_at_a_time, read_text, refusals, whole_files
from optmech.mechanisms.certificates.table_text import read_table_text, table_text
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.release.joint.joint_cells import categories_of, column_of_counts, read_cells
from optmech.release.joint.joint_draws import draw_noise
from optmech.release.joint.joint_log import description_of, joint_log, person_of_table
from optmech.release.joint.joint_rows import ERROR, crosstab_of, rows_of, write_rows
from optmech.release.tables.budget import Budget
from optmech.release.tables.files import is_parquet
from optmech.release.tables.log import log_beside, log_text
from optmech.release.tables.names_in_logs import check_names, logs_of_column
from optmech.release.tables.person import bound_of
from optmech.release.tables.table import ReleasedTable, check_apart, earlier_draws
from optmech.release.tabulate.count_table import check_table, digest_of

if TYPE_CHECKING:
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.mechanisms.sampling.words import Seed


@takes(
    table=need_path,
    out=need_path,
    column=optional(need_text),
    errors=flag,
    wide=flag,
    log=optional(need_path),
    again=flag,
    data=optional(need_text),
    part=optional(need_text),
)
def release_joint_table(
    mechanism: TableCertificate | str | PathLike[str],
    table: str | PathLike[str],
    out: str | PathLike[str],
    *,
    column: str | None = None,
    errors: bool = False,
    wide: bool = False,
    log: str | PathLike[str] | None = None,
    again: bool = False,
    data: str | None = None,
    part: str | None = None,
    budget: Budget | Number | None = None,
    seed: Seed | None = None,
) -> ReleasedTable:
    r"""Release all cells and totals of a table, whole and adding up, and log it.

    Parameters
    ----------
    mechanism : TableCertificate, design or path
        What `design` returned for a table, or its certificate. A file is proved again.
    table : path
        ``.csv``, ``.csv.gz`` or ``.parquet``, with a column for each axis and one of numbers, as `tabulate`
        writes it. Cells without a row are zero.
    out : path
        Of the same kinds. It has a row for each number; totals have ``all`` in the axes that are summed over.
    column : str, optional
        The column of the numbers; by default the one beside the axes.
    errors : bool, optional
        Add the standard error of each number, rounded up.
    wide : bool, optional
        Write a crosstab instead: the last axis goes across.
    log, again, data, part, budget, seed
        As for `release_table`.

    Raises
    ------
    FileFormatError
        If a file cannot be read or written, a category is unknown, a cell is there twice, or a number is not
        whole. Nothing is released then.
    ProblemError
        If an argument breaks its rule, a log exists already, or the budget would be exceeded.
    NotAcceptedError
        If categories are not public, a person changes more than the certificate protects, or the noise is
        too small to be drawn.

    Examples
    --------
    >>> import tempfile
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "true.csv").write_text("sex,count\nf,3\n")
    >>> noise = om.design(om.table({"sex": ["f", "m"]}, epsilon=1))
    >>> release_joint_table(noise, folder / "true.csv", folder / "noisy.csv").rows
    3
    """
    if not is_parquet(out) and not str(out).lower().endswith((".csv", ".csv.gz", ".xlsx")):
        raise broken_rule("out", "end in .csv, .csv.gz, .parquet or .xlsx, which says what it will be", out)
    if errors and wide:
        message = "`errors` must be left out with `wide`: a crosstab has one number in each place."
        raise ProblemError(message)
    log_path = log_beside(out) if log is None else Path(log)
    check_apart(table, out, log_path)
    earlier_draws(log_path, again=again)
    check_names(log_path.parent, Path(table).name, data, part)
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    certificate, description = _proved(mechanism)
    problem = certificate.problem
    column = column_of_counts(table, problem.names, column)
    if errors and ERROR in (*problem.names, column):
        message = f"`errors` must be left out where a column is called {ERROR}; rename it."
        raise ProblemError(message)
    bound = bound_of(table, column)
    categories = categories_of(problem, table, bound)
    person = person_of_table(certificate, bound, table)
    most = budget if budget is None or isinstance(budget, Budget) else Budget(epsilon=budget)
    told_of = partial(
        joint_log,
        description,
        person,
        list(zip(problem.names, categories, strict=True)),
        is_wide=wide,
        out=Path(out).name,
        table=Path(table).name,
        data=data,
        part=part,
        column=column,
        is_seeded=seed is not None,
    )
    if most is not None:  # before the long work, and once more under the lock of the log
        most.check(log_path, told_of(rows=1, sha256="", earlier=earlier_draws(log_path, again=again)))
    read = partial(read_cells, table, problem.names, categories, column, is_sum=problem.person.is_sum)
    read()  # what is wrong with the table is told before anything is drawn
    drawn = draw_noise(certificate.noise, random_bytes)
    released = drawn.released(read(), problem.totals)
    if bound is not None:  # the table that was read must be the one that was bounded
        check_table(bound, table)
    rows = (
        crosstab_of(problem.names, categories, column, released)
        if wide
        else rows_of(problem.names, categories, column, released, certificate.variances if errors else None)
    )
    numbers = sum(each.size for each in released.values())
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


def _proved(mechanism: TableCertificate | str | PathLike[str]) -> tuple[TableCertificate, dict[str, Any]]:
    """Return a certificate, proved, and its entry in a log."""
    mechanism = getattr(mechanism, "certificate", mechanism)  # a design has one
    if isinstance(mechanism, TableCertificate):
        return mechanism, description_of(mechanism, table_text(mechanism), None)
    need_path(mechanism, "mechanism")
    text = read_text(mechanism, "utf-8")
    certificate = read_table_text(text, str(mechanism))
    return certificate, description_of(certificate, text, Path(mechanism).name)
