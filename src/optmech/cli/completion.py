"""``optmech completion``: what a shell needs to complete commands, options and paths."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.cli.fork import Fork
from optmech.cli.output import json_text, tell
from optmech.cli.parsers import Arguments, Command, option

if TYPE_CHECKING:
    from optmech.cli.command_parser import CommandParser

SHELLS = ("bash", "zsh", "fish")
_FILE = re.compile(r"FILE|TABLE|\.(csv|json|toml|parquet|md)\b")


def _run(arguments: Arguments) -> int:
    import shtab  # noqa: PLC0415 - only this command needs it

    shell = arguments.shell
    if shell not in shtab.SUPPORTED_SHELLS:
        message = (
            f"`shell` must be one that shtab knows: {', '.join(shtab.SUPPORTED_SHELLS)}; got {shell}. "
            "Run `pip install --upgrade shtab`."
        )
        raise ProblemError(message)
    script = script_for(shell)
    tell(json_text({"shell": shell, "script": script}) if arguments.json else script)
    return 0


def script_for(shell: str) -> str:
    """Return the script by which `shell` completes what may be typed, paths where a command takes a file."""
    import shtab  # noqa: PLC0415

    from optmech.cli.commands import build_parser  # noqa: PLC0415 - it lists this command, too

    front = build_parser()
    parser = argparse.ArgumentParser(front.prog, add_help=False)
    _fill(parser, front)
    return str(shtab.complete(parser, shell=shell))


def _fill(parser: argparse.ArgumentParser, known: CommandParser) -> None:
    """Give a plain parser of argparse, for shtab knows no other, what another parser takes.

    Shells know no word that is left out: a command that takes files is what it is without a question.
    """
    import shtab  # noqa: PLC0415

    words = [each for each in known.options if each.is_argument]
    for each in known.options:
        if isinstance(known, Fork) and each in words:
            continue
        action = parser.add_argument(*each.flags, **each.settings)
        placeholder = "" if action.choices else str(action.metavar)
        if placeholder == "FOLDER" or _FILE.search(placeholder):
            kind = shtab.DIRECTORY if placeholder == "FOLDER" else shtab.FILE
            action.complete = kind  # type: ignore[attr-defined]  # where shtab looks for it
    if isinstance(known, Fork):
        places = parser.add_subparsers(metavar=known.metavar)
        for word in words:
            child, summary = known.child(word.name), word.settings["help"]
            usual = child.child(child.usual) if isinstance(child, Fork) and child.has_files else child
            _fill(places.add_parser(word.name, help=summary, description=summary, add_help=False), usual)


COMMAND = Command(
    name="completion",
    about="""\
Print a script by which a shell completes commands, options and paths. To have it in each new shell:
  bash   optmech completion bash \\
           > ~/.local/share/bash-completion/completions/optmech
  zsh    optmech completion zsh > _optmech   in a folder of $fpath
  fish   optmech completion fish > ~/.config/fish/completions/optmech.fish""",
    examples=("optmech completion bash",),
    options=(option("shell", None, "which shell", choices=SHELLS),),
    run=_run,
)
