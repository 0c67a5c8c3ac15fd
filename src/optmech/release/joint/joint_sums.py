"""The sums of a released table: what is asked, its released number, and its limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from optmech.base.arguments import items, need_text
from optmech.base.errors import FileFormatError, NotAcceptedError, broken_rule
from optmech.base.wording import join_words
from optmech.mechanisms.tables.table_sums import TableSum
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_conditions import marks_of
from optmech.release.joint.joint_released import categories_in, proved_table, released_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from os import PathLike

    from optmech.base.arrays import Integers, Marks
    from optmech.mechanisms.tables.table_certificate import TableCertificate
    from optmech.question.tables.margins import Axes

_MOST_SUMS = 100_000


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSums:
    """A released table, whose sums over marked categories are asked.

    Attributes
    ----------
    certificate : TableCertificate
        Proved again.
    categories : mapping
        Those of each axis.
    released : mapping of frozenset to ndarray
        The released numbers of each margin.
    """

    certificate: TableCertificate
    categories: Mapping[str, Sequence[str]]
    released: Mapping[Axes, Integers]
    _known: dict[tuple[object, ...], tuple[Fraction, int]] = field(default_factory=dict, init=False)

    @classmethod
    def read(cls, table: str | PathLike[str], mechanism: str | PathLike[str] | None) -> TableSums:
        """Return the table of a file by the log beside it."""
        facts = LoggedFacts.beside(table)
        certificate = proved_table(table, facts, mechanism)
        if certificate.problem.records is not None:
            message = f"`{table}` must be a table of cells; it has sums of records. Ask `estimate_means`."
            raise FileFormatError(message)
        categories = categories_in(facts, certificate)
        released = released_numbers(table, facts, categories, certificate.problem.totals)
        return cls(certificate=certificate, categories=categories, released=released)

    def need_axis(self, name: str, argument: str) -> None:
        """Refuse the name of no axis."""
        if name not in self.categories:
            raise broken_rule(argument, f"name axes among {join_words(self.categories)}", name)

    def asked(self, sums: Sequence[str], group: Sequence[str]) -> list[tuple[str, str, list[Marks]]]:
        """Return the conditions, the group and the marks of each sum."""
        sums, group = _texts(sums, "sums"), _texts(group, "group")
        for name in group:
            self.need_axis(name, "group")
        keys = [*product(*([(name, known) for known in self.categories[name]] for name in group))]
        found = []
        for text in sums:
            for key in keys:
                marks = marks_of(text, self.categories)
                for name, category in key:
                    marks[name] &= np.array([known == category for known in self.categories[name]])
                if all(each.any() for each in marks.values()):
                    found.append((text.strip(), ", ".join(map("=".join, key)), [*marks.values()]))
        if len(found) > _MOST_SUMS:
            raise broken_rule("group", f"give at most {_MOST_SUMS:,} sums", f"{len(found):,}")
        return found

    def estimate(self, marks: Sequence[Marks]) -> int:
        """Return the sum of the fewest released numbers; NotAcceptedError where no margin has it."""
        problem, axes = self.certificate.problem, TableSum(self.certificate.noise, marks).axes
        within = min(
            (margin for margin in problem.totals if axes <= margin), key=problem.shape.cells, default=None
        )
        if within is None:
            published = join_words(map(problem.name_of, problem.totals))
            got = f"{published}; got {problem.name_of(axes)}"
            message = f"`sum` must be of axes that a published margin has, {got}."
            raise NotAcceptedError(message)
        return int(self.released[within][np.ix_(*(marks[axis] for axis in sorted(within)))].sum())

    def error(self, marks: Sequence[Marks], sure: Fraction) -> tuple[Fraction, int]:
        """Return at most the variance, and the error that is exceeded with at most this probability."""
        which = (sure, *(np.packbits(each).tobytes() for each in marks))
        if which not in self._known:
            error = TableSum(self.certificate.noise, marks)
            self._known[which] = error.variance, error.limit(sure)
        return self._known[which]

    def limits(self, marks: Sequence[Marks], sure: Fraction) -> tuple[int, int]:
        """Return the ends that the true sum lies within, but for at most this probability."""
        estimate, (_, limit) = self.estimate(marks), self.error(marks, sure)
        least = estimate - limit if self.certificate.problem.person.is_sum else max(estimate - limit, 0)
        return least, max(estimate + limit, least)


def _texts(given: Sequence[str], name: str) -> Sequence[str]:
    texts: Sequence[str] = items(given, name, "texts")
    for text in texts:
        need_text(text, name)
    return texts
