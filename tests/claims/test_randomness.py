"""Random bytes that are too few, too many or none are refused before they make equal draws."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pytest

import optmech as om
from optmech.mechanisms.sampling import Sampler
from optmech.release.plugs import distribution
from optmech.release.tables import release_frame
from tests.each import each

RULE = "`random_bytes` must return as many bytes as it is asked for"
SHORT = {
    "one word for all": lambda _: os.urandom(4),
    "one byte too few": lambda number: os.urandom(number - 1),
    "one word too many": lambda number: os.urandom(number + 4),
    "nothing": lambda _: b"",
    "no bytes": lambda number: list(os.urandom(number)),
    "None": lambda _: None,
}


@each("source", SHORT.values(), every=2)
def test_a_source_that_reads_short_is_refused_by_every_draw(source):
    sampler = Sampler([[1, 1], [1, 3], [2, 0]], random_bytes=source)
    for draw in (sampler.draw, sampler.draw_constant_time):
        with pytest.raises(om.ProblemError, match=RULE):
            draw([0] * 6)
    large = om.design(om.croft(om.count(5000), "0.5")).mechanism
    with pytest.raises(om.ProblemError, match=RULE):
        large.draw(np.zeros(6, dtype=np.int64), source)


def test_a_source_that_reads_short_at_a_tie_is_refused():
    words = iter([(1 << 31).to_bytes(4, "little")])  # half, where a threshold lies

    def source(_):
        return next(words, b"\x00")

    with pytest.raises(om.ProblemError, match=f"{RULE}, here 4; got 1"):
        Sampler([[3 * 10**20 + 1], [3 * 10**20]], random_bytes=source).draw([0])


class ShortGenerator(np.random.Generator):
    """Gives three bytes whatever it is asked for."""

    def bytes(self, length):
        return super().bytes(min(length, 3))


@pytest.mark.filterwarnings("ignore:these draws are NOT private")
def test_a_generator_that_reads_short_is_refused_by_mechanisms_frames_and_distributions():
    seed = ShortGenerator(np.random.PCG64(1))
    certificate = om.design(om.croft(om.count(2), "0.5")).certificate
    mechanism, frame = om.MatrixMechanism.certified(certificate), pa.table({"n": [0] * 6})
    for draw in (
        lambda: mechanism.sample([0] * 6, seed=seed),
        lambda: mechanism.sample([0] * 6, seed=seed, constant_time=True),
        lambda: om.design(om.croft(om.count(5000), "0.5")).mechanism.sample([0] * 6, seed=seed),
        lambda: release_frame(frame, "n", certificate, seed=seed),
        lambda: distribution(certificate, 0).rvs(6, random_state=seed),
    ):
        with pytest.raises(om.ProblemError, match=RULE):
            draw()
