"""Columns that Arrow cannot encode, or cannot hold, are released or refused with a sentence."""

from __future__ import annotations

from decimal import Decimal

import pytest

import optmech as om

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def certificate():
    return om.design(om.question(om.count(5), 1)).certificate


@pytest.mark.skipif(not hasattr(pa, "decimal32"), reason="this PyArrow has no short decimals")
def test_short_decimals_are_released_as_counts_and_as_groups(certificate):
    for kind in (pa.decimal32(5, 1), pa.decimal64(12, 0)):
        values = pa.array([Decimal(1), Decimal(2)], kind)
        released = om.release_frame(pa.table({"n": values}), "n", certificate)
        assert set(released["n"].to_pylist()) <= set(range(6))
        names = {str(value): certificate for value in values.to_pylist()}
        om.release_frame(pa.table({"n": [1, 2], "group": values}), "n", names, by="group")


def test_what_is_no_count_is_refused_by_its_column(certificate):
    for numbers in ([1 + 0j, 2], [2**70, 1], [object(), 1]):
        with pytest.raises(om.ProblemError, match="`frame` must hold numbers or text in column n"):
            om.release_frame(pd.DataFrame({"n": numbers}), "n", certificate)


def test_wide_integers_of_polars_are_refused_by_their_column(certificate):
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"n": pl.Series([1, 2], dtype=pl.Int128)})
    with pytest.raises(om.ProblemError, match="`frame` must hold numbers or text in column n"):
        om.release_frame(frame, "n", certificate)


def test_other_columns_of_pandas_may_have_any_names(certificate):
    for name in (0, ("a", "b"), None, float("nan"), b"n", pd.Timestamp("2020")):
        released = om.release_frame(pd.DataFrame([[1, 2]], columns=[name, "n"]), "n", certificate)
        assert len(released.columns) == 2
    for name in (0, ("a", "b"), None):
        with pytest.raises(om.ProblemError, match="`column` must be text"):
            om.release_frame(pd.DataFrame([[1, 2]], columns=[name, "n"]), name, certificate)
