"""What can be typed after ``optmech``."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from optmech.cli import audit, crosscheck, implicit, reproduce, sweep
from optmech.cli.questions import CHOICES, add_choices
from optmech.engines.choice import ENGINES
from optmech.errors import ProblemError
from optmech.formulations.named import FORMULATIONS
from optmech.solvers.options import Method
from optmech.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["build_parser", "not_found", "path_shortcut", "with_joined_values"]

_EXAMPLES = {
    "croft": "optmech {} croft --query count --range 0:5 --epsilon 0.5 --variant 2",
    "sadeghi": "optmech {} sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
    "sadeghi-symmetric": "optmech {} sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --half-width 6",
    "kadam": "optmech {} kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238",
}
_ABOUT = {
    "croft": "least expected loss among all matrices on a range (Croft et al. 2020)",
    "sadeghi": "zero-bias noise of least delta, count by count (Sadeghi et al. 2020, Prop. 2)",
    "sadeghi-symmetric": "symmetric noise of least delta (Sadeghi et al. 2020, Prop. 3)",
    "kadam": "noise modulo the number of answers, probabilistic privacy (Kadam et al. 2024)",
}
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


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _parser(
        argparse.ArgumentParser,
        "Optimal differentially private mechanisms: state a question, get the mechanism matrix.",
        ("optmech design croft --query count --range 0:5 --epsilon 0.5 --variant 2", "optmech solvers"),
        prog="optmech",
    )
    parser.add_argument("--version", action="version", version=f"optmech {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    design = _parser(
        commands.add_parser,
        "Find the optimal mechanism of a question and write its matrix.",
        (_EXAMPLES["croft"].format("design") + " --out mechanism.csv", "optmech design problem.toml"),
        name="design",
        summary="find the optimal mechanism",
    )
    for question in _questions(design, "design"):
        _add_solver(question)
        question.add_argument("--out", metavar="FILE.csv", help="write the matrix there, whole or not at all")
        question.add_argument(
            "--certificate",
            metavar="FILE.json",
            help="write the certificate there; default: beside the matrix",
        )
        question.add_argument(
            "--raw", action="store_true", help="hand out the solver's own answer, of which nothing is proved"
        )
        question.add_argument("--explain", action="store_true", help="say why this engine was chosen")
        question.add_argument("--json", action="store_true", help="print one JSON object instead of text")

    export = _parser(
        commands.add_parser,
        "Write the program of a question for other solvers.",
        (_EXAMPLES["croft"].format("export-model") + " --format mps --out model.mps",),
        name="export-model",
        summary="write the program as MPS or LP",
    )
    for question in _questions(export, "export-model"):
        question.add_argument("--format", choices=("mps", "lp"), default="mps", help="default: mps")
        question.add_argument("--out", metavar="FILE", help="write there instead of printing")

    verify = _parser(
        commands.add_parser,
        "Check a certificate exactly, or a matrix against a question. Exit code 0 if all holds, 1 if not.",
        (
            "optmech verify mechanism.certificate.json mechanism.csv",
            "optmech verify mechanism.csv --query count --range 0:5 --epsilon 0.5",
            "optmech verify mechanism.csv --query count --range 0:5 --epsilon 0.5 --variant 2 --json",
        ),
        name="verify",
        summary="check a mechanism matrix",
    )
    _add_mechanism(verify)
    verify.add_argument(
        "matrix", metavar="MECHANISM.csv", nargs="?", help="the matrix beside the certificate"
    )
    verify.add_argument(
        "--formulation", choices=tuple(FORMULATIONS), default="croft", help="whose question; default: croft"
    )
    add_choices(verify, list(CHOICES))
    verify.add_argument("--json", action="store_true", help="print one JSON object instead of text")

    apply = _parser(
        commands.add_parser,
        "Replace the true answers in a column of a CSV file by draws from a mechanism.",
        ("optmech apply mechanism.certificate.json table.csv --column count --out released.csv",),
        name="apply",
        summary="release the answers in a table",
    )
    _add_mechanism(apply)
    apply.add_argument("table", metavar="TABLE.csv", help="a table with a row of column names")
    apply.add_argument("--column", required=True, metavar="NAME", help="where the true answers are")
    apply.add_argument(
        "--out", required=True, metavar="FILE.csv", help="write the table there, whole or not at all"
    )
    apply.add_argument("--constant-time", action="store_true", help="take the same time whatever the answers")
    apply.add_argument(
        "--seed", type=int, metavar="N", help="for experiments only: NOT PRIVATE, draws can be repeated"
    )

    check = _parser(
        commands.add_parser,
        "Hold each optimum against each theorem that speaks of it. Exit code 1 if one fails.",
        crosscheck.EXAMPLES,
        name="crosscheck",
        summary="hold optima against theorems",
    )
    crosscheck.add_crosscheck_options(check)

    audited = _parser(
        commands.add_parser,
        "Ask each solver alone, hold its answers to exact arithmetic, and say where they are not private.",
        audit.EXAMPLES,
        name="audit-solvers",
        summary="hold solvers to exact arithmetic",
    )
    audit.add_audit_options(audited)

    again = _parser(
        commands.add_parser,
        "Compute again what the papers print, and say how it compares.",
        reproduce.EXAMPLES,
        name="reproduce",
        summary="compute again what the papers print",
    )
    reproduce.add_reproduce_options(again)

    implicit.add_implicit(commands)
    sweep.add_sweep(commands)

    listed = _parser(
        commands.add_parser,
        "List the solvers that are installed, with versions and methods.",
        ("optmech solvers",),
        name="solvers",
        summary="list the solvers",
    )
    listed.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    return parser


def _parser(make: Any, about: str, examples: Sequence[str], **settings: Any) -> argparse.ArgumentParser:  # noqa: ANN401
    shown = "\n".join(f"  {example}" for example in examples)
    name = settings.pop("name", None)
    if name is not None:
        settings["help"] = settings.pop("summary")
    parser = make(
        *(() if name is None else (name,)),
        description=about,
        epilog=f"example:\n{shown}" if len(examples) == 1 else f"examples:\n{shown}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **settings,
    )
    assert isinstance(parser, argparse.ArgumentParser)  # noqa: S101 - narrows the type for the checker
    return parser


def _questions(parser: argparse.ArgumentParser, command: str) -> list[argparse.ArgumentParser]:
    kinds = parser.add_subparsers(dest="formulation", required=True, metavar="FORMULATION|FILE.toml")
    questions = []
    for name, (_, required, optional) in FORMULATIONS.items():
        example = _EXAMPLES[name].format(command)
        question = _parser(kinds.add_parser, _ABOUT[name], (example,), name=name, summary=_ABOUT[name])
        names = [*required, *optional]
        names.insert(names.index("epsilon") + 1, "exp_epsilon")
        add_choices(question, names, required)
        questions.append(question)
    about = "a problem from a TOML file; `file` may be left out"
    example = f"optmech {command} problem.toml --instance table-4"
    file = _parser(kinds.add_parser, about, (example,), name="file", summary=about)
    file.add_argument("path", metavar="FILE.toml", help="a file with a formulation and its instances")
    file.add_argument("--instance", metavar="NAME", help="which instance; default: the first")
    return [*questions, file]


def _add_solver(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("engine and solver")
    engines = ("auto", *ENGINES)
    group.add_argument("--engine", choices=engines, default="auto", help="how it is made; default: auto")
    group.add_argument("--solver", default="auto", metavar="NAME", help="auto, highs or cbc; default: auto")
    group.add_argument("--method", choices=tuple(Method), default=Method.AUTO.value, help="algorithm for LPs")
    group.add_argument(
        "--time-limit",
        type=float,
        metavar="SECONDS",
        help="stop solving after so long; a proof may take as long again",
    )
    group.add_argument("--threads", type=int, metavar="N", help="threads for the solver")


def _add_mechanism(parser: argparse.ArgumentParser) -> None:
    written = "what `design --out` wrote, either of the two"
    parser.add_argument("mechanism", metavar="CERTIFICATE.json|MECHANISM.csv", help=written)


def path_shortcut(arguments: list[str]) -> list[str]:
    """Return the arguments with ``design FILE.toml`` as ``design file FILE.toml``."""
    command, rest = arguments[:1], arguments[1:]
    named = any(argument in (*FORMULATIONS, "file") for argument in rest)
    if command in (["design"], ["export-model"]) and not named:
        place = next((n for n, word in enumerate(rest) if word.lower().endswith(".toml")), None)
        if place is not None:
            return [*command, "file", rest[place], *rest[:place], *rest[place + 1 :]]
    return arguments


def not_found(name: str, names: Sequence[str], path: str) -> ProblemError:
    """Return the error for an instance that a file does not have."""
    message = f"`instance` must be one of {', '.join(names)} in {path}; got {name!r}."
    return ProblemError(message)
