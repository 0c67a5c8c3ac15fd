"""Two tables of the same public categories are released as the same bytes, whatever their cells hold.

The released numbers are scripted, so that all that is left of a release is everything but the draws.
"""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.designs.tables.design_table import design_table
from optmech.mechanisms.certificates.table_text import table_text
from optmech.release.joint.joint_draws import DrawnNoise
from tests.each import each
from tests.noninterference.doors import command, log_of

CATEGORIES = {"region": ["a", "b, c"], "age": ["1", "2", "3"]}
TYPES = (pa.int8(), pa.int64(), pa.float64(), pa.decimal128(21, 2), pa.string())
KINDS = (pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string()))


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Write a certificate of each kind of noise."""
    folder = tmp_path_factory.mktemp("tables")
    for name, budget in (("pure", {"epsilon": 1}), ("normal", {"zcdp": "0.1"})):
        design = design_table(om.table(CATEGORIES, **budget))
        (folder / f"{name}.json").write_text(table_text(design.certificate))
    return folder


def write(dice, path):
    """Write some of the cells, in any order and form, with any counts."""
    cells = [cell for cell in product(*CATEGORIES.values()) if dice.random() < 0.6]
    dice.shuffle(cells)
    counts = [dice.choice((0, 3, 100)) for _ in cells]
    if path.suffix == ".parquet":
        columns = {
            name: pa.array([cell[at] for cell in cells], pa.string()).cast(dice.choice(KINDS))
            for at, name in enumerate(CATEGORIES)
        }
        columns["count"] = pa.array(counts, pa.int64()).cast(dice.choice(TYPES))
        table = pa.table(columns).select(dice.sample([*columns], 3))
        pq.write_table(table, path, row_group_size=dice.choice((1, 2, 9)))
        return
    end, form = dice.choice(("\n", "\r\n")), dice.choice(("{}", "{}.0", '"{}"', " {}"))
    rows = [f'{first if "," not in first else f"{chr(34)}{first}{chr(34)}"},{second},{form.format(count)}'
            for (first, second), count in zip(cells, counts, strict=True)]  # fmt: skip
    path.write_text(end.join(["region,age,count", *rows]) + dice.choice(("", end)))


def scripted(self, counts, totals):  # noqa: ARG001 - as the method
    """Return numbers that do not depend on the counts, some of them below zero."""
    return {margin: np.arange(-2, np.prod([counts.shape[i] for i in margin], dtype=int) - 2).reshape(
        [counts.shape[i] for i in sorted(margin)]) for margin in totals}  # fmt: skip


@each("seed", range(48), every=16)
def test_a_whole_table_tells_of_nothing_that_is_not_public(tables, tmp_path, monkeypatch, seed):
    monkeypatch.setattr(DrawnNoise, "released", scripted)
    monkeypatch.chdir(tmp_path)
    dice = random.Random(seed)  # noqa: S311 - a test repeats it
    noise, suffix = ("pure", "normal")[seed % 2], (".csv", ".parquet")[seed // 2 % 2]
    out = tmp_path / f"released{dice.choice(('.csv', '.csv.gz', '.parquet'))}"
    more = dice.choice(([], ["--errors"], ["--wide"], ["--no-negative"]))
    found = []
    for _ in range(2):
        write(dice, tmp_path / f"true{suffix}")
        said = command("apply", tables / f"{noise}.json", tmp_path / f"true{suffix}", "--out", out, *more)
        written = [*sorted(tmp_path.glob("released*"))]
        log = tmp_path / "released.release.json"
        found.append([log_of(log), *(path.read_bytes() for path in written if path != log), said])
        for path in written:
            path.unlink()
    assert found[0] == found[1]
    assert found[0][-1]["rows"] == 12
