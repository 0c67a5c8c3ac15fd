"""Rows survive what may happen to a sweep: each once, each whole, and only those of the spec."""

from __future__ import annotations

import pytest
from filelock import FileLock
from pyarrow import parquet

from optmech.analysis.sweep import store as store_module
from optmech.analysis.sweep.answer import COLUMNS, Ending, answer_without_design
from optmech.analysis.sweep.cell import Cell
from optmech.analysis.sweep.store import Store
from optmech.base.errors import FileFormatError
from tests.analysis.sweep.asked import count_question

CELLS = [Cell(question=count_question(3, number), settings={}) for number in range(1, 11)]


def row(cell, error="none"):
    return answer_without_design(cell, Ending.REFUSED, error).row


def fill(out, cells=CELLS, *, start=0, stop=None):
    with Store(out, cells) as store:
        for cell in cells[start:stop]:
            store.add([row(cell)])


@pytest.fixture
def out(tmp_path):
    return tmp_path / "sweep.parquet"


def test_rows_that_were_added_are_there_again(out):
    fill(out, stop=4)
    assert not out.exists()
    with Store(out, CELLS) as store:
        assert list(store.rows) == [cell.key for cell in CELLS[:4]]


def test_a_complete_sweep_is_one_file_in_the_order_of_the_spec(out):
    with Store(out, CELLS) as store:
        for cell in reversed(CELLS):
            store.add([row(cell)])
        store.finish()
    table = parquet.read_table(out)
    assert table.column("key").to_pylist() == [cell.key for cell in CELLS]
    assert table.column("privacy_epsilon").to_pylist() == [float(number) for number in range(1, 11)]
    assert table.column_names == list(COLUMNS)
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_the_parts_of_an_unfinished_sweep_can_be_read_as_one_table(out):
    fill(out, stop=4)
    assert parquet.read_table(f"{out}.parts").num_rows == 4


def test_a_part_that_was_not_finished_is_no_row(out):
    fill(out, stop=2)
    torn = out.with_name("sweep.parquet.parts") / "part-00000003.parquet.tmp"
    torn.write_bytes(b"PAR1 half a fi")
    with Store(out, CELLS) as store:
        assert len(store.rows) == 2
        assert not torn.exists()


def test_a_kill_between_the_file_and_the_folder_doubles_nothing(out, monkeypatch):
    def killed(path, **_):
        raise SystemError(path)

    with Store(out, CELLS) as store:
        store.add([row(cell) for cell in CELLS])
        monkeypatch.setattr(type(out), "unlink", killed)
        with pytest.raises(SystemError):
            store.finish()
        monkeypatch.undo()
    assert out.with_name("sweep.parquet.parts").exists()
    with Store(out, CELLS) as store:
        assert len(store.rows) == 10
        store.finish()
    assert parquet.read_table(out).num_rows == 10
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_what_is_not_ours_stays_in_the_folder_of_the_parts(out):
    fill(out, stop=4)
    notes = out.with_name("sweep.parquet.parts") / "notes.txt"
    notes.write_text("mine")
    with Store(out, CELLS) as store:
        store.add([row(cell) for cell in CELLS[4:]])
        store.finish()
    assert [path.name for path in notes.parent.iterdir()] == ["notes.txt"]
    assert parquet.read_table(out).num_rows == 10


def test_many_parts_become_one_and_a_kill_between_loses_nothing(out, monkeypatch):
    monkeypatch.setattr(store_module, "_MOST_PARTS", 3)
    fill(out, stop=4)
    parts = out.with_name("sweep.parquet.parts")
    assert [path.name for path in parts.iterdir()] == ["part-00000005.parquet"]
    unlink = type(parts).unlink

    def killed(path, **settings):
        if path.suffix == ".parquet":
            raise SystemError(path)
        unlink(path, **settings)

    monkeypatch.setattr(type(parts), "unlink", killed)
    with pytest.raises(SystemError):
        fill(out, start=4)
    monkeypatch.undo()
    with Store(out, CELLS) as store:
        assert len(store.rows) == 7


def test_of_two_rows_of_a_cell_the_later_one_counts(out):
    with Store(out, CELLS) as store:
        store.add([row(CELLS[0], "first")])
        store.add([row(CELLS[0], "second")])
    with Store(out, CELLS[:1]) as store:
        assert [each["error"] for each in store.rows.values()] == ["second"]
        store.finish()
    assert parquet.read_table(out).column("error").to_pylist() == ["second"]


def test_more_cells_than_before_may_be_asked_of_a_finished_file(out):
    with Store(out, CELLS[:5]) as store:
        store.add([row(cell) for cell in CELLS[:5]])
        store.finish()
    fill(out, start=5)
    with Store(out, CELLS) as store:
        store.finish()
    assert parquet.read_table(out).num_rows == 10


def test_rows_of_cells_that_are_no_longer_asked_are_refused(out):
    fill(out)
    sentence = r"must hold cells of this spec only; it holds 7 others, such as .*\"epsilon\": \"4\""
    with pytest.raises(FileFormatError, match=sentence), Store(out, CELLS[:3]):
        pass
    with Store(out, CELLS) as store:  # nothing was touched
        assert len(store.rows) == 10


def test_rows_of_another_version_are_refused(out, monkeypatch):
    fill(out)
    monkeypatch.setattr(store_module, "__version__", "99.0")
    sentence = r"must hold answers of optmech 99\.0 only; it holds some of \d"
    with pytest.raises(FileFormatError, match=sentence), Store(out, CELLS):
        pass


def test_two_sweeps_cannot_have_one_output(out):
    with Store(out, CELLS) as store:
        store.add([row(CELLS[0])])
        with pytest.raises(FileFormatError, match="must be free; another sweep writes it"), Store(out, CELLS):
            pass
        store.add([row(CELLS[1])])
    with Store(out, CELLS) as store:
        assert len(store.rows) == 2


def test_a_lock_that_nobody_holds_locks_nothing(out):
    out.with_name("sweep.parquet.lock").touch()
    fill(out, stop=1)
    assert not out.with_name("sweep.parquet.lock").exists()


def test_a_lock_is_let_go_when_an_output_is_refused(out):
    out.write_text("key,error\n")
    with (
        pytest.raises(FileFormatError, match="must be a table that `optmech sweep` wrote"),
        Store(out, CELLS),
    ):
        pass
    with FileLock(f"{out}.lock", timeout=0):
        pass


def test_a_table_of_something_else_is_refused(out):
    arrow = pytest.importorskip("pyarrow")
    parquet.write_table(arrow.table({"key": ["a"]}), out)
    with pytest.raises(FileFormatError, match="got: other columns"), Store(out, CELLS):
        pass


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("no/such/folder/x.parquet", "must be writable; got: no such file or directory"),
        (".", "must be a table that .* got: no file"),
        ("x" * 300, "must be writable; got: file name too long"),
        ("file/x.parquet", "must be writable; got: not a directory"),
    ],
)
def test_a_path_that_cannot_be_written_gets_a_sentence(tmp_path, name, sentence):
    (tmp_path / "file").touch()
    with pytest.raises(FileFormatError, match=sentence), Store(tmp_path / name, CELLS):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
