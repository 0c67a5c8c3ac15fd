"""Whole numbers of any length come back from Parquet, and nothing else does."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.base.errors import FileFormatError, ProblemError
from optmech.release import read_parquet, write_parquet
from tests.release.plugs.certified import by_hand, designed


def test_what_is_written_is_read_back_to_the_last_digit(certificate, tmp_path):
    write_parquet(certificate, tmp_path / "matrix")
    back, mechanism = read_parquet(tmp_path / "matrix"), om.MatrixMechanism.certified(certificate)
    assert (back.exact.numerators == certificate.matrix.numerators).all()
    assert back.exact.denominator == certificate.matrix.denominator
    assert (back.truths, back.responses, back.labels) == (
        mechanism.truths,
        mechanism.responses,
        mechanism.labels,
    )
    assert (back.matrix == mechanism.matrix).all()


def test_numbers_longer_than_any_machine_word_survive(tmp_path):
    long = 10**400
    certificate = by_hand([[3 * long, long], [long, 3 * long]], "ln 3")
    write_parquet(certificate, tmp_path / "matrix")
    assert read_parquet(tmp_path / "matrix").exact.numerators[0, 0] == 3 * long


def test_a_table_is_long_and_columns_sum_to_one(tmp_path):
    write_parquet(designed("mean"), tmp_path / "m.parquet")
    table = pq.read_table(tmp_path / "m.parquet")
    assert table.column_names == ["truth", "response", "probability", "numerator"]
    assert table.num_rows == 41 * 41
    sums = table.group_by("truth").aggregate([("probability", "sum")])
    assert np.allclose(sums["probability_sum"].to_numpy(), 1)
    mechanism = om.MatrixMechanism.certified(designed("mean"))
    row = table.slice(3 * 41 + 5, 1).to_pylist()[0]
    assert (row["truth"], row["response"], row["probability"]) == (0.3, 0.5, mechanism.matrix[5, 3])
    write_parquet(designed("categories"), tmp_path / "c.parquet")
    assert pq.read_table(tmp_path / "c.parquet")["truth"].to_pylist()[:4] == ["red", "red", "red", "green"]


def test_epsilon_and_delta_are_told_as_they_are(tmp_path):
    def about(certificate):
        write_parquet(certificate, tmp_path / "matrix")
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


def test_every_changed_byte_is_noticed_or_means_nothing(tmp_path):
    path, certificate = tmp_path / "matrix", designed("count")
    write_parquet(certificate, path)
    whole = path.read_bytes()
    generator = np.random.default_rng(5)
    for place in generator.integers(0, len(whole), 150).tolist():
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            back = read_parquet(path)
        except FileFormatError:
            continue
        assert (back.exact.numerators == certificate.matrix.numerators).all()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(FileFormatError, match=r"matrix` must be a file"):
            read_parquet(path)


def test_numbers_that_were_changed_with_care_are_refused(tmp_path):
    path = tmp_path / "m.parquet"
    write_parquet(designed("count"), path)
    table = pq.read_table(path)
    rows, beside = table.to_pydict(), json.loads(table.schema.metadata[b"optmech"])

    def changed(columns, **fields):
        metadata = {"optmech": json.dumps({**beside, **fields})}
        pq.write_table(pa.table({**rows, **columns}).replace_schema_metadata(metadata), path)

    first, second, *rest = rows["numerator"]
    changed({"numerator": [second, first, *rest]})
    with pytest.raises(FileFormatError, match="another SHA-256"):
        read_parquet(path)
    changed({"probability": [*rows["probability"][::-1][1:], 0.5]})
    with pytest.raises(FileFormatError, match="not the doubles nearest"):
        read_parquet(path)
    changed({}, about="{}")
    with pytest.raises(FileFormatError, match="another format"):
        read_parquet(path)
    changed({}, responses=beside["responses"][::-1])
    with pytest.raises(FileFormatError, match="truths or responses with another SHA-256"):
        read_parquet(path)


def test_other_files_and_none_are_refused_by_a_sentence(tmp_path):
    (tmp_path / "text").write_text("response,0,1\n0,0.5,0.5\n")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "other.parquet")
    for name in ("text", "other.parquet"):
        with pytest.raises(FileFormatError, match="of a certified mechanism, unchanged"):
            read_parquet(tmp_path / name)
    with pytest.raises(FileFormatError, match="must be a file that can be read; got no such file"):
        read_parquet(tmp_path / "missing")
    with pytest.raises(FileFormatError, match="must be a file that can be read"):
        read_parquet(tmp_path)


def test_what_is_not_certified_is_not_written(tmp_path):
    with pytest.raises(ProblemError, match="must have a certificate"):
        write_parquet(om.MatrixMechanism.certified(designed("count")), tmp_path / "matrix")
    with pytest.raises(FileFormatError, match="must be writable"):
        write_parquet(designed("count"), tmp_path / "no" / "matrix")
    assert not list(tmp_path.iterdir())
