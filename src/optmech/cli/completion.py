"""``optmech completion``: what a shell needs to complete commands, options and paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from optmech.cli.output import failed, tell
from optmech.cli.parsers import command_parser
from optmech.cli.show import json_text
from optmech.cli.usage import all_parsers

if TYPE_CHECKING:
    import argparse

__all__ = ["SHELLS", "add_completion", "run_completion", "script_for"]

SHELLS = ("bash", "zsh", "fish")
_ABOUT = """\
Print a script by which a shell completes commands, options and paths. To have it in each new shell:
  bash   optmech completion bash > ~/.local/share/bash-completion/completions/optmech
  zsh    optmech completion zsh > _optmech   in a folder of $fpath
  fish   optmech completion fish > ~/.config/fish/completions/optmech.fish"""
_EXAMPLES = ("optmech completion bash",)
_FILE = re.compile(r"FILE|TABLE|\.(csv|json|toml|parquet|md)\b")
_BAD_INPUT = 2


def add_completion(subcommands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to the parser of the whole command line."""
    parser = command_parser(
        subcommands.add_parser, _ABOUT, _EXAMPLES, name="completion", summary="complete words in a shell"
    )
    parser.add_argument("shell", choices=SHELLS, help="which shell")


def run_completion(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Print the script for a shell; `parser` is that of the whole command line."""
    import shtab  # noqa: PLC0415 - only this command needs it

    shell = arguments.shell
    if shell not in shtab.SUPPORTED_SHELLS:
        told = f"`shell` must be one that shtab knows: {', '.join(shtab.SUPPORTED_SHELLS)}; got {shell}."
        return failed(f"{told} Run `pip install --upgrade shtab`.", _BAD_INPUT)
    script = script_for(shell, parser)
    tell(json_text({"shell": shell, "script": script}) if arguments.json else script)
    return 0


def script_for(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script by which `shell` completes what `parser` takes, paths where it takes a file."""
    import shtab  # noqa: PLC0415

    for one in all_parsers(parser):
        for action in one._actions:  # noqa: SLF001 - argparse has no public way to its parts
            named = "" if action.choices else str(action.metavar)
            if named == "FOLDER" or _FILE.search(named):
                kind = shtab.DIRECTORY if named == "FOLDER" else shtab.FILE
                action.complete = kind  # type: ignore[attr-defined]  # where shtab looks for it
    return str(shtab.complete(parser, shell=shell))
