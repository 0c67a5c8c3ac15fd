"""What a command is and how its parser looks, and the options that several commands take."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.cli.questions import CHOICES, add_choices, flag_of
from optmech.designs.choice import ENGINES
from optmech.designs.design import design
from optmech.models.solvers.options import Method
from optmech.question.problems.named import FORMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.designs.design import Design

    Option: TypeAlias = Callable[[Any], object]

__all__ = [
    "SOLVER",
    "Command",
    "add_mechanism",
    "add_typed_question",
    "command_parser",
    "designer_of",
    "either",
    "example_of",
    "group",
    "option",
    "out",
    "switch",
]

_EXAMPLES = {
    "question": "optmech {} question --query count --range 0:10 --epsilon 1 --delta 1e-3 --worst-case",
    "croft": "optmech {} croft --query count --range 0:5 --epsilon 0.5 --variant 2",
    "sadeghi": "optmech {} sadeghi --epsilon 1 --accuracy 0.5 --half-width 2 --counts 1:3",
    "sadeghi-symmetric": "optmech {} sadeghi-symmetric --epsilon 2.18 --accuracy 0.8 --half-width 6",
    "kadam": "optmech {} kadam --modulus 9 --distances 1,2,3 --epsilon 1.5 --delta 0.1238",
    "file": "optmech {} problem.toml --instance table-4",
}
_ABOUT = {
    "question": "any combination of query, structure, privacy, properties and objective",
    "croft": "least expected loss among all matrices on a range (Croft et al. 2020)",
    "sadeghi": "zero-bias noise of least delta, count by count (Sadeghi et al. 2020, Prop. 2)",
    "sadeghi-symmetric": "symmetric noise of least delta (Sadeghi et al. 2020, Prop. 3)",
    "kadam": "noise modulo the number of answers, probabilistic privacy (Kadam et al. 2024)",
    "file": "a problem from a TOML file; `file` may be left out",
}
_OUTPUT = {
    ("--json",): "print one JSON object instead of text, of an error too",
    ("-q", "--quiet"): "print nothing but errors and what concerns privacy",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: what its help says, what may be typed behind it, and what it does.

    Parameters
    ----------
    name, summary, about : str
        How it is called, and what it does, on one line and on several.
    examples : sequence of str
        Command lines that run.
    run : callable
        Takes what was typed and returns the exit code.
    options : sequence of callable
        Each adds an option, or a group of them, to the parser that it is given.
    formulations : sequence of str, optional
        Of the question that the command takes, if it takes one; a file of questions is always another.
    sought : str, optional
        A choice that the command itself looks for, so that it need not be given.
    further : mapping of str to str, optional
        What follows the example of a formulation, or in place of ``file`` stands after the command.
    """

    name: str
    summary: str
    about: str
    examples: Sequence[str]
    run: Callable[[argparse.Namespace], int]
    options: Sequence[Option] = ()
    formulations: Sequence[str] = ()
    sought: str | None = None
    further: Mapping[str, str] = field(default_factory=dict)

    def add_to(self, commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
        """Add the command, with all its formulations, to the parser of the whole command line."""
        parser = command_parser(
            commands.add_parser, self.about, self.examples, name=self.name, summary=self.summary
        )
        parser.set_defaults(run=self.run)
        for each in self._questions(parser) if self.formulations else [parser]:
            for add in self.options:
                add(each)

    def _questions(self, parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
        kinds = parser.add_subparsers(dest="formulation", required=True, metavar="FORMULATION|FILE.toml")
        questions = {}
        for name in (*self.formulations, "file"):
            about, example = _ABOUT[name], example_of(self.name, name) + self.further.get(name, "")
            if name == "file" and name in self.further:
                example = f"optmech {self.name} {self.further[name]}"
            elif self.sought is not None:  # what is looked for is not typed
                example = re.sub(rf" {flag_of(self.sought)} \S+", "", example)
            questions[name] = command_parser(kinds.add_parser, about, (example,), name=name, summary=about)
        for name in self.formulations:
            _, required, optional = FORMULATIONS[name]
            choices = [*required, *optional]
            choices.insert(choices.index("epsilon") + 1, "exp_epsilon")
            add_choices(questions[name], choices, [choice for choice in required if choice != self.sought])
        file = questions["file"]
        file.add_argument("path", metavar="FILE.toml", help="a file with a formulation and its instances")
        file.add_argument("--instance", metavar="NAME", help="which instance; default: the first")
        return list(questions.values())


def example_of(command: str, formulation: str) -> str:
    """Return a line that asks a command a question of this formulation."""
    return _EXAMPLES[formulation].format(command)


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
    output = parser.add_argument_group("output")
    for flags, told in _OUTPUT.items():
        output.add_argument(*flags, action="store_true", default=argparse.SUPPRESS, help=told)
    return parser


def option(flag: str, metavar: str | None = None, told: str | None = None, **settings: Any) -> Option:  # noqa: ANN401 - as argparse has it
    """Return what adds an option or an argument: the name of its value, its help, and more for argparse."""
    return lambda parser: parser.add_argument(flag, metavar=metavar, help=told, **settings)


def switch(flag: str, told: str) -> Option:
    """Return what adds an option without a value."""
    return lambda parser: parser.add_argument(flag, action="store_true", help=told)


def group(title: str, *options: Option) -> Option:
    """Return what adds options under a title of their own in the help."""
    return lambda parser: _add_all(parser.add_argument_group(title), options)


def either(*options: Option, required: bool = False) -> Option:
    """Return what adds options of which one may be typed, or must."""
    return lambda parser: _add_all(parser.add_mutually_exclusive_group(required=required), options)


def _add_all(parser: Any, options: Sequence[Option]) -> None:  # noqa: ANN401 - a group of a parser
    for add in options:
        add(parser)


def out(
    metavar: str, told: str = "write the table there, whole or not at all", *, required: bool = False
) -> Option:
    """Return what adds ``--out``."""
    return option("--out", metavar, told, required=required)


SOLVER = group(
    "engine and solver",
    option("--engine", None, "how it is made; default: auto", choices=("auto", *ENGINES), default="auto"),
    option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto"),
    option("--method", None, "algorithm for LPs", choices=tuple(Method), default=Method.AUTO.value),
    option(
        "--time-limit", "SECONDS", "stop solving after so long; a proof may take as long again", type=float
    ),
    option("--threads", "N", "threads for the solver", type=int),
)
"""The options of engines and solvers, which `designer_of` reads."""


def designer_of(arguments: argparse.Namespace) -> Callable[..., Design]:
    """Return `design` with the settings that `SOLVER` asked for."""
    names = ("engine", "solver", "method", "time_limit", "threads")
    return partial(design, **{name: getattr(arguments, name) for name in names})


def add_mechanism(parser: argparse.ArgumentParser) -> None:
    """Give a command a mechanism from a file."""
    written = "what `design --out` wrote, either of the two"
    parser.add_argument("mechanism", metavar="CERTIFICATE.json|MECHANISM.csv", help=written)


def add_typed_question(parser: argparse.ArgumentParser) -> None:
    """Give a command the question of a matrix that has no certificate."""
    parser.add_argument(
        "--formulation", choices=tuple(FORMULATIONS), default="croft", help="whose question; default: croft"
    )
    add_choices(parser, list(CHOICES))
