"""The page of a release prints intervals that hold for its readers: of shown rows, and open where clamped."""

from __future__ import annotations

import re
from fractions import Fraction

import pyarrow as pa
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables.column_of_source import column_mechanism
from optmech.release.tables.interval import Limits


def cells_of(path):
    """Return the cells of a page that hold one of its tables, as text."""
    return re.sub(r"<[^>]*>", " ", path.read_text(encoding="utf-8")).split()


@pytest.mark.parametrize("asked", ["", "--interval 0.95"])
def test_a_page_of_shown_rows_has_their_intervals(asked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    problem = om.question(om.count(12), 1, delta="1e-3", properties=["zero-stays-zero"])
    certificate = om.design(problem).certificate
    om.write_certificate(certificate, "m.certificate.json")
    lines = [f"k{place},{30 if place % 2 else 9}" for place in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["key,n", *lines]) + "\n")
    (tmp_path / "d.toml").write_text('title = "Keys"\ndata = "t.csv"\n')
    apply = f"apply m.certificate.json t.csv --column n --clamp --drop-zero {asked} --out r.csv"
    assert main(apply.split()) == 0
    assert main(["report", "d.toml", "r.release.json", "m.certificate.json", "--out", "page.html"]) == 0
    limits = Limits(column_mechanism(certificate), Fraction(95, 100), clamp=True, drop_zero=True)
    text = " ".join(cells_of(tmp_path / "page.html"))
    rows = [line.split(",")[:2] for line in (tmp_path / "r.csv").read_text().splitlines()[1:]]
    assert len(rows) > 10
    shown = rows if len(rows) <= 24 else rows[:20]
    for key, answer in shown:
        low, high = (end[0].as_py() for end in limits.of(pa.array([int(answer)]), pa.int64()))
        assert low >= 1
        assert f"{key} {answer} {low} {'no limit' if high is None else high} " in text
    assert "no limit" in text
    assert "given that its row is shown" in text
