"""Releases protect as they say, and a list of groups opens nothing but its own folder."""

from __future__ import annotations

import os

import pyarrow as pa
import pytest

import optmech as om
from optmech.cli import main
from optmech.release.tables import release_frame, release_table
from tests.each import each

RULE = "`clamp` must be left out: a mechanism without a certificate does not say which answers are neighbours"
ELSEWHERE = "what another folder says"


@pytest.fixture(scope="module")
def circle():
    """Four residues, neighbours one apart: 0 and 3 too, which no clamping keeps together."""
    return om.design(om.question(om.residues(4, [1]), "1", loss="zero-one"))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "true.csv"
    path.write_text("id,n,town\na,9,x\nb,8,y\n")
    return path


def test_a_mechanism_on_a_circle_is_not_clamped_without_its_certificate(circle, table):
    out = table.with_name("noisy.csv")
    frame = pa.table({"n": [9, -2], "town": ["x", "y"]})
    pandas = pytest.importorskip("pandas").DataFrame({"n": [9, -2]})
    with pytest.raises(om.NotAcceptedError, match=f"{RULE}.* Pass its certificate"):
        release_table(circle.mechanism, table, out, column="n", clamp=True)
    with pytest.raises(om.NotAcceptedError, match=RULE):
        release_table(
            {"x": circle.mechanism, None: circle.mechanism}, table, out, column="n", by="town", clamp=True
        )
    with pytest.raises(om.NotAcceptedError, match=RULE):
        release_frame(frame, "n", circle.mechanism, clamp=True)
    with pytest.raises(om.NotAcceptedError, match=RULE):
        release_frame(frame, "n", {"x": circle.mechanism, None: circle.mechanism}, by="town", clamp=True)
    dask = pytest.importorskip("dask.dataframe")
    with pytest.raises(om.NotAcceptedError, match=RULE):
        release_frame(dask.from_pandas(pandas, npartitions=1), "n", circle.mechanism, clamp=True)
    assert [path.name for path in table.parent.iterdir()] == ["true.csv"]


def test_a_matrix_in_a_file_is_not_clamped_without_its_certificate(circle, table, capsys):
    matrix, out = table.with_name("m.csv"), table.with_name("noisy.csv")
    circle.mechanism.to_csv(matrix)
    command = ["apply", str(matrix), str(table), "--column", "n", "--clamp", "--out", str(out)]
    assert main(command) == 2
    assert RULE in capsys.readouterr().err
    assert not out.exists()


def test_a_count_is_clamped_by_its_certificate_and_by_no_copy_of_its_matrix(table):
    count = om.design(om.croft(om.count(5), "0.5"))
    out = table.with_name("noisy.csv")
    assert release_table(count.certificate, table, out, column="n", clamp=True).clamped == 2
    with pytest.raises(om.NotAcceptedError, match=RULE):
        release_table(count.mechanism, table, out.with_name("x.csv"), column="n", clamp=True)


@pytest.fixture
def grouped(table):
    """A folder with a list of groups, beside a file that is none of its business."""
    folder = table.parent / "lists"
    folder.mkdir()
    (table.parent / "outside.csv").write_text(f"{ELSEWHERE},1\n2,{ELSEWHERE}\n")
    (folder / "inside.csv").write_text(f"{ELSEWHERE},1\n2,{ELSEWHERE}\n")
    (folder / "inside.json").write_text(f'{{"{ELSEWHERE}": "{ELSEWHERE}"}}')
    (folder / "link.csv").symlink_to(table.parent / "outside.csv")
    (folder / "linked.csv").write_text("response,0\n0,1\n")
    (folder / "linked.certificate.json").symlink_to(table.parent / "outside.csv")
    (folder / "circle.csv").symlink_to(folder / "circle.csv")
    return folder


def apply_groups(folder, table, name, suffix=".toml"):
    listed, out = folder / f"groups{suffix}", table.with_name("noisy.csv")
    listed.write_text(f"[groups]\nx = '{name}'\n" if suffix == ".toml" else f"group,certificate\nx,{name}\n")
    code = main(["apply", str(listed), str(table), "--group", "town", "--column", "n", "--out", str(out)])
    assert not out.exists()
    return code


@each("suffix", [".toml", ".csv"])
@each(
    ("name", "rule"),
    [
        ("../outside.csv", "must have paths from its own folder, without `..`"),
        ("deeper/../../outside.csv", "must have paths from its own folder, without `..`"),
        ("..\\outside.csv", "must have paths from its own folder, without `..`"),
        ("C:\\outside.csv", "must have paths from its own folder, without `..`"),
        ("/etc/passwd", "must have paths from its own folder, without `..`"),
        ("link.csv", "must lead to a file in the folder of the list of groups"),
        ("linked.csv", "must lead to a file in the folder of the list of groups"),
        ("circle.csv", "must be a file that can be read"),
    ],
)
def test_a_list_of_groups_stays_in_its_folder(grouped, table, capsys, name, rule, suffix):
    assert apply_groups(grouped, table, name, suffix) == 2
    errors = capsys.readouterr().err
    assert rule in errors
    assert ELSEWHERE not in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("name", ["inside.csv", "inside.json", "absent.json"])
def test_what_is_no_certificate_is_not_quoted_to_who_wrote_the_list(grouped, table, capsys, name):
    assert apply_groups(grouped, table, name) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"optmech: `{grouped / name}` must be a ")
    assert ("no such file" in errors) == (name == "absent.json")
    assert ELSEWHERE not in errors


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_a_written_file_has_the_mode_of_the_mask_which_no_moment_lifts(circle, tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the mask is of all threads"))
        circle.mechanism.to_csv(tmp_path / "new.csv")
        (tmp_path / "old.csv").write_text("")
        (tmp_path / "old.csv").chmod(0o604)
        circle.mechanism.to_csv(tmp_path / "old.csv")
    finally:
        monkeypatch.undo()
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"new.csv": 0o640, "old.csv": 0o604}
