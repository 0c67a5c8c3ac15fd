"""``optmech publish``: from records to a table with its log and page, in one sitting."""

from __future__ import annotations

import os
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.cli.output import answer, is_quiet, notice_left_overs, tell
from optmech.cli.parsers import Arguments, Command, option
from optmech.cli.publish.answers import Answers, answers_text, name_of, read_answers
from optmech.cli.publish.dialogue import LeftError, Screen, ask
from optmech.cli.publish.folder import preview, publish
from optmech.cli.publish.plan import LOG, PAGE, RELEASED
from optmech.cli.publish.screens import screens
from optmech.cli.publish.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEFT = "Nothing was drawn or written."


def _run(arguments: Arguments) -> int:
    if arguments.settings is None:
        return _asked(arguments)
    typed = {} if arguments.table is None else {"table": arguments.table}
    answers = read_answers(arguments.settings, **typed)
    out = _out(arguments, answers.table)
    if arguments.explain and not arguments.json:
        preview(answers)
    return _published(arguments, answers, answers_text(_content_of(arguments, typed)), out)


def _content_of(arguments: Arguments, typed: dict[str, str]) -> dict[str, object]:
    from optmech.base.whole_files import read_toml  # noqa: PLC0415 - as the next

    return {**read_toml(arguments.settings), **typed}


def _asked(arguments: Arguments) -> int:
    """Ask all questions, show the errors, and publish where the person wants it."""
    from optmech.release.tabulate.person_rows import names_in_file  # noqa: PLC0415 - Arrow takes a moment to load

    if arguments.table is None:
        message = "`TABLE` must be given, a file with a row for each visit, or `--from FILE.toml`."
        raise ProblemError(message)
    if arguments.json or is_quiet():
        message = "`--from` must be given with `--json` and `--quiet`: nobody could read a question."
        raise ProblemError(message)
    out = _out(arguments, arguments.table)
    names = names_in_file(arguments.table)
    state = State(arguments.table, names, cache(lambda name: _levels(arguments.table, name)))
    tell(
        f"{visible(arguments.table)} becomes a table that can be published. No number of it is shown before."
    )
    try:
        ask(lambda: [*(asked := [*screens(state)]), *_last(state, len(asked))])
    except LeftError:
        tell(f"You left. {_LEFT}")
        return 1
    answers = Answers.from_content(state.content)
    return _published(arguments, answers, answers_text(state.content), out)


def _last(state: State, number: int) -> Sequence[Screen]:
    """Return the screen with the errors, once all others are answered."""
    if "data" not in state.given:
        return []

    shown: list[Answers] = []

    def show() -> None:
        answers = Answers.from_content(state.content)
        preview(answers)
        shown.append(answers)

    def take(text: str) -> None:
        if not shown:
            message = "`answer` must be back or quit: no table follows from these answers."
            raise ProblemError(message)
        if text != "yes":
            message = "`answer` must be yes, back or quit: a draw cannot be taken back."
            raise ProblemError(message)

    return [
        Screen(
            title="Draw and write",
            why="Nothing is drawn yet: these errors follow from your answers alone. A yes spends the budget.",
            asked=f"yes, back, back 1 to back {number}, or quit",
            take=take,
            show=show,
        )
    ]


def _levels(table: str, name: str) -> tuple[str, ...]:
    """Return the levels of a column, which somebody said are public; empty cells are none."""
    from optmech.release.tabulate.group_list import occurring_groups  # noqa: PLC0415 - Arrow takes a moment to load
    from optmech.release.tabulate.group_rules import GroupRules  # noqa: PLC0415 - as above
    from optmech.release.tabulate.person_rows import NamedColumns  # noqa: PLC0415 - as above

    rules = GroupRules(columns=(name,), drop_empty=True)
    found = occurring_groups(table, rules, NamedColumns(rules.columns), table)
    return tuple(found.table[name].to_pylist())


def _out(arguments: Arguments, table: str) -> Path:
    """Return the folder of the release, which must be new."""
    out = Path(arguments.out or f"{name_of(table)}-published")
    if os.path.lexists(out):
        message = (
            f"`--out` must be a new folder; got {out}, which is there. A second draw from the same data "
            "spends their budget again."
        )
        raise ProblemError(message)
    if not out.absolute().parent.is_dir():
        message = f"`--out` must be in a folder that is there; got {out}."
        raise ProblemError(message)
    notice_left_overs(str(out))
    return out


def _published(arguments: Arguments, answers: Answers, settings: str, out: Path) -> int:
    publish(answers, settings, out)
    files = sorted(path.name for path in out.iterdir())
    answer(
        arguments,
        lambda: {"out": str(out), "files": files},
        lambda: [
            f"written to {visible(str(out))}: {', '.join(files)}",
            "all of it can be published; the true counts were deleted",
        ],
        follow=[
            *([f"optmech estimate {shlex.quote(str(out / RELEASED))}"] if answers.is_joint else []),
            f"optmech ledger {shlex.quote(str(out / LOG))}",
            *([f"open {shlex.quote(str(out / PAGE))} in a browser"] if PAGE in files else []),
        ],
    )
    return 0


COMMAND = Command(
    name="publish",
    about="""\
Answer what only a person can know, see the errors that follow, and get a folder with the released table, its
proof, its log, a page, and the commands that repeat all of it. One question stands on each screen; `back`
returns to the one before. Nothing that is shown before the draw depends on a cell of the file, but for the
levels of groups that you say are public.

The file publish.toml in that folder holds your answers: with --from nothing is asked, and --explain shows the
errors first.""",
    examples=(
        "optmech publish visits.csv",
        "optmech publish --from publish.toml",
        "optmech publish june.csv --from publish.toml --out june",
    ),
    options=(
        option("table", "TABLE", "a row for each visit: .parquet, or .csv or .csv.gz with names", nargs="?"),
        option("--from", "FILE.toml", "answers to all questions: nothing is asked", dest="settings"),
        option("--out", "FOLDER", "a new folder; default: the name of the table, and -published"),
    ),
    run=_run,
)
