"""The queries of the page, and the inputs that state each: the choices that a command line has as well."""

from __future__ import annotations

from functools import cache

from optmech.question.kinds.bounded_records import ADJACENCIES
from optmech.question.problems.named import FORMULATIONS

HISTOGRAM = "histogram"
"""Counts of cells, one of which is designed at its part of the privacy; each cell gets a draw of its own."""
QUERIES = {
    "count": "a count",
    HISTOGRAM: "a histogram, a count for each cell",
    "total": "a total of records",
    "mean": "a mean of records",
    "extremum": "a maximum, minimum or median",
    "categories": "one of several categories",
}
CHANGES = dict(zip(ADJACENCIES, ("changes their records", "adds or removes their records"), strict=True))
"""Each change that one person may make, in words."""
TABLE_KEYS = {
    "smallest": "smallest",
    "largest": "largest",
    "records": "records",
    "records_per_person": "per_person",
    "adjacency": "adjacency",
}
"""Keys of the table of a query that hold the value of an input as it is."""
_INPUTS = {
    "range": ("smallest", "largest"),
    "records": ("records",),
    "records_per_person": ("per_person",),
    "adjacency": ("adjacency",),
    "of": ("categories",),
}
QUERY_INPUTS = tuple(name for names in _INPUTS.values() for name in names)
"""The inputs that state a query, of all queries."""


@cache
def inputs_of_query(query: str) -> tuple[str, ...]:
    """Return the inputs that state a query, from the choices that it declares.

    >>> inputs_of_query("total")
    ('smallest', 'largest', 'records', 'per_person', 'adjacency')
    >>> inputs_of_query("extremum"), inputs_of_query("categories")
    (('smallest', 'largest'), ('categories',))
    """
    known = FORMULATIONS[query]
    choices = {*known.required, *known.optional}
    return tuple(name for choice, names in _INPUTS.items() if choice in choices for name in names)
