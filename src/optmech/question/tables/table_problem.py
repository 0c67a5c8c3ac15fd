"""A question about a whole table: its axes, the totals that are published, and what one person spends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import Word, need_text
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text, brief
from optmech.question.keys import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Key,
    KeyForm,
    list_of,
    needed,
    read_keys,
    written_keys,
)
from optmech.question.tables.budget import TableBudget
from optmech.question.tables.margins import TOTAL, Margins, margin_name, margin_of, need_axes, subsets
from optmech.question.tables.person import TablePerson
from optmech.question.tables.record_sums import SUM, RecordSums

if TYPE_CHECKING:
    from optmech.question.tables.margins import Axes

_BY_TABLE = "`table` makes it."


class Goal(Word):
    """The errors that are made small."""

    SAME = "same error"
    NUMBERS = "every number"
    MARGINS = "every margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableAxis:
    """One axis: its name, its public categories, or only how many there are.

    Examples
    --------
    >>> TableAxis(name="sex", size=2).categories
    ()
    """

    name: str
    size: int
    categories: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for text in (self.name, *self.categories):
            need_text(text, "axis")
        if len(set(self.categories)) != len(self.categories):
            raise broken_rule("categories", "be different texts", brief(self.name))
        if self.categories and self.size != len(self.categories):
            raise broken_rule("size", f"be the number of categories of {self.name}", self.size)
        if type(self.size) is not int or self.size < 2:  # noqa: PLR2004 - one category is no axis
            remedy = "Leave out an axis of one category."
            raise broken_rule("size", f"be at least 2 categories of {self.name}", self.size, remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableProblem:
    """A table that is published with its totals. `table` makes one.

    Attributes
    ----------
    axes : tuple of TableAxis
        At most ten; none for one count or sum alone.
    totals : tuple of frozenset
        The published margins, smaller ones first; the margin of all axes has the cells.
    goal : Goal or mapping
        `Goal`, or the weight of one number of each published margin.
    person : TablePerson
        What one person changes.
    budget : TableBudget
        What one person spends.
    records : RecordSums, optional
        The records whose sums the cells are; then axes, totals, goal and person follow from them.
    """

    axes: tuple[TableAxis, ...]
    totals: tuple[Axes, ...]
    goal: Goal | Mapping[Axes, Fraction]
    person: TablePerson
    budget: TableBudget
    records: RecordSums | None = None

    def __post_init__(self) -> None:
        self._check_types()
        shape = self.shape
        need_names = len({self.name_of(margin) for margin in subsets(shape.every)}) == 2 ** len(self.axes)
        if not need_names:
            raise broken_rule("by", f"name each axis once, without *, and none {TOTAL}", brief(self.names))
        if (
            list(self.totals) != [margin for margin in subsets(shape.every) if margin in self.totals]
            or not self.totals
        ):
            raise broken_rule(
                "totals", "name one margin or more, each once, smaller ones first", len(self.totals)
            )
        if not isinstance(self.goal, Goal) and (
            self.goal.keys() != set(self.totals) or min(self.goal.values()) <= 0
        ):
            raise broken_rule(
                "weights", "be positive, and of published margins", brief(list(self.goal.values()))
            )
        if self.records is not None and (
            self.axes != _axes_of(self.records) or self.person != self.records.person
        ):
            raise broken_rule("records", "have the axes and the person of their sums", brief(self.names))

    def _check_types(self) -> None:
        """Refuse parts that `table` does not make."""
        if not isinstance(self.axes, tuple) or not all(isinstance(each, TableAxis) for each in self.axes):
            raise broken_rule("axes", "be a tuple of TableAxis", brief(self.axes), _BY_TABLE)
        if not isinstance(self.totals, tuple) or not all(isinstance(each, frozenset) for each in self.totals):
            raise broken_rule("totals", "be a tuple of frozenset", brief(self.totals), _BY_TABLE)
        if not isinstance(self.goal, (Goal, Mapping)):
            raise broken_rule("goal", "be a Goal, or a mapping of margins", brief(self.goal), _BY_TABLE)
        for name, kind in (("person", TablePerson), ("budget", TableBudget)):
            if not isinstance(getattr(self, name), kind):
                raise broken_rule(name, f"be a {kind.__name__}", brief(getattr(self, name)), _BY_TABLE)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple(axis.name for axis in self.axes)

    @property
    def shape(self) -> Margins:
        """The sizes of the axes."""
        return Margins(tuple(axis.size for axis in self.axes))

    @property
    def title(self) -> str:
        """Such as ``table region 17 x age 20 x sex 2``."""
        if self.records is not None:
            return str(self.records)
        return "table " + (" x ".join(f"{axis.name} {axis.size}" for axis in self.axes) or "of one number")

    @property
    def whose(self) -> str:
        """What one person changes, in words: rows or units of cells, or records."""
        return str(self.person) if self.records is None else self.records.whose

    @property
    def weights(self) -> dict[Axes, Fraction] | None:
        """The weight of one number of each margin; None where the largest variance counts."""
        if not isinstance(self.goal, Goal):
            return dict(self.goal)
        if self.goal == Goal.SAME:
            return None
        by_margin = self.goal == Goal.MARGINS
        return {margin: Fraction(1, self.shape.cells(margin) if by_margin else 1) for margin in self.totals}

    def name_of(self, margin: Axes) -> str:
        """Return the name of a margin."""
        return margin_name(margin, self.names)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as a table of JSON or TOML, without defaults."""
        if self.records is not None:
            spent = (self.budget.rho, self.budget.epsilon, self.budget.delta or None)
            told = {
                key.name: as_text(one) for key, one in zip(KEYS[-3:], spent, strict=True) if one is not None
            }
            return {"kind": "sums of people", **self.records.to_dict(), **told}
        goal: Any = self.goal
        if not isinstance(goal, Goal):
            goal = {self.name_of(margin): as_text(goal[margin]) for margin in self.totals}
        every = tuple(subsets(self.shape.every))
        own_cell = None if self.person.is_heaped else self.person.at_most_per_cell
        own = {
            "axes": self.axes,
            "totals": None if self.totals == every else [self.name_of(margin) for margin in self.totals],
            "weights": goal,
            "at_most": self.person.at_most,
            "at_most_per_cell": own_cell,
            "is_sum": self.person.is_sum,
            "zcdp": self.budget.rho,
            "epsilon": self.budget.epsilon,
            "delta": self.budget.delta or None,
        }
        return {"kind": "table", **written_keys(own, KEYS)}


def _read_goal(value: Any, name: str) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, dict):
        return {str(key): NUMBER.read(weight, f"{name}.{key}") for key, weight in value.items()}
    if value not in tuple(Goal):
        raise broken_rule(name, f"be {', '.join(Goal)}, or a number for each margin", brief(value))
    return Goal(value)


_AXIS_KEYS = (
    needed("name", TEXT, "the name of the axis"),
    Key(name="size", form=WHOLE, about="its number of categories", left_out="as many as are listed"),
    Key(name="categories", form=list_of(TEXT, "a list of texts"), about="its public categories", default=()),
)


def _read_axis(value: Any, name: str) -> TableAxis:  # noqa: ANN401 - JSON
    own = read_keys(value, _AXIS_KEYS, name, "an axis")
    size = len(own["categories"]) if own["size"] is None else own["size"]
    return TableAxis(name=own["name"], size=size, categories=own["categories"])


def _write_axis(axis: TableAxis) -> dict[str, Any]:
    size = None if axis.categories else axis.size
    return written_keys({"name": axis.name, "size": size, "categories": axis.categories}, _AXIS_KEYS)


_AXIS = KeyForm(words="a table", read=_read_axis, write=_write_axis, schema={"type": "object"})
_GOAL = KeyForm(
    words=f"{', '.join(Goal)}, or a table of numbers",
    read=_read_goal,
    write=lambda value: value if isinstance(value, dict) else str(value),
    schema={"anyOf": [{"enum": [str(goal) for goal in Goal]}, {"type": "object"}]},
)
KEYS = (
    needed("axes", list_of(_AXIS, "a list of axes"), "the axes of the table"),
    Key(
        name="totals",
        form=list_of(TEXT, "a list of margins"),
        about="the published margins: axes in order, joined by *, or total",
        left_out="all",
    ),
    Key(name="weights", form=_GOAL, about="which errors are made small", default=Goal.SAME),
    Key(name="at_most", form=WHOLE, about="rows of one person, or units of all sums", default=1),
    Key(name="at_most_per_cell", form=WHOLE, about="the same in one cell", left_out="the same"),
    Key(name="is_sum", form=FLAG, about="whether cells are sums", default=False),
    Key(name="zcdp", form=NUMBER, about="rho of zCDP", left_out="epsilon is given"),
    Key(name="epsilon", form=NUMBER, about="epsilon of one person", left_out="zcdp is given"),
    Key(name="delta", form=NUMBER, about="delta of one person, or where the epsilon of zcdp is told"),
)
"""The keys of a question about a table."""


def table_of(content: object, where: str = "question") -> TableProblem:
    """Return the question of a table of JSON or TOML: the inverse of `TableProblem.to_dict`.

    Raises
    ------
    ProblemError
        If a key is unknown or missing, or a value breaks its rule.

    Examples
    --------
    >>> asked = {"kind": "table", "axes": [{"name": "sex", "size": 2}], "epsilon": "1"}
    >>> table_of(asked).to_dict() == asked
    True
    """
    if not isinstance(content, dict) or content.get("kind") != "table":
        raise broken_rule(where, "be a table of kind table", brief(content))
    own = read_keys({key: value for key, value in content.items() if key != "kind"}, KEYS, where, "table")
    names = [axis.name for axis in own["axes"]]
    need_axes(len(names))
    every = subsets(frozenset(range(len(names))))
    listed = None if own["totals"] is None else [margin_of(text, names) for text in own["totals"]]
    totals = tuple(every) if listed is None else tuple(listed)
    goal = own["weights"]
    if not isinstance(goal, Goal):
        goal = {margin_of(text, names, "weights"): weight for text, weight in goal.items()}
    person = TablePerson(
        at_most=own["at_most"], at_most_per_cell=own["at_most_per_cell"], is_sum=own["is_sum"]
    )
    budget = TableBudget(rho=own["zcdp"], epsilon=own["epsilon"], delta=own["delta"] or Fraction())
    return TableProblem(axes=own["axes"], totals=totals, goal=goal, person=person, budget=budget)


def of_records(records: RecordSums, budget: TableBudget) -> TableProblem:
    """Return the question about the sums of records: its cells are the sums, each with noise of its own.

    >>> sums = RecordSums(low=Fraction(0), high=Fraction(100))
    >>> asked = of_records(sums, TableBudget(epsilon=Fraction(1)))
    >>> asked.title, asked.person.at_most
    ('mean of people, each from 0 to 100', 100)
    """
    axes, person = _axes_of(records), records.person
    totals = (frozenset(range(len(axes))),)
    return TableProblem(
        axes=axes, totals=totals, goal=Goal.SAME, person=person, budget=budget, records=records
    )


def _axes_of(records: RecordSums) -> tuple[TableAxis, ...]:
    parts = records.parts
    return (TableAxis(name=SUM, size=len(parts), categories=parts),) if parts else ()
