"""From records with keys to a release: people and keys show in nothing but the noise that keys pick."""

from __future__ import annotations

from itertools import product
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from optmech.analysis import p_table_of, with_keys
from tests.each import each
from tests.noninterference.doors import command, log_of

KEYS, PUBLISHED = 16, {"A": 3, "B": 2, "C": 0}
SIZES = [{"A": 2, "B": 1}, {"A": 3, "B": 1}, {"A": 2, "B": 2, "C": 1}, {"A": 4, "B": 3}]
FORMS = [pa.int64(), pa.uint8(), pa.string()]


@pytest.fixture(scope="module")
def keyed(tmp_path_factory):
    """Write a perturbation table of keys, and return its file and the noise of each count and key."""
    question = om.p_table(3, 1, variance=3, zero_stays_zero=True)
    certificate = with_keys(om.design(question), KEYS).certificate
    path = tmp_path_factory.mktemp("keyed") / "t.certificate.json"
    om.write_certificate(certificate, path)
    return path, p_table_of(certificate).noise_by_key(KEYS)


def records_of(sizes, noise, kind, seed):
    """Return records whose keys, different in each case, lead to the published counts."""
    rows = []
    for ward, size in sizes.items():
        keys = [(seed + 5 * number) % KEYS for number in range(size - 1)]
        wanted = noise[min(size, len(noise) - 1)].index(PUBLISHED[ward] - size)
        keys.append((wanted - sum(keys)) % KEYS)
        rows += [(f"{ward}{number}", ward, key) for number, key in enumerate(keys)]
    who, wards, keys = zip(*rows, strict=True)
    return pa.table({"who": who, "ward": wards, "key": pa.array(keys, pa.int64()).cast(kind)})


def released(records, folder, path, suffix, words):
    """Return what may be published of a release of records."""
    table, counts, out = (folder / f"{name}{suffix}" for name in ("records", "counts", "released"))
    if suffix == ".parquet":
        pq.write_table(records, table)
    else:
        columns = records.to_pydict()
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
        table.write_text("\n".join(lines))
    (folder / "wards.csv").write_text("ward\nA\nB\nC\n")
    by = ["--person", "who", "--group", "ward", "--groups", folder / "wards.csv", "--at-most", 1]
    coin = "optmech.release.tabulate.cell_keys.token_hex"
    with mock.patch("os.fsync"), mock.patch(coin, return_value="0" * 32):
        told = command("tabulate", table, *by, "--record-key", "key", "--keys", KEYS, "--out", counts)
        given = ["--column", "count", "--cell-key", "cell_key", "--data", "x", *words]
        said = command("apply", path, counts, *given, "--out", out)
    log = folder / "released.release.json"
    content = told, said, out.read_bytes(), log_of(log)
    out.unlink()
    log.unlink()
    return content


WORDS = [(), ("--interval", "0.9", "--drop-zero")]


@each(
    ("suffix", "words", "other"),
    list(product([".parquet", ".csv"], WORDS, [1, 2, 3])),
    every=12,
)
def test_people_and_keys_show_in_nothing_but_noise(keyed, tmp_path, suffix, words, other):
    path, noise = keyed
    one, two = (
        released(records_of(SIZES[seed], noise, FORMS[seed % 3], seed), tmp_path, path, suffix, words)
        for seed in (0, other)
    )
    assert b"cell_key" not in one[2]
    assert b"3" in one[2]
    assert one == two
