"""The kinds of questions: the numbers, the words and the neighbours of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.arguments import one_of
from optmech.question.kinds.bounded_records import Mean, RecordTotal
from optmech.question.kinds.circles import Residues, Vector
from optmech.question.kinds.listed_answers import Categories, Custom, Graph
from optmech.question.kinds.whole_range import Count, Extremum

if TYPE_CHECKING:
    from optmech.question.kinds.kind import Kind

__all__ = [
    "KINDS",
    "Categories",
    "Count",
    "Custom",
    "Extremum",
    "Graph",
    "Mean",
    "RecordTotal",
    "Residues",
    "Vector",
    "kind_of",
]

KINDS: dict[str, type[Kind]] = {
    kind.word: kind
    for kind in (Count, Mean, RecordTotal, Extremum, Residues, Vector, Categories, Graph, Custom)
}
"""Each kind by its word in a certificate."""


def kind_of(word: object, parameters: object) -> Kind:
    """Return the kind that a certificate states.

    >>> kind_of("extremum", {"smallest": 1, "largest": 5})
    Extremum(smallest=1, largest=5)
    """
    return KINDS[one_of(word, KINDS, "kind")].read(parameters)
