"""A frame of Dask keeps its draws where a worker is lost."""

from __future__ import annotations

import os
import signal

import pytest

import optmech as om
from optmech.release.tables import release_frame
from tests.release.tables.test_dask_frame import frame, truths

__all__ = ["frame", "truths"]


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
