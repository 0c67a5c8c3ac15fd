"""Run the commands of a publication in a folder that appears once they are done."""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from argparse import Namespace
from contextlib import chdir, contextmanager, redirect_stderr
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.deferred_interrupt import deferred_interrupt
from optmech.base.errors import ProblemError
from optmech.base.whole_files import refusals, write_together
from optmech.cli.output import manners
from optmech.cli.publish.plan import BOUND, COUNTS, GROUPS, SCRIPT, SETTINGS, plan_of, script_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optmech.cli.publish.answers import Answers

_RECORDS = "records.csv"
_NOT_MADE = "`{}` ended without an answer; nothing was released."


def preview(answers: Answers) -> None:
    """Print the design for a file without records: it has the error of each number, whatever the data are."""
    with tempfile.TemporaryDirectory(prefix="optmech-") as folder, chdir(folder):
        Path(_RECORDS).write_text(_no_records(answers), encoding="utf-8")
        plan = plan_of(answers, _RECORDS)
        _write_groups(answers)
        _run(plan.tabulate, is_quiet=True)
        _run(plan.design[:-2], explain=answers.is_joint)


def publish(answers: Answers, settings: str, out: Path) -> None:
    """Draw once and write all files of a release to a new folder.

    The folder appears whole. An error or Ctrl-C before leaves nothing, and nobody has seen a draw.
    """
    table = Path(answers.table).resolve()
    own = plan_of(answers, os.path.relpath(table, out.absolute().parent.resolve() / out.name))
    with _new_folder(out) as folder, chdir(folder):
        plan = plan_of(answers, str(table))
        _write_groups(answers)
        with _confidential():
            _run(plan.tabulate, is_quiet=True)
        _run(plan.design, is_quiet=True)
        _run(plan.apply, is_quiet=True)
        for path in (COUNTS, BOUND):
            Path(path).unlink()
        if plan.report:
            _run(plan.report, is_quiet=True)
        write_together({SETTINGS: settings, SCRIPT: script_of(own)})


def _run(words: Sequence[str], *, is_quiet: bool = False, explain: bool = False) -> None:
    """Run a command as if it were typed; what it raises is told where this command was typed."""
    from optmech.cli.commands import build_parser  # noqa: PLC0415 - it lists this command, too

    asked = build_parser().parse_args(words, Namespace(json=False, quiet=is_quiet, explain=explain))
    with manners(quiet=is_quiet, json=False):
        code = asked.run(asked)
    if code:
        raise ProblemError(_NOT_MADE.format(" ".join(words[:2])))


@contextmanager
def _confidential() -> Iterator[None]:
    """Keep warnings to the data's holder, which count rows, off the screen."""
    with redirect_stderr(io.StringIO()):
        yield


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """Yield a folder beside a new one that takes its name if no error comes."""
    with refusals(out), deferred_interrupt():
        private = Path(tempfile.mkdtemp(dir=out.absolute().parent, prefix=".optmech-", suffix=".part"))
    try:
        folder = private / "release"
        folder.mkdir()
        yield folder
        with refusals(out), deferred_interrupt():
            folder.rename(out.absolute())
    finally:
        shutil.rmtree(private)


def _write_groups(answers: Answers) -> None:
    if answers.groups:
        Path(GROUPS).write_text(answers.group_lists, encoding="utf-8")


def _no_records(answers: Answers) -> str:
    """Return the header of the records alone; where groups are those that occur, one row that is invented."""
    columns = [*answers.person, *answers.columns, *answers.bins, *([answers.of] if answers.of else [])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    if answers.from_data:
        edges = {name: told.strip(".,").partition(",")[0] for name, told in answers.bins.items()}
        writer.writerow([edges.get(name, "a") for name in columns])
    return text.getvalue()
