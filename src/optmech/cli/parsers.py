"""Build the parser of each command, and the options that several commands share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.cli.choice_help import add_choices
from optmech.cli.questions import CERTIFICATE
from optmech.cli.usage import (
    CommandParser,
    add_later,
    command_parser,
    later_parsers,
    list_by_group,
    list_in_group,
)
from optmech.designs.choice import ENGINES
from optmech.designs.design import Design, design
from optmech.models.solvers.options import Method
from optmech.question.problems.command_words import example_line
from optmech.question.problems.named import FORMULATIONS, QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.cli.usage import Later

    Option: TypeAlias = Callable[[Any], object]

Arguments: TypeAlias = argparse.Namespace
"""The typed arguments, as the `run` of a command takes them."""
_WITHOUT_QUESTION = {
    "file": "a question from a TOML file; `file` may be left out",
    "grid": "many questions in place of one; `grid` may be left out",
    CERTIFICATE: "a mechanism whose certificate states its question; `certificate` may be left out",
}
_PAPERS = ("croft", "sadeghi", "sadeghi-symmetric", "kadam")
ALL_QUESTIONS = (*QUERIES, "histogram", "p-table", *_PAPERS)
"""Questions that `design` takes."""
QUESTIONS = (*QUERIES, *_PAPERS)
"""Questions of all commands that take one; of a histogram the cells are counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: what its help says, what may be typed behind it, and what it does.

    Examples run as they stand. `run` returns the exit code. `formulations` are those that a command accepts,
    besides a file of questions; `free_choice` is one that the command itself looks for, so that it need not
    be given; `further` follows the example of a formulation, or in place of ``file`` stands after the
    command. Where `choices` are given they are all that may be said of a question; `filled` has the choice of
    a formulation that the command finds out itself, and then no file can state a question. `usual` is the
    word that is meant where no question is typed: one of the formulations, ``grid`` for the many questions of
    `grid_options`, or ``certificate``; then `question_of` says for what a question is typed. `family` is the
    word before the name of one of several commands, and `summary` what it does, on one line; of the others
    the list of all commands says it.
    """

    name: str
    about: str
    examples: Sequence[str]
    run: Callable[[Arguments], int]
    options: Sequence[Option] = ()
    formulations: Sequence[str] = ()
    free_choice: str | None = None
    further: Mapping[str, str] = field(default_factory=dict)
    choices: Sequence[str] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    grid_options: Sequence[Option] = ()
    question_of: str = ""
    usual: str = ""
    family: str = ""
    summary: str = ""

    @property
    def words(self) -> str:
        """The words that call it, behind ``optmech``."""
        return f"{self.family} {self.name}".strip()

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows, `program` such as ``optmech design``."""
        parser = command_parser(program, self.about, self.examples)
        parser.set_defaults(run=self.run)
        if self.formulations:
            self._add_questions(parser)
        else:
            _add_all(parser, self.options)
        return parser

    def _add_questions(self, parser: CommandParser) -> None:
        from_file = () if self.filled else ("file",)
        metavar = "QUESTION" if self.filled else "QUESTION|FILE.toml"
        kinds = later_parsers(parser, dest="formulation", required=True, metavar=metavar)
        for name in (*self.formulations, *from_file):
            add_later(kinds, name, _about(name), partial(self._question, name))
        groups = {
            "question": [name for name in self.formulations if name not in _PAPERS],
            "programs of the papers": [name for name in self.formulations if name in _PAPERS],
            "from a file": from_file,
        }
        if self.grid_options:
            add_later(kinds, "grid", _about("grid"), self._grid)
            groups["many questions"] = ["grid"]
        if self.usual == CERTIFICATE:
            parser.has_files = True
            named = (*self.formulations, *from_file)
            add_later(kinds, CERTIFICATE, _about(CERTIFICATE), partial(self._certificate, kinds, named))
            groups["without a question"] = [CERTIFICATE]
        list_by_group(parser, kinds, {title: names for title, names in groups.items() if names})
        parser.usual = self.usual

    def _certificate(self, kinds: Later, names: Sequence[str], program: str) -> CommandParser:
        """Return the parser of a mechanism whose certificate says the question; help lists `kinds`, too."""
        program = program.removesuffix(f" {CERTIFICATE}")
        parser = command_parser(program, self.about, self.examples)
        _add_all(parser, self.options)
        group = parser.add_argument_group(
            f"question, {self.question_of}",
            f"it comes first; `{program} {names[0]} --help` lists its options",
        )
        list_in_group(group, kinds, names)
        return parser

    def _grid(self, program: str) -> CommandParser:
        """Return the parser of many questions."""
        parser = command_parser(program, _about("grid"), self.examples[-1:])
        _add_all(parser, self.grid_options)
        return parser

    def _question(self, name: str, program: str) -> CommandParser:
        """Return the parser of one formulation, or of a file."""
        if name == "file":
            example = f"optmech {self.words} {self.further.get(name, 'problem.toml --instance table-4')}"
        else:
            unknown = filter(
                None, (self.free_choice, self.filled.get(name))
            )  # what is looked for is not typed
            example = example_line(self.words, name, *unknown) + self.further.get(name, "")
        parser = command_parser(program, _about(name), (example,))
        if name == "file":
            parser.add_argument(
                "path", metavar="FILE.toml", help="a file of a question, or of several instances"
            )
            parser.add_argument("--instance", metavar="NAME", help="which instance; default: the first")
        else:
            required, optional = FORMULATIONS[name].required, FORMULATIONS[name].optional
            # Where epsilon is sought there are no pairs of it.
            left_out = ("privacy", "as_private_as") if self.free_choice == "epsilon" else ()
            choices = [*required, *(each for each in optional if each not in left_out)]
            choices.insert(choices.index("epsilon") + 1, "exp_epsilon")
            choices = [each for each in choices if each != self.filled.get(name)]
            if self.choices:
                choices, required = [*self.choices], tuple({*self.choices} & {*required})
            add_choices(parser, choices, [choice for choice in required if choice != self.free_choice], name)
        _add_all(parser, self.options)
        return parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Several commands behind one word, such as ``find epsilon`` and ``find accuracy``."""

    name: str
    about: str
    members: tuple[Command, ...]

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows the word."""
        examples = [example for member in self.members for example in member.examples]
        parser = command_parser(program, self.about, examples)
        members = later_parsers(parser, dest=self.name, required=True, metavar="WHAT")
        for member in self.members:
            add_later(members, member.name, member.summary, member.parser)
        return parser


def _about(name: str) -> str:
    """Return what a word that follows a command asks, in a line."""
    return _WITHOUT_QUESTION.get(name) or FORMULATIONS[name].about


def option(flag: str, metavar: str | None = None, sentence: str | None = None, **settings: Any) -> Option:  # noqa: ANN401 - as argparse has it
    """Return what adds an option or an argument: the name of its value, its help, and more for argparse."""
    return lambda parser: parser.add_argument(flag, metavar=metavar, help=sentence, **settings)


def switch(flag: str, sentence: str) -> Option:
    """Return what adds an option without a value."""
    return lambda parser: parser.add_argument(flag, action="store_true", help=sentence)


def group(title: str, *options: Option) -> Option:
    """Return what adds options under a separate title in the help."""
    return lambda parser: _add_all(parser.add_argument_group(title), options)


def either(*options: Option, required: bool = False) -> Option:
    """Return what adds options of which one may be typed, or must."""
    return lambda parser: _add_all(parser.add_mutually_exclusive_group(required=required), options)


def _add_all(parser: Any, options: Sequence[Option]) -> None:  # noqa: ANN401 - a group of a parser
    for add in options:
        add(parser)


def out(
    metavar: str, sentence: str = "write the table there, whole or not at all", *, required: bool = False
) -> Option:
    """Return what adds ``--out``."""
    return option("--out", metavar, sentence, required=required)


_SOLVER = option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto")
_THREADS = option("--threads", "N", "threads for the solver", type=int)
SOLVER = group(
    "engine and solver",
    option("--engine", None, "how it is designed; default: auto", choices=("auto", *ENGINES), default="auto"),
    _SOLVER,
    option("--method", None, "algorithm for LPs", choices=tuple(Method), default=Method.AUTO.value),
    option(
        "--time-limit",
        "SECONDS",
        "for everything, proof too; after it the best so far is taken",
        type=float,
    ),
    _THREADS,
)
"""The options of engines and solvers, which `designer_of` reads."""


def solving(sentence: str) -> Option:
    """Return what adds the options of those who make many designs; `sentence` says what the limit is for."""
    return group("solver", _SOLVER, option("--time-limit", "SECONDS", sentence, type=float), _THREADS)


def designer_of(arguments: Arguments) -> Callable[..., Design]:
    """Return `design` with the settings that `SOLVER` asked for."""
    names = ("engine", "solver", "method", "time_limit", "threads")
    return partial(design, **{name: getattr(arguments, name) for name in names})


MECHANISM = option(
    "mechanism", "CERTIFICATE.json|MECHANISM.csv", "what `design --out` wrote, either of the two"
)
OF_A_MATRIX = "of a matrix without a certificate"
"""The mechanism whose question is typed."""
