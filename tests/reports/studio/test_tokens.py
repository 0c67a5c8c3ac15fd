import os
import stat

import pytest

from optmech.base.errors import ProblemError
from optmech.cli import main
from optmech.reports.studio.tokens import lasting_token, new_token, state_folder

posix = pytest.mark.skipif(os.name != "posix", reason="who may read a file is said otherwise there")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    return tmp_path / "optmech"


def test_tokens_differ_and_fit_into_a_path():
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) >= 22 and token.replace("-", "").replace("_", "").isalnum() for token in tokens)


@posix
def test_a_lasting_token_is_its_owners_alone_and_that_of_one_port(folder):
    old = os.umask(0)  # as careless as can be
    try:
        token = lasting_token(8123)
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "studio-8123.token").stat().st_mode) == 0o600
    assert lasting_token(8123) == token
    assert lasting_token(8124) != token


@posix
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_token_that_others_may_know_is_refused(mode, folder):
    lasting_token(8123)
    (folder / "studio-8123.token").chmod(mode)
    with pytest.raises(ProblemError, match=r"must be yours and closed to others; .* delete the file"):
        lasting_token(8123)


@pytest.mark.parametrize("content", ["", "short", "../" * 8, "ü" * 22, "x" * 10**6])
def test_what_is_no_token_is_refused(content, folder):
    lasting_token(8123)
    (folder / "studio-8123.token").write_text(content, encoding="utf-8")
    with pytest.raises(ProblemError, match="must hold a token of 22 letters"):
        lasting_token(8123)


@posix
def test_nothing_is_read_through_a_link_or_from_a_pipe(folder, tmp_path, monkeypatch):
    lasting_token(8123)
    (folder / "studio-1.token").symlink_to(folder / "studio-8123.token")
    os.mkfifo(folder / "studio-2.token", 0o600)
    for port in (1, 2):
        with pytest.raises(ProblemError, match=r"must (be a file of your own|hold a token)"):
            lasting_token(port)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(ProblemError, match="must be a file of your own"):
        lasting_token(3)


@posix
def test_a_folder_that_is_no_path_from_the_root_is_passed_over(monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "here")
    assert state_folder().parts[-3:] == (".local", "state", "optmech")


def test_the_same_address_needs_a_port_and_nothing_is_written(folder, capsys):
    assert main(["studio", "--no-browser", "--same-address"]) == 2
    assert "`port` must be given where the address is to stay the same" in capsys.readouterr().err
    assert not folder.exists()
