"""The log and the first line of a release name each privacy of its question."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each

PAIRS = (
    [("0.5", "1e-3"), (1, "1e-6"), (2, 0)],
    [("0.5", "0.01"), (1, 0)],
    [("ln 2", "0.01"), (3, 0)],
)


@each("largest", [5, 3000])
def test_a_log_names_each_of_several_privacies(tmp_path, monkeypatch, capsys, largest):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n3\n4\n")
    for place, pairs in enumerate(PAIRS if largest == 5 else PAIRS[:1]):
        design = om.design(om.question(om.count(largest), privacy=pairs))
        om.write_certificate(design.certificate, "c.json")
        out = f"r{largest}-{place}"
        assert main(["apply", "c.json", "t.csv", "--column", "n", "--out", f"{out}.csv"]) == 0
        (entry,) = json.loads((tmp_path / f"{out}.release.json").read_text())["mechanisms"]
        told = [entry, *entry["further_privacy"]]
        assert [one["epsilon"] for one in told] == [str(epsilon) for epsilon, _ in pairs]
        for one, delta, (_, most) in zip(told, design.certificate.deltas, pairs, strict=True):
            assert Fraction(one["delta"]) == delta <= Fraction(most)
        first = next(line for line in capsys.readouterr().out.splitlines() if "for each row" in line)
        assert all(f"epsilon = {epsilon}" in first for epsilon, _ in pairs)


def test_a_log_of_one_privacy_has_no_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n3\n")
    om.write_certificate(om.design(om.question(om.count(5), 1)).certificate, "c.json")
    assert main(["apply", "c.json", "t.csv", "--column", "n", "--out", "r.csv"]) == 0
    (entry,) = json.loads((tmp_path / "r.release.json").read_text())["mechanisms"]
    assert "further_privacy" not in entry


def test_the_json_of_a_design_names_each_of_several_privacies(capsys):
    question = ["count", "--range", "0:3", "--privacy", "0.5,0.01; 1,0"]
    assert main(["design", *question, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    pairs = [(each["epsilon"], each["delta"]) for each in content["privacies"]]
    assert pairs == [("0.5", "0.01"), ("1", None)]
    assert [each["kind"] for each in content["privacies"]] == ["approximate", "pure"]


def test_a_log_is_of_version_2_and_one_of_version_1_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n3\n")
    om.write_certificate(om.design(om.question(om.count(5), 1)).certificate, "c.json")
    assert main(["apply", "c.json", "t.csv", "--column", "n", "--out", "r.csv"]) == 0
    log = json.loads((tmp_path / "r.release.json").read_text())
    assert log["version"] == om.read_log("r.release.json")["version"] == 2
    for version in (1, 2, 3, True):
        (tmp_path / "r.release.json").write_text(json.dumps(log | {"version": version}))
        if version in (1, 2) and version is not True:
            assert om.read_log("r.release.json")["version"] == version
        else:
            with pytest.raises(om.FileFormatError, match="must be of version 1 or 2"):
                om.read_log("r.release.json")
