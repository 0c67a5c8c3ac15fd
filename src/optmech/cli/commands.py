"""Run one command and say how it ended.

Exit codes: 0 done; 1 the answer is no (a check fails, or no mechanism exists or was found); 2 bad input.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from optmech.base.errors import NoSolutionError, OptmechError, VerificationError, reason_of
from optmech.cli.arguments import build_parser, path_shortcut, with_joined_values
from optmech.cli.output import manners, report_failure, tell
from optmech.cli.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_DONE, _NO, _BAD_INPUT = 0, 1, 2
# What must fit into memory, and what to do if it does not.
_TOO_LARGE = {
    "design": "the question must fit into memory with its mechanism and proof; it does not. "
    "Ask for a smaller range.",
}
_START = """\
optmech designs the private mechanism of smallest error for a number that must be published, and proves it.

  optmech design count --range 0:5 --epsilon 0.5          a mechanism, as a matrix
  optmech find epsilon count --range 0:5 --target 0.5     the privacy that an error allows
  optmech doctor                                          what works on this machine

`optmech --help` lists all commands, `optmech COMMAND --help` what each takes."""
_TOO_LARGE_OTHERWISE = "the question must fit into memory; it does not. Ask for less, or give it more memory."


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words:
        tell(_START)
        return _BAD_INPUT
    try:
        namespace = argparse.Namespace(json=False, quiet=False)
        arguments_parsed = build_parser().parse_args(path_shortcut(with_joined_values(words)), namespace)
    except UsageError as trouble:
        return report_failure(str(trouble), _BAD_INPUT, json="--json" in words)
    with manners(quiet=arguments_parsed.quiet, json=arguments_parsed.json):
        return _end(arguments_parsed)


def _end(arguments: argparse.Namespace) -> int:
    """Run the command that was typed; whatever is wrong with it becomes a sentence."""
    try:
        return int(arguments.run(arguments))
    except MemoryError:  # it holds what fills the memory: until it is gone there is no room for a sentence
        pass
    except (NoSolutionError, VerificationError) as trouble:
        return report_failure(str(trouble), _NO)
    except OptmechError as trouble:
        return report_failure(str(trouble), _BAD_INPUT)
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        return _DONE
    except OSError as trouble:  # of a file each command says its own sentence: this is stdout, or the machine
        return report_failure(f"the system refuses: {reason_of(trouble)}.", _BAD_INPUT)
    return report_failure(_TOO_LARGE.get(arguments.command, _TOO_LARGE_OTHERWISE), _BAD_INPUT)
