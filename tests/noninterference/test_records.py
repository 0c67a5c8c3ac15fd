"""From records to a release: a person more or less shows in nothing but draws, through every door."""

from __future__ import annotations

from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optmech as om
from tests.each import each
from tests.noninterference.doors import command, log_of, scripted

BASE = [("x", "A"), ("y", "A"), ("z", "B"), ("x", "B")]
NEIGHBOURS = [
    [*BASE, ("new", "A")],  # a person more, in groups that others are in
    [("new", "0"), *BASE, ("new", "C"), ("new", "C")],  # in groups of their own
    BASE[1:3],  # a person less
    [*BASE[:2], ("z", "A"), BASE[3]],  # another group
]


def released(records, folder, certified, suffix, *, of_data):
    """Return what may be published of a release of records: commands' words, the table and its log."""
    people, wards = zip(*records, strict=True)
    table, counts, out = (folder / f"{name}{suffix}" for name in ("records", "counts", "released"))
    columns = pa.table({"who": people, "ward": wards})
    if suffix == ".parquet":
        pq.write_table(columns, table)
    else:
        table.write_text("".join(f"{who},{ward}\n" for who, ward in [("who", "ward"), *records]))
    (folder / "wards.csv").write_text("ward\nA\nB\nC\n0\n")
    groups = ["--groups-from-data"] if of_data else ["--groups", folder / "wards.csv"]
    with mock.patch("os.fsync"):
        told = command(
            "tabulate", table, "--person", "who", "--group", "ward", *groups, "--at-most", 2, "--out", counts
        )
    listed = pq.read_table(counts) if suffix == ".parquet" else None
    names = (
        listed["ward"].to_pylist()
        if listed is not None
        else [line.partition(",")[0] for line in counts.read_text().splitlines()[1:]]
    )
    draws = {"A": 2, "B": 1}
    with scripted({6: [draws.get(name, 0) for name in names]}):
        said = command(
            "apply",
            certified / "a.certificate.json",
            counts,
            "--column",
            "count",
            "--drop-zero",
            "--again",
            "--out",
            out,
        )
    log = folder / "released.release.json"
    content = told, said, out.read_bytes(), log_of(log)
    log.unlink()
    return content


CASES = [(".csv", True, NEIGHBOURS), (".parquet", True, NEIGHBOURS[1:2]), (".csv", False, NEIGHBOURS[:2])]


@each("case", CASES)
def test_one_person_shows_in_nothing_but_draws(certified, tmp_path, case):
    suffix, of_data, neighbours = case
    base = released(BASE, tmp_path, certified, suffix, of_data=of_data)
    for records in neighbours:
        assert released(records, tmp_path, certified, suffix, of_data=of_data) == base, records


@pytest.mark.filterwarnings("ignore:Caution")
def test_a_frame_of_groups_that_occur_is_not_released_whole(certificates, tmp_path):
    records = pa.table({"who": [who for who, _ in BASE], "ward": [ward for _, ward in BASE]})
    counts = om.tabulate(
        records,
        person="who",
        group="ward",
        groups_from_data=True,
        at_most=2,
        out=tmp_path / "counts.parquet",
    ).table
    plain = om.design(om.question(om.count(5), 1))
    frames = {
        "Arrow": counts,
        "pandas": counts.to_pandas(),
        "a selection": counts.select(["count", "ward"]).slice(1),
        "a file": pq.read_table(tmp_path / "counts.parquet"),
    }
    for name, frame in frames.items():
        for mechanism in (plain, certificates["a"]):
            with pytest.raises(om.NotAcceptedError, match="each of its rows says that somebody is there"):
                om.release_frame(frame, "count", mechanism)
        with pytest.raises(om.NotAcceptedError, match="zero-stays-zero"):
            om.release_frame(frame, "count", plain, drop_zero=True)
        released = om.release_frame(frame, "count", certificates["a"], drop_zero=True)
        assert list(released.columns if name == "pandas" else released.column_names)[-1] in ("count", "ward")


TABLES = {
    "each row a person": ["--each-row-a-person", "--bins", "n=0,5,..", "--most-people", 5],
    "people": ["--person", "who", "--people"],
    "sums": ["--person", "who", "--sum", "n", "--between", "0:1", "--group", "ward", "--at-most", 2],
    "sums of rows": ["--each-row-a-person", "--sum", "n", "--between", "0:1", "--drop-empty"],
}
NUMBERS = ["who,ward,n", "x,A,3", "y,B,0", "x,B,12"]


@each("name", TABLES, every=2)
def test_bins_sums_and_people_show_one_person_in_nothing_but_draws(certified, tmp_path, name):
    words = TABLES[name]
    table, counts, out = (tmp_path / f"{part}.csv" for part in ("records", "counts", "released"))
    (tmp_path / "wards.csv").write_text("ward\nA\nB\n")
    groups = ["--groups", tmp_path / "wards.csv"] if "--group" in words else []
    column = "total" if "--sum" in words else "count"
    contents = []
    for rows in (NUMBERS, [*NUMBERS, "new,A,99"], [NUMBERS[0], *NUMBERS[2:3]]):
        table.write_text("\n".join([*rows, ""]))
        told = command("tabulate", table, *words, *groups, "--out", counts)
        with scripted({6: [1] * 9}):
            words_of_apply = ("--column", column, "--clamp", "--again", "--out", out)
            said = command("apply", certified / "a.certificate.json", counts, *words_of_apply)
        log = tmp_path / "released.release.json"
        contents.append((told, said, out.read_bytes(), log_of(log)))
        log.unlink()
    assert contents[0] == contents[1] == contents[2]
