"""Rows of frames released as 0 left out: what is returned follows from the rows that are seen alone."""

from __future__ import annotations

import pickle
import warnings

import dask.dataframe
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import optmech as om
from optmech.mechanisms.sampling import NotPrivateWarning
from tests.each import each

SEEN = ["alpha, in a buffer of its own", "beta, in a buffer of its own"]
SECRETS = [[], ["secret, in a buffer of its own"], ["another secret, in a buffer", "secret, in a buffer"]]


@pytest.fixture(scope="module")
def keys():
    return om.design(om.question(om.count(12), 1, delta="1e-3", properties=["zero-stays-zero"])).certificate


@pytest.fixture(scope="module")
def sure():
    """A count of 12 is released as it is, but for once in e^60 times."""
    return om.design(om.question(om.count(12), 60, delta="1e-3", properties=["zero-stays-zero"])).certificate


def columns_of(secrets):
    """Return counts with groups that are released as 0 before and behind the others."""
    before, behind = secrets[:1], secrets[1:]
    counts = [*[0] * len(before), 12, 12, *[0] * len(behind)]
    return {"key": [*before, *SEEN, *behind], "n": counts}


def of_pandas(kind):
    return lambda columns: pd.DataFrame(columns).astype({"key": kind})


def with_attributes(columns):
    frame = pd.DataFrame(columns)
    frame.attrs = {"rows": len(frame)}
    return frame


def in_pieces(columns):
    return [{name: [values[row]] for name, values in columns.items()} for row in range(len(columns["n"]))]


MAKERS = {
    "pandas": pd.DataFrame,
    "pandas, objects": of_pandas("object"),
    "pandas, categories": of_pandas("category"),
    "pandas, text": of_pandas("string"),
    "pandas, Arrow": of_pandas(pd.ArrowDtype(pa.string())),
    "pandas, views": of_pandas(pd.ArrowDtype(pa.string_view())),
    "pandas, dictionary": of_pandas(pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
    "pandas, pieces": lambda columns: pd.concat(map(pd.DataFrame, in_pieces(columns)), ignore_index=True),
    "pandas, sorted": lambda columns: pd.DataFrame(columns)[::-1].sort_index(ascending=False)[::-1],
    "pandas, attributes": with_attributes,
    "polars": pl.DataFrame,
    "polars, categories": lambda columns: pl.DataFrame(columns, schema_overrides={"key": pl.Categorical}),
    "polars, enum": lambda columns: pl.DataFrame(columns, schema_overrides={"key": pl.Enum(columns["key"])}),
    "polars, pieces": lambda columns: pl.concat(map(pl.DataFrame, in_pieces(columns)), rechunk=False),
    "pyarrow": pa.table,
    "pyarrow, metadata": lambda columns: pa.table(columns, metadata={"rows": str(len(columns["n"]))}),
    "pyarrow, dictionary": lambda columns: pa.table(
        {**columns, "key": pa.array(columns["key"]).dictionary_encode()}
    ),
    "pyarrow, views": lambda columns: pa.table(
        {**columns, "key": pa.array(columns["key"], pa.string_view())}
    ),
    "pyarrow, pieces": lambda columns: pa.concat_tables(map(pa.table, in_pieces(columns))),
    "pyarrow, batch": pa.record_batch,
}


@pytest.mark.filterwarnings("ignore:Caution")
@each("kind", MAKERS, every=2)
def test_a_frame_says_nothing_of_a_group_that_is_not_seen(sure, kind):
    """With a group more that is released as 0 not a byte differs: no number, category, metadata or piece."""
    released = []
    for secrets in SECRETS:
        frame = MAKERS[kind](columns_of(secrets))
        release = om.release_frame(frame, "n", sure, drop_zero=True)
        assert type(release) is type(frame)
        assert [str(name) for name in np.asarray(release["key"])] == SEEN
        assert len(frame) == 2 + len(secrets)  # it is not changed
        released.append(pickle.dumps(release))
    assert b"secret" not in b"".join(released)
    assert released[0] == released[1] == released[2]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_the_law_of_what_is_seen_is_the_certified_one(keys, kind):
    truths = np.repeat(np.arange(13), 1500)
    released = om.release_frame(
        MAKERS[kind]({"key": np.arange(truths.size), "n": truths}), "n", keys, drop_zero=True
    )
    places, answers = np.asarray(released["key"]), np.asarray(released["n"])
    assert (answers > 0).all()
    assert (np.diff(places) > 0).all()
    matrix = np.array(keys.matrix.nearest())
    for truth in range(13):
        drawn = np.bincount(answers[truths[places] == truth], minlength=13)[1:]
        expected = 1500 * matrix[1:, truth]
        assert (np.abs(drawn - expected) <= 6 * np.sqrt(expected) + 6).all(), truth


def test_rows_are_numbered_anew_and_other_columns_keep_their_types(sure):
    frame = pd.DataFrame(
        {
            "n": [0, 12, 12],
            "when": pd.to_datetime(["2020", "2021", "2022"]).tz_localize("UTC"),
            "code": pd.array([1, 2, None], dtype="Int64"),
            "level": pd.Categorical([1, 2, None]),
        },
        index=[2, 0, 1],
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotPrivateWarning)
        released = om.release_frame(frame, "n", sure, drop_zero=True)
        nothing = om.release_frame(frame.assign(n=0), "n", sure, drop_zero=True)
    assert list(released.index) == [0, 1]
    assert list(map(str, released.dtypes)) == ["int64", str(frame["when"].dtype), "Int64", "object"]
    assert released["level"].tolist()[0] == 2
    assert (len(nothing), list(nothing.columns)) == (0, list(frame.columns))


@each(
    ("frame", "words"),
    [
        (pd.DataFrame({"n": [0]}, index=["x"]), "whose index is the numbers of its rows"),
        (pd.DataFrame({"n": [0, 1]}, index=[3, 5]), "reset_index"),
        (pd.DataFrame({"n": [0], "k": ["x"]}).set_index("k"), "reset_index"),
        (pd.DataFrame({"n": [0]}, index=pd.MultiIndex.from_tuples([("x", 0)])), "reset_index"),
        (pa.table({"n": [0], "k": [{"a": 1}]}), "columns of plain values; got struct<a: int64> in column k"),
        (pl.DataFrame({"n": [0], "k": [[1]]}), "columns of plain values; got large_list<item: int64>"),
        (pl.DataFrame({"n": [0], "k": pl.Series([object()], dtype=pl.Object)}), "got Object in column k"),
        (
            pd.DataFrame({"n": [0], "k": pd.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))}),
            "got list<item: int64> in column k",
        ),
        (dask.dataframe.from_pandas(pd.DataFrame({"n": [0]}), npartitions=1), "Compute it first"),
    ],
)
def test_a_frame_that_would_tell_of_other_rows_is_refused(keys, frame, words):
    with pytest.raises(om.NotAcceptedError, match=words):
        om.release_frame(frame, "n", keys, drop_zero=True)


def test_only_a_mechanism_that_keeps_zero_may_leave_rows_out_and_who_leaves_none_out_is_warned(keys):
    table = pa.table({"n": [3]})
    with pytest.raises(om.NotAcceptedError, match="must come with certificates that say zero-stays-zero"):
        om.release_frame(table, "n", om.design(om.question(om.count(12), 1)), drop_zero=True)
    with pytest.warns(NotPrivateWarning, match="Leave them out with --drop-zero"):
        om.release_frame(table, "n", keys)
    with pytest.raises(om.ProblemError, match="`drop_zero` must be"):
        om.release_frame(table, "n", keys, drop_zero="yes")
