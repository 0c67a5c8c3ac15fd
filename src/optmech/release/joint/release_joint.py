"""Release a whole table with its totals into a file, completely or not at all."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import flag, need_path, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError
from optmech.base.notes import Note, NoteKind
from optmech.base.whole_files import read_text, refusals
from optmech.mechanisms.certificates.table_text import read_table_text, table_text
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.release.joint.joint_cells import JointCells, categories_of, column_of_counts
from optmech.release.joint.joint_draws import draw_noise
from optmech.release.joint.joint_log import description_of, joint_log, person_of_table
from optmech.release.joint.joint_released import second_file
from optmech.release.joint.joint_rows import ERROR, crosstab_of, rows_of, write_rows
from optmech.release.joint.record_cells import RecordCells, record_cells
from optmech.release.joint.without_negative import largest_of, margins_without_negative
from optmech.release.tables.commit import ReleasePlan
from optmech.release.tables.person import bound_of
from optmech.release.tables.table import ReleasedTable
from optmech.release.tabulate.count_table import check_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.mechanisms.sampling.words import Seed
    from optmech.question.tables.table_problem import TableProblem
    from optmech.release.tables.budget import Budget
    from optmech.release.tabulate.bound import PersonBound


@takes(
    table=need_path,
    out=need_path,
    column=optional(need_text),
    errors=flag,
    wide=flag,
    no_negative=flag,
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
    by: Sequence[str] = (),
    groups: Any = None,  # noqa: ANN401 - as `tabulate` takes it
    errors: bool = False,
    wide: bool = False,
    no_negative: bool = False,
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
        The column of the numbers; by default the one beside the axes. Of `sums_of_people` that of records.
    by : sequence of str, optional
        Of records the columns with their public groups: each group has the whole budget, and one person is in
        as many as the certificate says.
    groups : path, frame, list or mapping, optional
        All these groups, as for `tabulate`.
    errors : bool, optional
        Add the standard error of each number, rounded up.
    wide : bool, optional
        Write a crosstab instead: the last axis goes across.
    no_negative : bool, optional
        Write a second file, ``noisy.no-negative.csv`` beside ``noisy.csv``: the nearest table without
        negative numbers, in the metric of the noise, with the released total unless that is negative. Small
        counts are raised there, and large ones lowered: errors and limits are of the first file alone.
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
        If categories are not public, a person changes more than the certificate protects, the noise is
        too small to be drawn, or numbers may be negative that are not to be.

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
    if errors and wide:
        message = "`errors` must be left out with `wide`: a crosstab has one number in each place."
        raise ProblemError(message)
    second = second_file(out) if no_negative else None
    plan = ReleasePlan.checked(
        table,
        out,
        log,
        beside=() if second is None else (second,),
        again=again,
        data=data,
        part=part,
        budget=budget,
    )
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    certificate, description = _proved(mechanism)
    cells = _cells_of(certificate, table, column, by, groups)
    if errors and ERROR in (*cells.names, cells.column):
        message = f"`errors` must be left out where a column is called {ERROR}; rename it."
        raise ProblemError(message)
    if no_negative:
        _need_positive(certificate.problem, cells.bound)
    person = person_of_table(certificate, cells.bound, table)
    told_of = partial(
        joint_log,
        description,
        person,
        list(zip(cells.names, cells.categories, strict=True)),
        is_wide=wide,
        no_negative=None if second is None else second.name,
        out=Path(out).name,
        table=Path(table).name,
        data=data,
        part=part,
        column=cells.column,
        is_seeded=seed is not None,
    )
    plan.check_budget(told_of)
    cells.read()  # what is wrong with the table is told before anything is drawn
    drawn = draw_noise(cells.noise, random_bytes)
    truths, clamped = cells.read()
    released = cells.released(drawn, truths)
    if cells.bound is not None:  # the table that was read must be the one that was bounded
        check_table(cells.bound, table)
    axes = cells.names, cells.categories, cells.column
    in_rows = partial(crosstab_of, *axes) if wide else partial(rows_of, *axes, variances=None)

    def write(file: Path, *beside: Path) -> int:
        rows = rows_of(*axes, released, cells.variances) if errors else in_rows(released=released)
        with refusals(out):
            write_rows(rows, file, out)
            for other in beside:
                nearest = margins_without_negative(released, certificate.noise.variances)
                write_rows(in_rows(released=nearest), other, out)
        return sum(each.size for each in released.values())

    content = plan.commit(write, told_of)
    sentences = plan.other_releases(cells.column, "numbers", "what both spend adds")
    cautions = tuple(Note(NoteKind.PRIVACY, sentence) for sentence in sentences)
    return ReleasedTable(
        rows=content["output"]["rows"], clamped=clamped, log=content, log_path=plan.log, cautions=cautions
    )


def _need_positive(problem: TableProblem, bound: PersonBound | None) -> None:
    """Refuse numbers that may be negative, and margins of which none has all others as its sums."""
    if problem.records is not None:
        message = "`no_negative` must be left out of sums of records: `optmech estimate` has their means."
        raise NotAcceptedError(message)
    largest_of(problem.totals)
    if problem.person.is_sum and (bound is None or bound.between is None or bound.between[0] < 0):
        message = "`no_negative` must be left out of sums that no file beside the table says to be positive."
        raise NotAcceptedError(message)


def _cells_of(
    certificate: TableCertificate,
    table: str | PathLike[str],
    column: str | None,
    by: Sequence[str],
    groups: Any,  # noqa: ANN401 - as above
) -> JointCells | RecordCells:
    """Return the cells of a table, or of the sums of records."""
    problem = certificate.problem
    if problem.records is not None:
        return record_cells(certificate, table, column=column, by=by, groups=groups)
    if by or groups is not None:
        message = "`by` and `groups` must be left out of a table, whose axes are its groups."
        raise ProblemError(message)
    column = column_of_counts(table, problem.names, column)
    bound = bound_of(table, column)
    categories = categories_of(problem, table, bound)
    return JointCells(certificate=certificate, table=table, column=column, categories=categories, bound=bound)


def _proved(mechanism: TableCertificate | str | PathLike[str]) -> tuple[TableCertificate, dict[str, Any]]:
    """Return a certificate, proved, and its entry in a log."""
    mechanism = getattr(mechanism, "certificate", mechanism)  # a design has one
    if isinstance(mechanism, TableCertificate):
        return mechanism, description_of(mechanism, table_text(mechanism), None)
    need_path(mechanism, "mechanism")
    text = read_text(mechanism, "utf-8")
    certificate = read_table_text(text, str(mechanism))
    return certificate, description_of(certificate, text, Path(mechanism).name)
