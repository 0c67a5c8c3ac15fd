"""``optmech export-model``: the program of a question as text, for other solvers."""

from __future__ import annotations

from optmech.base.visible import visible
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out, tell
from optmech.cli.parsers import QUESTIONS, Arguments, Command, example_of, option, out
from optmech.cli.progress import waiting
from optmech.cli.questions import problem_of
from optmech.models.formulations.assemble import assemble
from optmech.models.text import as_lp, as_mps


def _run(arguments: Arguments) -> int:
    problem, path = problem_of(arguments), arguments.out
    check_out(path)
    with waiting(f"writing the program of {problem.query.title}"):
        model = assemble(problem).model
        text = as_mps(model) if arguments.format == "mps" else as_lp(model)
    if path is None and not arguments.json:
        tell(text, end="")
        return 0
    if path is not None:
        write_whole(path, text)
    size = {"columns": model.num_columns, "rows": model.num_rows}
    content = {"text": text} if path is None else {"out": path}
    answer(
        arguments,
        lambda: {"problem": str(problem), "format": arguments.format, **size, **content},
        lambda: [f"{model.num_columns} columns and {model.num_rows} rows written to {visible(path)}"],
    )
    return 0


COMMAND = Command(
    name="export-model",
    about="Write the program of a question for other solvers.",
    examples=(f"{example_of('export-model', 'croft')} --format mps --out model.mps",),
    formulations=QUESTIONS,
    options=(
        option("--format", None, "default: mps", choices=("mps", "lp"), default="mps"),
        out("FILE", "write there instead of printing"),
    ),
    run=_run,
)
