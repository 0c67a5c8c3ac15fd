"""A Dask frame draws once: what is computed again, in part or anew after a loss, gives the same draws."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import optmech as om
from optmech.mechanisms.sampling import Sampler
from optmech.release.tables import release_frame
from optmech.release.tables.frame import Secret

pandas = pytest.importorskip("pandas")
dask = pytest.importorskip("dask.dataframe")

PARTS = 8


@pytest.fixture(scope="module")
def truths():
    return np.random.default_rng(6).integers(0, 6, 24_000)


@pytest.fixture
def frame(truths):
    regions = np.array(["north", "south"])[np.arange(truths.size) % 2]
    columns = {"id": np.arange(truths.size), "n": truths, "region": regions}
    return dask.from_pandas(pandas.DataFrame(columns), npartitions=PARTS)


@pytest.mark.slow
def test_what_is_computed_twice_is_drawn_once(five, frame):
    noisy = release_frame(frame, "n", five)
    first = noisy.compute()["n"]
    assert (noisy.compute()["n"] == first).all()
    assert (noisy["n"].compute() == first).all()
    assert (noisy[["n"]].repartition(npartitions=3).compute()["n"] == first).all()
    assert noisy["n"].sum().compute() == first.sum()
    for part in range(PARTS):  # Dask counts parts anew where only some are asked for
        alone = noisy.partitions[part].compute()["n"]
        assert (alone == first[alone.index]).all()
    late = noisy[noisy["id"] >= 10_000].compute()["n"]
    assert (late == first[late.index]).all()


def test_each_call_and_each_part_draws_for_itself(five):
    same = dask.from_pandas(pandas.DataFrame({"n": [2] * 8000}), npartitions=2)
    one, other = (release_frame(same, "n", five).compute()["n"].to_numpy() for _ in range(2))
    agree = (five.matrix.nearest()[:, 2] ** 2).sum()
    for first, second in ((one, other), (one[:4000], one[4000:])):
        assert abs((first == second).mean() - agree) < 0.06  # as often as two independent draws agree


def test_other_answers_under_the_same_secret_have_other_noise():
    secret = Secret()
    assert secret.random_bytes(0, b"1")(64) != secret.random_bytes(0, b"2")(64)
    source = secret.random_bytes(0, b"1")
    assert source(64) != source(64)
    again = pickle.loads(pickle.dumps(secret))  # noqa: S301 - as Dask sends it
    assert again.random_bytes(0, b"1")(64) == secret.random_bytes(0, b"1")(64)


def test_draws_in_constant_time_are_so_in_each_part(five, frame, monkeypatch):
    monkeypatch.delattr(Sampler, "draw")
    noisy = release_frame(frame, "n", five, constant_time=True).compute()
    assert noisy["n"].between(0, 5).all()


def test_a_secret_is_in_no_text(five, frame):
    secret = Secret()
    text = f"{secret!r} {secret} {secret.__dask_tokenize__()}"
    assert secret._key.hex() not in text
    assert secret.__dask_tokenize__() != Secret().__dask_tokenize__()
    graph = release_frame(frame, "n", five)
    assert "<secret>" not in repr(graph) or "_key" not in repr(graph)


@pytest.mark.parametrize("kind", ["certificate", "groups", "large", "labels"])
def test_the_law_is_that_of_the_certificate(five, colours, large, fits, frame, truths, kind):
    matrix = five.matrix.nearest()
    if kind == "certificate":
        assert fits(release_frame(frame, "n", five).compute()["n"].to_numpy(), truths, matrix) > 1e-7
    elif kind == "groups":
        noisy = release_frame(frame, "n", {"north": five, None: five}, by="region").compute()
        assert fits(noisy["n"].to_numpy(), truths, matrix) > 1e-7
        assert noisy["region"].tolist()[:2] == ["north", "south"]
    elif kind == "large":
        noisy = release_frame(frame, "n", large).compute()["n"].to_numpy()
        assert 3 < np.abs(noisy - truths).mean() < 15
    else:
        names = np.array(["red", "green, dark", "blue"])
        named = dask.from_pandas(pandas.DataFrame({"n": names[truths % 3]}), npartitions=3)
        drawn = release_frame(named, "n", colours).compute()["n"]
        places = np.array([list(names).index(label) for label in drawn])
        assert fits(places, truths % 3, colours.matrix.nearest()) > 1e-7


def test_types_of_parts_are_those_promised(five, frame):
    noisy = release_frame(frame, "n", five)
    assert noisy.dtypes.to_dict() == noisy.compute().dtypes.to_dict()


def test_an_empty_part_is_no_trouble(five, frame):
    noisy = release_frame(frame[frame["id"] < 10], "n", five).compute()
    assert len(noisy) == 10


def test_seeds_and_unknown_columns_are_refused(five, frame):
    with pytest.raises(om.ProblemError, match="`seed` must be left out for a Dask frame"):
        release_frame(frame, "n", five, seed=1)
    with pytest.raises(om.ProblemError, match="one column 'x'"):
        release_frame(frame, "x", five)
    with pytest.raises(om.ProblemError, match="must be a DataFrame of Dask; got Series"):
        release_frame(frame["n"], "n", five)
