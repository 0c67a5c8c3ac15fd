"""Completion in a real bash: commands, options, values and paths."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from optmech.cli import main
from optmech.cli.commands import build_parser
from optmech.cli.completion import SHELLS, script_for

# As readline does it: the words so far, which of them the cursor is in, then the function of the command.
ASK = """\
source completion.sh
COMP_WORDS=(optmech "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
asked=$(complete -p optmech | sed 's/.*-F \\([^ ]*\\).*/\\1/')
$asked optmech "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    folder = tmp_path_factory.mktemp("shell")
    (folder / "completion.sh").write_text(script_for("bash"))
    for name in ("mechanism.csv", "mechanism.certificate.json", "measured.txt"):
        (folder / name).touch()
    (folder / "meadow").mkdir()
    return folder


def completed(shell, *words):
    """Return what bash offers for the last of these words."""
    command = ["bash", "-c", ASK, "bash", *words]
    done = subprocess.run(command, cwd=shell, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_commands_are_completed(shell):
    assert completed(shell, "") == set(build_parser().children())
    assert completed(shell, "des") == {"design"}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["design", "cr"], {"croft"}),
        (["design", "croft", "--ra"], {"--range", "--raw"}),
        (["design", "croft", "--engine", "r"], {"rays"}),
        (["completion", ""], set(SHELLS)),
        (["--qu"], {"--quiet"}),
    ],
)
def test_formulations_options_and_values_are_completed(shell, words, offered):
    assert completed(shell, *words) == offered


@pytest.mark.parametrize(
    "words", [["verify", "mec"], ["compose", "mec"], ["design", "croft", "--out", "mec"]]
)
def test_where_a_file_is_taken_files_are_completed(shell, words):
    assert completed(shell, *words) == {"mechanism.csv", "mechanism.certificate.json"}


def test_where_a_folder_is_taken_folders_are(shell):
    assert completed(shell, "sweep", "--keep", "mea") == {"meadow"}


@pytest.mark.parametrize("shell_name", SHELLS)
def test_the_command_prints_the_script(capsys, shell_name):
    assert main(["completion", shell_name]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in build_parser().children())
    assert "certificate" in script


def test_another_shell_is_refused_with_the_ones_there_are(capsys):
    assert main(["completion", "bsh"]) == 2
    assert "must be one of bash, zsh, fish; got 'bsh'." in capsys.readouterr().err
