"""The page of a release by cell keys says how the same cells come out again."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

import optmech as om
from optmech.analysis import with_keys
from optmech.cli import main


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
    assert capsys.readouterr().out
