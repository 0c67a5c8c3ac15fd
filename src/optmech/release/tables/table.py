"""Release one column of a file of any size into another file, completely or not at all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import flag, function, need_path, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, ProblemError, broken_rule, unreadable
from optmech.base.notes import Note, NoteKind
from optmech.base.whole_files import check_writable, one_at_a_time, refusals, resolved, whole_files
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.release.tables.budget import Budget
from optmech.release.tables.column_mechanisms import tell_release
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.drop_zero import SEEN_ROWS, check_keeps_zero, keeps_zero
from optmech.release.tables.files import check_column, copy_released, is_parquet, reader_of
from optmech.release.tables.interval import interval_in_log, level_of
from optmech.release.tables.keyed import NO_BOUND, keys_in_log, number_of_keys, with_keys
from optmech.release.tables.log import log_beside, log_of, log_text, read_log
from optmech.release.tables.log_entries import entries_in
from optmech.release.tables.names_in_logs import check_names, logs_of_column
from optmech.release.tables.person import bound_of, person_of
from optmech.release.tables.releaser import Releaser
from optmech.release.tables.totals_beside_parts import check_no_total, columns_that_tell
from optmech.release.tabulate.count_table import bound_beside, check_table, digest_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.mechanisms.sampling.words import Seed
    from optmech.mechanisms.source import MechanismSource
    from optmech.release.tables.column_mechanisms import ColumnMechanism, Laws

    MechanismArgument = ColumnMechanism | MechanismSource | str | PathLike[str]

_IN_ORDER = (
    "the rows stand in the order of their true answers, so that the order tells what the noise hides. "
    "Sort the table by something else, and release that in its place."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedTable:
    """A released table, and the cautions for the one who releases it.

    Attributes
    ----------
    rows : int
        Number of answers that were released.
    clamped : int
        Number of answers beyond the range: a fact about true answers, **not to be published**.
    log : dict
        The content of the log; it can be published.
    log_path : Path
        The path of the log.
    cautions : tuple of Note
        Warnings, each with its kind; they may be about true answers.
    """

    rows: int
    clamped: int
    log: dict[str, Any]
    log_path: Path
    cautions: tuple[Note, ...]


@takes(
    table=need_path,
    out=need_path,
    column=need_text,
    by=optional(need_text),
    clamp=flag,
    drop_zero=flag,
    log=optional(need_path),
    again=flag,
    data=optional(need_text),
    part=optional(need_text),
    constant_time=flag,
    cell_key=optional(need_text),
    progress=optional(function),
)
def release_table(
    mechanism: MechanismArgument | Mapping[str | None, MechanismArgument],
    table: str | PathLike[str],
    out: str | PathLike[str],
    *,
    column: str,
    by: str | None = None,
    clamp: bool = False,
    drop_zero: bool = False,
    log: str | PathLike[str] | None = None,
    again: bool = False,
    interval: Number | None = None,
    data: str | None = None,
    part: str | None = None,
    budget: Budget | Number | None = None,
    constant_time: bool = False,
    seed: Seed | None = None,
    cell_key: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReleasedTable:
    r"""Replace a column of true answers in a file by draws from a mechanism, and log it.

    Files are read and written part by part. The cells of all other columns, and the order of rows, do not
    change: in CSV byte for byte, in Parquet with their types, without metadata and dictionaries. The released
    column has the type of the responses. The new file is written completely or not at all, never without its
    log. If `tabulate` wrote a bound beside the table, the log has the spending of one person.

    Parameters
    ----------
    mechanism : Design, Certificate, Mechanism or path of a certificate, or mapping of str to them
        A mapping has one mechanism for each group, and may have a default under ``None``.
    table, out : path
        ``.csv``, ``.csv.gz`` or ``.parquet`` each. From CSV to Parquet, columns other than the answers become
        text.
    column : str
        The column of the true answers. A decimal stands for itself (``"2.50"`` is 5/2), or else for the one
        truth that rounds to it at its number of digits; a double stands for the truth with that nearest
        double.
    by : str, optional
        The column of the groups, for a mapping.
    clamp : bool, optional
        Replace numbers beyond the range by its nearest end; this needs a certificate, which shows whether it
        costs no privacy. Otherwise they are refused, and nothing is released. A null is always refused: it
        would reveal a missing answer.
    drop_zero : bool, optional
        Leave out rows that are released as 0, which hides the groups in the table; only with certificates
        with zero-stays-zero.
    log : path, optional
        The path of the log; by default beside `out`, as ``.release.json``.
    again : bool, optional
        Draw again although a log records a release. That spends epsilon again, and the log adds it up.
    interval : number, optional
        Add two columns directly after the answers, with the suffixes ``_low`` and ``_high``: an interval that
        holds every possible true answer with at least this probability; with `drop_zero`, given that the row
        is shown. With `clamp` an end of the range is an open end, empty or null. It spends nothing.
    data : str, optional
        Name of the data whose releases add up in a `ledger`; by default the name of the table.
    part : str, optional
        The part of `data` in the table, if no person is in two parts: a person then spends the releases of
        one part only. You claim that parts are disjoint; the log says so.
    budget : Budget or number, optional
        The limit on the epsilon spent on these data, by all logs in the folder of the log.
    constant_time : bool, optional
        As for `Mechanism.sample`. Only draws take a constant time; reading and writing do not.
    seed : int or Generator, optional
        For experiments: draws that can be repeated. They are **not private**, and the log says so.
    cell_key : str, optional
        ``"cell_key"``, the column of cell keys that ``tabulate(record_key=...)`` wrote: they pick the noise
        of a certified perturbation table, the same for the same cell in every table, and are never released.
        Epsilon and delta hold while the record keys are secret, uniform and independent, and for one table:
        the log says so, and a `ledger` calls the spending of several tables by the same keys unknown. `data`
        must be named.
    progress : callable, optional
        Called with the work done and the total, 0 if unknown.

    Returns
    -------
    ReleasedTable

    Raises
    ------
    FileFormatError
        If a file cannot be read or written, or an answer is not one of the truths. Nothing is released then.
    ProblemError
        If an argument breaks its rule, a log exists already, or the budget would be exceeded.
    NotAcceptedError
        If `clamp` may cost privacy, an interval is requested for answers without an order, or `drop_zero`
        would reveal an empty group; or if `drop_zero` is missing for a table of `tabulate` with the groups of
        the data.

    Examples
    --------
    >>> import tempfile
    >>> import optmech as om
    >>> design = om.design(om.croft(om.count(5), epsilon="0.5"))
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "true.csv").write_text("town,count\nAller,3\nBeck,0\n")
    >>> done = release_table(design.certificate, folder / "true.csv", folder / "noisy.csv", column="count")
    >>> done.rows, done.log["mechanisms"][0]["epsilon"], done.log_path.name
    (2, '0.5', 'noisy.release.json')
    """
    if not is_parquet(out) and not str(out).lower().endswith((".csv", ".csv.gz", ".xlsx")):
        raise broken_rule("out", "end in .csv, .csv.gz, .parquet or .xlsx, which says what it will be", out)
    log_path = log_beside(out) if log is None else Path(log)
    check_apart(table, out, log_path)
    earlier_draws(log_path, again=again)
    check_names(log_path.parent, Path(table).name, data, part)
    random_bytes = os.urandom if seed is None else seeded_bytes(seed)
    bound = bound_of(table, column)
    if bound is None:
        check_no_total(table, column, by)
    told_before = columns_that_tell(table, column) if bound is None else []
    number = number_of_keys(cell_key, bound, data=data, by=by, seed=seed, constant_time=constant_time)
    laws = with_keys(
        laws_of(mechanism, by=by, constant_time=constant_time, random_bytes=random_bytes), number
    )
    if drop_zero:
        check_keeps_zero(laws)
    person = None if bound is None else person_of(laws, bound, bound_beside(table).name, by=by)
    if bound is not None and bound.is_of_data and not drop_zero:
        message = (
            f"`drop_zero` must be asked for, by --drop-zero: the groups of {table} are those that occur in "
            "the data, and each of its rows says that somebody is there."
        )
        raise NotAcceptedError(message)
    level = None if interval is None else level_of(interval)
    most = budget if budget is None or isinstance(budget, Budget) else Budget(epsilon=budget)
    told_of = partial(
        _told_of_keys,
        number,
        "" if bound is None else bound.table_id,
        laws,
        out=Path(out).name,
        table=Path(table).name,
        data=data,
        part=part,
        column=column,
        by=by,
        clamp=clamp,
        constant_time=constant_time,
        is_seeded=seed is not None,
        drop_zero=drop_zero,
        interval=None
        if level is None
        else interval_in_log(level, column, clamp=clamp, drop_zero=drop_zero, is_bounded=bound is not None),
        person=person,
    )
    if most is not None and number is None:  # before the long work, and once more under the lock of the log
        most.check(
            log_path, told_of(rows=1, sha256="", cells="", earlier=earlier_draws(log_path, again=again))
        )
    with reader_of(table, column, by, cell_key) as reader:
        check_column(reader)
        releaser = Releaser(laws, clamp=clamp, drop_zero=drop_zero, level=level, num_keys=number or 0)
        cells = hashlib.sha256(column.encode())
        with ExitStack() as alone, whole_files([log_path, out]) as (log_file, file):
            with refusals(out):
                rows = copy_released(
                    reader,
                    releaser,
                    file,
                    out,
                    drop_zero=drop_zero,
                    progress=progress,
                    told=None if number is None else cells.update,
                )
            if bound is not None:  # the table that was read must be the one that was bounded
                check_table(bound, table)
            digest = digest_of(file)
            alone.enter_context(one_at_a_time(resolved(log_path).parent))  # until both files are renamed
            earlier = earlier_draws(log_path, again=again)  # another command may have written the log first
            log_content = told_of(rows=rows, sha256=digest, cells=cells.hexdigest(), earlier=earlier)
            if most is not None:
                most.check(log_path, log_content)
            with refusals(log_path):
                log_file.write_text(log_text(log_content), encoding="utf-8")
    tell_release(
        laws, column=column, output=str(out), data=data or Path(table).name, is_seeded=seed is not None
    )
    cautions = cautions_of(laws)
    sentences = [_IN_ORDER] if releaser.in_order else []
    sentences += [NO_BOUND.format(last=number - 1)] if number is not None and bound is None else []
    sentences += [SEEN_ROWS] if keeps_zero(laws) and not drop_zero else []
    sentences += [
        f"{path.name} tells of another release of column {column} of {Path(table).name}: if the true answers "
        "are the same, the epsilons of both add up."
        for path in logs_of_column(resolved(log_path).parent, Path(table).name, column)
        if path != resolved(log_path) and number is None
    ]
    cautions += [Note(NoteKind.PRIVACY, sentence) for sentence in sentences]
    cautions += told_before
    return ReleasedTable(
        rows=rows, clamped=releaser.clamped, log=log_content, log_path=log_path, cautions=tuple(cautions)
    )


def _told_of_keys(
    number: int | None,
    table_id: str,
    laws: Laws,
    *,
    cells: str,
    **told: Any,  # noqa: ANN401 - as log_of takes it
) -> dict[str, Any]:
    cell_keys = None if number is None else keys_in_log(number, table_id, cells)
    return log_of(laws, cell_keys=cell_keys, **told)


def cautions_of(laws: Laws) -> list[Note]:
    """Return the warnings on mechanisms, each once; the harm that they allow comes first."""
    return list(dict.fromkeys([*_told("allows", laws), *_told("caution", laws)]))


def _told(name: str, laws: Laws) -> Iterator[Note]:
    notes = (law.description.get(name) for law in laws.values())
    return (note for note in notes if note is not None)


def laws_of(
    mechanism: MechanismArgument | Mapping[str | None, MechanismArgument],
    *,
    by: str | None,
    **drawing: Any,  # noqa: ANN401 - as column_mechanism takes it
) -> dict[str | None, ColumnMechanism]:
    """Return the mechanism of each group, or under ``None`` the one of the column."""
    if isinstance(mechanism, Mapping) != (by is not None):
        message = (
            "`by` must name the column of the groups where each group has a mechanism, and be left out where "
            "one mechanism is for all rows."
        )
        raise ProblemError(message)
    by_group = mechanism if isinstance(mechanism, Mapping) else {None: mechanism}
    if not by_group:
        raise broken_rule("mechanism", "have at least one group", "none")
    # Groups may share a mechanism, which is proved and prepared once.
    distinct = {id(one): one for one in by_group.values()}
    columns = {key: column_mechanism(one, **drawing) for key, one in distinct.items()}
    return {group: columns[id(one)] for group, one in by_group.items()}


def check_apart(table: str | PathLike[str], out: str | PathLike[str], log: Path) -> None:
    """Refuse a released table, or a log, that cannot be written, or is the table that is read."""
    for path in (out, log):
        check_writable(path)
    try:
        Path(table).stat()  # where there is none, nothing else is wrong
        paths = [resolved(path) for path in (table, out, log)]
    except (OSError, ValueError) as error:  # no file, or a null byte or half a character in a name
        raise unreadable(table, error) from None
    if len(set(paths)) < len(paths):
        raise broken_rule("--out", f"be another file than {table}, which is read, and than the log", out)


def earlier_draws(log: Path, *, again: bool) -> list[dict[str, Any]]:
    """Return the draws that a log has already; ProblemError unless another one is asked for."""
    if not log.exists():
        return []
    content = read_log(log)
    earlier = [dict(entry.content) for entry in entries_in(log, content)]
    if not again and earlier:
        before = content["output"]["file"]
        message = (
            f"`again` must be asked for: {log} tells of a release into {before} already, and a second draw "
            "from the same answers spends epsilon again. Keep the first, or pass --again."
        )
        raise ProblemError(message)
    return earlier
