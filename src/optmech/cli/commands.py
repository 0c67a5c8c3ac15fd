"""Run the commands of ``optmech``: the module of a command is loaded once that command is typed.

Exit codes: 0 done; 1 the answer is no (a check fails, or no mechanism exists or was found); 2 bad input.
"""

from __future__ import annotations

import argparse
import sys
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from optmech.base.errors import NoSolutionError, OptmechError, VerificationError, reason_of
from optmech.base.version import __version__
from optmech.cli.fork import Fork
from optmech.cli.options import Option
from optmech.cli.output import manners, report_failure, tell
from optmech.cli.usage import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optmech.cli.command_parser import CommandParser
    from optmech.cli.parsers import Command, Family

GROUPS = {
    "publish": {
        "publish": "from records to a table with totals, by questions",
        "tabulate": "count records by groups",
        "design": "find the optimal mechanism",
        "apply": "release the answers in a table",
        "estimate": "what released numbers say about the true ones",
        "ledger": "what has been spent on which data",
        "report": "write a page to decide by",
        "verify": "prove a certificate again, or check a matrix",
        "certify": "prove a matrix from anywhere",
        "card": "write the card of a mechanism",
        "export": "write a mechanism as C, Rust or a table",
        "studio": "design by hand, on a local page",
    },
    "plan": {
        "find": "the epsilon, accuracy or width for a target error",
        "frontier": "trace what privacy costs",
        "compare": "what library defaults lose on a question",
        "improve": "the best function of an answer with noise on it",
        "prices": "what each choice of a question costs",
        "compose": "what several uses spend together",
    },
    "lab": {
        "crosscheck": "compare optima with theorems",
        "export-model": "write the program as MPS or LP",
        "sweep": "design a grid of questions",
        "doctor": "say what works on this machine",
        "completion": "complete words in a shell",
    },
}
"""All commands by what they are for, and what each does: a new one is listed here."""
# Modules that are not called as their command is.
_MODULES = {"export-model": "model_text"}
# Names that people know from elsewhere.
_ALIASES = {"release": "apply", "check": "verify", "wizard": "publish"}
_TABLES = (".csv", ".csv.gz", ".parquet")
_DONE, _NO, _BAD_INPUT = 0, 1, 2
# Messages for a question that does not fit into memory, with the remedy.
_TOO_LARGE = "the question must fit into memory; it does not. Ask for less, or give it more memory."
_TOO_LARGE_DESIGN = (
    "the question must fit into memory with its mechanism and proof; it does not. Ask for a smaller range."
)
_START = """\
optmech designs the private mechanism of smallest error for a number that must
be published, and proves it.

  optmech publish visits.csv                           from records to a table
  optmech design count --range 0:5 --epsilon 0.5       a mechanism, as a matrix
  optmech find epsilon count --range 0:5 --target 0.5  the privacy for an error
  optmech doctor                                       what works here

`optmech --help` lists all commands, `optmech COMMAND --help` what each takes."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words:
        return run_words(build_parser(), _as_meant(words))
    try:
        tell(_START)
    except OSError as error:
        return _unprinted(error)
    return _BAD_INPUT


def _as_meant(words: list[str]) -> list[str]:
    """Return the words with the name that a command has here; a table alone is published.

    >>> _as_meant(["visits.csv"]), _as_meant(["help", "design"]), _as_meant(["release", "--help"])
    (['publish', 'visits.csv'], ['design', '--help'], ['apply', '--help'])
    """
    first, *rest = words
    if first == "help":
        return [*rest, "--help"]
    if first.lower().endswith(_TABLES):
        return ["publish", *words]
    return [_ALIASES.get(first, first), *rest]


def run_words(parser: CommandParser, words: Sequence[str]) -> int:
    """Parse the words, run the command that they name, and return its exit code."""
    try:
        namespace = argparse.Namespace(json=False, quiet=False, explain=False)
        arguments_parsed = parser.parse_args(words, namespace)
    except UsageError as error:
        return report_failure(str(error), _BAD_INPUT, json="--json" in words)
    except OSError as error:
        return _unprinted(error)
    with manners(quiet=arguments_parsed.quiet, json=arguments_parsed.json):
        return _end(arguments_parsed)


def _end(arguments: argparse.Namespace) -> int:
    """Run the command that was typed; every error becomes a sentence."""
    try:
        return int(arguments.run(arguments))
    except MemoryError:  # it holds what fills the memory: until it is gone there is no room for a sentence
        pass
    except (NoSolutionError, VerificationError) as error:
        return report_failure(str(error), _NO)
    except OptmechError as error:
        return report_failure(str(error), _BAD_INPUT, is_confidential=error.quotes_data)
    except OSError as error:  # of a file each command says its own sentence: this is stdout, or the machine
        return _unprinted(error)
    return report_failure(_TOO_LARGE_DESIGN if arguments.command == "design" else _TOO_LARGE, _BAD_INPUT)


def _unprinted(error: OSError) -> int:
    """Say why the rest is not printed, unless the reader, such as `head`, has seen enough."""
    if isinstance(error, BrokenPipeError):
        return _DONE
    return report_failure(f"the system refuses: {reason_of(error)}.", _BAD_INPUT)


def command_of(name: str) -> Command | Family:
    """Return one of the commands in `GROUPS`."""
    command: Command | Family = import_module(f"optmech.cli.{_MODULES.get(name, name)}").COMMAND
    return command


@cache
def build_parser() -> Fork:
    """Return the parser of the whole command line."""
    version = {"action": "version", "version": f"optmech {__version__}", "help": "show the version and exit"}
    return Fork(
        "optmech",
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        (
            "optmech design count --range 0:5 --epsilon 0.5 --out mechanism.csv",
            "optmech report mechanism.certificate.json --out report.html",
            "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        ),
        {
            title: {name: (summary, partial(_parser_of, name)) for name, summary in words.items()}
            for title, words in GROUPS.items()
        },
        Option(("--version",), version),
        dest="command",
        metavar="COMMAND",
    )


def _parser_of(name: str, program: str) -> CommandParser:
    return command_of(name).parser(program)
