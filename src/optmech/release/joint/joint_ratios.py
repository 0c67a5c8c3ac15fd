"""Shares, means and quantiles of a released table, whose limits follow from limits that hold together.

Model
-----
    ratio      N / D of two sums; limits of all sums of all ratios hold together, each with a part of the risk
               low / high   the least and the most of N / D within both, D > 0;   of a share also 0 and 1
    quantile   the first category j with  C_j >= q (C_j + R_j),  C_j the count up to j, and R_j beyond it
               j is left out where limits refute it, or refute that j - 1 is below: four sums, a quarter each
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_path, need_text, optional, takes
from optmech.base.errors import NotAcceptedError, broken_rule
from optmech.base.number_format import at_least, at_most
from optmech.base.numbers import as_text, exact
from optmech.release.estimates.estimate import level_of
from optmech.release.joint.joint_cells import ALL
from optmech.release.joint.joint_sums import TableSums

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.base.arrays import Marks
    from optmech.base.numbers import Number

_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioEstimate:
    """A ratio of two sums of released numbers, which is not unbiased as they are.

    Attributes
    ----------
    conditions, group : str
        As they were typed.
    numerator, denominator : int
        The estimated sums.
    low, high : Fraction, optional
        All true ratios lie between theirs with the level or more; None where there is no limit.
    """

    conditions: str
    group: str
    numerator: int
    denominator: int
    low: Fraction | None
    high: Fraction | None

    @property
    def name(self) -> str:
        """Its conditions, and its group."""
        return ", ".join(filter(None, (self.conditions, self.group))) or ALL

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, limits rounded outward."""
        ratio = self.numerator / self.denominator if self.denominator > 0 else None
        return {
            "name": self.name,
            "ratio": None if ratio is None else float(f"{ratio:.{_DIGITS}g}"),
            "numerator": self.numerator,
            "denominator": self.denominator,
            "low": None if self.low is None else float(at_least(self.low, _DIGITS)),
            "high": None if self.high is None else float(at_most(self.high, _DIGITS)),
        }


@takes(table=need_path, per=optional(need_path), mechanism=optional(need_path))
def estimate_ratios(
    table: str | PathLike[str],
    *,
    per: str | PathLike[str] | None = None,
    sums: Sequence[str] = ("",),
    group: Sequence[str] = (),
    level: Number = "0.95",
    mechanism: str | PathLike[str] | None = None,
) -> tuple[RatioEstimate, ...]:
    r"""Return the share of each group in its sum; with `per` a mean, the ratio of two released sums.

    A ratio of two unbiased sums has a bias of its own.

    Parameters
    ----------
    table, sums, group, level, mechanism
        As for `estimate_sums`; limits hold for all ratios together.
    per : path, optional
        A released table of the same axes, such as the numbers of people beside sums of their incomes.

    Raises
    ------
    FileFormatError, ProblemError, NotAcceptedError
        As for `estimate_sums`, or if shares are of sums that may be negative.

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
    >>> [one.high == 1 for one in estimate_ratios(folder / "noisy.csv", group=["sex"])]
    [True, False]
    """
    above = TableSums.read(table, mechanism)
    below = above if per is None else TableSums.read(per, None)
    if dict(above.categories) != dict(below.categories):
        raise broken_rule("per", "be a table of the same axes and categories", str(per))
    if per is None and above.certificate.problem.person.is_sum:
        message = "`shares` must be of counts; sums may be negative, and have no shares."
        raise NotAcceptedError(message)
    asked, wholes = above.asked(sums, group), {told: marks for told, _, marks in below.asked(sums, ())}
    risk = (1 - level_of(level)) / (len(asked) + (len(wholes) if per is None else len(asked)))
    found = []
    for conditions, own_group, marks in asked:
        whole = wholes[conditions] if per is None else marks
        low, high = _ratio(above.limits(marks, risk), below.limits(whole, risk))
        if per is None:
            low, high = max(low, 0), min(high, 1)
        found.append(
            RatioEstimate(
                conditions=conditions,
                group=own_group,
                numerator=above.estimate(marks),
                denominator=below.estimate(whole),
                low=Fraction(low) if isfinite(low) else None,
                high=Fraction(high) if isfinite(high) else None,
            )
        )
    return tuple(found)


def _ratio(above: tuple[int, int], below: tuple[int, int]) -> tuple[Fraction | float, Fraction | float]:
    """Return the ends of a ratio whose parts lie within limits, where the lower part is above zero."""
    (low, high), (least, most) = above, below
    if most <= 0:
        return -inf, inf
    by_most, by_least = Fraction(1, most), Fraction(1, least) if least > 0 else inf
    down = low * (by_most if low >= 0 else by_least)
    up = high * (by_least if high > 0 else by_most)
    return down, up


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileEstimate:
    """The category in which the cumulative count passes a part of the total.

    Attributes
    ----------
    conditions, group : str
        As they were typed.
    estimate : str, optional
        The category; None where the released total is not positive.
    low, high : str
        The true one is among these and the categories between them, with the level or more.
    """

    conditions: str
    group: str
    estimate: str | None
    low: str
    high: str

    @property
    def name(self) -> str:
        """Its conditions, and its group."""
        return ", ".join(filter(None, (self.conditions, self.group))) or ALL

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"name": self.name, "quantile": self.estimate, "low": self.low, "high": self.high}


@takes(table=need_path, of=need_text, mechanism=optional(need_path))
def estimate_quantiles(
    table: str | PathLike[str],
    quantile: Number,
    *,
    of: str,
    sums: Sequence[str] = ("",),
    group: Sequence[str] = (),
    level: Number = "0.95",
    mechanism: str | PathLike[str] | None = None,
) -> tuple[QuantileEstimate, ...]:
    """Return the category of an axis in which the cumulative count first has this part of the total.

    Categories count up in their order in the certificate, as the bins of `tabulate` do.

    Parameters
    ----------
    table, sums, group, level, mechanism
        As for `estimate_sums`; limits hold for each quantile of a table that has anybody.
    quantile : number
        Above 0 and below 1; 0.5 is the median.
    of : str
        The axis.

    Raises
    ------
    FileFormatError, ProblemError, NotAcceptedError
        As for `estimate_sums`, or if the table is one of sums, not of counts.
    """
    part = exact(quantile, "quantile")
    if not 0 < part < 1:
        raise broken_rule("quantile", "be above 0 and below 1", as_text(part))
    risk = (1 - level_of(level)) / 4
    read = TableSums.read(table, mechanism)
    read.need_axis(of, "of")
    if read.certificate.problem.person.is_sum:
        message = "`quantile` must be of counts; sums may be negative, and do not count up."
        raise NotAcceptedError(message)
    if of in group:
        raise broken_rule("group", f"leave out {of}, whose quantile it is", of)
    axis, known = [*read.categories].index(of), read.categories[of]
    return tuple(
        QuantileEstimate(
            conditions=conditions,
            group=own_group,
            **_quantile(read, marks, axis, part, risk, known),
        )
        for conditions, own_group, marks in read.asked(sums, group)
    )


def _quantile(  # noqa: PLR0917 - one question
    read: TableSums, marks: list[Marks], axis: int, part: Fraction, risk: Fraction, known: Sequence[str]
) -> dict[str, Any]:
    """Return the category of a quantile, and the first and last one that limits do not refute."""
    places: list[int] = np.flatnonzero(marks[axis]).tolist()
    total = read.estimate(marks)
    estimate, may_pass, must_pass = None, list[bool](), list[bool]()
    for place in places[:-1]:
        low_marks, high_marks = [*marks], [*marks]
        low_marks[axis] = marks[axis] & (np.arange(len(known)) <= place)
        high_marks[axis] = marks[axis] & (np.arange(len(known)) > place)
        (least, most), (least_beyond, most_beyond) = (
            read.limits(each, risk) for each in (low_marks, high_marks)
        )
        may_pass.append((1 - part) * most >= part * least_beyond)
        must_pass.append((1 - part) * least >= part * most_beyond)
        if estimate is None and total > 0 and read.estimate(low_marks) >= part * total:
            estimate = known[place]
    likely = [
        place
        for index, place in enumerate(places)
        if ([*may_pass, True][index] and not (index and must_pass[index - 1]))
    ]
    likely = likely or [*places]  # limits that refute all say nothing
    estimate = known[places[-1]] if estimate is None and total > 0 else estimate
    return {"estimate": estimate, "low": known[likely[0]], "high": known[likely[-1]]}
