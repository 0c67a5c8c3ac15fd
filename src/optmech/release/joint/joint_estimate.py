"""Estimate sums of a released table, with standard errors and limits, from log and certificate alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.arguments import items, need_path, need_text, optional, takes
from optmech.base.errors import FileFormatError, NotAcceptedError, broken_rule
from optmech.base.number_format import at_most
from optmech.base.whole_files import read_text
from optmech.base.wording import join_words
from optmech.mechanisms.certificates.table_text import read_table_text
from optmech.mechanisms.tables.table_sums import TableSum
from optmech.release.estimates.estimate import level_of
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_conditions import marks_of
from optmech.release.joint.joint_rows import error_text
from optmech.release.tables.files import reader_of
from optmech.release.tables.log_entries import WHOLE_TABLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from optmech.base.arrays import Integers, Marks
    from optmech.base.numbers import Number
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.margins import Axes

_MOST_SUMS, _DIGITS = 100_000, 12


@dataclass(frozen=True, slots=True, kw_only=True)
class SumEstimate:
    """A sum of released numbers.

    Attributes
    ----------
    conditions, group : str
        As they were typed; the group with its axes.
    estimate : int
        The sum, without bias.
    variance : Fraction
        At most the variance.
    low, high : int
        The true sum lies between them with the level or more; a count is at least zero.
    """

    conditions: str
    group: str
    estimate: int
    variance: Fraction
    low: int
    high: int

    @property
    def name(self) -> str:
        """Its conditions, and its group."""
        return ", ".join(filter(None, (self.conditions, self.group))) or ALL

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "name": self.name,
            "estimate": self.estimate,
            "variance": at_most(self.variance, _DIGITS),
            "standard_error": float(error_text(self.variance)),
            "low": self.low,
            "high": self.high,
        }


def is_whole_table(facts: LoggedFacts) -> bool:
    """Whether a log is of a whole table."""
    return any(one.get("kind") == WHOLE_TABLE for one in facts.mechanisms)


@takes(table=need_path, mechanism=optional(need_path))
def estimate_sums(
    table: str | PathLike[str],
    *,
    sums: Sequence[str] = ("",),
    group: Sequence[str] = (),
    level: Number = "0.95",
    mechanism: str | PathLike[str] | None = None,
) -> tuple[SumEstimate, ...]:
    r"""Return sums over some categories of each axis, for each category of the grouping axes.

    Each is the sum of the fewest released numbers that have it. A sum of numbers that no published margin
    tells apart is refused.

    Parameters
    ----------
    table : path
        What `release_joint_table` wrote, with its log beside it.
    sums : sequence of str
        Conditions with commas, such as ``region=3, age>=10``; the empty text is the sum of all.
    group : sequence of str
        Axes whose categories have sums of their own.
    level : number
        With which limits hold, for each sum.
    mechanism : path, optional
        The certificate, where it is not beside the log.

    Raises
    ------
    FileFormatError
        If a file was changed, or cannot be read.
    ProblemError, NotAcceptedError
        If a condition breaks its rule, or no published margin has it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "true.csv").write_text("sex,count\nf,300\n")
    >>> noise = om.design(om.table({"sex": ["f", "m"]}, epsilon=1)).certificate
    >>> om.write_certificate(noise, folder / "table.json")
    >>> _ = om.release_joint_table(folder / "table.json", folder / "true.csv", folder / "noisy.csv")
    >>> [one.name for one in estimate_sums(folder / "noisy.csv", sums=["", "sex=f"])]
    ['all', 'sex=f']
    """
    sums, group = _texts(sums, "sums"), _texts(group, "group")
    facts = LoggedFacts.beside(table)
    certificate, categories = described(table, facts, mechanism)
    names, problem = list(categories), certificate.problem
    sure = 1 - level_of(level)
    for name in group:
        if name not in names:
            raise broken_rule("group", f"name axes among {join_words(names)}", name)
    keys = [*product(*([(name, known) for known in categories[name]] for name in group))]
    asked = [
        (text.strip(), ", ".join(map("=".join, key)), marks)
        for text in sums
        for key in keys
        if (marks := _grouped(text, key, categories)) is not None
    ]
    if len(asked) > _MOST_SUMS:
        raise broken_rule("group", f"give at most {_MOST_SUMS:,} sums", f"{len(asked):,}")
    released = need_numbers(table, facts, categories, problem.totals)
    found, known_errors = [], dict[tuple[bytes, ...], tuple[Fraction, int]]()
    for conditions, own_group, marks in asked:
        error = TableSum(certificate.noise, marks)
        within = min(
            (margin for margin in problem.totals if error.axes <= margin),
            key=problem.shape.cells,
            default=None,
        )
        if within is None:
            published = join_words(map(problem.name_of, problem.totals))
            message = (
                f"`sum` must be of axes that a published margin has, {published}; got "
                f"{problem.name_of(error.axes)}."
            )
            raise NotAcceptedError(message)
        chosen = np.ix_(*(marks[axis] for axis in sorted(within)))
        estimate = int(released[within][chosen].sum())
        which = tuple(np.packbits(each).tobytes() for each in marks)
        if which not in known_errors:
            known_errors[which] = error.variance, error.limit(sure)
        variance, limit = known_errors[which]
        low, high = estimate - limit, estimate + limit
        if not problem.person.is_sum:
            low, high = max(low, 0), max(high, 0)
        found.append(
            SumEstimate(
                conditions=conditions,
                group=own_group,
                estimate=estimate,
                variance=variance,
                low=low,
                high=high,
            )
        )
    return tuple(found)


def _texts(given: Sequence[str], name: str) -> Sequence[str]:
    texts: Sequence[str] = items(given, name, "texts")
    for text in texts:
        need_text(text, name)
    return texts


def _grouped(
    text: str, key: Sequence[tuple[str, str]], categories: Mapping[str, Sequence[str]]
) -> list[Marks] | None:
    """Return the marks of a sum in one group; None where the sum has nothing of it."""
    marks = marks_of(text, categories)
    for name, category in key:
        marks[name] = marks[name] & np.array([known == category for known in categories[name]])
        if not marks[name].any():
            return None
    return list(marks.values())


def described(
    table: str | PathLike[str], facts: LoggedFacts, mechanism: str | PathLike[str] | None
) -> tuple[TableCertificate, dict[str, list[str]]]:
    """Return the certificate that a log names, proved again, and the categories of each axis."""
    if not is_whole_table(facts):
        message = f"`{table}` must have the log of a whole table beside it, as `optmech apply` writes it."
        raise FileFormatError(message)
    if not facts.is_of(table):
        message = f"`{table}` must be as it was released; its log names other bytes. Restore the file."
        raise FileFormatError(message)
    path = facts.certificates()[None] if mechanism is None else mechanism
    text = read_text(path, "utf-8")
    if sha256(text.encode()).hexdigest() != facts.digests.get(None):
        message = f"`{path}` must be the certificate that the log beside {table} names; it is another."
        raise FileFormatError(message)
    certificate = read_table_text(text, str(path))
    try:
        categories = {axis["name"]: [*map(str, axis["categories"])] for axis in facts.content["axes"]}
        told = [(name, len(known)) for name, known in categories.items()]
        own = [(axis.name, axis.size) for axis in certificate.problem.axes]
        is_right = told[len(told) - len(own) :] == own
        is_right &= certificate.problem.records is not None or len(told) == len(own)
    except (KeyError, TypeError):
        is_right = False
    if not is_right:
        message = f"`{facts.path}` must have the axes of its certificate; it was changed."
        raise FileFormatError(message)
    return certificate, categories


def need_numbers(
    table: str | PathLike[str],
    facts: LoggedFacts,
    categories: Mapping[str, Sequence[str]],
    totals: Sequence[Axes],
) -> dict[Axes, Integers]:
    """Return the released numbers, or raise FileFormatError where the log is not of this table."""
    try:
        released = _numbers_in(table, facts, categories)
        is_whole = released.keys() >= set(totals)
    except (pa.ArrowException, LookupError, TypeError, ValueError):
        is_whole = False
    if not is_whole:
        message = f"`{facts.path}` must tell of {table} as it was released; it was changed."
        raise FileFormatError(message)
    return released


def _numbers_in(
    table: str | PathLike[str], facts: LoggedFacts, categories: Mapping[str, Sequence[str]]
) -> dict[Axes, Integers]:
    """Return the released numbers of each margin."""
    names = list(categories)
    is_wide = facts.content.get("layout") == "a crosstab"
    *_, across = names or [""]
    columns = [*categories[across], ALL] if is_wide and names else [str(facts.column)]
    keys = names[:-1] if is_wide else names
    shape = tuple(len(known) + 1 for known in categories.values())
    numbers, is_there = np.zeros(shape, np.int64), np.zeros(shape, dtype=bool)
    with reader_of(table, columns[0], None) as reader:
        for part in reader.parts():
            at = [
                pa.compute.index_in(
                    part.cells(reader.header.index(name)).cast(pa.string()),
                    value_set=pa.array([*categories[name], ALL], pa.string()),
                ).to_numpy()
                for name in keys
            ]
            for place, column in enumerate(columns):
                cells = part.cells(reader.header.index(column)).cast(pa.string())
                is_known = pa.compute.not_equal(cells.fill_null(""), "").to_numpy(zero_copy_only=False)
                values = cells.filter(pa.array(is_known)).cast(pa.int64()).to_numpy()
                here = tuple(index[is_known] for index in at)
                here = (*here, np.full(len(values), place)) if is_wide and names else here
                at_place = here or (...,)  # of no axes there is one number
                numbers[at_place], is_there[at_place] = values, True
    margins = {}
    for margin in product((False, True), repeat=len(names)):
        at_margin = tuple(slice(-1) if inside else -1 for inside in margin)
        if is_there[at_margin].all():
            axes = frozenset(axis for axis, inside in enumerate(margin) if inside)
            margins[axes] = np.asarray(numbers[at_margin])
    return margins
