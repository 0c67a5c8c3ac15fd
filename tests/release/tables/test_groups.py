"""A file of groups says which mechanism each has, in TOML or CSV, and nothing half right is taken."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.release.tables.groups import read_groups
from tests.each import each


def test_paths_are_meant_from_the_folder_of_the_file(tmp_path):
    (tmp_path / "g.toml").write_text('default = "d.json"\n[groups]\n"a b" = "x.json"\n1 = "sub/y.csv"\n')
    assert read_groups(tmp_path / "g.toml") == {
        "a b": tmp_path / "x.json",
        "1": tmp_path / "sub/y.csv",
        None: tmp_path / "d.json",
    }
    (tmp_path / "g.csv").write_text('group,certificate\n"a, b",x.json\n1,sub/y.csv\n')
    assert read_groups(tmp_path / "g.csv") == {"a, b": tmp_path / "x.json", "1": tmp_path / "sub/y.csv"}


@each(
    ("name", "text", "words"),
    [
        ("g.toml", "", "no groups"),
        ("g.toml", "[groups]\n", "at least one group; got none"),
        ("g.toml", "groups = 3", "must have a table"),
        ("g.toml", '[groups]\na = "x"\n[more]\n', "got more"),
        ("g.toml", "[groups]\na = 3\n", "path of a certificate for each group; got 3 for a"),
        ("g.toml", "default = 1\n[groups]\n", "path of a certificate for each group; got 1 for"),
        ("g.toml", '[groups]\na = "x"\na = "y"\n', "TOML text"),
        ("g.csv", "", "a first row with the names"),
        ("g.csv", "group,certificate\n", "at least one group"),
        ("g.csv", "a,b\n1,2\n", "under group,certificate; got a,b"),
        ("g.csv", "group,certificate\na\n", "2 cells in each row; got 1 in line 2"),
        ("g.csv", "group,certificate\na,x\na,y\n", "each group once; got 'a' twice"),
        ("g.csv", 'group,certificate\n"a,x\n', "CSV text"),
        ("g.json", "{}", "suffix .toml or .csv"),
    ],
)
def test_what_is_no_list_of_groups_is_refused(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(om.FileFormatError, match=words):
        read_groups(tmp_path / name)
