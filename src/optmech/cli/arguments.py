"""What can be typed after ``optmech``."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError
from optmech.base.version import __version__
from optmech.cli import (
    apply,
    audit,
    card,
    compare,
    completion,
    compose,
    crosscheck,
    doctor,
    export,
    frontier,
    least,
    prices,
    report,
    studio,
    sweep,
)
from optmech.cli.parsers import EXAMPLES, add_mechanism, add_questions, add_solver, command_parser
from optmech.cli.questions import CHOICES, add_choices
from optmech.cli.usage import CommandParser
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["build_parser", "not_found", "path_shortcut", "with_joined_values"]

# They take a file with instances in the place of a formulation.
_OF_FILES = ("design", "compare", "prices", "export-model", *least.COMMANDS, "frontier")
_NEGATIVE = re.compile(r"-[\d.]")


def with_joined_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with ``--option -3:3`` as ``--option=-3:3``, which argparse understands."""
    joined: list[str] = []
    for argument in arguments:
        follows_option = joined and joined[-1].startswith("--") and "=" not in joined[-1]
        if follows_option and _NEGATIVE.match(argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


@cache
def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = command_parser(
        CommandParser,
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        (
            "optmech design croft --query count --range 0:5 --epsilon 0.5 --out mechanism.csv",
            "optmech report mechanism.certificate.json --out report.html",
            "optmech apply mechanism.certificate.json table.csv --column count --out released.csv",
        ),
        prog="optmech",
    )
    parser.add_argument("--version", action="version", version=f"optmech {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    # In the order of the work: to a mechanism, from it to a release, what to ask before, what holds us to it.
    _add_design(commands)
    studio.add_studio(commands)
    report.add_report(commands)
    card.add_card(commands)
    _add_verify(commands)
    apply.add_apply(commands)
    compose.add_compose(commands)
    export.add_export(commands)

    _add_inversions(commands)
    _add_prices(commands)
    _add_compare(commands)
    sweep.add_sweep(commands)

    _add_export_model(commands)
    _add_held_to_account(commands)
    doctor.add_doctor(commands)
    completion.add_completion(commands)
    return parser


def _add_design(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command that designs."""
    design = command_parser(
        commands.add_parser,
        "Find the optimal mechanism of a question and write its matrix.",
        (EXAMPLES["croft"].format("design") + " --out mechanism.csv", "optmech design problem.toml"),
        name="design",
        summary="find the optimal mechanism",
    )
    for question in add_questions(design, "design"):
        add_solver(question)
        question.add_argument(
            "--out",
            metavar="FILE.csv",
            help="write the matrix there, whole or not at all; of a count from 0:2000 on, which gets a "
            "distribution, FILE.json",
        )
        question.add_argument(
            "--certificate",
            metavar="FILE.json",
            help="write the certificate there; default: beside the matrix",
        )
        question.add_argument(
            "--raw", action="store_true", help="hand out the solver's own answer, of which nothing is proved"
        )
        question.add_argument(
            "--break-ties",
            action="store_true",
            help="of all optimal mechanisms the one of least squared error, symmetric where the question is",
        )
        question.add_argument("--explain", action="store_true", help="say why this engine was chosen")


def _add_verify(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command that proves again, or looks in floating point."""
    verify = command_parser(
        commands.add_parser,
        "Check a certificate exactly, or a matrix against a question in floating point, and hold\n"
        "either against the closed-form theorems that speak of it. Exit code 0 if all holds, 1 if not.",
        (
            "optmech verify mechanism.certificate.json mechanism.csv",
            "optmech verify mechanism.csv --query count --range 0:5 --epsilon 0.5",
            "optmech verify mechanism.csv --query count --range 0:5 --epsilon 0.5 --variant 2 --json",
        ),
        name="verify",
        summary="prove a certificate again, or check a matrix",
    )
    add_mechanism(verify)
    verify.add_argument(
        "matrix", metavar="MECHANISM.csv", nargs="?", help="the matrix beside the certificate"
    )
    verify.add_argument(
        "--formulation", choices=tuple(FORMULATIONS), default="croft", help="whose question; default: croft"
    )
    add_choices(verify, list(CHOICES))


def _add_prices(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command that takes a question apart."""
    priced = command_parser(
        commands.add_parser,
        "Say what each choice of a question costs: the question without it is designed and proved as well.",
        prices.EXAMPLES,
        name="prices",
        summary="what each choice of a question costs",
    )
    for question in add_questions(priced, "prices"):
        add_solver(question)


def _add_compare(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command that looks at what is in use."""
    compared = command_parser(
        commands.add_parser,
        "Say what the mechanisms in use lose on a question, against the proved optimum.",
        compare.EXAMPLES,
        name="compare",
        summary="what library defaults lose on a question",
    )
    losses = [name for name in FORMULATIONS if not name.startswith("sadeghi")]  # which ask for least delta
    for question in add_questions(compared, "compare", losses):
        add_solver(question)
        compare.add_compare_options(question)


def _add_export_model(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command that hands the program to other solvers."""
    written = command_parser(
        commands.add_parser,
        "Write the program of a question for other solvers.",
        (EXAMPLES["croft"].format("export-model") + " --format mps --out model.mps",),
        name="export-model",
        summary="write the program as MPS or LP",
    )
    for question in add_questions(written, "export-model"):
        question.add_argument("--format", choices=("mps", "lp"), default="mps", help="default: mps")
        question.add_argument("--out", metavar="FILE", help="write there instead of printing")


def _add_held_to_account(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the commands that hold solvers and theorems to exact arithmetic."""
    check = command_parser(
        commands.add_parser,
        "Hold each optimum against each theorem that speaks of it. Exit code 1 if one fails.",
        crosscheck.EXAMPLES,
        name="crosscheck",
        summary="hold optima against theorems",
    )
    crosscheck.add_crosscheck_options(check)

    audited = command_parser(
        commands.add_parser,
        "Ask each solver alone, hold its answers to exact arithmetic, and say where they are not private.",
        audit.EXAMPLES,
        name="audit-solvers",
        summary="hold solvers to exact arithmetic",
    )
    audit.add_audit_options(audited)

    command_parser(
        commands.add_parser,
        "List the solvers that are installed, with versions and methods.",
        ("optmech solvers",),
        name="solvers",
        summary="list the solvers",
    )


def _add_inversions(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the commands that ask back from what is wanted, and the one that traces a trade-off."""
    for command, told in least.COMMANDS.items():
        wished = command_parser(
            commands.add_parser, told.about, (told.example,), name=command, summary=told.summary
        )
        names = [name for name in told.further if name != "file"]
        for question in add_questions(wished, command, names, told.sought, told.further):
            least.add_least_options(question, command)

    traced = command_parser(
        commands.add_parser,
        frontier.ABOUT,
        frontier.EXAMPLES,
        name="frontier",
        summary="trace what privacy costs",
    )
    further = dict.fromkeys(FORMULATIONS, " --from 0.5 --to 1 --points 3")
    further["file"] = "problem.toml --instance table-4 --from 0.5 --to 1 --points 3"
    for question in add_questions(traced, "frontier", tuple(FORMULATIONS), "epsilon", further):
        frontier.add_frontier_options(question)


def path_shortcut(arguments: list[str]) -> list[str]:
    """Return the arguments with ``design FILE.toml`` as ``design file FILE.toml``."""
    start = next((n for n, word in enumerate(arguments) if not word.startswith("-")), len(arguments))
    before, command, rest = arguments[:start], arguments[start : start + 1], arguments[start + 1 :]
    named = any(argument in (*FORMULATIONS, "file") for argument in rest)
    if command in ([name] for name in _OF_FILES) and not named:
        place = next((n for n, word in enumerate(rest) if word.lower().endswith(".toml")), None)
        if place is not None:
            return [*before, *command, "file", rest[place], *rest[:place], *rest[place + 1 :]]
    return arguments


def not_found(name: str, names: Sequence[str], path: str) -> ProblemError:
    """Return the error for an instance that a file does not have."""
    message = f"`instance` must be one of {', '.join(names)} in {path}; got {name!r}."
    return ProblemError(message)
