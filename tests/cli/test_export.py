"""`optmech export` writes a certified mechanism whole, in each form, or says why not."""

from __future__ import annotations

import json
import os
import re
import shlex

import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from tests.release.plugs.certified import designed

_LARGE = "design", "croft", "--query", "count", "--range", "0:3000", "--epsilon", "1"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    om.write_certificate(designed("count"), "count.certificate.json")
    om.MatrixMechanism.certified(designed("count")).to_csv("count.csv")
    return tmp_path


def exported(words, capsys):
    code = main(["export", *words.split()])
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.mark.parametrize("mechanism", ["count.csv", "count.certificate.json"])
def test_each_form_is_what_the_library_writes(mechanism, folder, capsys):
    certificate = om.read_certificate("count.certificate.json")
    for form, write in (("c", om.release.to_c), ("rust", om.release.to_rust)):
        assert exported(f"{mechanism} --format {form}", capsys) == (0, write(certificate), "")
        assert exported(f"{mechanism} --format {form} --out written", capsys)[0] == 0
        assert (folder / "written").read_text() == write(certificate)
    code, out, _ = exported(f"{mechanism} --format parquet --out written", capsys)
    assert code == 0
    size, command = out.split("\nnext: ")
    assert size == "6 responses by 6 truths written to written"
    python, _, words = shlex.split(command.replace("\\\n", ""))
    assert python == "python"
    exec(words)  # noqa: S102 - it is what a user is told to run
    assert "6" in capsys.readouterr().out
    assert (om.release.read_parquet("written").exact.numerators == certificate.matrix.numerators).all()


def test_a_large_count_is_exported_without_a_matrix(folder, capsys):
    assert folder
    assert main([*_LARGE, "--out", "law.json"]) == 0
    capsys.readouterr()
    code, out, _ = exported("law.json --format c", capsys)
    assert (code, out) == (0, om.release.to_c(om.read_certificate("law.json")))
    assert "(1.0, 0.0)-differentially private between neighbours, proved" in out


def test_a_name_begins_the_names_of_a_header(folder, capsys):
    assert folder
    code, out, _ = exported("count.csv --format c --name visits", capsys)
    assert code == 0
    assert "visits_sample(size_t truth" in out
    assert "mechanism_" not in out


def test_json_tells_what_was_proved_and_where_it_is(folder, capsys):
    assert folder
    code, out, _ = exported("count.csv --format parquet --out count.parquet --json", capsys)
    content = json.loads(out)
    assert code == 0
    assert (content["epsilon"], content["delta"], content["out"]) == (0.5, 0.0, "count.parquet")
    assert content["sha256"] == designed("count").matrix.sha256()
    text = json.loads(exported("count.csv --format rust --json", capsys)[1])["text"]
    assert text == om.release.to_rust(om.read_certificate("count.certificate.json"))


def test_what_is_not_differential_privacy_is_written_with_a_warning(folder, capsys):
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    om.write_certificate(one_sided, "one.json")
    code, out, err = exported("one.json --format c", capsys)
    assert (code, "NOT differential privacy" in out) == (0, True)
    assert "warning: one.json is not differential privacy: of two neighbours only one is protected" in err
    content = json.loads(exported("one.json --format parquet --out one.parquet --json", capsys)[1])
    assert (content["differential_privacy"], "epsilon" in content) == (False, False)
    assert folder


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (
            "alone.csv --format c",
            2,
            "must have its certificate beside it, alone.certificate.json; there is none",
        ),
        ("count.csv --format parquet", 2, "`--out` must be given with `--format parquet`"),
        ("count.csv --format rust --name visits", 2, "`--name` must be left out with `--format rust`"),
        ("count.csv --format c --name 1st", 2, "`name` must be small letters"),
        ("count.csv --format c --out count.csv", 2, "`--out` must be another file than count.csv"),
        ("count.csv --format c --out count.certificate.json", 2, "another file than count.certificate.json"),
        ("count.csv --format c --out no/count.h", 2, "must be writable"),
        ("count.csv --format fortran", 2, "fortran"),
        ("missing.json --format c", 2, "must be a file that can be read"),
        ("other.csv --format c", 1, "must hold the doubles nearest to the certified numbers"),
        (
            "law.json --format parquet --out law.parquet",
            2,
            "that of count 0..2000 is a distribution without one.",
        ),
    ],
)
def test_what_cannot_be_exported_is_a_sentence_and_leaves_no_file(words, code, sentence, folder, capsys):
    om.MatrixMechanism.certified(designed("count")).to_csv("alone.csv")
    om.MatrixMechanism(matrix=np.eye(6), responses=range(6), truths=range(6)).to_csv("other.csv")
    os.link("count.certificate.json", "other.certificate.json")
    main(["design", "croft", "--query", "count", "--range", "0:2000", "--epsilon", "1", "--out", "law.json"])
    capsys.readouterr()
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result, out, err = exported(words, capsys)
    assert (result, out) == (code, "")
    assert sentence in re.sub(r"\s+", " ", err)
    assert "Traceback" not in err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_perturbation_table_is_exported_for_other_tools_and_what_is_none_is_refused(folder, capsys):
    design = om.design(om.p_table(2, 1, variance=1, unbiased=True))
    om.write_certificate(design.certificate, "table.certificate.json")
    code, out, _ = exported("table.certificate.json --format sas --out table.csv", capsys)
    assert code == 0
    assert "next: optmech verify table.csv --p-table" in out
    assert om.read_p_table(folder / "table.csv").source == "ptable for SAS"
    assert exported("table.certificate.json --format tau-argus", capsys)[1].startswith(
        "i;j;p;v;p_int_ub\n0;0;1;0;1\n"
    )
    code, _, err = exported("count.certificate.json --format sas", capsys)
    assert code == 2
    assert "must give its last true count the noise of the one before it" in err
