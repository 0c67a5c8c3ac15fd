"""Build the parsers of a question, of a file of one, and of what may stand in place of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from optmech.base.time_left import limited_time
from optmech.cli.choice_help import choice_option
from optmech.cli.command_parser import CommandParser
from optmech.cli.fork import Fork
from optmech.cli.options import Group, Option
from optmech.cli.parsers import Command, option
from optmech.cli.questions import CERTIFICATE
from optmech.cli.solving import SOLVER
from optmech.question.problems.command_words import example_line, flag_of
from optmech.question.problems.named import FORMULATIONS, QUERIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optmech.cli.options import Part
    from optmech.cli.parsers import Arguments

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

_OF_A_FILE = (
    option("path", "FILE.toml", "a file of a question, or of several instances"),
    option("--instance", "NAME", "which instance; default: the first"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCommand(Command):
    """A command about a question, which is typed, or stands in a file.

    `formulations` are the questions that it accepts, besides a file of them; `free_choice` is one that the
    command itself looks for, so that it need not be given; `further` follows the example of a formulation, or
    in place of ``file`` stands after the command. Where `choices` are given they are all that may be said of
    a question; `filled` has the choice of a formulation that the command finds out itself, and then no file
    can state a question. `usual` is the word that is meant where no question is typed: one of the
    formulations, ``grid`` for the many questions of `grid_options`, or ``certificate``; then `question_of`
    says for what a question is typed. `others` are questions of another kind, with options of their own.
    """

    formulations: Sequence[str]
    free_choice: str | None = None
    further: Mapping[str, str] = field(default_factory=dict)
    choices: Sequence[str] = ()
    filled: Mapping[str, str] = field(default_factory=dict)
    grid_options: Sequence[Part] = ()
    question_of: str = ""
    usual: str = ""
    others: Sequence[Command] = ()

    def parser(self, program: str) -> Fork:
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
        fork = Fork(
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
        fork.set_defaults(run=self._run_in_time if SOLVER in self.options else self.run)
        return fork

    def _run_in_time(self, arguments: Arguments) -> int:
        """Run it with one deadline for all that it does."""
        own = {other.name: other for other in self.others}.get(arguments.formulation)
        if own is not None:
            return own.run(arguments)
        with limited_time(arguments.time_limit):
            return self.run(arguments)

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


def _about(name: str) -> str:
    """Return what a word that follows a command asks, in a line."""
    return _WITHOUT_QUESTION.get(name) or FORMULATIONS[name].about
