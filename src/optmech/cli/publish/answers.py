"""The answers that a publication follows from, as one table of TOML."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import Word, need_text
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.toml_text import toml_lines
from optmech.base.whole_files import read_toml
from optmech.question.keys import (
    FLAG,
    TEXT,
    WHOLE,
    Key,
    KeyForm,
    list_of,
    need_table,
    needed,
    read_keys,
    word_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

_MOST_GROUPS = 1_000_000
STOP, DROP = "stop", "drop"
"""Rows that fit no group stop the work, or are left out."""


class Counted(Word):
    """The numbers of a table."""

    ROWS = "rows"
    PEOPLE = "people"
    SUM = "sum"
    MEAN = "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    r"""All that a person says of a publication: public facts alone.

    Attributes
    ----------
    table : str
        The file of the records.
    person : tuple of str
        The columns that say whose a row is; none where each row is one person.
    counted : Counted
        Rows, people, a sum, or a mean of people whose number is not public either.
    of, between : str
        The column of a sum or a mean, and ``LOW:HIGH``, to which one person is clamped.
    groups : mapping of str to tuple of str
        Columns of groups with their public lists.
    from_data : tuple of str
        Columns whose groups are not public, in place of `groups`.
    most_people : int, optional
        The most people there can be, which a release of `from_data` needs.
    bins : mapping of str to str
        Columns of numbers with the edges of their bins.
    others, empty : str
        What becomes of rows of no listed group, and of rows with an empty cell: `STOP`, `DROP`, or, of empty
        cells, the name of their group.
    at_most : int, optional
        The bound of one person.
    totals : str
        The margins of a table with totals; empty for all.
    zcdp, epsilon, delta : str
        The budget of one person.
    data : str
        The name of the data in logs.
    wide : bool
        Whether the table is written as a crosstab, without standard errors.

    Examples
    --------
    >>> told = {"table": "v.csv", "groups": {"ward": ["A", "B"]}, "zcdp": "0.1", "data": "v"}
    >>> asked = Answers.from_content(told)
    >>> asked.group_lists, asked.is_joint
    ('ward\nA\nB\n', True)
    """

    table: str
    person: tuple[str, ...] = ()
    counted: Counted = Counted.ROWS
    of: str = ""
    between: str = ""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    from_data: tuple[str, ...] = ()
    most_people: int | None = None
    bins: Mapping[str, str] = field(default_factory=dict)
    others: str = STOP
    empty: str = STOP
    at_most: int | None = None
    totals: str = ""
    zcdp: str = ""
    epsilon: str = ""
    delta: str = ""
    data: str
    wide: bool = False

    def __post_init__(self) -> None:
        if len({self.adds_up, bool(self.of), bool(self.between)}) > 1:
            message = "`of` and `between` must come with `counted` = sum or mean, all three or none."
            raise ProblemError(message)
        if self.from_data and (self.groups or self.most_people is None or not self.delta or self.totals):
            message = (
                "`from_data` must come with `most_people`, `epsilon` and `delta`, and without `groups` and "
                "`totals`: of groups that are not public all are released by a delta, one by one."
            )
            raise ProblemError(message)
        if self.from_data and self.adds_up:
            rule = "be left out of sums and means, whose groups must be public"
            raise broken_rule("from_data", rule, ", ".join(self.from_data))
        number = prod(map(len, self.groups.values()))
        if number > _MOST_GROUPS:
            raise broken_rule("groups", f"make at most {_MOST_GROUPS:,} cells", f"{number:,}")

    @classmethod
    def from_content(cls, content: object) -> Answers:
        """Return the answers of a table of TOML; ProblemError where a key is unknown or missing."""
        return cls(**read_keys(content, _KEYS, "publish", "a publication"))

    @property
    def adds_up(self) -> bool:
        """Whether numbers of a column are added up."""
        return self.counted in (Counted.SUM, Counted.MEAN)

    @property
    def is_joint(self) -> bool:
        """Whether all numbers are drawn together: where groups are public."""
        return not self.from_data

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of groups that are no bins."""
        return tuple(self.groups) or self.from_data

    @property
    def group_lists(self) -> str:
        """All combinations of the public lists as CSV; empty where there are none."""
        if not self.groups:
            return ""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.groups)
        writer.writerows(product(*self.groups.values()))
        return text.getvalue()


def read_answers(path: str | PathLike[str], **typed: str) -> Answers:
    """Return the answers in a file; what is typed beside it comes first."""
    return Answers.from_content({**read_toml(path), **typed})


def answers_text(content: Mapping[str, Any]) -> str:
    """Return answers as the text of a file."""
    about = "# Answers to `optmech publish`: `optmech publish --from FILE.toml` asks nothing.\n"
    return f"{about}{toml_lines(dict(content))}"


def _table_of(form: KeyForm, words: str) -> KeyForm:
    """Return the form of a table from columns to values of a form."""

    def read(value: Any, name: str) -> dict[str, Any]:  # noqa: ANN401 - whatever a file holds
        return {
            column: form.read(each, f"{name}.{column}")
            for column, each in need_table(value, name, words).items()
        }

    return KeyForm(words=words, read=read, write=dict, schema={"type": "object"})


def _budget(value: Any, name: str) -> str:  # noqa: ANN401 - whatever a file holds
    text = str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
    need_text(text, name)
    return str(text)


_NUMBER = KeyForm(words="a number as text", read=_budget, write=str, schema={"type": ["string", "number"]})
_NAMES = list_of(TEXT, "a list of columns")
_KEYS = (
    needed("table", TEXT, "the file of the records"),
    Key(name="person", form=_NAMES, about="the columns that say whose a row is", default=()),
    Key(name="counted", form=word_of(Counted), about="rows, people, sum or mean", default=Counted.ROWS),
    Key(name="of", form=TEXT, about="the column of a sum or a mean", default=""),
    Key(name="between", form=TEXT, about="LOW:HIGH of one person in it", default=""),
    Key(
        name="groups",
        form=_table_of(list_of(TEXT, "a list of texts"), "a table of columns and their public lists"),
        about="the public lists",
        default={},
    ),
    Key(name="from_data", form=_NAMES, about="columns whose groups are not public", default=()),
    Key(name="most_people", form=WHOLE, about="the most people there can be"),
    Key(
        name="bins",
        form=_table_of(TEXT, "a table of columns and edges"),
        about="bins of numbers",
        default={},
    ),
    Key(name="others", form=word_of((STOP, DROP)), about="rows of groups that are not listed", default=STOP),
    Key(name="empty", form=TEXT, about="rows with an empty cell: stop, drop or a name", default=STOP),
    Key(name="at_most", form=WHOLE, about="the bound of one person"),
    Key(name="totals", form=TEXT, about="the published margins", default=""),
    *(Key(name=name, form=_NUMBER, about="the budget", default="") for name in ("zcdp", "epsilon", "delta")),
    needed("data", TEXT, "the name of the data in logs"),
    Key(name="wide", form=FLAG, about="a crosstab", default=False),
)


def name_of(table: str) -> str:
    """Return the name of a file without its endings.

    >>> name_of("in/visits.csv.gz")
    'visits'
    """
    return Path(table).name.partition(".")[0] or "data"
