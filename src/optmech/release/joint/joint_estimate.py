"""Estimate sums of a released table, with standard errors and limits, from log and certificate alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import need_path, optional, takes
from optmech.base.number_format import at_most
from optmech.release.estimates.estimate import level_of
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_rows import error_text
from optmech.release.joint.joint_sums import TableSums

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from os import PathLike

    from optmech.base.numbers import Number

_DIGITS = 12


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
    read = TableSums.read(table, mechanism)
    sure = 1 - level_of(level)
    found = []
    for conditions, own_group, marks in read.asked(sums, group):
        low, high = read.limits(marks, sure)
        found.append(
            SumEstimate(
                conditions=conditions,
                group=own_group,
                estimate=read.estimate(marks),
                variance=read.error(marks, sure)[0],
                low=low,
                high=high,
            )
        )
    return tuple(found)
