"""One-sided sums of people's records, and weights of their squares: what one record adds to each.

Model
-----
    U = (high - low) / unit,   t = a record's steps above low, rounded to 0..U
    mean     t, U - t                              they add up to U whatever t is
    spread   t^2, 2 t (U - t), (U - t)^2           they add up to U^2
    total    low / unit + t                        at most max(|low|, |high|) / unit in size

Weights that are never negative and add up to W make a person who comes or goes change all sums together by W,
as one sum of W would: the number of people costs nothing more. Kulesza, Suresh, Wang 2024 have the pair. The
squares add up to at most W^2, so the same holds for zCDP. A record that *changes* costs twice as much. A
total over both signs moves by high - low then, up to 2 W: it costs as two people do, 2 epsilon and 4 rho.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import Word, whole_number
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text
from optmech.question.tables.person import TablePerson

if TYPE_CHECKING:
    from optmech.base.arrays import Integers

SUM = "sum"
"""The axis of the sums: its categories are their names."""
_LARGEST = 10**15


class Asked(Word):
    """The numbers that are asked of the records."""

    MEAN = "mean"
    SPREAD = "spread"
    TOTAL = "total"


_PARTS: dict[Asked, tuple[str, ...]] = {
    Asked.MEAN: ("above", "below"),
    Asked.SPREAD: ("high", "middle", "low"),
    Asked.TOTAL: (),
}


def asked_by(parts: tuple[str, ...]) -> Asked:
    """Return what is asked by the names of its sums; KeyError for other names.

    >>> asked_by(("above", "below"))
    'mean'
    """
    return {names: asked for asked, names in _PARTS.items()}[parts]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSums:
    """The sums of records that lie in a range: one number a record, the same range for all.

    Attributes
    ----------
    low, high, unit : Fraction
        The ends, whole multiples of the unit. Records outside count as the nearest end.
    asked : Asked
        The mean, the mean with the standard deviation, or the total alone.
    at_most, at_most_per_group : int
        Records of one person, in all and in one group.

    Examples
    --------
    >>> sums = RecordSums(low=Fraction(0), high=Fraction(60))
    >>> sums.span, sums.weight, sums.parts
    (60, 60, ('above', 'below'))
    """

    low: Fraction
    high: Fraction
    unit: Fraction = Fraction(1)
    asked: Asked = Asked.MEAN
    at_most: int = 1
    at_most_per_group: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "asked", Asked(self.asked))
        if self.unit <= 0:
            raise broken_rule("unit", "be positive", as_text(self.unit))
        if self.low >= self.high or any((end / self.unit).denominator > 1 for end in (self.low, self.high)):
            rule = f"be LOW:HIGH, LOW below HIGH, both whole multiples of {as_text(self.unit)}"
            remedy = "Other steps are asked for by a unit, such as 0.01."
            raise broken_rule("range", rule, f"{as_text(self.low)}:{as_text(self.high)}", remedy)
        rows = whole_number(self.at_most, "at_most")
        per_group = rows if self.at_most_per_group is None else self.at_most_per_group
        for name, number, most in (("at_most", rows, _LARGEST), ("at_most_per_group", per_group, rows)):
            if not 1 <= whole_number(number, name) <= most:
                raise broken_rule(name, f"be from 1 to {most:,}", number)
        object.__setattr__(self, "at_most_per_group", per_group)
        most = max(rows * self.weight, int(max(abs(self.low), abs(self.high)) / self.unit))
        if most > _LARGEST:
            rule = f"have at most {_LARGEST:,} units that one person changes"
            raise broken_rule("range", rule, f"{most:,}", "Ask for a larger unit.")

    @property
    def span(self) -> int:
        """U: the steps from the low end to the high one."""
        return int((self.high - self.low) / self.unit)

    @property
    def weight(self) -> int:
        """W: the units that one record changes all sums together by, at most."""
        ends = int(max(abs(self.low), abs(self.high)) / self.unit)
        return ends if self.asked is Asked.TOTAL else self.span ** (1 + (self.asked is Asked.SPREAD))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the sums; none of a total alone."""
        return _PARTS[self.asked]

    @property
    def places(self) -> tuple[Fraction, ...]:
        """m: the sums times m, added up, over all of them, are the mean's place in the range, 0 to 1."""
        last = max(1, len(self.parts) - 1)
        return tuple(1 - Fraction(index, last) for index in range(len(self.parts)))

    @property
    def person(self) -> TablePerson:
        """The change of all sums by one person."""
        per_group = self.at_most_per_group or 1
        return TablePerson(
            at_most=self.at_most * self.weight, at_most_per_cell=per_group * self.weight, is_sum=True
        )

    @property
    def whose(self) -> str:
        """The change by one person in words, and in brackets the cost of a record that changes."""
        records = "1 record" if self.at_most == 1 else f"{self.at_most:,} records"
        text = f"one person: at most {records}"
        if self.at_most_per_group != self.at_most:
            text += f", {self.at_most_per_group} of them in one group"
        has_both_signs = self.asked is Asked.TOTAL and self.low < 0 < self.high
        changed = "spends as two people do" if has_both_signs else "spends twice"
        return f"{text}, added or removed (changed: {changed})"

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        numbers = {name: as_text(getattr(self, name)) for name in ("low", "high", "unit")}
        rows = {"at_most": self.at_most, "at_most_per_group": self.at_most_per_group}
        return {**numbers, "asked": str(self.asked), **rows}

    def of_steps(self, steps: Integers) -> tuple[Integers, ...]:
        """Return what records of so many steps above the low end add to each sum.

        >>> import numpy as np
        >>> [part.tolist() for part in RecordSums(low=Fraction(1), high=Fraction(5)).of_steps(np.array([3]))]
        [[3], [1]]
        """
        rest = self.span - steps
        if self.asked is Asked.TOTAL:
            return (steps + int(self.low / self.unit),)
        return (steps, rest) if self.asked is Asked.MEAN else (steps**2, 2 * steps * rest, rest**2)

    def __str__(self) -> str:
        text = f"{self.asked} of people, each from {as_text(self.low)} to {as_text(self.high)}"
        return text if self.unit == 1 else f"{text} in steps of {as_text(self.unit)}"
