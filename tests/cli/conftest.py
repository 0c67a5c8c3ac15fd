"""A folder with the files that the examples of the command line read, as a person would have made them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet
import pytest

from optmech.cli import main
from tests.p_tables import SMALL, ons_text

FORMULATIONS = Path(__file__).parents[2] / "formulations"
TABLE_4 = "design croft --query count --range 0:5 --epsilon 0.5 --variant 2"


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """Make problems, a mechanism with its certificate, one without a matrix, tables and a sweep."""
    folder = tmp_path_factory.mktemp("filled")
    shutil.copy(FORMULATIONS / "croft_variant_2.toml", folder / "problem.toml")
    shutil.copy(FORMULATIONS / "sadeghi_symmetric.toml", folder / "noise.toml")
    assert main([*TABLE_4.split(), "--out", str(folder / "mechanism.csv"), "-q"]) == 0
    for name in ("first", "second"):
        shutil.copy(folder / "mechanism.certificate.json", folder / f"{name}.certificate.json")
    large = "design croft --query count --range 0:2000 --epsilon 1 --out"
    assert main([*large.split(), f"{folder}/count.json", "-q"]) == 0
    (folder / "table.csv").write_text("place,count\nhere,3\nthere,5\n")
    (folder / "wards.csv").write_text("ward,size,mean,agreed\nNorth,4,3.25,3\nSouth,3,2.67,1\n")
    (folder / "noise.csv").write_text(ons_text(SMALL))
    (folder / "places.csv").write_text("place,count\nhere,3\n")
    apply = f"apply {folder}/mechanism.certificate.json {folder}/places.csv --column count -q"
    assert main([*apply.split(), "--out", f"{folder}/noisy.csv"]) == 0
    shutil.copy(folder / "noisy.csv", folder / "again.csv")  # without a log, so that ledgers have one
    (folder / "release.toml").write_text('title = "Counts by place"\ndata = "places.csv"\n')
    rows = {"region": ["north", "south"], "count": [3, 5]}
    pyarrow.parquet.write_table(pyarrow.table(rows), folder / "table.parquet")
    visits = {"patient": ["a", "a", "b"], "district": ["x", "y", "x"], "age": ["0-17", "0-17", "18+"]}
    pyarrow.parquet.write_table(pyarrow.table(visits), folder / "visits.parquet")
    (folder / "publish.toml").write_text(
        'table = "visits.parquet"\nperson = ["patient"]\ngroups = {district = ["x", "y"]}\nat_most = 1\n'
        'epsilon = "1"\ndata = "visits"\n'
    )
    (folder / "visits.csv").write_text("patient,district\na,x\nb,y\n")
    _keyed(folder)
    _whole(folder)
    _records(folder)
    (folder / "groups.csv").write_text("district,age\nx,0-17\nx,18+\ny,0-17\ny,18+\n")
    groups = 'default = "mechanism.certificate.json"\n[groups]\nnorth = "first.certificate.json"\n'
    (folder / "groups.toml").write_text(groups)
    (folder / "question.toml").write_text(
        '[question]\nquery = {kind = "count", smallest = 0, largest = 5}\n'
        'privacy = {kind = "pure", epsilon = "0.5"}\nobjective.prior = "sum"\n'
        'properties = ["column-monotone", "fair", "row-monotone", "symmetric"]\n'
    )
    (folder / "noisy.toml").write_text(
        '[question]\nquery = {kind = "count", smallest = 0, largest = 5}\n'
        'privacy = {kind = "as-private-as", noise = {law = "discrete-gaussian", sigma = "2"}}\n'
    )
    (folder / "sweep.toml").write_text(
        '[question]\nquery = {kind = "count", smallest = 0, largest = 3}\n'
        'privacy = {kind = "pure", epsilon = "1"}\n'
    )
    return folder


def _keyed(folder):
    """Make records with keys, their counts with cell keys, and a perturbation table of keys."""
    (folder / "census.csv").write_text("person,district,record_key\na,x,17\nb,x,250\nc,y,3\n")
    (folder / "survey.csv").write_text("age,answer\n17,yes\n30,no\n70,yes\n")
    (folder / "districts.csv").write_text("district\nx\ny\nz\n")
    words = f"tabulate {folder}/census.csv --person person --group district --groups {folder}/districts.csv"
    words += f" --at-most 1 --record-key record_key --out {folder}/keyed.csv -q"
    assert main(words.split()) == 0
    words = "design p-table --within 1 --variance 1 --zero-stays-zero --unbiased --epsilon 1 --keys 256 -q"
    assert main([*words.split(), "--out", f"{folder}/p-table.csv"]) == 0


def _whole(folder):
    """Make the certificate of a table, its cells, and what was released of them."""
    words = ["design", "table", "--by", "region:3,4; age:5,10; sex:f,m", "--epsilon", "1", "-q", "--out"]
    assert main([*words, f"{folder}/table.certificate.json"]) == 0
    (folder / "cells.csv").write_text("region,age,sex,count\n3,10,f,7\n4,5,m,2\n")
    words = f"apply {folder}/table.certificate.json {folder}/cells.csv --out {folder}/whole.csv -q"
    assert main(words.split()) == 0


def _records(folder):
    """Make records of people, and certificates of their mean and their median."""
    (folder / "people.csv").write_text("ward,age\nNorth,34\nSouth,71\nNorth,18\n")
    words = ["--range", "0:100", "--epsilon", "1", "-q", "--out"]
    assert main(["design", "mean", "--people", "private", *words, f"{folder}/mean.json"]) == 0
    assert main(["design", "quantiles", *words, f"{folder}/median.json"]) == 0


@pytest.fixture
def here(filled, tmp_path, monkeypatch):
    """Work in a copy of that folder."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path
