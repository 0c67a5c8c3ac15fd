"""A name protects nobody: what a query is, and of which tables it speaks, is data that is checked."""

from __future__ import annotations

import json

import numpy as np
import pytest

import optmech as om
from optmech.cli import main
from tests.each import each

IDENTITY = {
    "denominator": "1",
    "rows": [" ".join("1" if r == f else "0" for f in range(6)) for r in range(6)],
}


@pytest.fixture(scope="module")
def free():
    """A query that protects 4 and 5 from each other and nobody else, under the name of a count."""
    query = om.Query(range(6), neighbours=[(4, 5)], name="count 0..5")
    return om.design(om.question(query, "0.5")).certificate


@pytest.fixture(scope="module")
def near_data():
    query = om.Query.from_data([3, 1, 3], max, change="replace", domain=range(5))
    renamed = om.Query(query.truths, neighbours=query.pairs, name="count 0..1")
    return om.design(om.question(renamed, 1)).certificate


def run(capsys, *words):
    code = main([*map(str, words)])
    out, err = capsys.readouterr()
    return code, out + err


def outputs(capsys, folder, certificate):
    """Return what each tool says of a certificate."""
    path, table = folder / "m.certificate.json", folder / "t.csv"
    om.write_certificate(certificate, path)
    table.write_text("count\n" + "".join(f"{float(truth):g}\n" for truth in certificate.problem.query.truths))
    texts = {"verify": run(capsys, "verify", path)[1]}
    texts["apply"] = run(capsys, "apply", path, table, "--column", "count", "--out", folder / "r.csv")[1]
    texts["log"] = (folder / "r.release.json").read_text()
    for command, name in (("card", "c.md"), ("report", "r.html")):
        code, text = run(capsys, command, path, "--out", folder / name)
        assert code == 0, text
        texts[command] = (folder / name).read_text()
    texts["c"] = om.release.to_c(certificate)
    texts["rust"] = om.release.to_rust(certificate)
    texts["repr"] = repr(certificate)
    return texts


def test_a_free_query_is_called_custom_by_every_output_with_its_name_in_quotation_marks(
    free, capsys, tmp_path
):
    for tool, text in outputs(capsys, tmp_path, free).items():
        plain = text.replace("\\", "").replace("&quot;", '"').replace("&#34;", '"').replace("&#x27;", "'")
        assert "custom query" in plain or "custom question" in plain, tool
        assert plain.count("count 0..5") == plain.count('"count 0..5"'), tool


def test_a_truth_without_neighbour_and_a_graph_that_falls_apart_are_warned_of_by_every_output(
    free, capsys, tmp_path
):
    for tool, text in outputs(capsys, tmp_path, free).items():
        if tool != "repr":
            words = " ".join(text.replace("//", " ").replace(" * ", " ").split())
            assert "4 of 6 true answers have no neighbour" in words, tool
            assert "fall apart into 5 groups" in words, tool


def test_a_certificate_whose_pairs_were_edited_is_refused_by_all_who_read_it(capsys, tmp_path):
    certificate = om.design(om.question(om.count(5), "0.5"), engine="closed-form").certificate
    path = tmp_path / "m.certificate.json"
    om.write_certificate(certificate, path)
    content = json.loads(path.read_text())
    content["question"]["query"] |= {"reach": 0, "pairs": [[4, 5], [5, 4]]}
    path.write_text(json.dumps(content))
    with pytest.raises(om.FileFormatError, match="`kind` must agree with answers and neighbours"):
        om.read_certificate(path)
    table = tmp_path / "t.csv"
    table.write_text("count\n1\n")
    for words in (
        ("verify", path),
        ("card", path, "--out", tmp_path / "c.md"),
        ("report", path, "--out", tmp_path / "r.html"),
        ("export", path, "--format", "c", "--out", tmp_path / "m.h"),
        ("apply", path, table, "--column", "count", "--out", tmp_path / "r.csv"),
    ):
        code, text = run(capsys, *words)
        assert code != 0, words
        assert "proved" not in text.replace("Nothing in it is proved", "")
    assert {part.name for part in tmp_path.iterdir()} == {path.name, table.name}


@each(
    ("query", "edit"),
    [
        (om.count(5), {"parameters": {"smallest": 0, "largest": 6, "records_per_person": 1}}),
        (om.count(5), {"parameters": {"smallest": 0, "largest": 5, "records_per_person": 2}}),
        (om.count(5), {"kind": "extremum", "parameters": {"smallest": 0, "largest": 5}}),
        (om.count(5), {"name": "count 0..5"}),
        (om.count(5), {"scope": "given table"}),
        (om.count(5), {"kind": "total"}),
        (om.extremum(0, 4), {"kind": "count", "parameters": {"smallest": 0, "largest": 4}}),
        (om.mean(3, 2), {"parameters": {"records": 2, "smallest": 0, "largest": 3, "records_per_person": 1}}),
        (om.residues(5, [1]), {"parameters": {"modulus": 5, "distances": [2]}}),
        (om.vector((2, 3), [(0, 1)]), {"parameters": {"moduli": [3, 2], "distances": [[0, 1]]}}),
        (om.vector((2, 3), [(0, 1)]), {"kind": "categories", "parameters": {}}),
        (om.graph([("a", "b"), ("b", "c")]), {"kind": "categories", "parameters": {}, "name": ""}),
    ],
    every=2,
)
def test_a_kind_that_answers_or_neighbours_contradict_is_refused(query, edit, tmp_path):
    certificate = om.design(om.question(query, 1, loss="zero-one"), engine="program").certificate
    path = tmp_path / "m.certificate.json"
    om.write_certificate(certificate, path)
    content = json.loads(path.read_text())
    assert set(edit) <= set(content["question"]["query"])
    content["question"]["query"] |= edit
    path.write_text(json.dumps(content))
    with pytest.raises(om.OptmechError):
        om.read_certificate(path)


def test_kind_parameters_scope_and_directions_are_data_of_every_query_and_come_back(tmp_path):
    for query, kind, parameters in (
        (om.count(5, smallest=2), "count", {"smallest": 2, "largest": 5, "records_per_person": 1}),
        (om.mean(3, 2), "mean", {"records": 3, "smallest": 0, "largest": 2, "records_per_person": 1}),
        (om.extremum(1, 4), "extremum", {"smallest": 1, "largest": 4}),
        (om.residues(5, [1, 2]), "residues", {"modulus": 5, "distances": [1, 2]}),
        (om.vector((2, 2), [(0, 1)]), "vector", {"moduli": [2, 2], "distances": [[0, 1]]}),
        (om.categories("ab"), "categories", {}),
        (om.graph([("a", "b")]), "graph", {}),
        (om.Query(range(3)), "custom", {}),
    ):
        path = tmp_path / f"{kind}.json"
        om.write_certificate(om.design(om.question(query, 1, loss="zero-one")).certificate, path)
        for one in (query, om.read_certificate(path).problem.query):
            assert (one.kind, one.parameters, str(one.scope), one.symmetric) == (
                kind,
                parameters,
                "every table",
                True,
            )


def test_neighbours_of_one_table_keep_that_scope_under_any_name(near_data):
    assert str(near_data.problem.query.scope) == "given table"
    pairs = near_data.problem.query.pairs
    weighted = np.column_stack([pairs, near_data.problem.query.weights])
    joined = np.concatenate([pairs, pairs[:, ::-1]])
    guises = (pairs, list(pairs), (pair for pair in pairs), pairs[:, ::-1], pairs.copy(), weighted, joined)
    for again in guises:
        assert str(om.Query([3, 4], neighbours=again).scope) == "given table"


def test_what_protects_near_one_table_alone_is_said_so_by_every_output(near_data, capsys, tmp_path):
    for tool, text in outputs(capsys, tmp_path, near_data).items():
        if tool != "repr":
            words = " ".join(text.replace("//", " ").replace(" * ", " ").split())
            assert "other tables are not protected" in words, tool
            assert "differential privacy | Yes" not in words, tool
    pytest.importorskip("opendp.prelude").enable_features("contrib", "honest-but-curious")
    with pytest.raises(om.NotAcceptedError, match="one given table only"):
        om.release.to_opendp(near_data)


def test_a_certificate_of_no_neighbours_but_the_identity_is_never_called_a_count(free, tmp_path):
    path = tmp_path / "m.certificate.json"
    om.write_certificate(free, path)
    content = json.loads(path.read_text())
    content["question"]["query"] |= {
        "kind": "count",
        "parameters": {"smallest": 0, "largest": 5, "records_per_person": 1},
        "name": "",
    }
    content["matrix"] = IDENTITY
    path.write_text(json.dumps(content))
    with pytest.raises(om.OptmechError):
        om.read_certificate(path)


def test_plugs_warn_of_whom_neighbours_leave_unprotected(free):
    pytest.importorskip("opendp.prelude").enable_features("contrib", "honest-but-curious")
    with pytest.warns(UserWarning, match="4 of 6 true answers have no neighbour"):
        om.release.to_opendp(free)
    assert "4 of 6 true answers have no neighbour" in om.release.to_c(free)
