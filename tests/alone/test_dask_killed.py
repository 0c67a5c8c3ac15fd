"""A frame of Dask keeps its draws where a worker is lost."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

import optmech as om
from optmech.release.tables import release_frame

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
def test_on_a_cluster_that_loses_a_worker_the_draws_stay(five, fits, frame, truths):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        noisy = release_frame(frame, "n", five).persist()
        first = noisy.compute()["n"]
        assert fits(first.to_numpy(), truths, five.matrix.nearest()) > 1e-7
        keys_of = {worker: keys for worker, keys in client.has_what().items() if keys}
        lost = client.run(os.getpid, workers=[next(iter(keys_of))])
        os.kill(next(iter(lost.values())), signal.SIGKILL)
        assert (noisy.compute()["n"] == first).all()
        with pytest.raises(om.ProblemError, match="must hold answers among"):
            release_frame(frame.assign(n=frame["n"] + 1), "n", five).compute()
