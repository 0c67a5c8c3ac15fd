"""Whole numbers of any length come back from Parquet and npz, and nothing else does."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, ProblemError
from tests.release.plugs.certified import by_hand, designed

FORMATS = {
    "npz": (om.release.write_npz, om.release.read_npz),
    "parquet": (om.release.write_parquet, om.release.read_parquet),
}


@pytest.fixture(params=sorted(FORMATS))
def kind(request):
    return request.param


def test_what_is_written_is_read_back_to_the_last_digit(certificate, kind, tmp_path):
    write, read = FORMATS[kind]
    write(certificate, tmp_path / "matrix")
    back, mechanism = read(tmp_path / "matrix"), om.MatrixMechanism.certified(certificate)
    assert (back.exact.numerators == certificate.matrix.numerators).all()
    assert back.exact.denominator == certificate.matrix.denominator
    assert (back.truths, back.responses, back.labels) == (
        mechanism.truths,
        mechanism.responses,
        mechanism.labels,
    )
    assert (back.matrix == mechanism.matrix).all()


def test_numbers_longer_than_any_machine_word_survive(kind, tmp_path):
    write, read = FORMATS[kind]
    long = 10**400
    certificate = by_hand([[3 * long, long], [long, 3 * long]], "ln 3")
    write(certificate, tmp_path / "matrix")
    assert read(tmp_path / "matrix").exact.numerators[0, 0] == 3 * long


def test_a_table_is_long_and_columns_sum_to_one(tmp_path):
    om.release.write_parquet(designed("mean"), tmp_path / "m.parquet")
    table = pq.read_table(tmp_path / "m.parquet")
    assert table.column_names == ["truth", "response", "probability", "numerator"]
    assert table.num_rows == 41 * 41
    sums = table.group_by("truth").aggregate([("probability", "sum")])
    assert np.allclose(sums["probability_sum"].to_numpy(), 1)
    mechanism = om.MatrixMechanism.certified(designed("mean"))
    row = table.slice(3 * 41 + 5, 1).to_pylist()[0]
    assert (row["truth"], row["response"], row["probability"]) == (0.3, 0.5, mechanism.matrix[5, 3])
    om.release.write_parquet(designed("categories"), tmp_path / "c.parquet")
    assert pq.read_table(tmp_path / "c.parquet")["truth"].to_pylist()[:4] == ["red", "red", "red", "green"]


def test_an_archive_opens_without_pickles(tmp_path):
    om.release.write_npz(designed("halves"), tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz", allow_pickle=False) as archive:
        assert archive["probabilities"].shape == (4, 4)
        assert archive["truths"].tolist() == ["-1.5", "-0.5", "0.5", "1.5"]
        about = json.loads(archive["about"].item())
    assert about["sha256"] == designed("halves").matrix.sha256()


def test_epsilon_and_delta_are_told_as_they_are(kind, tmp_path):
    def about(certificate):
        FORMATS[kind][0](certificate, tmp_path / "matrix")
        if kind == "npz":
            with np.load(tmp_path / "matrix", allow_pickle=False) as archive:
                return json.loads(archive["about"].item())
        beside = json.loads(pq.read_schema(tmp_path / "matrix").metadata[b"optmech"])
        return json.loads(beside["about"])

    content = about(designed("symmetric"))
    assert (content["epsilon"], content["delta"], content["differential_privacy"]) == (
        2.18,
        0.015369374127911768,
        True,
    )
    one_sided = om.design(om.kadam(om.residues(5, [1], symmetric=False), "1.5", "0.1")).certificate
    content = about(one_sided)
    assert not content["differential_privacy"]
    assert "only one is protected" in content["why_not"]
    assert "epsilon" not in content


def test_every_changed_byte_is_noticed_or_means_nothing(kind, tmp_path):
    write, read = FORMATS[kind]
    path, certificate = tmp_path / "matrix", designed("count")
    write(certificate, path)
    whole = path.read_bytes()
    generator = np.random.default_rng(5)
    for place in generator.integers(0, len(whole), 150).tolist():
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            back = read(path)
        except FileFormatError:
            continue
        assert (back.exact.numerators == certificate.matrix.numerators).all()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(FileFormatError, match=r"matrix` must be a file"):
            read(path)


def test_numbers_that_were_changed_with_care_are_refused(tmp_path):
    om.release.write_npz(designed("count"), tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as archive:
        arrays = dict(archive)
    numerators = arrays["numerators"].astype(object)
    numerators[[0, 1], 0] = numerators[[1, 0], 0]
    np.savez(tmp_path / "m.npz", **{**arrays, "numerators": numerators.astype("S")})
    with pytest.raises(FileFormatError, match="another SHA-256"):
        om.release.read_npz(tmp_path / "m.npz")
    np.savez(tmp_path / "m.npz", **{**arrays, "probabilities": arrays["probabilities"][::-1]})
    with pytest.raises(FileFormatError, match="not the doubles nearest"):
        om.release.read_npz(tmp_path / "m.npz")
    np.savez(tmp_path / "m.npz", **{**arrays, "about": np.array("{}")})
    with pytest.raises(FileFormatError, match="another format"):
        om.release.read_npz(tmp_path / "m.npz")


def test_other_files_and_none_are_refused_by_a_sentence(kind, tmp_path):
    _, read = FORMATS[kind]
    (tmp_path / "text").write_text("response,0,1\n0,0.5,0.5\n")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    for name in ("text", "other.npz", "other.parquet"):
        with pytest.raises(FileFormatError, match="of a certified mechanism, unchanged"):
            read(tmp_path / name)
    with pytest.raises(FileFormatError, match="must be a file that can be read; got no such file"):
        read(tmp_path / "missing")
    with pytest.raises(FileFormatError, match="must be a file that can be read"):
        read(tmp_path)


def test_what_is_not_certified_is_not_written(kind, tmp_path):
    write, _ = FORMATS[kind]
    with pytest.raises(ProblemError, match="must have a certificate"):
        write(om.MatrixMechanism.certified(designed("count")), tmp_path / "matrix")
    with pytest.raises(FileFormatError, match="must be writable"):
        write(designed("count"), tmp_path / "no" / "matrix")
    assert not list(tmp_path.iterdir())
