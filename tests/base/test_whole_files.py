"""Several files are written all or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from optmech.base.errors import FileFormatError
from optmech.base.whole_files import check_writable, read_text, resolved, write_together, write_whole


def test_all_are_written_and_links_stay(tmp_path):
    linked = tmp_path / "real.txt"
    (tmp_path / "link.txt").symlink_to(linked)
    write_together({tmp_path / "a.txt": "first", tmp_path / "link.txt": "second"})
    assert ((tmp_path / "a.txt").read_text(), linked.read_text()) == ("first", "second")
    assert (tmp_path / "link.txt").is_symlink()
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("trouble", [OSError("no space left"), KeyboardInterrupt()])
def test_what_stops_the_last_leaves_the_first_as_it_was(tmp_path, monkeypatch, trouble):
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("old")
    chmod = Path.chmod

    def stops(path, mode):
        if len(list(tmp_path.glob(".optmech-*"))) == 2:
            raise trouble
        chmod(path, mode)

    monkeypatch.setattr(Path, "chmod", stops)
    with pytest.raises((FileFormatError, KeyboardInterrupt)):
        write_together({first: "new", second: "new"})
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert first.read_text() == "old"


def test_a_link_to_itself_is_no_file_to_write_and_no_file_to_read(tmp_path):
    loop = tmp_path / "loop.release.json"
    loop.symlink_to(loop)
    assert resolved(loop) == resolved(tmp_path) / loop.name
    for attempt in (check_writable, read_text, lambda path: write_whole(path, "x")):
        with pytest.raises(FileFormatError, match="link"):
            attempt(loop)
    assert loop.is_symlink()
