"""A release that is killed leaves nothing under the name of its output, whenever that happens."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.release.tables import read_log, release_table, table
from tests.alone.handled import wait_until_handled

KILLS, MOST_TURNS, ROWS = 2, 20, 150_000


class KilledError(BaseException):
    """As a signal would end it."""


def test_killed_between_its_two_files_it_has_told_of_what_nobody_has(five, tmp_path, monkeypatch):
    source, out = tmp_path / "t.csv", tmp_path / "r.csv"
    source.write_text("n\n1\n")
    rename, calls = type(out).replace, []

    def killed(path, target):
        calls.append(target)
        if len(calls) == 2:
            raise KilledError
        return rename(path, target)

    monkeypatch.setattr("pathlib.Path.replace", killed)
    with pytest.raises(KilledError):
        release_table(five, source, out, column="n")
    monkeypatch.undo()
    assert read_log(tmp_path / "r.release.json")["output"]["file"] == "r.csv"
    assert not out.exists()
    with pytest.raises(om.ProblemError, match="tells of a release"):  # the safe side: it is counted as spent
        release_table(five, source, out, column="n")
    assert release_table(five, source, out, column="n", again=True).log["draws"] == 2


def test_of_two_commands_at_once_the_second_to_end_is_refused(five, tmp_path):
    source, out = tmp_path / "t.csv", tmp_path / "r.csv"
    source.write_text("n\n1\n")

    def meanwhile(*_):
        if not out.exists():
            release_table(five, source, out, column="n")

    with pytest.raises(om.ProblemError, match="tells of a release"):
        release_table(five, source, out, column="n", progress=meanwhile)
    log = read_log(tmp_path / "r.release.json")
    assert log["output"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
    assert not [*tmp_path.glob(".optmech-*")]


@pytest.mark.parametrize(
    ("sent", "suffix"),
    [
        (signal.SIGKILL, ".csv"),
        (signal.SIGINT, ".parquet"),
        *(
            pytest.param(sent, suffix, marks=pytest.mark.long)
            for sent, suffix in [
                (signal.SIGKILL, ".parquet"),
                (signal.SIGINT, ".csv"),
                (signal.SIGTERM, ".csv"),
                (signal.SIGTERM, ".parquet"),
            ]
        ),
    ],
)
def test_whenever_it_is_killed_there_is_a_whole_file_or_none(five, tmp_path, suffix, sent):
    om.write_certificate(five, tmp_path / "m.json")
    table = pa.table({"id": np.arange(ROWS), "n": np.random.default_rng(8).integers(0, 6, ROWS)})
    source, out = tmp_path / f"t{suffix}", tmp_path / f"r{suffix}"
    (pq.write_table if suffix == ".parquet" else pc.write_csv)(table, source)
    words = [
        sys.executable,
        "-m",
        "optmech",
        "apply",
        "m.json",
        source.name,
        "--column",
        "n",
        "--out",
        out.name,
    ]
    start = time.perf_counter()
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    whole = time.perf_counter() - start
    ended = turn = 0
    while turn < KILLS or not ended:  # on a busy machine it may have ended first
        assert turn < MOST_TURNS
        for left in (out, tmp_path / "r.release.json", *tmp_path.glob(".optmech-*")):
            left.unlink(missing_ok=True)
        process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until_handled(process)
        time.sleep(whole * random.uniform(0, 1) if turn % 2 else 0)  # noqa: S311 - any moment will do
        while turn % 2 == 0 and process.poll() is None and not [*tmp_path.glob(".optmech-*")]:
            time.sleep(0.001)  # every other time it is killed while it writes
        process.send_signal(sent)
        _, err = process.communicate()
        assert b"Traceback" not in err
        ended += process.returncode != 0
        turn += 1
        if out.exists():  # then it is whole, and the log says which
            log = json.loads((tmp_path / "r.release.json").read_text())
            assert log["output"]["sha256"] == hashlib.sha256(out.read_bytes()).hexdigest()
            assert log["output"]["rows"] == ROWS
        left = [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")]
        assert sent == signal.SIGKILL or not left
        assert {path.name for path in tmp_path.iterdir()} - set(left) <= {
            "m.json", source.name, out.name, "r.release.json",
        }  # fmt: skip


def test_of_two_commands_at_once_one_draws(tmp_path, monkeypatch):
    certificate = om.design(om.croft(om.count(5), 1)).certificate
    source = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": [1, 2, 3]}), source)
    out, look, waiting = tmp_path / "r.parquet", table.log_of, threading.Event()

    def slow(*arguments, **options):  # the log is looked at, and nothing renamed: here another may come
        waiting.set()
        time.sleep(0.3)
        return look(*arguments, **options)

    monkeypatch.setattr(table, "log_of", slow)
    with ThreadPoolExecutor() as threads:
        first = threads.submit(release_table, certificate, source, out, column="n")
        waiting.wait()
        second = threads.submit(release_table, certificate, source, out, column="n")
        troubles = [each.exception() for each in (first, second)]
    assert troubles[0] is None
    assert "tells of a release" in str(troubles[1])
    assert (
        read_log(tmp_path / "r.release.json")["output"]["sha256"]
        == hashlib.sha256(out.read_bytes()).hexdigest()
    )
