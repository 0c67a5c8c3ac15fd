"""What the parsers of several commands share: how they look, and the options of a question and a solver."""

from __future__ import annotations

import argparse
import re
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from optmech.cli.questions import add_choices
from optmech.designs.choice import ENGINES
from optmech.designs.design import design
from optmech.models.solvers.options import Method
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.designs.design import Design
    from optmech.question.problem import Problem

__all__ = ["EXAMPLES", "add_mechanism", "add_questions", "add_solver", "command_parser", "designer_of"]

EXAMPLES = {
    "question": "optmech {} question --query count --range 0:10 --epsilon 1 --delta 1e-3 --worst-case",
    "croft": "optmech {} croft --query count --range 0:5 --epsilon 0.5 --variant 2",
    "sadeghi": "optmech {} sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
    "sadeghi-symmetric": "optmech {} sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --half-width 6",
    "kadam": "optmech {} kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238",
}
_ABOUT = {
    "question": "any combination of query, structure, privacy, properties and objective",
    "croft": "least expected loss among all matrices on a range (Croft et al. 2020)",
    "sadeghi": "zero-bias noise of least delta, count by count (Sadeghi et al. 2020, Prop. 2)",
    "sadeghi-symmetric": "symmetric noise of least delta (Sadeghi et al. 2020, Prop. 3)",
    "kadam": "noise modulo the number of answers, probabilistic privacy (Kadam et al. 2024)",
}


_OUTPUT = {
    ("--json",): "print one JSON object instead of text, of an error too",
    ("-q", "--quiet"): "print nothing but errors and what concerns privacy",
}


def command_parser(
    make: Any,  # noqa: ANN401 - argparse has no public type for it
    about: str,
    examples: Sequence[str],
    **settings: Any,  # noqa: ANN401
) -> argparse.ArgumentParser:
    """Return the parser that `make` makes, with a description and examples that run."""
    shown = "\n".join(f"  {example}" for example in examples)
    name = settings.pop("name", None)
    if name is not None:
        settings["help"] = settings.pop("summary")
    parser = make(
        *(() if name is None else (name,)),
        conflict_handler="resolve",  # a command may say more of its own --json
        description=about,
        epilog=f"example:\n{shown}" if len(examples) == 1 else f"examples:\n{shown}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        **settings,
    )
    assert isinstance(parser, argparse.ArgumentParser)  # noqa: S101 - narrows the type for the checker
    # Suppressed: what stands before a command must outlive the defaults of what stands behind it.
    group = parser.add_argument_group("output")
    for flags, told in _OUTPUT.items():
        group.add_argument(*flags, action="store_true", default=argparse.SUPPRESS, help=told)
    return parser


def add_questions(
    parser: argparse.ArgumentParser,
    command: str,
    names: Sequence[str] = tuple(FORMULATIONS),
    sought: str | None = None,
    further: Mapping[str, str] = MappingProxyType({}),
) -> list[argparse.ArgumentParser]:
    """Give a command the formulations of a question, and files of them; return the parser of each.

    Parameters
    ----------
    parser : ArgumentParser
        Of the command.
    command : str
        Its name, for the examples.
    names : sequence of str
        Formulations that it takes.
    sought : str, optional
        A choice that the command itself looks for, so that it need not be given.
    further : mapping of str to str
        What follows the example of a formulation.
    """
    kinds = parser.add_subparsers(dest="formulation", required=True, metavar="FORMULATION|FILE.toml")
    questions = []
    for name in names:
        _, required, optional = FORMULATIONS[name]
        example = EXAMPLES[name].format(command) + further.get(name, "")
        if sought is not None:  # what is looked for is not typed
            example = re.sub(rf" --{sought.replace('_', '-')} \S+", "", example)
        question = command_parser(kinds.add_parser, _ABOUT[name], (example,), name=name, summary=_ABOUT[name])
        choices = [*required, *optional]
        choices.insert(choices.index("epsilon") + 1, "exp_epsilon")
        add_choices(question, choices, [choice for choice in required if choice != sought])
        questions.append(question)
    about = "a problem from a TOML file; `file` may be left out"
    example = f"optmech {command} {further.get('file', 'problem.toml --instance table-4')}"
    file = command_parser(kinds.add_parser, about, (example,), name="file", summary=about)
    file.add_argument("path", metavar="FILE.toml", help="a file with a formulation and its instances")
    file.add_argument("--instance", metavar="NAME", help="which instance; default: the first")
    return [*questions, file]


def add_solver(parser: argparse.ArgumentParser) -> None:
    """Give a command the options of engines and solvers."""
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


def designer_of(arguments: argparse.Namespace) -> Callable[[Problem], Design]:
    """Return `design` with the settings that `add_solver` asked for."""
    return partial(
        design,
        engine=arguments.engine,
        solver=arguments.solver,
        method=arguments.method,
        time_limit=arguments.time_limit,
        threads=arguments.threads,
    )


def add_mechanism(parser: argparse.ArgumentParser) -> None:
    """Give a command a mechanism from a file."""
    written = "what `design --out` wrote, either of the two"
    parser.add_argument("mechanism", metavar="CERTIFICATE.json|MECHANISM.csv", help=written)
