"""Values of other columns stay, whatever they are kept in; what describes them does not."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import optmech as om
from optmech.release.tables.public_view import fresh_column, public_column, public_type
from tests.each import each

NAMES = pa.dictionary(pa.int8(), pa.string())
FIELD = pa.field("x", NAMES, metadata={"rows": "9"})
COLUMNS = [
    (pa.list_(NAMES), [["a", "b"], None, [], ["a", None]], pa.list_(pa.string())),
    (pa.large_list(NAMES), [["a", "b"], None, [], ["a"]], pa.large_list(pa.string())),
    (pa.list_(NAMES, 2), [["a", "b"], None, ["c", None], ["a", "a"]], pa.list_(pa.string(), 2)),
    (pa.struct([FIELD]), [{"x": "a"}, None, {"x": None}, {"x": "b"}], pa.struct([("x", pa.string())])),
    (
        pa.list_(pa.struct([FIELD])),
        [[{"x": "a"}, {"x": "b"}], None, [], [None]],
        pa.list_(pa.struct([("x", pa.string())])),
    ),
    (pa.map_(pa.string(), NAMES), [[("k", "a")], None, [], [("l", "b")]], pa.map_(pa.string(), pa.string())),
    (pa.string_view(), ["a text of more than twelve", None, "", "b"], pa.large_string()),
    (pa.dictionary(pa.int8(), pa.int64()), [3, None, 3, 4], pa.int64()),
]


@each("kind, values, plain", COLUMNS)
def test_values_stay_and_dictionaries_views_and_metadata_go(kind, values, plain):
    column = pa.array(values * 2, kind)
    for rows in (column, column.slice(1, 5), pa.chunked_array([column.slice(0, 3), column.slice(3)])):
        seen = np.arange(len(rows)) % 3 != 1
        expected = [value for value, is_seen in zip(rows.to_pylist(), seen, strict=True) if is_seen]
        assert public_type(rows.type).equals(plain, check_metadata=True)
        for result in (public_column(rows, seen), fresh_column(rows, seen)):
            assert result.to_pylist() == expected
            assert result.type.equals(plain, check_metadata=True)


def test_views_of_lists_are_refused():
    table = pa.table({"n": [1], "k": pa.array([[1]], pa.list_view(pa.int64()))})
    with pytest.raises(om.NotAcceptedError, match="columns must hold lists"):
        om.release_frame(table, "n", om.design(om.question(om.count(2), 1)))
