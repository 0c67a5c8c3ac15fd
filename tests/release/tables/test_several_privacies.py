"""The log and the first line of a release name each privacy of its question."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import optmech as om
from optmech.cli import main
from tests.each import each
from tests.screen import joined

PAIRS = (
    [("0.5", "1e-3"), (1, "1e-6"), (2, 0)],
    [("0.5", "0.01"), (1, 0)],
    [("ln 2", "0.01"), (3, 0)],
)


@each("largest", [5, 3000], every=2)
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
            assert delta <= Fraction(one["delta"]) <= Fraction(most)
            assert len(one["delta"]) < 60
        first, _, _ = joined(capsys.readouterr().out).partition(" for each row")
        assert all(f"epsilon = {epsilon}" in first for epsilon, _ in pairs)


def test_a_log_of_one_privacy_has_no_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n3\n")
    om.write_certificate(om.design(om.question(om.count(5), 1)).certificate, "c.json")
    assert main(["apply", "c.json", "t.csv", "--column", "n", "--out", "r.csv"]) == 0
    (entry,) = json.loads((tmp_path / "r.release.json").read_text())["mechanisms"]
    assert "further_privacy" not in entry


@pytest.mark.slow
@each("privacy", [(Fraction(1, 3), "1e-6"), "discrete-gaussian"])
def test_a_log_and_a_ledger_tell_a_delta_of_noise_in_few_digits_rounded_up(
    tmp_path, monkeypatch, capsys, privacy
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("n\n3\n")
    if isinstance(privacy, str):
        problem = om.question(om.count(20), privacy=om.as_private_as(privacy, sigma=3))
    else:
        problem = om.question(om.count(3000), privacy[0], delta=privacy[1])
    certificate = om.design(problem).certificate
    delta = certificate.delta
    om.write_certificate(certificate, "c.json")
    for out in ("first", "second"):
        assert main(["apply", "c.json", "t.csv", "--column", "n", "--out", f"{out}.csv", "--again"]) == 0
        (entry,) = json.loads((tmp_path / f"{out}.release.json").read_text())["mechanisms"]
        assert delta <= Fraction(entry["delta"]) <= problem.privacy.delta
        assert len(entry["delta"]) < 60
    capsys.readouterr()
    assert main(["ledger", "first.release.json", "second.release.json", "--json"]) == 0
    (account,) = json.loads(capsys.readouterr().out)["accounts"]
    assert 2 * delta <= Fraction(account["delta"])
    assert max(len(told) for told in (account["delta"], *(draw["delta"] for draw in account["draws"]))) < 60


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
