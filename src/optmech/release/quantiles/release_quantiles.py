"""Release quantiles of people's records, by public groups, completely or not at all."""

from __future__ import annotations

import os
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from optmech.base.arguments import flag, need_path, need_text, optional, takes
from optmech.base.notes import Note, NoteKind
from optmech.base.numbers import as_text
from optmech.base.whole_files import read_text, refusals
from optmech.mechanisms.certificates.quantile_text import quantiles_text, read_quantiles_text
from optmech.mechanisms.quantiles.dice import Dice
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.sampling.words import seeded_bytes
from optmech.release.joint.joint_log import log_of_one
from optmech.release.joint.joint_rows import write_rows
from optmech.release.quantiles.quantile_words import TIME, method_sentence, rank_sentences
from optmech.release.quantiles.record_heaps import QUANTILE, PeopleRecords
from optmech.release.tables.commit import ReleasePlan
from optmech.release.tables.log_entries import QUANTILES
from optmech.release.tables.table import ReleasedTable

if TYPE_CHECKING:
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.mechanisms.sampling.words import Seed
    from optmech.release.tables.budget import Budget
    from optmech.release.tabulate.bound import PersonBound

_UNIT = (
    "Epsilon, and rho where it is told, are what one person spends in all quantiles of all groups together. "
    "Protected is {}. {} All listed groups are released. {}"
)


@takes(
    table=need_path,
    out=need_path,
    column=need_text,
    log=optional(need_path),
    again=flag,
    data=optional(need_text),
    part=optional(need_text),
)
def release_quantiles(
    certificate: QuantileCertificate | str | PathLike[str],
    table: str | PathLike[str],
    out: str | PathLike[str],
    *,
    column: str,
    log: str | PathLike[str] | None = None,
    again: bool = False,
    data: str | None = None,
    part: str | None = None,
    budget: Budget | Number | None = None,
    seed: Seed | None = None,
    **records: Any,  # noqa: ANN401 - as PeopleRecords takes them
) -> ReleasedTable:
    r"""Release quantiles of a column of records, and log it.

    Parameters
    ----------
    certificate : QuantileCertificate or path
        What `design` returned, or its file, which is proved again.
    table : path
        ``.csv``, ``.csv.gz`` or ``.parquet``: a row for each record.
    out : path
        Of the same kinds: a row for each group and quantile.
    column : str
        The column of numbers. Those beyond the range count as its ends, others as the nearest value.
    log, again, data, part, budget, seed
        As for `release_table`.
    **records
        As for `tabulate`: `person` or `each_row_a_person`, `group` with `groups`, `drop_others`, `empty`,
        `drop_empty`, `missing`, `id_may_be`, `ids_as_written` and `key`.

    Raises
    ------
    FileFormatError
        If a file cannot be read or written, or a row lacks a person, a listed group or a number.
    ProblemError
        If an argument breaks its rule, a log exists already, or the budget would be exceeded.
    NotAcceptedError
        If the certificate protects another change than these records allow.

    Examples
    --------
    >>> import tempfile
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "people.csv").write_text("age\n30\n40\n50\n")
    >>> median = om.design(om.quantiles("0:100", epsilon=1))
    >>> paths = folder / "people.csv", folder / "median.csv"
    >>> release_quantiles(median, *paths, column="age", each_row_a_person=True).rows
    1
    """
    plan = ReleasePlan.checked(table, out, log, again=again, data=data, part=part, budget=budget)
    proved, file, text = _proved(certificate)
    problem, asked = proved.problem, PeopleRecords(column=column, **records)
    check, bound = asked.request(problem, table)
    groups = check.groups
    told_of = partial(
        _log,
        (proved, file, text),
        bound,
        out=Path(out).name,
        table=Path(table).name,
        data=data,
        part=part,
        column=column,
        is_seeded=seed is not None,
    )
    plan.check_budget(told_of)
    heaps = asked.heaps(table, check, bound, problem.num_values)
    dice = Dice(os.urandom if seed is None else seeded_bytes(seed))
    drawn = [index for each in heaps for index in proved.draw(each, dice)]
    times = len(problem.quantiles)
    names = [as_text(quantile) for quantile in problem.quantiles] * len(groups)
    copied = pa.array([place for place in range(len(groups)) for _ in range(times)], pa.int64())
    listed = groups.table.select(groups.rules.columns).take(copied) if bound.groups else pa.table({})
    columns = dict(zip(listed.column_names, listed.columns, strict=True))
    rows = pa.table({**columns, QUANTILE: names, column: [problem.value(index) for index in drawn]})

    def write(file: Path) -> int:
        with refusals(out):
            write_rows(rows, file, out)
        return len(drawn)

    content = plan.commit(write, told_of)
    sentences = plan.other_releases(column, "numbers", "what both spend adds")
    cautions = tuple(Note(NoteKind.PRIVACY, sentence) for sentence in sentences)
    return ReleasedTable(rows=len(drawn), clamped=0, log=content, log_path=plan.log, cautions=cautions)


def _log(
    source: tuple[QuantileCertificate, str | None, str],
    bound: PersonBound,
    **told: Any,  # noqa: ANN401 - as log_of takes it
) -> dict[str, Any]:
    """Return the log, from public facts and the released bytes."""
    certificate, file, text = source
    problem, epsilon = certificate.problem, as_text(certificate.epsilon)
    description = {
        "file": file,
        "provenance": "proved in exact arithmetic",
        "certificate_sha256": sha256(text.encode()).hexdigest(),
        "question": problem.title,
        "epsilon": epsilon,
        "delta": "0",
        **({} if certificate.rho is None else {"zcdp": as_text(certificate.rho)}),
        "query": problem.title,
        "kind": QUANTILES,
        "scope": "every table",
        "directions": "both",
        "neighbours": f"{problem.protected}.",
    }
    person = {
        "column": bound.whose,
        "at_most": bound.at_most,
        "at_most_per_group": bound.at_most_per_group,
        "rule": bound.rule,
        "ids_as_written": bound.ids_as_written,
        "marks_as_ids": bound.num_marks_as_ids,
        "bound": bound.sentence,
        "steps": 1,
        "epsilon": epsilon,
        "delta": "0",
        "unit": _UNIT.format(problem.protected, bound.sentence, f"{TIME.capitalize()}."),
    }
    clipped = f"values beyond {problem.value(0)}..{problem.value(problem.num_values - 1)} count as its ends"
    return {
        **log_of_one(description, person, **told),
        "beyond_the_range": clipped,
        "method": method_sentence(certificate),
        "rank_error": rank_sentences(certificate),
        "groups": list(bound.groups),
    }


def _proved(
    certificate: QuantileCertificate | str | PathLike[str],
) -> tuple[QuantileCertificate, str | None, str]:
    """Return a certificate, proved, its file and its text."""
    if isinstance(certificate, QuantileCertificate):
        return certificate, None, quantiles_text(certificate)
    need_path(certificate, "certificate")
    text = read_text(certificate, "utf-8")
    return read_quantiles_text(text, str(certificate)), Path(certificate).name, text
