"""``optmech export-model``: the program of a question as text, for other solvers."""

from __future__ import annotations

from pathlib import Path

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out, tell
from optmech.cli.parsers import Arguments, option, out
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.models.formulations.assemble import assemble
from optmech.models.text import as_lp, as_mps
from optmech.question.problems.command_words import example_line

_FORMATS = ("mps", "lp")


def _run(arguments: Arguments) -> int:
    problem, path = problem_of(arguments), arguments.out
    language = _language(arguments.format, path)
    check_out(path)
    with waiting(f"writing the program of {problem.query.title}"):
        model = assemble(problem).model
        text = as_mps(model) if language == "mps" else as_lp(model)
    if path is None and not arguments.json:
        tell(text, end="")
        return 0
    if path is not None:
        write_whole(path, text)
    size = {"columns": model.num_columns, "rows": model.num_rows}
    content = {"text": text} if path is None else {"out": path}
    answer(
        arguments,
        lambda: {
            "problem": str(problem),
            "question": problem.to_dict(),
            "format": language,
            **size,
            **content,
        },
        lambda: [f"{model.num_columns} columns and {model.num_rows} rows written to {visible(path)}"],
    )
    return 0


def _language(asked: str | None, path: str | None) -> str:
    """Return the format that is written: as it was asked for, else as the file's name ends."""
    suffix = "" if path is None else Path(path).suffix.lower().removeprefix(".")
    named = suffix if suffix in _FORMATS else None
    if asked is not None and named is not None and asked != named:
        message = (
            f"`--out` must not end in .{named} with `--format {asked}`; got {visible(path)}. "
            "Leave `--format` out, or name the file otherwise."
        )
        raise ProblemError(message)
    return asked or named or "mps"


COMMAND = QuestionCommand(
    name="export-model",
    about="Write the program of a question for other solvers.",
    examples=(f"{example_line('export-model', 'croft')} --format mps --out model.mps",),
    formulations=QUESTIONS,
    options=(
        option("--format", None, "default: as FILE ends, else mps", choices=_FORMATS),
        out("FILE", "write there instead of printing"),
    ),
    run=_run,
)
