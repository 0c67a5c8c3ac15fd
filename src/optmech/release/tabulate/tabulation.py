"""The request of a table: persons, groups and answers, checked before any data are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import brief, items, need_text, whole_number
from optmech.base.errors import ProblemError, broken_rule
from optmech.base.wording import join_words
from optmech.release.tabulate.bins import Bins, bins_of, text_of
from optmech.release.tabulate.bound import COUNT, MEAN, PEOPLE, TOTAL, PersonBound, change_of_one
from optmech.release.tabulate.conditions import Condition
from optmech.release.tabulate.contribution_bounding import rule_of, rule_of_sums
from optmech.release.tabulate.date_bins import DayBins, PeriodBins, days_of, periods_of
from optmech.release.tabulate.dates import DateForm
from optmech.release.tabulate.group_rules import GroupRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optmech.release.tabulate.person_ids import PersonIds

_LARGEST = 10**9
_CHOOSE = (
    "Choose it from what you know of people such as these, not from these data: a bound that was looked up "
    "in them is a fact about them."
)


@dataclass(frozen=True, kw_only=True)
class Tabulation:
    """The columns of a table, its answers and the bound on one person.

    Attributes
    ----------
    person : tuple of str
        The columns of the id of a person; none where each row is one.
    rules : GroupRules
        The columns of groups.
    column, value : str, str or None
        The column of answers that is written, and of the numbers that are added up.
    between : tuple of int, optional
        Their range.
    counts_pairs : bool
        Whether a person counts once in a group, with all their rows there.
    at_most, at_most_per_group : int
        The bound of one person: on rows, or on groups where numbers are added up.
    where : tuple of Condition
        Public conditions on rows, all of which hold in the rows that are there.
    """

    person: tuple[str, ...]
    rules: GroupRules
    column: str
    value: str | None
    between: tuple[int, int] | None
    counts_pairs: bool
    at_most: int
    at_most_per_group: int
    where: tuple[Condition, ...]

    @property
    def reading(self) -> tuple[str, ...]:
        """Sentences on the choice of rows and the spelling of groups: public facts."""
        return (*(condition.sentence for condition in self.where), *self.rules.sentences)

    @classmethod
    def of(
        cls,
        *,
        person: str | Sequence[str] | None,
        each_row_a_person: bool,
        group: str | Sequence[str],
        bins: Mapping[str, Any],
        empty_as: str | Mapping[str, str] | None,
        empty: Iterable[str],
        drop_empty: bool,
        people: bool,
        sum_of: str | None,
        mean_of: str | None,
        between: tuple[int, int] | None,
        sizes_are_public: bool,
        at_most: int | None,
        at_most_per_group: int | None,
        where: str | Iterable[str],
        dates: str | None,
        trim: bool,
        fold_case: bool,
        drop_others: bool,
    ) -> Tabulation:
        """Return the request of these arguments, which are those of `tabulate`; ProblemError."""
        persons, groups = columns_named(person, "person"), columns_named(group, "group")
        if not isinstance(bins, Mapping):
            raise broken_rule("bins", "be a mapping from columns to edges", brief(bins))
        groups = (*groups, *(name for name in columns_named([*bins], "bins") if name not in groups))
        check_persons(persons, each_row_a_person=each_row_a_person)
        column = _column_of(people=people, sum_of=sum_of, mean_of=mean_of)
        value = sum_of if mean_of is None else mean_of
        _check_columns(persons, groups, value, column, may_be_none=people or value is not None)
        if sizes_are_public and mean_of is None:
            raise broken_rule("sizes_are_public", "be left out without --mean", "it")
        if mean_of is not None and not sizes_are_public:
            column = PEOPLE
        marks = texts_meant(empty, "empty")
        if marks and empty_as is None and not drop_empty:
            message = (
                "`empty` must come with --empty-as or --drop-empty, which say what becomes of such rows."
            )
            raise ProblemError(message)
        named = {} if empty_as is None else _named(empty_as, groups)
        form = DateForm() if dates is None else DateForm(dates)
        conditions = [where] if isinstance(where, str) else items(where, "where", "a list of conditions")
        of_bins = {name: _bins_of(edges, form) for name, edges in bins.items()}
        if dates is not None and not conditions and all(isinstance(one, Bins) for one in of_bins.values()):
            raise broken_rule("dates", "come with bins of dates or a condition on dates", brief(dates))
        rules = GroupRules(
            columns=groups,
            bins=of_bins,
            empty_as=named,
            marks=frozenset(marks),
            drop_empty=drop_empty,
            trim=trim,
            fold_case=fold_case,
            drop_others=drop_others,
        )
        most = _most(at_most, is_one=each_row_a_person or not groups, value=value)
        return cls(
            person=persons,
            rules=rules,
            column=column,
            value=value,
            between=_range(between, value),
            where=tuple(Condition.of(text, form) for text in conditions),
            counts_pairs=people or value is not None,
            at_most=most,
            at_most_per_group=_per_group(at_most_per_group, most, people=people, value=value),
        )

    def bound(self, num_groups: int | None, ids: PersonIds, key: str) -> PersonBound:
        """Return the bound of one person in a table of so many groups, ``None`` where that is not public."""
        common: dict[str, Any] = {
            "person": join_words(self.person) if self.person else "",
            "groups": self.rules.columns,
            "num_groups": num_groups,
            "column": self.column,
            "ids_as_written": ids.as_written,
            "num_marks_as_ids": ids.num_allowed,
        }
        if self.between is None or self.value is None:
            per_group = self.at_most_per_group
            rule = rule_of(self.at_most, per_group, key) if self.person else "Each row is counted once."
            return PersonBound(**common, at_most=self.at_most, at_most_per_group=per_group, rule=rule)
        low, high = self.between
        change = change_of_one(low, high, self.column)
        rule = f"The number of each row is clamped to {low}..{high} and added up."
        return PersonBound(
            **common,
            at_most=self.at_most * change,
            at_most_per_group=change,
            rule=rule_of_sums(low, high, self.at_most, key) if self.person else rule,
            value=self.value,
            between=self.between,
            most_groups=self.at_most,
        )


def _named(empty_as: Any, groups: tuple[str, ...]) -> dict[str, str]:  # noqa: ANN401 - any argument
    """Return for each column of groups the name of those without an answer there."""
    named = dict(empty_as) if isinstance(empty_as, Mapping) else dict.fromkeys(groups, empty_as)
    for name, text in named.items():
        need_text(text, "empty_as")
        if name not in groups:
            raise broken_rule("empty_as", "be of columns of groups", brief(name))
    if not named or not all(text.strip() for text in named.values()):
        message = "`empty_as` must be the name of a group, where some column says a group; got none."
        raise ProblemError(message)
    return named


def _bins_of(edges: Any, form: DateForm) -> Bins | PeriodBins | DayBins:  # noqa: ANN401 - as above
    text = text_of(edges)
    return periods_of(text, form) or days_of(text, form) or bins_of(edges)


def columns_named(names: str | Sequence[str] | None, argument: str) -> tuple[str, ...]:
    """Return the names of columns, of one or several; ProblemError."""
    if names is None:
        return ()
    columns = (names,) if isinstance(names, str) else tuple(items(names, argument, "a list of columns"))
    for name in columns:
        need_text(name, argument)
    return columns


def texts_meant(values: Iterable[str], argument: str) -> list[str]:
    """Return texts that mean no answer; ProblemError."""
    if isinstance(values, str):
        raise broken_rule(argument, "be a list of texts", repr(values), "Put it into a list.")
    texts = items(values, argument, "a list of texts")
    for text in texts:
        need_text(text, argument)
    return [text.strip() for text in texts]


def check_persons(persons: tuple[str, ...], *, each_row_a_person: bool) -> None:
    """Refuse a table whose rows are nobody's, or of whom is said twice: ProblemError."""
    if persons and each_row_a_person:
        message = "`person` must be left out where each row is a person; got both."
        raise ProblemError(message)
    if not all(name.strip() for name in persons):
        message = (
            "`person` must be a column with a name; got one without. Name it in the file, or say "
            "--each-row-a-person if it only numbers the rows."
        )
        raise ProblemError(message)
    if not persons and not each_row_a_person:
        message = (
            "`person` must name the column that says whose a row is, by --person, or several. If no two rows "
            "are of one person, say --each-row-a-person (`each_row_a_person=True`)."
        )
        raise ProblemError(message)


def _column_of(*, people: bool, sum_of: str | None, mean_of: str | None) -> str:
    """Return the column of answers; ProblemError if several are asked for."""
    asked = [
        name
        for name, is_asked in (("people", people), ("sum", sum_of is not None), ("mean", mean_of is not None))
        if is_asked
    ]
    if len(asked) > 1:
        message = f"`{asked[1]}` must be left out with `{asked[0]}`: one table has one of these."
        raise ProblemError(message)
    return {"sum": TOTAL, "mean": MEAN}.get(asked[0], COUNT) if asked else COUNT


def _check_columns(
    persons: tuple[str, ...], groups: tuple[str, ...], value: str | None, column: str, *, may_be_none: bool
) -> None:
    every = (*groups, *persons, column)
    if len({*every}) < len(every) or not (groups or may_be_none):
        others = join_words((*persons, column))
        message = (
            f"`group` must name at least one column, each once, other than {others}; got "
            f"{', '.join(groups) or 'none'}."
        )
        if not groups:
            message += " With --people all people are counted, without groups."
        raise ProblemError(message)
    if value is not None and value in (*groups, *persons):
        raise broken_rule("sum", "be of another column than those of persons and groups", value)


# More smallest values than this are not found by DuckDB.
_LARGEST_BOUND = 999_999


def _most(at_most: int | None, *, is_one: bool, value: str | None) -> int:
    """Return the bound on one person; it can be 1 alone where they are in one group at most."""
    if is_one:
        if at_most not in (None, 1):
            rule = "be 1, or left out, where a person is in one group or counts once"
            raise broken_rule("at_most", rule, at_most)
        return 1
    if at_most is None:
        of_what = "groups one person is" if value is not None else "rows of one person are"
        message = f"`at_most` must be given, by --at-most: how many {of_what} counted in. {_CHOOSE}"
        raise ProblemError(message.replace("are counted in.", "are counted."))
    if at_most < 1:
        raise broken_rule("at_most", "be at least 1", at_most, "With a bound of 0 nobody would be counted.")
    if at_most > _LARGEST_BOUND:
        remedy = "A person spends as many times the epsilon of a cell."
        raise broken_rule("at_most", f"be at most {_LARGEST_BOUND:,}", at_most, remedy)
    return at_most


def _per_group(at_most_per_group: int | None, most: int, *, people: bool, value: str | None) -> int:
    if value is not None and at_most_per_group is not None:
        message = "`at_most_per_group` must be left out of sums and means: `between` bounds one group."
        raise ProblemError(message)
    if people:
        if at_most_per_group not in (None, 1):
            raise broken_rule("at_most_per_group", "be 1 or left out with `people`", at_most_per_group)
        return 1
    return most if at_most_per_group is None else at_most_per_group


def _range(between: Any, value: str | None) -> tuple[int, int] | None:  # noqa: ANN401 - any argument
    if value is None:
        if between is not None:
            raise broken_rule("between", "be left out of counts: it bounds a sum", brief(between))
        return None
    if between is None:
        message = (
            f"`between` must be given, by --between LOW:HIGH: what one person may add to a group. {_CHOOSE}"
        )
        raise ProblemError(message)
    ends = [whole_number(end, "between") for end in items(between, "between", "two whole numbers")]
    if len(ends) != 2 or not -_LARGEST <= ends[0] < ends[1] <= _LARGEST:  # noqa: PLR2004 - low and high
        rule = f"be the smallest and the largest number, at most {_LARGEST:,} in size"
        raise broken_rule("between", rule, brief(list(ends)))
    return ends[0], ends[1]
