"""``optmech completion``: what a shell needs to complete commands, options and paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.cli.output import answer
from optmech.cli.parsers import Arguments, Command, option
from optmech.cli.usage import all_parsers, shown_as_usual

if TYPE_CHECKING:
    import argparse

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
    script = script_for(shell, arguments.parser)
    answer(arguments, lambda: {"shell": shell, "script": script}, lambda: [script])
    return 0


def script_for(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script by which `shell` completes what `parser` takes, paths where it takes a file."""
    import shtab  # noqa: PLC0415

    with shown_as_usual(parser):  # shells know no word that is left out, and files are typed more often
        for one in all_parsers(parser):
            for action in one._actions:  # noqa: SLF001 - argparse has no public way to its parts
                placeholder = "" if action.choices else str(action.metavar)
                if placeholder == "FOLDER" or _FILE.search(placeholder):
                    kind = shtab.DIRECTORY if placeholder == "FOLDER" else shtab.FILE
                    action.complete = kind  # type: ignore[attr-defined]  # where shtab looks for it
        return str(shtab.complete(parser, shell=shell))


COMMAND = Command(
    name="completion",
    about="""\
Print a script by which a shell completes commands, options and paths. To have it in each new shell:
  bash   optmech completion bash > ~/.local/share/bash-completion/completions/optmech
  zsh    optmech completion zsh > _optmech   in a folder of $fpath
  fish   optmech completion fish > ~/.config/fish/completions/optmech.fish""",
    examples=("optmech completion bash",),
    options=(option("shell", None, "which shell", choices=SHELLS),),
    run=_run,
)
