"""Public conditions on records, each on a row's own cell: `vaccinated = yes`, `age >= 18`.

A row without an answer meets none. Which rows meet them depends on each row alone, so that one person changes
no other person's rows.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from optmech.base.arguments import need_text
from optmech.base.errors import broken_rule
from optmech.base.visible import quote
from optmech.release.tables.cell_numbers import number_in
from optmech.release.tabulate.complaints import refused
from optmech.release.tabulate.dates import DateForm

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

_SIGNS = {
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
_PARTS = re.compile(rf"\s*(.+?)\s*({'|'.join(_SIGNS)})\s*(.*?)\s*", re.DOTALL)
_EXAMPLE = "Write COLUMN = TEXT, COLUMN != TEXT, or a number or a date after <, <=, > or >=."


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of the cell of a column with a text, a number or a date.

    >>> adults = Condition.of("age >= 18")
    >>> adults.holds(pa.array(["17", "18", ""])).to_pylist()
    [False, True, False]
    """

    column: str
    sign: str
    value: str
    dates: DateForm

    @classmethod
    def of(cls, text: str, dates: DateForm | None = None) -> Condition:
        """Return the condition that a text states; ProblemError."""
        need_text(text, "where")
        found = _PARTS.fullmatch(text)
        if found is None or not found[3]:
            raise broken_rule("where", "be a condition on one column", quote(text), _EXAMPLE)
        value = found[3]
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        condition = cls(found[1], found[2], value, DateForm() if dates is None else dates)
        if condition.sign in ("<", "<=", ">", ">=") and condition._number(value, ".") is None:
            raise broken_rule("where", "compare with a number or a date", quote(text), _EXAMPLE)
        return condition

    @property
    def sentence(self) -> str:
        """Say which rows there are."""
        return f"Only rows where {self.column} {self.sign} {self.value} are there."

    def holds(
        self,
        texts: pa.Array,
        decimal: str = ".",
        location: Callable[[int], str] = str,
        source: str | None = None,
    ) -> pa.Array:
        """Return whether it holds in each row; an error for a cell that cannot be compared."""
        encoded = texts.dictionary_encode()
        distinct = encoded.dictionary.to_pylist()
        of_number = self._number(self.value, ".")
        compare: Any = _SIGNS[self.sign]
        truths = []
        for text in distinct:
            plain = text.strip()
            if not plain:
                truths.append(False)
                continue
            number = None if of_number is None else self._number(plain, decimal)
            if number is None and self.sign not in ("=", "!="):
                where = location(int(pc.index(texts, value=text).as_py()))
                rule = (
                    f"numbers or dates in column {self.column}, for `--where`; got {quote(text)} in {where}"
                )
                raise refused(source, rule, "Say how dates are written by `--dates`, or leave that row out.")
            truths.append(bool(compare(plain, self.value) if number is None else compare(number, of_number)))
        return pc.fill_null(pa.array(truths, pa.bool_()).take(encoded.indices), fill_value=False)

    def _number(self, text: str, decimal: str) -> Fraction | int | None:
        """Return a number, or the day of a date."""
        date = self.dates.date_in(text)
        return number_in(text, decimal) if date is None else date.toordinal()
