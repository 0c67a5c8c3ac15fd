"""Bound the change of one person in a table of counts, and the cost of a release to them.

Model
-----
    neighbours   two sets of records, one with all rows of a person and one without that person
    d[g]         rows of the person that are counted in group g:  d[g] <= C,  sum_g d[g] <= B,  G groups
                 (unbounded where groups are those that occur, see below)
    r            the reach of the mechanism of a cell: counts at most r apart are one epsilon apart, so that
                 counts d apart are u = ceil(d / r) steps of epsilon apart (group privacy)
    k            the most steps that a person takes:  max sum_g ceil(d[g] / r)

A first step in a group takes one row, each further one r rows.  So with m = min(B, G) groups

    k = m + min( floor((B - m) / r),  m * floor((C - 1) / r) ),

and k = min(B, C G) for r = 1.  In a table of sums a unit is one step of a sum: a person who adds L to H to a
sum changes it by C = max(|L|, |H|), and by H - L where they change their numbers and stay; a bound P on their
groups makes it m = min(B, G, P).  In one cell u steps of (epsilon, delta) make, with E = e^epsilon,

    P_0(T) <= E P_1(T) + delta <= ... <= E^u P_u(T) + S(u) delta,     S(u) = 1 + E + ... + E^(u - 1),

for every set T of responses: (u epsilon, S(u) delta).  It is reached: where zero stays zero, the optimum is
seen at u with probability S(u) delta until that is large, and never at 0.  Cells are drawn independently, so
that by composition a person spends (k epsilon, max sum_g S(u[g]) delta).  S is convex with S(0) = 0: among
all u[g] <= U = ceil(C / r) of sum k it is largest heaped up,  floor(k / U) S(U) + S(k mod U).  Rows can be
heaped like that where r = 1 or r >= C; in between it is an upper bound.

These bounds hold for any choice of counted rows of a person that depends only on that person's rows.

Groups that occur
-----------------
Take every possible group as a cell, with the count 0 for groups without rows. Where zero stays zero these are
released as 0 with certainty, and rows released as 0 are left out. So the output is a function of the draws of
all cells, the same whether such a group is in the table or not, as if groups were public, and the above
holds. A person whose group vanishes without them changes its count from d to 0, ceil(d / r) steps as in any
other cell. But G is unknown: the number of groups that occur is a fact about the data, so min(B, G) is B.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from optmech.base.arguments import flag, items, need_text, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import exactly
from optmech.base.numbers import as_text, exact_delta
from optmech.base.wording import plural
from optmech.proofs.enclosure import enclose_exponential
from optmech.proofs.privacy import short_delta
from optmech.question.epsilon import LARGEST_EPSILON, exact_epsilon, multiple_of
from optmech.question.queries import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.question.query import Query

_BITS = 64
# Digits of a delta of a cell, which is rounded down, so that a person spends at most the given delta.
_DIGITS = 12
# Powers of e^epsilon that are summed exactly.
_MOST_POWERS = 10_000
COUNT, TOTAL, MEAN = "count", "total", "mean"
"""The columns of true answers that `tabulate` writes."""
SIZE, PEOPLE = "size", "people"
"""The columns of the number of people of each group: next to a public mean, and next to a total."""
EACH_ROW = "each row"
"""The word for a person where each row is one."""


def change_of_one(low: int, high: int, column: str) -> int:
    """Return the change of one sum by one person, who adds from `low` to `high` to it.

    A sum changes where they come or go, and a mean where their number becomes another one of the range. Their
    distances from both ends of the range add up to as much.
    """
    return high - low if column in (MEAN, PEOPLE) else max(abs(low), abs(high))


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonLoss:
    """The privacy that a release of a table of counts costs one person.

    Attributes
    ----------
    epsilon : Fraction or Logarithm
        The epsilon of one person in all cells together.
    delta : Fraction
        Likewise; where delta is not 0, an upper bound.
    steps : int
        Number of times the epsilon of a cell is spent.
    """

    epsilon: Fraction | Logarithm
    delta: Fraction
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonBound:
    """The change of one person in a table of counts or sums: the bound that `tabulate` keeps and writes.

    Attributes
    ----------
    person : str
        The column with the person of each row, or several with commas; empty where each row is a person.
    groups : tuple of str
        The columns with the group of each row.
    num_groups : int or None
        Number of groups of the table, which are public; ``None`` where they are those that occur in the data.
    at_most, at_most_per_group : int
        Number of rows of one person that are counted in all, and in one group; of sums, the units by which
        one person changes all of them together, and one of them.
    rule : str
        The rows of a person that are counted, described in a sentence.
    table, sha256 : str
        The file of the counts and the SHA-256 of its bytes; empty for a table in memory.
    column : str, default 'count'
        Where the counts are.
    ids_as_written : bool, default False
        Whether two spellings of one id count as two people.
    num_marks_as_ids : int, default 0
        Number of texts that often mark a missing person, such as NA, but count as ids of one person each.
    num_keys : int or None
        Number of keys of the cell keys in the table, ``None`` where it has none.
    table_id : str, default ''
        A random name of a table with cell keys: each run of `tabulate` draws another.
    value : str, default ''
        The column of numbers whose sum or mean the table has; empty for counts.
    between : tuple of int, optional
        The smallest and the largest number that a person adds to a sum.
    most_groups : int, optional
        Number of groups in which a person is counted, where that is bounded separately.
    reading : tuple of str, optional
        Sentences on the choice and the reading of the records, such as their dialect: public facts.

    Examples
    --------
    >>> bound = PersonBound(
    ...     person="patient", groups=("district",), num_groups=12, at_most=3, at_most_per_group=3, rule=""
    ... )
    >>> print(bound.loss("1/3").epsilon, bound.cell_epsilon("1"))
    1 1/3
    """

    person: str
    groups: tuple[str, ...]
    num_groups: int | None
    at_most: int
    at_most_per_group: int
    rule: str
    table: str = ""
    sha256: str = ""
    column: str = COUNT
    ids_as_written: bool = False
    num_marks_as_ids: int = 0
    num_keys: int | None = None
    table_id: str = ""
    value: str = ""
    between: tuple[int, int] | None = None
    most_groups: int | None = None
    reading: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Hold the numbers to their rules: ProblemError."""
        given = (
            name for name in ("num_groups", "num_keys", "most_groups") if getattr(self, name) is not None
        )
        for name in ("at_most", "at_most_per_group", *given):
            number = whole_number(getattr(self, name), name)
            if number < 1:
                raise broken_rule(name, "be at least 1", number, "With a bound of 0 nobody would be counted.")
        flag(self.ids_as_written, "ids_as_written")
        if whole_number(self.num_marks_as_ids, "num_marks_as_ids") < 0:
            raise broken_rule("num_marks_as_ids", "be at least 0", self.num_marks_as_ids)
        object.__setattr__(self, "groups", tuple(items(self.groups, "groups", "the names of columns")))
        texts = self.person, self.rule, self.table, self.sha256, self.column, self.value, self.table_id
        object.__setattr__(self, "reading", tuple(items(self.reading, "reading", "a list of sentences")))
        for text in (*texts, *self.groups, *self.reading):
            need_text(text, "bound")
        if self.between is not None:
            self._check_sums(*self.between)
        if self.at_most_per_group > self.at_most:
            message = (
                f"`at_most_per_group` must be at most `at_most`, {self.at_most}; got "
                f"{self.at_most_per_group}. Leave it out for the same bound."
            )
            raise ProblemError(message)

    def _check_sums(self, low: int, high: int) -> None:
        """Hold the change of one sum, or mean, to the range of numbers that a person adds."""
        whole_number(low, "between"), whole_number(high, "between")
        change = 0 if low >= high else change_of_one(low, high, self.column)
        if (self.at_most_per_group, self.at_most) != (change, change * (self.most_groups or 0)):
            message = (
                "`between` must be a range whose change is `at_most_per_group`, and `at_most` in "
                f"`most_groups`; got {low}..{high}."
            )
            raise ProblemError(message)

    @property
    def is_of_data(self) -> bool:
        """Whether groups are those that occur, so that they must not be revealed."""
        return self.num_groups is None

    @property
    def has_public_sizes(self) -> bool:
        """Whether a person changes numbers alone, so that the sizes of groups are public."""
        return self.column == MEAN

    @property
    def is_of_people(self) -> bool:
        """Whether people and totals are asked for together, for means where both are confidential."""
        return self.column == PEOPLE

    @property
    def whose(self) -> str:
        """The column of persons, or that each row is one."""
        return self.person or EACH_ROW

    @property
    def sentence(self) -> str:
        """The bound of each person, as sentences, and the reading of the records."""
        return " ".join([self._sentence, *self.reading])

    @property
    def _sentence(self) -> str:
        if self.between is not None:
            return f"{self._of_sums()}{''.join(self._of_ids())}"
        if not self.person:
            return "Each row is one person, and is counted once."
        in_one = (
            f", at most {self.at_most_per_group} of them in one group"
            if self.at_most_per_group < self.at_most
            else ""
        )
        return (
            f"At most {plural(self.at_most, 'row')} of one person ({self.person}) "
            f"{'is' if self.at_most == 1 else 'are'} counted{in_one}.{''.join(self._of_ids())}"
        )

    def _of_sums(self) -> str:
        low, high = self.between or (0, 0)
        answer = MEAN if self.is_of_people else self.column
        adds = f"{self.value}, clamped to {low}..{high}, to the {answer}"
        where = f"{adds} of at most {plural(self.most_groups or 1, 'group')}."
        public = " The number of people in each group is public." if self.has_public_sizes else ""
        if not self.person:
            return f"Each row is one person, and adds its {where}{public}"
        return f"One person ({self.person}) adds the sum of their {where}{public}"

    def _of_ids(self) -> Iterator[str]:
        """Yield sentences on ids, where spellings or marks change who counts as one person."""
        if self.ids_as_written:
            yield " Ids are taken as written: a person whose id has several spellings counts several times."
        if self.num_marks_as_ids:
            one, several = "id is a text", "ids are texts"
            ids = plural(self.num_marks_as_ids, one, several)
            yield f" {ids} that may mark unknown people, such as NA: each counts as one person."

    def steps(self, reach: int = 1) -> int:
        """Return the largest multiple of a cell's epsilon for one person, for a mechanism of this reach.

        Examples
        --------
        >>> bound = PersonBound(
        ...     person="p", groups=("g",), num_groups=2, at_most=5, at_most_per_group=4, rule=""
        ... )
        >>> [bound.steps(reach) for reach in (1, 2, 3, 4)]
        [5, 3, 3, 2]
        """
        if whole_number(reach, "reach") < 1:
            raise broken_rule(
                "reach", "be at least 1", reach, "It is how many records of a person are one step."
            )
        rows = self.at_most
        affected_groups = min(filter(None, (rows, self.num_groups, self.most_groups)))
        return affected_groups + min(
            (rows - affected_groups) // reach, affected_groups * ((self.at_most_per_group - 1) // reach)
        )

    def loss(self, epsilon: Number, delta: Number = 0, *, reach: int = 1) -> PersonLoss:
        """Return the spending of one person if each cell is released by a mechanism of this privacy.

        Parameters
        ----------
        epsilon, delta : number or text
            Those of the mechanism of a cell.
        reach : int, default 1
            The largest difference of counts that it protects from each other at one epsilon.

        Raises
        ------
        ProblemError
            If all cells together spend a delta of 1, so that nothing is protected, or a number is too long.
        """
        each, steps = _epsilon(epsilon), self.steps(reach)
        whole = multiple_of(each, steps)
        share = exact_delta(delta)
        delta_spent = short_delta(self._delta(share, each, reach))
        if delta_spent >= 1:
            message = (
                f"`delta` must be so small that one person spends less than 1; at {exactly(share)} for a "
                f"cell {steps} steps of theirs spend all of it. Design with --for, which divides it."
            )
            raise ProblemError(message)
        return PersonLoss(epsilon=whole, delta=delta_spent, steps=steps)

    def cell_epsilon(self, epsilon: Number, *, reach: int = 1) -> str:
        """Return the exact epsilon of a cell's mechanism for which a person spends `epsilon` in all.

        Raises
        ------
        ProblemError
            If `epsilon` is a logarithm, which has no exact parts.
        """
        whole, steps = _epsilon(epsilon), self.steps(reach)
        if isinstance(whole, Fraction):
            return as_text(whole / steps)
        if steps == 1:
            return as_text(whole)
        message = (
            f"`epsilon` must be a number where a person takes {steps} steps; got {as_text(whole)}. Write a "
            f"decimal: it is divided by {steps}."
        )
        raise ProblemError(message)

    def cell_delta(self, epsilon: Number, delta: Number, *, reach: int = 1) -> str:
        """Return the delta of a cell's mechanism, rounded down, for which a person spends at most `delta`."""
        each = exact_epsilon(self.cell_epsilon(epsilon, reach=reach))
        share = exact_delta(delta)
        if not share:
            return "0"
        share /= self._delta(Fraction(1), each, reach)
        digits = _DIGITS
        while share * 10**digits < 10 ** (_DIGITS - 1):
            digits += 1
        return as_text(Fraction(int(share * 10**digits), 10**digits))

    def query(self, largest: int, *, reach: int = 1) -> Query:
        """Return the query of one cell: a count up to `largest`, which must not be read off the data."""
        return count(largest, records_per_person=reach)

    def _delta(self, delta: Fraction, epsilon: Fraction | Logarithm, reach: int) -> Fraction:
        """Return an upper bound of the delta of a person, from that of a cell."""
        in_group = -(-self.at_most_per_group // reach)
        return delta_of_steps(delta, epsilon, self.steps(reach), in_group)


def delta_of_steps(delta: Fraction, epsilon: Fraction | Logarithm, steps: int, in_group: int) -> Fraction:
    """Return an upper bound of the delta of so many steps, of which at most `in_group` are in one group.

    It is ``floor(k / U) S(U) + S(k mod U)`` times that of one step; see the top of this file.
    """
    if not delta:
        return delta
    if in_group * float(epsilon) > LARGEST_EPSILON or in_group > _MOST_POWERS:
        message = (
            f"`delta` must be 0 where a person takes {in_group} steps of epsilon = {as_text(epsilon)} in one "
            "group: together they would exceed 1. Bound the rows in one group."
        )
        raise ProblemError(message)
    grows = enclose_exponential(epsilon, _BITS).upper

    def chain(length: int) -> Fraction:
        return (grows**length - 1) / (grows - 1)

    return delta * (steps // in_group * chain(in_group) + chain(steps % in_group))


def _epsilon(value: Number) -> Fraction | Logarithm:
    epsilon = exact_epsilon(value)
    if not 0 < epsilon <= LARGEST_EPSILON:
        raise broken_rule("epsilon", f"be positive and at most {LARGEST_EPSILON}", as_text(epsilon))
    return epsilon
