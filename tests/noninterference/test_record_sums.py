"""Two files of people with the same public groups are released as the same bytes, whatever is recorded."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.release.joint.record_cells import RecordCells
from tests.each import each
from tests.noninterference.doors import command, log_of

ASKED = ("mean", "total")


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """Write a certificate of each kind."""
    folder = tmp_path_factory.mktemp("records")
    for index, ask in enumerate(ASKED):
        for name, budget in (("pure", {"epsilon": 1}), ("normal", {"zcdp": "0.1"})):
            om.write_certificate(
                om.design(om.sums_of_people("0:9", ask, unit="0.1", **budget)).certificate,
                folder / f"{name}{index}.json",
            )
    return folder


def scripted(self, drawn, truths):  # noqa: ARG001 - as the method
    """Return numbers that do not depend on the records."""
    return {frozenset(range(len(self.shape))): np.arange(np.prod(self.shape, dtype=int)).reshape(self.shape)}


def write(dice, path):
    """Write records of any number of people, in any order and form, within the range and beyond."""
    rows = [(dice.choice("ab"), dice.choice((0, 3.5, 9, 12, -1))) for _ in range(dice.choice((0, 1, 7, 40)))]
    if path.suffix == ".parquet":
        groups, values = ([row[at] for row in rows] for at in (0, 1))
        kind = dice.choice((pa.float64(), pa.float32()))
        columns = {
            "x": pa.array(values, kind),
            "g": pa.array(groups, pa.string()),
            "other": pa.array(values, kind),
        }
        pq.write_table(pa.table(columns).select(["g", *dice.sample(["x", "other"], 2)]), path)
        return
    end, form = dice.choice(("\n", "\r\n")), dice.choice(("{}", '"{}"', " {}", "{}0e0"))
    path.write_text(
        end.join(["g,x", *(f"{group},{form.format(float(value))}" for group, value in rows)]) + end
    )


@each("seed", range(32), every=16)
def test_sums_of_records_tell_of_nothing_that_is_not_public(certificates, tmp_path, monkeypatch, seed):
    monkeypatch.setattr(RecordCells, "released", scripted)
    monkeypatch.chdir(tmp_path)
    dice = random.Random(seed)  # noqa: S311 - a test repeats it
    noise, suffix = f"{('pure', 'normal')[seed % 2]}{seed // 2 % 2}", (".csv", ".parquet")[seed // 4 % 2]
    out = tmp_path / f"released{dice.choice(('.csv', '.csv.gz', '.parquet'))}"
    (tmp_path / "groups.csv").write_text("g\na\nb\nc\n")
    more = ["--column", "x", *dice.choice(([], ["--errors"], ["--wide"]))]
    more += dice.choice(([], ["--group", "g", "--groups", "groups.csv"]))
    found = []
    for _ in range(2):
        write(dice, tmp_path / f"true{suffix}")
        said = command(
            "apply", certificates / f"{noise}.json", tmp_path / f"true{suffix}", "--out", out, *more
        )
        found.append([out.read_bytes(), log_of(tmp_path / "released.release.json"), said])
        for path in (out, tmp_path / "released.release.json"):
            path.unlink()
    assert found[0] == found[1]
