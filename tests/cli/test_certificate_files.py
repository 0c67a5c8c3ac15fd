"""`design --out`, `verify` and `apply` as a user types them: what is written, refused, left behind."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

import optmech as om
from optmech.cli import main
from tests.question_file import question_file
from tests.screen import joined

INTERRUPTED = "optmech: interrupted; no file is half written. Run the same command again.\n"
COUNT = "design croft --query count --range 0:3 --epsilon 0.5"
TABLE = "id,count\na,0\nb,3\nc,1\n"


def run(capsys, *words):
    code = main([word for part in words for word in (part.split() if isinstance(part, str) else [str(part)])])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def files(capsys, tmp_path):
    """Return a designed mechanism, its certificate, and a table of answers."""
    matrix = tmp_path / "m.csv"
    assert run(capsys, COUNT, "--out", matrix)[0] == 0
    table = tmp_path / "t.csv"
    table.write_text(TABLE)
    return matrix, tmp_path / "m.certificate.json", table


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_design_leaves_its_matrix_and_its_certificate_and_nothing_else(files, tmp_path):
    matrix, certificate, _ = files
    assert names(tmp_path) == ["m.certificate.json", "m.csv", "t.csv"]
    content = json.loads(certificate.read_text())
    assert content["format"] == "optmech certificate"
    assert om.read_certificate(certificate).matrix.sha256() in matrix.read_text()


@pytest.mark.parametrize(
    ("place", "lasts"),
    [
        ("optmech.cli.certificate_files.certified_matrix_text", 0),
        ("optmech.base.whole_files.os.fsync", 0),
        ("optmech.base.whole_files.os.fsync", 1),
    ],
)
def test_interrupted_before_both_are_complete_it_leaves_neither(capsys, tmp_path, monkeypatch, place, lasts):
    calls = []

    def interrupted(*_, **__):
        calls.append(place)
        if len(calls) > lasts:
            raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    code, _, err = run(capsys, COUNT, "--out", tmp_path / "m.csv")
    assert (code, err) == (130, INTERRUPTED)
    assert names(tmp_path) == []


def test_interrupted_while_the_commands_load_it_says_so(capsys, monkeypatch):
    class Interrupted:
        @staticmethod
        def find_spec(*_):
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "optmech.cli.commands")
    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    assert run(capsys, "solvers") == (130, "", INTERRUPTED)


@pytest.mark.parametrize("given", ["certificate", "both", "matrix"])
def test_verify_proves_it_again_from_either_file(capsys, files, given):
    matrix, certificate, _ = files
    paths = {"certificate": [certificate], "both": [certificate, matrix], "matrix": [matrix]}[given]
    code, out, err = run(capsys, "verify", *paths)
    assert (code, err) == (0, "")
    assert "all of it proved again" in out
    assert ("holds the nearest doubles" in joined(out)) is (given != "certificate")
    code, out, _ = run(capsys, "verify", *paths, "--json")
    assert code == 0
    assert json.loads(out)["verified"] is True


def test_the_certificate_may_have_another_name(capsys, tmp_path):
    matrix, certificate = tmp_path / "m.csv", tmp_path / "proof.json"
    assert run(capsys, COUNT, "--out", matrix, "--certificate", certificate)[0] == 0
    assert names(tmp_path) == ["m.csv", "proof.json"]
    assert run(capsys, "verify", certificate, matrix)[0] == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--out same.csv --certificate same.csv", "another file than `--out`"),
        ("--out same.csv --certificate ./same.csv", "another file than `--out`"),
        ("--certificate c.json", "`--out` must be given"),
        ("--out m.csv --certificate c.json --raw", "left out with `--raw`"),
        ("--out no/such/folder.csv", "must be writable"),
        ("--out m.csv --certificate no/such/folder.json", "must be writable"),
        ("--out .", "a folder"),
    ],
)
def test_files_that_cannot_be_are_refused_before_anything_is_solved(
    capsys, tmp_path, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        sys.modules["optmech.cli.solving"], "design", lambda *_, **__: pytest.fail("it was solved")
    )
    code, _, err = run(capsys, COUNT, options)
    assert code == 2
    assert words in err
    assert names(tmp_path) == []


def test_one_file_by_two_links_is_one_file(capsys, tmp_path):
    (tmp_path / "m.csv").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "m.csv")
    code, _, err = run(capsys, COUNT, "--out", tmp_path / "m.csv", "--certificate", tmp_path / "link.json")
    assert code == 2
    assert "another file" in err
    assert (tmp_path / "m.csv").read_text() == "old"


def test_a_raw_answer_has_no_certificate_and_says_so(capsys, tmp_path):
    matrix = tmp_path / "m.csv"
    code, out, _ = run(capsys, COUNT, "--raw --out", matrix)
    assert code == 0
    assert names(tmp_path) == ["m.csv"]
    assert "RAW" in matrix.read_text()
    assert "proved" not in out.replace("nothing is proved", "")
    content = json.loads(run(capsys, COUNT, "--raw --json")[1])
    assert content["raw"] is True
    assert content["certificate"] is None


def tampered_matrix(matrix):
    mechanism = om.MatrixMechanism.from_csv(matrix)
    moved = mechanism.matrix.copy()
    moved[moved[:, 0].argmax(), 0] -= 2.0**-50
    moved[moved[:, 0].argmin(), 0] += 2.0**-50
    om.MatrixMechanism(matrix=moved, responses=mechanism.responses, truths=mechanism.truths).to_csv(matrix)


def test_a_changed_matrix_is_no_longer_that_of_its_certificate(capsys, files):
    matrix, certificate, table = files
    tampered_matrix(matrix)
    for words in (("verify", certificate, matrix), ("verify", matrix)):
        code, out, err = run(capsys, *words)
        assert code == 1
        assert out == ""
        assert "must hold the doubles nearest" in err
    code, _, err = run(capsys, "apply", matrix, table, "--column count --out", table.with_name("r.csv"))
    assert code == 1
    assert "Do not use it" in err
    assert not table.with_name("r.csv").exists()


def test_a_changed_certificate_is_refused_everywhere(capsys, files):
    _, certificate, table = files
    content = json.loads(certificate.read_text())
    content["objective"] = "1/1000"
    certificate.write_text(json.dumps(content))
    out_file = table.with_name("r.csv")
    for words in (("verify", certificate), ("apply", certificate, table, "--column count --out", out_file)):
        code, out, err = run(capsys, *words)
        assert code == 1
        assert out == ""
        assert "another objective" in err
    assert not out_file.exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", "\x00", '{"format": "optmech certificate", "version": 9}']
)
def test_what_is_no_certificate_is_bad_input(capsys, tmp_path, text):
    path = tmp_path / "c.json"
    path.write_text(text)
    code, out, err = run(capsys, "verify", path)
    assert (code, out) == (2, "")
    assert err.startswith("optmech: ")
    assert err.count("\n") == 1


def test_a_certificate_cut_short_is_bad_input(capsys, files):
    _, certificate, _ = files
    text = certificate.read_text()
    for share in (0.1, 0.5, 0.9, 0.999):
        certificate.write_text(text[: int(len(text) * share)])
        code, _, err = run(capsys, "verify", certificate)
        assert code == 2
        assert "must be JSON" in err


def test_missing_files_are_bad_input(capsys, tmp_path):
    code, _, err = run(capsys, "verify", tmp_path / "none.json")
    assert code == 2
    assert "must be a file that can be read" in err


def test_a_question_beside_a_certificate_is_refused(capsys, files, tmp_path):
    question = question_file(tmp_path, "count --range 0:3 --epsilon 0.5")
    code, _, err = run(capsys, "verify", files[1], question)
    assert code == 2
    assert "m.certificate.json states it" in err


# Killed in the middle.


class KilledError(BaseException):
    """As a signal would end it."""


@pytest.mark.parametrize("which", [1, 2])
def test_a_design_killed_between_its_two_files_leaves_a_pair_that_is_seen_through(
    capsys, files, monkeypatch, which
):
    """The first or second write is killed; what is left is the old pair, or does not agree."""
    matrix, certificate, _ = files
    before = matrix.read_text(), certificate.read_text()
    replace, calls = Path.replace, []

    def kill(self, target):
        calls.append(target)
        if len(calls) == which:
            raise KilledError
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", kill)
    with pytest.raises(KilledError):
        main([*COUNT.replace("0.5", "1").split(), "--out", str(matrix)])
    monkeypatch.undo()
    capsys.readouterr()
    changed = [path.read_text() != text for path, text in zip((matrix, certificate), before, strict=True)]
    assert sum(changed) == which - 1
    code, _, _ = run(capsys, "verify", certificate, matrix)
    assert code == (1 if any(changed) else 0)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions stop")
def test_a_folder_that_cannot_be_written_is_bad_input(capsys, tmp_path):
    tmp_path.chmod(0o500)
    code, _, err = run(capsys, COUNT, "--out", tmp_path / "m.csv")
    tmp_path.chmod(0o700)
    assert code == 2
    assert "must be writable" in err


@pytest.mark.parametrize("command", ["report {} --out r.html", "card {}", "verify {}"])
def test_a_matrix_of_which_nobody_says_what_was_asked_is_sent_for_its_certificate(
    capsys, files, monkeypatch, command
):
    matrix, certificate, _ = files
    monkeypatch.chdir(matrix.parent)
    certificate.unlink()
    code, _, err = run(capsys, command.format(matrix))
    assert code == 2
    assert err.startswith(f"optmech: `{matrix}` must have its certificate beside it, {certificate}, or ")
    matrix.unlink()
    assert "got no such file or directory" in run(capsys, command.format(matrix))[2]


def test_a_matrix_with_other_labels_is_not_the_certified_one(capsys, tmp_path):
    matrix = tmp_path / "m.csv"
    command = (
        "categories",
        "--of",
        "a,b,c",
        "--epsilon",
        "1",
        "--loss",
        "zero-one",
    )
    assert run(capsys, "design", *command, "--out", matrix)[0] == 0
    assert run(capsys, "verify", matrix)[0] == 0
    matrix.write_text(matrix.read_text().replace("# labels,a,b,c", "# labels,b,a,c"))
    code, out, errors = run(capsys, "verify", matrix)
    assert code != 0
    assert not out
    assert "must call truths as its certificate does, a, b, c; got b, a, c." in errors


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (om.question(om.Query.from_data([1, 0], sum, change="replace", domain=[0, 1]), 1), "one table"),
        (om.sadeghi(1, "0.5", 2, (1, 2)), "each single answer"),
    ],
    ids=["near one table", "each outcome"],
)
def test_what_is_verified_and_no_differential_privacy_is_said_to_be_none(capsys, tmp_path, problem, says):
    path = tmp_path / "m.certificate.json"
    om.write_certificate(om.design(problem).certificate, path)
    for more in ((), ("--quiet",), ("--json",)):
        code, _, errors = run(capsys, "verify", path, *more)
        assert code == 0
        assert "is not differential privacy at its epsilon and delta" in errors
        assert says in errors


def test_a_composition_near_one_table_is_said_to_be_no_differential_privacy(capsys, tmp_path):
    path = tmp_path / "m.certificate.json"
    near = om.Query.from_data([1, 0], sum, change="replace", domain=[0, 1])
    om.write_certificate(om.design(om.question(near, 1)).certificate, path)
    errors = run(capsys, "compose", path, "--uses 2 --epsilon 2 --quiet")[2]
    assert "is not differential privacy: it protects near one given table only" in errors


def test_a_matrix_that_is_not_private_is_not_kept_quiet(capsys, files, tmp_path):
    matrix, certificate, _ = files
    certificate.unlink()
    question = question_file(tmp_path, "count --range 0:3 --epsilon 0.1")
    code, out, errors = run(capsys, "verify", matrix, question, "--quiet")
    assert (code, out) == (1, "")
    assert "violates what is required: pure privacy: effective epsilon" in errors
