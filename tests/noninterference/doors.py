"""Every door to a release, with draws that ignore the true answers, and all that comes out of it as bytes."""

from __future__ import annotations

import io
import json
import pickle
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import optmech as om
from optmech.cli import main
from optmech.mechanisms.noise_mechanism import NoiseMechanism
from optmech.mechanisms.sampling import NotPrivateWarning, Sampler
from tests.noninterference import tables


def _lose(_):
    """Stand for os.fsync: a mock of it takes longer than a release."""


@contextmanager
def scripted(queues, constant=None):
    """Draw responses from queues, one for each number of truths, or always the same, whatever the answers."""

    def take(number, size):
        if constant is not None:
            return np.full(size, constant)
        queue = queues[number]
        assert len(queue) >= size
        taken, queue[:size] = queue[:size], []
        return np.array(taken, np.int64)

    def draw(self, positions, **_):
        return take(self.num_truths, len(positions))

    def draw_count(self, positions, _):
        return take(len(self.truths), len(positions))

    with (
        mock.patch.object(Sampler, "draw", draw),
        mock.patch.object(NoiseMechanism, "draw", draw_count),
        mock.patch("os.fsync", _lose),  # what is lost with the power is no matter here
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", NotPrivateWarning)
        yield


def laws_of(certificates, alike):
    """Return the mechanism of all rows, or that of each group."""
    return {"a": certificates["a"], None: certificates["b"]} if alike.grouped else certificates["a"]


def asked(alike):
    """Return the group and the clamp that tables alike ask for, as every door of Python takes them."""
    return {"by": "group" if alike.grouped else None, "clamp": alike.clamp}


def from_frame(make):
    """Return a door of frames."""

    def door(side, alike, certificates, folder):  # noqa: ARG001 - as all doors
        frame = make(side)
        with scripted(side.draws(grouped=alike.grouped)):
            released = om.release_frame(
                frame,
                "n",
                laws_of(certificates, alike),
                drop_zero=alike.drop_zero,
                **asked(alike),
            )
        return content_of(released)

    return door


def content_of(frame):
    """Return all that a frame holds: values, types, index, attributes, metadata, pieces and buffers."""
    if not isinstance(frame, pd.DataFrame):
        return type(frame).__name__, pickle.dumps(frame)
    columns = [
        (name, repr(values.dtype), [(type(value).__name__, repr(value)) for value in values.tolist()])
        for name, values in frame.items()
    ]
    index = type(frame.index).__name__, str(frame.index.dtype), frame.index.tolist(), frame.index.name
    return columns, index, frame.attrs, frame.columns.name, frame.flags.allows_duplicate_labels


def from_file(before, after):
    """Return a door of files."""
    write = tables.write_parquet if before == ".parquet" else tables.write_csv

    def door(side, alike, certificates, folder):
        out = folder / f"released{after}"
        write(side, folder / f"true{before}")
        with scripted(side.draws(grouped=alike.grouped)):
            done = om.release_table(
                laws_of(certificates, alike),
                folder / f"true{before}",
                out,
                column="n",
                drop_zero=alike.drop_zero,
                interval="0.9",
                again=True,
                **asked(alike),
            )
        content = out.read_bytes(), log_of(done.log_path)
        out.unlink()
        done.log_path.unlink()
        return content

    return door


def log_of(path):
    """Return a log but for its coin and its clock."""
    log = json.loads(path.read_text())
    del log["id"], log["made"]
    return json.dumps(log)


def command(*words):
    """Run a command and return what it says that is not confidential."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([*map(str, words), "--json"])
    assert status == 0, err.getvalue()
    said = json.loads(out.getvalue())
    said.pop("confidential", None)
    for changing in ("id", "made"):
        said.get("release", {}).pop(changing, None)
    return said


FRAMES = {
    "a table of PyArrow": from_frame(tables.arrow_table),
    "a batch of PyArrow": from_frame(tables.arrow_batch),
    "pandas": from_frame(tables.pandas_frame),
    "Polars": from_frame(tables.polars_frame),
}
SUFFIXES = (".csv", ".csv.gz", ".parquet")
FILES = {f"{before} to {after}": from_file(before, after) for before in SUFFIXES for after in SUFFIXES}


def from_command(mechanism, suffix, *, has_page=False):
    """Return a door of `optmech apply`; the mechanism is a file, a folder or a list of groups.

    With `has_page` the page of the release comes out as well, of a log with a fixed coin and clock.
    """
    write = tables.write_parquet if suffix == ".parquet" else tables.write_csv

    def door(side, alike, certified, folder):
        """Run the command in a folder; `certified` has the files of mechanisms."""
        table, out = folder / f"true{suffix}", folder / f"released{suffix}"
        write(side, table)
        words = ["apply", certified / mechanism, table, "--column", "n", "--out", out, "--interval", "0.9"]
        grouped = mechanism != "a.certificate.json"
        words += ["--group", "group"] if grouped else []
        words += ["--drop-zero"] if alike.drop_zero else []
        words += ["--clamp"] if alike.clamp else []
        with scripted(side.draws(grouped=grouped)):
            said = command(*words)
        log = folder / "released.release.json"
        content = [out.read_bytes(), log_of(log), said]
        told = json.loads(log.read_text())
        if has_page and told["draws"]:  # a table without rows is no release
            log.write_text(json.dumps({**told, "id": "0" * 32, "made": "2026-05-04T12:00:00+00:00"}))
            content.append(command("report", log, certified, "--out", folder / "page.html"))
            content.append((folder / "page.html").read_text())
            assert "The published numbers" in content[-1]
        out.unlink()
        log.unlink()
        return content

    return door


def from_dask(side, alike, certificates, folder):  # noqa: ARG001 - as all doors
    """Release a frame of Dask; each draw is the same, for parts are computed in any order."""
    frame = pytest.importorskip("dask.dataframe").from_pandas(tables.pandas_frame(side), npartitions=2)
    with scripted({}, constant=2):
        released = om.release_frame(frame, "n", laws_of(certificates, alike), **asked(alike))
        computed = released.compute(scheduler="synchronous")
    return content_of(computed), {name: repr(kind) for name, kind in released.dtypes.items()}


MECHANISMS = ("a.certificate.json", "groups.toml", "groups.csv", ".")
COMMANDS = {
    f"apply {mechanism}, {suffix}": from_command(mechanism, suffix)
    for mechanism in MECHANISMS
    for suffix in (".csv", ".parquet")
}
PAGES = {
    f"report of {mechanism}, {suffix}": from_command(mechanism, suffix, has_page=True)
    for mechanism, suffix in zip(MECHANISMS, (".csv", ".parquet") * 2, strict=True)
}
