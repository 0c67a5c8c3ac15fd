"""Each vector is decided in two seconds of processor by each of its readers, whatever it says."""

from __future__ import annotations

import contextlib
import time

import pytest

import optmech as om
from optmech.cli import main
from tests.claims.test_one_language import VECTORS, files_of
from tests.each import each
from tests.readers import checker

SECONDS = 2


def by_library(path):
    with contextlib.suppress(om.OptmechError):
        om.read_certificate(path)


READERS = {
    "checker": lambda path: checker.main(files_of(path)),
    "library": by_library,
    "command": lambda path: main(["verify", *map(str, files_of(path))]),
}


@pytest.mark.parametrize("reader", ["checker", "library", pytest.param("command", marks=pytest.mark.long)])
@each("path", VECTORS, every=4, slow_every=99)
def test_a_vector_is_decided_soon(reader, path, capsys):
    start = time.process_time()
    READERS[reader](path)
    capsys.readouterr()
    assert time.process_time() - start < SECONDS
