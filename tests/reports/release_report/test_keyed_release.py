"""The page of a release by cell keys says how the same cells come out again, and what its bound needs."""

from __future__ import annotations

import json
import re

import pyarrow as pa
import pytest

import optmech as om
from optmech.analysis import with_keys
from optmech.cli import main
from optmech.release.tables.keyed import CONDITIONS


@pytest.mark.filterwarnings("ignore:Caution")
def test_the_page_repeats_the_command_with_its_keys(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    design = with_keys(om.design(om.p_table(1, 1, variance=1, unbiased=True, zero_stays_zero=True)), 16)
    om.write_certificate(design.certificate, "t.certificate.json")
    records = pa.table({"who": ["a", "b"], "ward": ["A", "A"], "key": [3, 9]})
    om.tabulate(
        records,
        person="who",
        group="ward",
        groups=["A", "B"],
        at_most=1,
        record_key="key",
        keys=16,
        out="c.csv",
    )
    given = ["--column", "count", "--cell-key", "cell_key", "--data", "census"]
    assert main(["apply", "t.certificate.json", "c.csv", *given, "--out", "r.csv"]) == 0
    (tmp_path / "release.toml").write_text('title = "Wards"\ndata = "census"\n')
    assert main(["report", "release.toml", "r.release.json", "t.certificate.json", "--out", "page.html"]) == 0
    page = (tmp_path / "page.html").read_text()
    assert "c.csv --column count --cell-key cell_key --data census --out r.csv" in re.sub(
        "</?span>", "", page
    )
    assert "By cell keys the same cells have the same noise again." in page
    assert "Drawing again gives other numbers" not in page
    assert "and knows everything else but the record keys, and then guesses" in page
    assert f"This holds if {CONDITIONS}." in page
    capsys.readouterr()
    assert main(["ledger", "r.release.json"]) == 0
    assert f"if {CONDITIONS}" in " ".join(capsys.readouterr().out.split())
    assert main(["ledger", "r.release.json", "--json"]) == 0
    (account,) = json.loads(capsys.readouterr().out)["accounts"]
    assert account["conditions"] == CONDITIONS


@pytest.mark.filterwarnings("ignore:Caution")
def test_a_page_of_fresh_draws_needs_no_keys(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    om.write_certificate(om.design(om.croft(om.count(5), "0.5")).certificate, "t.certificate.json")
    (tmp_path / "c.csv").write_text("ward,count\nA,3\n")
    assert main(["apply", "t.certificate.json", "c.csv", "--column", "count", "--out", "r.csv"]) == 0
    (tmp_path / "release.toml").write_text('title = "Wards"\ndata = "c.csv"\n')
    assert main(["report", "release.toml", "r.release.json", "t.certificate.json", "--out", "page.html"]) == 0
    assert main(["ledger", "r.release.json"]) == 0
    for text in ((tmp_path / "page.html").read_text(), capsys.readouterr().out):
        assert "record keys" not in text
