"""Which kind of question a query is: by what it is called, where its answers and neighbours bear that out.

The name of a query is told, in a certificate as well; answers and neighbours are what is proved about. So a
name is believed where the query that it names is this very one, and a question with another name is described
by its answers and neighbours alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from optmech.card.spelled import listed, plain, plural, shortened
from optmech.errors import ProblemError
from optmech.exact.neighbours import is_complete, reach_of
from optmech.problem.numbers import as_text
from optmech.problem.queries import count, extremum, mean, residues
from optmech.problem.vectors import all_vectors

if TYPE_CHECKING:
    from collections.abc import Callable

    from optmech.problem.query import Query

__all__ = ["Asked", "asked_of"]

_WHOLE = r"(-?\d{1,9})"
_GROUP = r"(?:, (\d{1,9}) records a person)?"
_COUNT = re.compile(rf"count {_WHOLE}\.\.{_WHOLE}{_GROUP}")
_MEAN = re.compile(rf"mean of {_WHOLE} records {_WHOLE}\.\.{_WHOLE}{_GROUP}")
_EXTREMUM = re.compile(rf"max, min or median {_WHOLE}\.\.{_WHOLE}")
_RESIDUES = re.compile(r"residues modulo (\d{1,9}), distances (\d{1,9}(?:,\d{1,9})*)(, one-sided)?")
_VECTOR = re.compile(r"\((\d+(?:,\d+)*)\)")
_FROM_DATA = re.compile(
    r"answers within (.{1,20}) of the given data: not differential privacy for other data"
)
_DOMAIN = re.compile(r"answers of all tables of .{1,40} records from a domain of \d+")
# Distances between vectors that are listed one by one.
_FEW = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked, and who is protected.

    Attributes
    ----------
    kind : str
        ``"count"``, ``"mean"``, ``"extremum"``, ``"residues"``, ``"vector"``, ``"categories"``, ``"graph"``,
        ``"data"`` (answers near given data) or ``"other"``.
    question : str
        A sentence.
    protected : str
        The unit of privacy: whose doing is hidden, and what they may do. A sentence.
    believed : bool
        Whether the query is what its name says.
    """

    kind: str
    question: str
    protected: str
    believed: bool = True


def asked_of(query: Query) -> Asked:
    """Return what a query asks, believing its name where the query bears it out.

    Examples
    --------
    >>> print(asked_of(count(5)).question)
    How many? A count from 0 to 5.
    >>> from optmech.problem.query import Query
    >>> asked_of(Query(range(6), neighbours=2, name="count 0..5")).believed
    False
    """
    for pattern, told in _NAMED:
        match = pattern.fullmatch(query.name)
        if match is not None:
            found = told(query, *match.groups())
            return found if found is not None else _other(query, believed=False)
    if _FROM_DATA.fullmatch(query.name):
        return Asked(
            kind="data",
            question=f"A question to one given table, with {plural(query.num_truths, 'answer')} near it.",
            protected="Those tables near the given one that were tried, from each other, and no other table.",
        )
    if _DOMAIN.fullmatch(query.name):
        return Asked(
            kind="other",
            question=f"A question to small tables ({plain(query.name)}).",
            protected="One person who changes the table in a way that was foreseen when the question was "
            "stated.",
        )
    return _labelled(query) if query.labels else _other(query, believed=True)


def _count(query: Query, smallest: str, largest: str, group: str | None) -> Asked | None:
    number = int(group or 1)
    if not _same(query, lambda: count(int(largest), smallest=int(smallest), records_per_person=number)):
        return _noisy_count(query, smallest, largest)
    return Asked(
        kind="count",
        question=f"How many? A count from {smallest} to {largest}.",
        protected=_one_person(number),
    )


def _noisy_count(query: Query, smallest: str, largest: str) -> Asked | None:
    """Return a count whose released numbers may lie outside the range of the truths."""
    truths = [as_text(truth) for truth in query.truths]
    if truths != [str(number) for number in range(int(smallest), int(largest) + 1)] or reach_of(query) != 1:
        return None
    return Asked(
        kind="count",
        question=f"How many? A count from {smallest} to {largest}.",
        protected=_one_person(1),
    )


def _one_person(number: int) -> str:
    if number == 1:
        return (
            "One person with one record, who changes the count by at most 1: whether the record is there, "
            "and what it says."
        )
    return f"One person with up to {number} records, all together: they change the count by at most {number}."


def _mean(query: Query, records: str, smallest: str, largest: str, group: str | None) -> Asked | None:
    number = int(group or 1)
    if not _same(
        query,
        lambda: mean(int(records), int(largest), smallest=int(smallest), records_per_person=number),
    ):
        return None
    whose = "One person with one record" if number == 1 else f"One person with up to {number} records"
    return Asked(
        kind="mean",
        question=f"What is the mean of {records} records, each a whole number from {smallest} to {largest}?",
        protected=f"{whose}, which may be replaced by any other values from {smallest} to {largest}. "
        f"That there are {records} records is public.",
    )


def _extremum(query: Query, smallest: str, largest: str) -> Asked | None:
    if not _same(query, lambda: extremum(int(smallest), int(largest))):
        return None
    return Asked(
        kind="extremum",
        question="What is the largest (or the smallest, or the median: one of them, chosen beforehand) of "
        "values "
        f"from {smallest} to {largest}?",
        protected="One person, with however many records: they may move the answer from any value to any "
        "other.",
    )


def _residues(query: Query, modulus: str, distances: str, one_sided: str | None) -> Asked | None:
    steps = [int(step) for step in distances.split(",") if step]
    if not _same(query, lambda: residues(int(modulus), steps, symmetric=not one_sided)):
        return None
    ways = "in one direction only" if one_sided else "in either direction"
    return Asked(
        kind="residues",
        question=f"Which answer on a circle: a number modulo {modulus}, where {int(modulus) - 1} is next "
        "to 0?",
        protected=f"One person who moves the answer by {listed(map(str, steps), 'or')} modulo {modulus}, "
        f"{ways}.",
    )


def _labelled(query: Query) -> Asked:
    vectors = _vectors(query)
    if vectors is not None:
        return vectors
    told = shortened(list(query.labels))
    if is_complete(query) and not query.is_weighted:
        return Asked(
            kind="categories",
            question=f"Which of {plural(query.num_truths, 'category', 'categories')}: {told}?",
            protected="One person who can turn any of the categories into any other, "
            "for example the person whose own answer it is.",
        )
    apart = " Some are further apart than others." if query.is_weighted else ""
    return Asked(
        kind="graph",
        question=f"Which of {plural(query.num_truths, 'answer')}: {told}?{apart}",
        protected="One person who can turn an answer into those that are its neighbours.",
    )


def _vectors(query: Query) -> Asked | None:
    """Return a question for vectors, if the labels are all vectors of some moduli and all are alike."""
    last = _VECTOR.fullmatch(query.labels[-1])
    if last is None:
        return None
    moduli = tuple(int(part) + 1 for part in last[1].split(",") if len(part) < 10)  # noqa: PLR2004 - digits
    if np.prod(np.array(moduli, dtype=float)) != query.num_truths:
        return None
    vectors = all_vectors(moduli)
    if query.labels != tuple(f"({','.join(map(str, vector))})" for vector in vectors.tolist()):
        return None
    steps = (vectors[query.pairs[:, 0]] - vectors[query.pairs[:, 1]]) % np.array(moduli)
    distances, times = np.unique(steps, axis=0, return_counts=True)
    if query.is_weighted or (times != query.num_truths).any():
        return None
    listing = [f"({','.join(map(str, step))})" for step in distances.tolist()]
    by = listed(listing, "or") if len(listing) <= _FEW else f"any of {len(listing)} distances"
    sizes = listed(map(str, moduli))
    return Asked(
        kind="vector",
        question=f"Which vector of {len(moduli)} numbers, counted modulo {sizes}?",
        protected=f"One person who moves the vector by {by}, each number modulo its own modulus.",
    )


def _other(query: Query, *, believed: bool) -> Asked:
    return Asked(
        kind="graph" if query.is_weighted else "other",
        question=f"A question with {plural(query.num_truths, 'possible answer')}, called "
        f"“{plain(query.name[:60])}”.",
        protected="One person who can turn a true answer into those that are its neighbours.",
        believed=believed,
    )


def _same(query: Query, make: Callable[[], Query]) -> bool:
    """Whether the query that a name stands for is this one, in answers and neighbours."""
    try:
        named = make()
    except (ProblemError, OverflowError, MemoryError):
        return False
    return (
        named.truths == query.truths
        and np.array_equal(named.pairs, query.pairs)
        and np.array_equal(named.weights, query.weights)
        and not query.labels
    )


_NAMED: tuple[tuple[re.Pattern[str], Callable[..., Asked | None]], ...] = (
    (_COUNT, _count),
    (_MEAN, _mean),
    (_EXTREMUM, _extremum),
    (_RESIDUES, _residues),
)
