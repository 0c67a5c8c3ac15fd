"""Count the rows of a Dask frame by the rule of contribution bounding, all rows of a person on one worker."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from optmech.base.extras import package
from optmech.release.tabulate.complaints import Complaints
from optmech.release.tabulate.contribution_bounding import ContributionBounding
from optmech.release.tabulate.person_ids import spellings_of_joined
from optmech.release.tabulate.person_rows import dask_columns, texts_of
from optmech.release.tabulate.row_check import DROPPED, OTHER, CheckedRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from optmech.release.tabulate.bound import PersonBound
    from optmech.release.tabulate.row_check import RowCheck


class TwoSpellingsError(Exception):
    """Two texts in a part of a Dask frame are one id; the caller adds the rows."""


_PERSON, _CELL, _NUMBER, _SPELLING = "person", "cell", "number", "spelling"


def bounded_counts(
    frame: Any,  # noqa: ANN401 - Dask has no types
    check: RowCheck,
    bound: PersonBound,
    key: str,
) -> NDArray[np.int64]:
    """Return the counts of all groups, and leave the numbers of rows in `check`.

    Each part of a Dask frame is reduced to pairs of person and group. All rows of a person go to one worker,
    which applies the rule above, so the counts equal those of the same rows in one file. All spellings of an
    id also go to one worker, which raises TwoSpellingsError.
    """
    dask = package("dask.dataframe", "cluster", "a Dask frame")
    pandas = package("pandas", "cluster", "a Dask frame")
    columns = dask_columns(frame, check.columns.every)
    kinds = {_PERSON: "string", _CELL: "int64", _SPELLING: "string"}
    empty = pandas.DataFrame({name: pandas.Series(dtype=kind) for name, kind in kinds.items()})
    pairs = columns.map_partitions(_pairs, check=check, meta=empty)
    part_counts = pairs.shuffle(on=_SPELLING).map_partitions(
        _count,
        names=check.groups.names,
        bound=bound,
        key=key,
        num_ids=len(check.person),
        meta=pandas.DataFrame({_CELL: pandas.Series(dtype="int64"), _NUMBER: pandas.Series(dtype="int64")}),
    )
    rows, left_out, dropped, parts = dask.dask.compute(
        pairs[_CELL].size, (pairs[_CELL] == OTHER).sum(), (pairs[_CELL] == DROPPED).sum(), part_counts
    )
    sums = parts.groupby(_CELL)[_NUMBER].sum()
    counts = np.zeros(len(check.groups), np.int64)
    counts[sums.index.to_numpy()] = sums.to_numpy()
    check.rows, check.left_out, check.dropped = int(rows), int(left_out), int(dropped)
    return counts


def _pairs(part: Any, *, check: RowCheck) -> Any:  # noqa: ANN401 - frames of pandas
    """Return the persons of the rows of a part, the indices of their groups, and the spelling of each id."""
    pandas = package("pandas", "cluster", "a Dask frame")
    own = copy(check)  # workers may share one
    own.complaints = Complaints(None)
    every = [own.checked(rows) for rows in texts_of(part, check.columns)]
    own.complaints.refuse()
    people = pa.concat_arrays([pa.array([], pa.string()), *(rows.people for rows in every)])
    indices = np.concatenate([np.zeros(0, np.int64), *(rows.indices for rows in every)])
    shared = people if check.ids.as_written else spellings_of_joined(people, len(check.person))
    person, spelling = (texts.to_pandas().astype("string") for texts in (people, shared))
    return pandas.DataFrame({_PERSON: person, _CELL: indices, _SPELLING: spelling})


def _count(part: Any, *, names: pa.Array, bound: PersonBound, key: str, num_ids: int) -> Any:  # noqa: ANN401 - frames of pandas
    """Return the number of counted rows in each group, for the people of a part."""
    pandas = package("pandas", "cluster", "a Dask frame")
    with ContributionBounding(names, bound, key, num_ids=num_ids) as counting:
        people = pa.array(part[_PERSON], pa.string())
        counting.add(CheckedRows(people=people, indices=part[_CELL].to_numpy(), numbers=None))
        two = None if bound.ids_as_written else counting.two_spellings()
        if two is not None:
            raise TwoSpellingsError(*two)
        counts = counting.sums().numbers
    cells = np.flatnonzero(counts)
    return pandas.DataFrame({_CELL: cells, _NUMBER: counts[cells]})
