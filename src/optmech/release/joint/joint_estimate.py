"""Estimate sums of a released table, with standard errors and limits, from log and certificate alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import items, need_path, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.number_format import at_most
from optmech.base.wording import join_words
from optmech.mechanisms.tables.table_sums import TableSum
from optmech.release.estimates.estimate import level_of
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_conditions import marks_of
from optmech.release.joint.joint_released import categories_in, proved_table, released_numbers
from optmech.release.joint.joint_rows import error_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from optmech.base.arrays import Marks
    from optmech.base.numbers import Number

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
    certificate = proved_table(table, facts, mechanism)
    categories = categories_in(facts, certificate)
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
    released = released_numbers(table, facts, categories, problem.totals)
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
