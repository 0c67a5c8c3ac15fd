"""Two sets of records are released as the same bytes, log and screen, whatever the records hold."""

from __future__ import annotations

import random

import pytest

import optmech as om
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from tests.each import each
from tests.noninterference.doors import command, log_of

QUESTIONS = (
    {"of": "median", "epsilon": 1},
    {"of": "deciles", "zcdp": "0.1"},
    {"of": ".9", "epsilon": 1, "at_most": 3},
)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """Write a certificate of each kind, and the public groups."""
    folder = tmp_path_factory.mktemp("quantiles")
    for name, asked in enumerate(QUESTIONS):
        om.write_certificate(om.design(om.quantiles("0:100", **asked)), folder / f"{name}.json")
    (folder / "groups.csv").write_text('region\na\n"b, c"\nd\n')
    return folder


def write(dice, path):
    """Write records of any number of people, in any order."""
    regions, ages = ("a", '"b, c"'), (-5, 30, "30.4", 1e3)
    rows = [
        f"{dice.randrange(9)},{dice.choice(regions)},{dice.choice(ages)}" for _ in range(dice.randrange(12))
    ]
    path.write_text("\n".join(["id,region,age", *rows]) + "\n")


def constant(self, heaps, dice, **_):  # noqa: ARG001 - as the method
    return [40 + at for at in range(len(self.problem.quantiles))]


@each("seed", range(24), every=8)
def test_quantiles_tell_of_nothing_that_is_not_public(certificates, tmp_path, monkeypatch, seed):
    monkeypatch.setattr(QuantileCertificate, "draw", constant)
    monkeypatch.chdir(tmp_path)
    dice = random.Random(seed)  # noqa: S311 - a test repeats it
    whose = ["--each-row-a-person"] if seed % 2 and seed % 3 < 2 else ["--person", "id"]
    groups = ["--group", "region", "--groups", certificates / "groups.csv"] if dice.random() < 0.7 else []
    out, found = tmp_path / f"released{dice.choice(('.csv', '.csv.gz', '.parquet'))}", []
    for _ in range(2):
        write(dice, tmp_path / "true.csv")
        words = [certificates / f"{seed % 3}.json", tmp_path / "true.csv", "--column", "age", *whose, *groups]
        said = command("apply", *words, "--out", out)
        found.append([out.read_bytes(), log_of(tmp_path / "released.release.json"), said])
        for path in (out, tmp_path / "released.release.json"):
            path.unlink()
    assert found[0] == found[1]
    assert found[0][2]["rows"] == (3 if groups else 1) * len(
        om.quantiles("0:1", **QUESTIONS[seed % 3]).quantiles
    )
