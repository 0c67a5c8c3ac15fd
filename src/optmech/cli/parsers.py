"""Build the parser of each command, and the options that several commands share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from optmech.base.time_left import limited_time
from optmech.cli.choice_help import choice_option
from optmech.cli.command_parser import CommandParser
from optmech.cli.fork import Fork
from optmech.cli.options import Either, Group, Option
from optmech.cli.questions import CERTIFICATE
from optmech.designs.design import Design, design
from optmech.designs.order import ENGINES
from optmech.models.solvers.options import Method
from optmech.question.problems.command_words import example_line, flag_of
from optmech.question.problems.named import FORMULATIONS, QUERIES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from optmech.cli.options import Part

Arguments: TypeAlias = argparse.Namespace
"""The typed arguments, as the `run` of a command takes them."""
_WITHOUT_QUESTION = {
    "file": "a question from a TOML file; `file` may be left out",
    "grid": "many questions in place of one; `grid` may be left out",
    CERTIFICATE: "a mechanism whose certificate states its question; `certificate` may be left out",
}
_PAPERS = ("croft", "sadeghi", "sadeghi-symmetric", "kadam")
_OF_RECORDS = "extremum, one matrix for the largest, the smallest and the median of records"
_OF_SHARES = "mean, of records that are 0 or 1"
# Other names of a question: what it is, and the choices in which its example differs.
_SYNONYMS: dict[str, tuple[str, dict[str, str]]] = {
    **dict.fromkeys(("median", "maximum", "minimum", "max", "min"), (_OF_RECORDS, {})),
    **dict.fromkeys(("proportion", "percentage"), (_OF_SHARES, {"range": "0:1"})),
    "average": ("mean", {}),
    "sum": ("total", {}),
}
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
    the list of all commands says it. `others` are questions of another kind, with options of their own.
    """

    name: str
    about: str
    examples: Sequence[str]
    run: Callable[[Arguments], int]
    options: Sequence[Part] = ()
    formulations: Sequence[str] = ()
    free_choice: str | None = None
    further: Mapping[str, str] = field(default_factory=dict)
    choices: Sequence[str] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    grid_options: Sequence[Part] = ()
    question_of: str = ""
    usual: str = ""
    family: str = ""
    summary: str = ""
    others: Sequence[Command] = ()

    @property
    def words(self) -> str:
        """The words that call it, behind ``optmech``."""
        return f"{self.family} {self.name}".strip()

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows, `program` such as ``optmech design``."""
        if self.formulations:
            parser: CommandParser = self._fork(program)
        else:
            parser = CommandParser(program, self.about, self.examples, self.options)
        parser.set_defaults(run=self._run_in_time if SOLVER in self.options else self.run)
        return parser

    def _run_in_time(self, arguments: Arguments) -> int:
        """Run it with one deadline for all that it does."""
        own = {other.name: other for other in self.others}.get(arguments.formulation)
        if own is not None:
            return own.run(arguments)
        with limited_time(arguments.time_limit):
            return self.run(arguments)

    def _fork(self, program: str) -> Fork:
        """Return the parser of a question, a file of one, or what may stand in place of it."""
        listed = {
            "question": [name for name in self.formulations if name not in _PAPERS],
            "programs of the papers": [name for name in self.formulations if name in _PAPERS],
            "from a file": [] if self.filled else ["file"],
            "whole tables, and records": [other.name for other in self.others],
            "many questions": ["grid"] if self.grid_options else [],
            "without a question": [CERTIFICATE] if self.usual == CERTIFICATE else [],
        }
        own = {other.name: other for other in self.others}
        makers = {"grid": self._grid, CERTIFICATE: self._certificate}
        makers |= {name: other.parser for name, other in own.items()}
        children = {
            title: {
                name: (
                    own[name].summary if name in own else _about(name),
                    makers.get(name) or partial(self._question, name),
                )
                for name in names
            }
            for title, names in listed.items()
            if names
        }
        return Fork(
            program,
            self.about,
            self.examples,
            children,
            dest="formulation",
            metavar="QUESTION" if self.filled else "QUESTION|FILE.toml",
            usual=self.usual,
            has_files=self.usual == CERTIFICATE,
            elsewhere=FORMULATIONS,
            synonyms=self._synonyms(),
        )

    def _synonyms(self) -> dict[str, str]:
        """Return by other names of its questions what those are, with a line that asks for each."""
        sentences = {}
        for word, (text, changed) in _SYNONYMS.items():
            name = text.partition(",")[0]
            if name in self.formulations:
                line = example_line(self.words, name, *self._left_out(name), **changed)
                sentences[word] = f"{text}: {line}{self.further.get(name, '')}"
        return sentences

    def _left_out(self, name: str) -> list[str]:
        """Return the choices of a formulation that the command finds out itself."""
        return [each for each in (self.free_choice, self.filled.get(name)) if each is not None]

    def _certificate(self, program: str) -> CommandParser:
        """Return the parser of a mechanism whose certificate says the question; help names those, too."""
        program = program.removesuffix(f" {CERTIFICATE}")
        names = [*self.formulations, *([] if self.filled else ["FILE.toml"])]
        about = (
            f"it comes first, as behind `optmech design`: {', '.join(names)}; `{program} {names[0]} --help` "
            "lists its options"
        )
        questions = Group(f"question, {self.question_of}", (), about)
        return CommandParser(program, self.about, self.examples, (*self.options, questions))

    def _grid(self, program: str) -> CommandParser:
        """Return the parser of many questions."""
        return CommandParser(program, _about("grid"), self.examples[-1:], self.grid_options)

    def _question(self, name: str, program: str) -> CommandParser:
        """Return the parser of one formulation, or of a file."""
        if name == "file":
            example = f"optmech {self.words} {self.further.get(name, 'problem.toml --instance table-4')}"
            return CommandParser(program, _about(name), (example,), (*_OF_A_FILE, *self.options))
        required, filled = FORMULATIONS[name].required, self.filled.get(name)
        example = example_line(self.words, name, *self._left_out(name))
        choices = [*required, *FORMULATIONS[name].optional]
        choices.insert(choices.index("epsilon") + 1, "exp_epsilon")
        # Where epsilon is sought there are no pairs of it.
        left_out = [filled, *(("privacy", "as_private_as") if self.free_choice == "epsilon" else ())]
        own = [flag for part in self.options if isinstance(part, Option) for flag in part.flags]
        choices = [each for each in choices if each not in left_out and flag_of(each) not in own]
        question = tuple(
            choice_option(each, name, is_required=each in required and each != self.free_choice)
            for each in self.choices or choices
        )
        examples = (example + self.further.get(name, ""),)
        return CommandParser(program, _about(name), examples, self.options, [Group("question", question)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Several commands behind one word, such as ``find epsilon`` and ``find accuracy``."""

    name: str
    about: str
    members: tuple[Command, ...]

    def parser(self, program: str) -> CommandParser:
        """Return the parser of what follows the word."""
        examples = [example for member in self.members for example in member.examples]
        children = {"WHAT": {member.name: (member.summary, member.parser) for member in self.members}}
        return Fork(program, self.about, examples, children, dest=self.name, metavar="WHAT")


def _about(name: str) -> str:
    """Return what a word that follows a command asks, in a line."""
    return _WITHOUT_QUESTION.get(name) or FORMULATIONS[name].about


def option(flag: str, metavar: str | None = None, sentence: str | None = None, **settings: Any) -> Option:  # noqa: ANN401 - as argparse has it
    """Return an option or an argument: the name of its value, its help, and more for argparse."""
    return Option((flag,), {"metavar": metavar, "help": sentence, **settings})


def switch(flag: str, sentence: str) -> Option:
    """Return an option without a value."""
    return Option((flag,), {"action": "store_true", "help": sentence})


def group(title: str, *options: Option) -> Group:
    """Return options under a separate title in the help."""
    return Group(title, options)


def either(*options: Option, required: bool = False) -> Either:
    """Return options of which one may be typed, or must."""
    return Either(options, required)


def out(
    metavar: str, sentence: str = "write the table there, whole or not at all", *, required: bool = False
) -> Option:
    """Return ``--out``."""
    return option("--out", metavar, sentence, required=required)


_OF_A_FILE = (
    option("path", "FILE.toml", "a file of a question, or of several instances"),
    option("--instance", "NAME", "which instance; default: the first"),
)
_SOLVER = option("--solver", "NAME", "auto, highs or cbc; default: auto", default="auto")
_THREADS = option("--threads", "N", "threads for the solver", type=int)
SOLVER = group(
    "engine and solver",
    option(
        "--engine",
        "NAME",
        f"how it is designed: auto, {', '.join(ENGINES[:-1])} or {ENGINES[-1]}; default: auto",
        choices=("auto", *ENGINES),
        default="auto",
    ),
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


def solving(sentence: str) -> Group:
    """Return the options of those who make many designs; `sentence` says what the limit is for."""
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
