"""`optmech apply` as a user types it: what is released, refused, told, and left behind."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from optmech.cli import main
from tests.each import one_slow

COUNT = "design croft --query count --range 0:3 --epsilon 0.5"
TABLE = "id,count\na,0\nb,3\nc,1\n"


def run(capsys, *words):
    code = main([word for part in words for word in (part.split() if isinstance(part, str) else [str(part)])])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def designed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("designed")
    assert main([*COUNT.split(), "--out", str(folder / "m.csv"), "--quiet"]) == 0
    return folder


@pytest.fixture
def files(designed, tmp_path):
    """Return a designed mechanism, its certificate, and a table of answers."""
    for path in designed.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    return tmp_path / "m.csv", tmp_path / "m.certificate.json", table


@pytest.mark.parametrize("options", ["", "--constant-time"])
@pytest.mark.parametrize("which", [0, 1])
def test_apply_releases_each_answer_and_keeps_the_rest(capsys, files, options, which):
    released = files[2].with_name("released.csv")
    code, out, err = run(capsys, "apply", files[which], files[2], "--column count --out", released, options)
    assert (code, err) == (0, "")
    assert "3 answers of column count released" in out
    assert out.startswith("epsilon = 0.5 for each row; who can change k rows spends k epsilon\n")
    rows = list(csv.reader(released.read_text().splitlines()))
    assert [row[0] for row in rows] == ["id", "a", "b", "c"]
    assert all(row[1] in {"0", "1", "2", "3"} for row in rows[1:])


def test_apply_without_a_certificate_warns_and_logs_that_nothing_is_proved(capsys, files):
    matrix, certificate, table = files
    certificate.unlink()
    code, out, err = run(capsys, "apply", matrix, table, "--column count --out", table.with_name("r.csv"))
    assert code == 0
    assert "has no certificate" in err
    log = json.loads(table.with_name("r.release.json").read_text())
    assert "nothing is proved" in log["mechanisms"][0]["provenance"]
    assert "what is spent is unknown" in out


@pytest.mark.parametrize("bad", ["4", "-1", "x", "0.5", "", "nan"])
def test_apply_refuses_what_is_out_of_range_with_its_line_and_writes_nothing(capsys, files, bad):
    _, certificate, table = files
    table.write_text(TABLE.replace("c,1", f"c,{bad}"))
    released = table.with_name("released.csv")
    released.write_text("old")
    code, _, err = run(capsys, "apply", certificate, table, "--column count --out", released)
    assert code == 2
    assert "in line 4" in err
    assert released.read_text() == "old"
    released.unlink()
    assert run(capsys, "apply", certificate, table, "--column count --out", released)[0] == 2
    assert sorted(path.name for path in table.parent.iterdir()) == ["m.certificate.json", "m.csv", "t.csv"]


@pytest.mark.parametrize(
    ("column", "words"), [("nothing", "one column 'nothing'"), ("id", "in column id; got 'a' in line 2")]
)
def test_apply_refuses_a_column_that_is_none_or_holds_no_answers(capsys, files, column, words):
    _, certificate, table = files
    out = table.with_name("r.csv")
    code, _, err = run(capsys, "apply", certificate, table, "--column", column, "--out", out)
    assert code == 2
    assert words in err


@pytest.mark.parametrize("target", ["m.csv", "m.certificate.json", "t.csv"])
@pytest.mark.parametrize("option", ["--out", "--log"])
def test_apply_never_writes_over_what_it_reads(capsys, files, target, option):
    matrix, _, table = files
    before = {path.name: path.read_bytes() for path in table.parent.iterdir()}
    words = "--out" if option == "--out" else f"--out {table.with_name('r.csv')} --log"
    code, _, err = run(capsys, "apply", matrix, table, "--column count", words, table.with_name(target))
    assert code == 2
    assert "must be" in err
    assert {path.name: path.read_bytes() for path in table.parent.iterdir()} == before


def test_a_second_release_of_a_name_must_be_asked_for_and_is_counted(capsys, files):
    _, certificate, table = files
    released = table.with_name("r.csv")
    words = ("apply", certificate, table, "--column count --out", released)
    assert run(capsys, *words)[0] == 0
    first, log = released.read_bytes(), json.loads(table.with_name("r.release.json").read_text())
    code, _, err = run(capsys, *words)
    assert code == 2
    assert "tells of a release into r.csv already" in err
    assert released.read_bytes() == first
    code, out, _ = run(capsys, *words, "--again")
    assert code == 0
    assert "this is draw 2, and what all of them spend adds up" in out
    second = json.loads(table.with_name("r.release.json").read_text())
    assert second["draws"] == 2
    assert [draw["output"] for draw in second["earlier"]] == [log["output"]]


def test_an_output_that_was_carried_away_is_not_drawn_again_unasked(capsys, files):
    _, certificate, table = files
    released = table.with_name("r.csv")
    words = ("apply", certificate, table, "--column count --out", released)
    assert run(capsys, *words)[0] == 0
    released.rename(table.with_name("published.csv"))
    assert run(capsys, *words)[0] == 2
    assert not released.exists()


def test_a_release_of_the_same_column_under_another_name_is_noticed(capsys, files):
    _, certificate, table = files
    for name in ("one.csv", "two.csv"):
        _, _, err = run(capsys, "apply", certificate, table, "--column count --out", table.with_name(name))
    assert "one.release.json tells of another release of column count of t.csv" in err


def test_clamping_is_told_on_the_terminal_and_written_nowhere(capsys, files):
    _, certificate, table = files
    table.write_text("id,count\na,0\nb,7\nc,8\nd,9.5\n")
    released, log = table.with_name("r.csv"), table.with_name("r.release.json")
    code, out, err = run(capsys, "apply", certificate, table, "--column count --clamp --out", released)
    assert code == 0
    assert "3 answers were beyond the range" in err
    assert "keep it to yourself" in err
    assert "beyond" not in out
    content = json.loads(log.read_text())
    assert content["beyond_the_range"] == "taken for the nearest end"
    assert not [key for key in content if "clamped" in key]


def test_json_keeps_apart_what_is_confidential(capsys, files):
    _, certificate, table = files
    table.write_text("id,count\na,0\nb,7\n")
    released = table.with_name("r.csv")
    code, out, _ = run(capsys, "apply", certificate, table, "--column count --clamp --json --out", released)
    content = json.loads(out)
    assert code == 0
    assert content["confidential"] == {"clamped": 1, "cautions": []}
    assert content["release"] == json.loads(table.with_name("r.release.json").read_text())


def test_a_seed_repeats_the_draws_and_warns_and_the_log_says_so(capsys, files):
    _, certificate, table = files
    texts = []
    for name in ("one", "two"):
        out = table.with_name(f"{name}.csv")
        _, output, err = run(capsys, "apply", certificate, table, "--column count --seed 5 --out", out)
        assert "optmech: warning: these draws are NOT private" in err
        assert "NOT PRIVATE" in output
        texts.append(out.read_text())
        log = json.loads(table.with_name(f"{name}.release.json").read_text())
        assert "NOT PRIVATE" in log["randomness"]
        assert "5" not in log["randomness"]
    assert texts[0] == texts[1]


@pytest.mark.parametrize(
    ("answer", "remedy"),
    [
        ("9", "`--clamp`"),
        ("1.5", "round it first"),
        ("Ann", "is it the right column?"),
        ("NaN", "missing"),
        ("inf", "no finite"),
    ],
)
def test_what_is_refused_comes_with_what_to_do_about_it(capsys, files, answer, remedy):
    _, certificate, table = files
    table.write_text(f"count\n1\n{answer}\n")
    code, out, err = run(
        capsys, "apply", certificate, table, "--column count --out", table.with_name("r.csv")
    )
    assert (code, out) == (2, "")
    assert f"got '{answer}' in line 3. " in err
    assert remedy in err


def test_a_missing_mechanism_is_not_first_said_to_prove_nothing(capsys, files):
    _, _, table = files
    missing, out = table.with_name("missing.csv"), table.with_name("r.csv")
    _, _, err = run(capsys, "apply", missing, table, "--column count --out", out)
    assert err == f"optmech: `{missing}` must be a file that can be read; got no such file or directory.\n"


@pytest.mark.parametrize("text", ["[groups]\n", "group,certificate\na,m.certificate.json\n"])
def test_groups_without_their_column_are_told_to_name_it(capsys, files, text):
    _, _, table = files
    groups = table.with_name("groups.toml" if "[" in text else "groups.csv")
    groups.write_text(text)
    _, _, err = run(capsys, "apply", groups, table, "--column count --out", table.with_name("r.csv"))
    assert err.startswith("optmech: `--group` must be given with a list")


def test_each_group_is_released_by_its_own_mechanism(capsys, files):
    _, certificate, table = files
    other = table.with_name("wide.csv")
    assert run(capsys, "design croft --query count --range 0:9 --epsilon 30 --out", other)[0] == 0
    groups, out = table.with_name("groups.toml"), table.with_name("r.parquet")
    groups.write_text(f'default = "{certificate.name}"\n[groups]\nwest = "wide.csv"\n')
    frame = pa.table({"region": ["west", "east"] * 50, "count": [9, 1] * 50})
    source = table.with_name("t.parquet")
    pq.write_table(frame, source)
    code, entry, err = run(capsys, "apply", groups, source, "--group region --column count --out", out)
    assert code == 0, err
    assert "epsilon = 30 or epsilon = 0.5 by group" in entry
    released = pq.read_table(out)
    assert released["region"] == frame["region"]
    assert set(released["count"].to_pylist()[::2]) == {9}  # at epsilon 30 the truth nearly always
    assert max(released["count"].to_pylist()[1::2]) <= 3
    log = json.loads(table.with_name("r.release.json").read_text())
    assert [entry["group"] for entry in log["mechanisms"]] == ["west", None]
    assert [entry["epsilon"] for entry in log["mechanisms"]] == ["30", "0.5"]
    listed = table.with_name("groups.csv")
    listed.write_text("group,certificate\nwest,wide.csv\n")
    code, _, err = run(capsys, "apply", listed, source, "--group region --column count --again --out", out)
    assert code == 2
    assert "must hold groups among west in column region; got 'east' in row 2" in err


def test_groups_and_their_column_go_together(capsys, files):
    _, certificate, table = files
    groups = table.with_name("groups.toml")
    groups.write_text('[groups]\nwest = "m.csv"\n')
    out = table.with_name("r.csv")
    code, _, err = run(capsys, "apply", groups, table, "--column count --out", out)
    assert code == 2
    assert "`--group` must be given" in err
    code, _, err = run(capsys, "apply", certificate, table, "--column count --group id --out", out)
    assert code == 2
    assert "the suffix .toml or .csv and list the mechanism of each group" in err


@pytest.mark.parametrize("name", ["r.feather", "r", "r.parquet.csvx"])
def test_a_format_that_is_not_known_is_refused(capsys, files, name):
    _, certificate, table = files
    code, _, err = run(capsys, "apply", certificate, table, "--column count --out", table.with_name(name))
    assert code == 2
    assert "must end in .csv, .csv.gz, .parquet or .xlsx" in err


def test_what_a_killed_command_left_is_pointed_out(capsys, files):
    _, certificate, table = files
    left = table.with_name(".optmech-abc.part")
    left.write_text("half")
    _, _, err = run(capsys, "apply", certificate, table, "--column count --out", table.with_name("r.csv"))
    assert f"{left} is of a command that was killed" in err
    assert left.exists()


class KilledError(BaseException):
    """As a signal would end it."""


@pytest.mark.parametrize("moment", ["os.fsync", "pathlib.Path.replace", "pathlib.Path.chmod"])
@pytest.mark.parametrize("killed", [KilledError, OSError])
def test_what_is_killed_while_writing_leaves_the_old_file_or_none(capsys, files, monkeypatch, moment, killed):
    _, certificate, table = files
    old, new = table.with_name("old.csv"), table.with_name("new.csv")
    old.write_text("old")

    def kill(*_, **__):
        raise killed(28, "No space left on device")

    monkeypatch.setattr(moment, kill)
    for target in (old, new):
        words = ["apply", str(certificate), str(table), "--column", "count", "--out", str(target)]
        if killed is OSError:
            assert main(words) == 2
            assert "no space left" in capsys.readouterr().err
        else:
            with pytest.raises(KilledError):
                main(words)
    monkeypatch.undo()
    assert old.read_text() == "old"
    assert not new.exists()
    assert not [path for path in table.parent.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("suffix", one_slow([".csv.gz", ".parquet", ".csv"]))
def test_a_full_disk_is_told_in_one_sentence_and_leaves_nothing(files, suffix):
    _, certificate, table = files
    table.write_text("id,count\n" + "".join(f"{row},{row % 4}\n" for row in range(60_000)))
    out = table.with_name(f"r{suffix}")
    limit = "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
    limit += "from optmech.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["apply", certificate, table, "--column", "count", "--out", out]
    done = subprocess.run(
        [sys.executable, "-c", limit, *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert "must be writable" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in table.parent.iterdir()) == ["m.certificate.json", "m.csv", "t.csv"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_progress_shows_on_a_terminal_alone(files):
    _, certificate, table = files
    words = [sys.executable, "-m", "optmech", "apply", certificate, table, "--column", "count", "--out"]
    mine, theirs = os.openpty()
    done = subprocess.run(
        [*map(str, words), str(table.with_name("r.csv"))], stderr=theirs, stdout=subprocess.PIPE, check=True
    )
    os.close(theirs)
    assert b"releasing count" in os.read(mine, 1 << 16)
    os.close(mine)
    assert b"releasing" not in done.stdout
