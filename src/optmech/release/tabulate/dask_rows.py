"""Rows of a Dask frame: checked where they are, brought together by person, counted part by part.

A part leaves its worker as pairs of person and group alone. All rows of a person come to one, which keeps
the rule of `contribution_bounding` there: the counts are those of the same rows in one file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.extras import package
from optmech.release.tabulate.contribution_bounding import ContributionBounding
from optmech.release.tabulate.person_rows import dask_columns, texts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.release.tabulate.group_list import RowCheck

__all__ = ["bounded_counts"]

_PERSON, _CELL, _NUMBER = "person", "cell", "number"


def bounded_counts(
    frame: Any,  # noqa: ANN401 - Dask has no types
    check: RowCheck,
    settings: dict[str, Any],
) -> tuple[NDArray[np.int64], int, int]:
    """Return the counts of all groups, how many rows there were, and how many are of no listed group."""
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    pandas = package("pandas", "cluster", "a Dask frame")
    columns = dask_columns(frame, [check.person, *check.groups.columns])
    empty = pandas.DataFrame({_PERSON: pandas.Series(dtype="string"), _CELL: pandas.Series(dtype="int64")})
    pairs = columns.map_partitions(_pairs, check=check, meta=empty)
    part_counts = pairs.shuffle(on=_PERSON).map_partitions(
        _count,
        names=check.groups.names,
        settings=settings,
        meta=pandas.DataFrame({_CELL: pandas.Series(dtype="int64"), _NUMBER: pandas.Series(dtype="int64")}),
    )
    rows, left_out, parts = dask.dask.compute(pairs[_CELL].size, (pairs[_CELL] < 0).sum(), part_counts)
    sums = parts.groupby(_CELL)[_NUMBER].sum()
    counts = np.zeros(len(check.groups), np.int64)
    counts[sums.index.to_numpy()] = sums.to_numpy()
    return counts, int(rows), int(left_out)


def _pairs(part: Any, *, check: RowCheck) -> Any:  # noqa: ANN401 - frames of pandas
    """Return whose the rows of a part are, and their groups by number."""
    pandas = package("pandas", "cluster", "a Dask frame")
    texts = list(texts_of(part, [check.person, *check.groups.columns]))
    cells = [check.codes_of(each) for each in texts]
    people = pa.chunked_array([people for people, _ in cells], pa.string())
    places = np.concatenate([np.zeros(0, np.int64), *(places for _, places in cells)])
    return pandas.DataFrame({_PERSON: people.to_pandas().astype("string"), _CELL: places})


def _count(part: Any, *, names: pa.Array, settings: dict[str, Any]) -> Any:  # noqa: ANN401 - frames of pandas
    """Return how many rows of the people of a part are counted in each group."""
    pandas = package("pandas", "cluster", "a Dask frame")
    with ContributionBounding(names, **settings) as counting:
        counting.add(pa.array(part[_PERSON], pa.string()), part[_CELL].to_numpy())
        counts = counting.counts()
    cells = np.flatnonzero(counts)
    return pandas.DataFrame({_CELL: cells, _NUMBER: counts[cells]})
