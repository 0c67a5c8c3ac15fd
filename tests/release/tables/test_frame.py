"""A column of a data frame is released in place of the true one; a frame keeps its kind, index and types."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import optmech as om
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.sampling import NotPrivateWarning
from optmech.release.tables import release_frame
from tests.each import each

pandas = pytest.importorskip("pandas")


def polars():
    return pytest.importorskip("polars")


MAKERS = {
    "pandas": pandas.DataFrame,
    "polars": lambda columns: polars().DataFrame(columns),
    "pyarrow": pa.table,
    "a batch": pa.record_batch,
}


@pytest.mark.parametrize("kind", MAKERS)
def test_each_kind_of_frame_is_released_by_the_certified_law(five, fits, kind):
    truths = np.random.default_rng(5).integers(0, 6, 30_000)
    frame = MAKERS[kind]({"id": np.arange(truths.size), "n": truths})
    released = release_frame(frame, "n", five)
    assert type(released) is type(frame)
    assert (np.asarray(released["id"]) == np.arange(truths.size)).all()
    assert (np.asarray(frame["n"]) == truths).all()
    assert fits(np.asarray(released["n"]), truths, five.matrix.nearest()) > 1e-7


def test_pandas_keeps_index_order_of_columns_and_types(five):
    frame = pandas.DataFrame({"n": [1, 2, 3], "b": ["x", None, "z"]}, index=["u", "v", "v"])
    for dtype in ("int8", "Int64", "float64", "category", "str", "uint16"):
        released = release_frame(frame.astype({"n": dtype}), "n", five)
        assert list(released.index) == ["u", "v", "v"]
        assert list(released.columns) == ["n", "b"]
        assert set(released["n"].astype(int)) <= set(range(6))
        assert released["n"].dtype == np.int64


@pytest.mark.filterwarnings("ignore:Caution")
def test_groups_and_clamping_as_in_files(five):
    sharp = om.design(om.croft(om.count(9), epsilon="30")).certificate
    frame = pandas.DataFrame({"n": [9, 12, 8, 2], "region": ["a", "a", "b", "b"]})
    released = release_frame(frame, "n", {"a": sharp, None: five}, by="region", clamp=True)
    assert released["n"].tolist()[:2] == [9, 9]
    with pytest.raises(om.ProblemError, match="got 12 in row 1, counted from 0"):
        release_frame(frame, "n", {"a": sharp, None: five}, by="region")
    with pytest.raises(om.ProblemError, match="must hold groups among a in column region; got 'b' in row 2"):
        release_frame(frame, "n", {"a": sharp}, by="region", clamp=True)


@pytest.mark.filterwarnings("ignore:Caution")
def test_groups_may_be_categories_of_any_width(five):
    sharp = om.design(om.croft(om.count(9), epsilon="30")).certificate
    laws = {"a": sharp, None: five}
    for kind in (pa.uint8(), pa.uint32(), pa.int8()):
        codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], kind), ["a", "b"])
        released = release_frame(pa.table({"n": [9, 0, 9], "region": codes}), "n", laws, by="region")
        assert released["n"].to_pylist()[::2] == [9, 9]
    gap = pa.DictionaryArray.from_arrays(pa.array([0, None], pa.uint32()), ["a", "b"])
    with pytest.raises(om.ProblemError, match="got null in row 1"):
        release_frame(pa.table({"n": [9, 0], "region": gap}), "n", laws, by="region")


def test_a_column_whose_name_is_a_number_is_not_taken_for_its_text(five):
    with pytest.raises(om.ProblemError, match="`frame` must have one column '0'; it has other"):
        release_frame(pandas.DataFrame({0: [1, 2], "other": [1, 2]}), "0", five)


def test_a_seed_repeats_the_draws_and_warns(five):
    frame = pa.table({"n": [1, 2, 3] * 20})
    with pytest.warns(UserWarning, match="NOT private"):
        once = release_frame(frame, "n", five, seed=1)
    with pytest.warns(UserWarning, match="NOT private"):
        assert release_frame(frame, "n", five, seed=1) == once
    assert release_frame(frame, "n", five) != once


@each(
    ("frame", "words"),
    [
        ([1, 2], "must be a DataFrame of pandas, Polars or Dask, or a Table of PyArrow; got list"),
        (pandas.Series([1], name="n"), "got Series"),
        (pandas.DataFrame({"m": [1]}), "one column 'n'; it has m"),
        (pandas.DataFrame([[1, 2]], columns=["n", "n"]), "one column 'n'; it has n, n"),
        (pandas.DataFrame({"n": [1, None]}), "got null in row 1, counted from 0"),
        (pandas.DataFrame({"n": [1, "x"]}), "must hold numbers or text in column n"),
        (pandas.DataFrame({"n": [[1], [2]]}), "must hold numbers or text; got list"),
        (pandas.DataFrame({"n": [True]}), "must hold numbers or text; got bool"),
    ],
)
def test_what_is_no_frame_of_answers_is_refused(five, frame, words):
    with pytest.raises(om.ProblemError, match=words):
        release_frame(frame, "n", five)


def test_a_lazy_frame_is_refused_for_it_would_draw_each_time(five):
    with pytest.raises(om.ProblemError, match="Collect it first: it would draw each time"):
        release_frame(polars().LazyFrame({"n": [1]}), "n", five)


def test_a_frame_without_a_log_is_warned_of_what_is_no_differential_privacy():
    near = om.Query.from_data([1, 0], sum, change="replace", domain=[0, 1])
    certificate = om.design(om.question(near, 1)).certificate
    with pytest.warns(NotPrivateWarning, match="not differential privacy at this epsilon") as warned:
        release_frame(pa.table({"n": [0, 1, 2]}), "n", certificate)
    assert [warning.filename for warning in warned] == [__file__]


@each(("kind", "exact_to"), [(pa.float16(), 2**11), (pa.float32(), 2**24)])
@each("beyond", [0, 1, 2, 500], every=6)
def test_counts_in_a_narrow_float_are_released_as_whole_numbers(kind, exact_to, beyond):
    design = om.design(om.question(om.count(exact_to - 1000, exact_to + beyond), 1))
    assert isinstance(design.mechanism, NoiseMechanism)
    true = pa.table({"n": pa.array([float(exact_to - 2)] * 2000).cast(kind)})
    released = release_frame(true, "n", design)["n"]
    assert released.type == pa.int64()
    assert {value % 2 for value in released.to_pylist()} == {0, 1}


def test_a_float_that_would_be_infinite_becomes_whole_numbers():
    design = om.design(om.question(om.Query([0, 70_000]), 1))
    true = pa.table({"n": pa.array([0.0] * 9).cast(pa.float16())})
    assert release_frame(true, "n", design).schema.field("n").type == pa.int64()


def test_counts_beyond_what_doubles_tell_apart_are_released_as_whole_numbers():
    design = om.design(om.question(om.count(2**60, 2**60 + 500), 1))
    released = release_frame(pa.table({"n": [float(2**60)] * 9}), "n", design)["n"]
    assert released.type == pa.int64()
    assert all(2**60 <= value <= 2**60 + 500 for value in released.to_pylist())
