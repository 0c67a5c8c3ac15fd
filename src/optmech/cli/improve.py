"""``optmech improve``: the best function of a noisy answer, as a table for any pipeline."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.cli.output import answer, check_out
from optmech.cli.parsers import Arguments, option, out
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QuestionCommand
from optmech.cli.questions import problem_of

if TYPE_CHECKING:
    from optmech.question.problem import Problem


def _run(arguments: Arguments) -> int:
    # Designs load in half a second, which no other command should wait for.
    from optmech.analysis.improvement import improvement_of  # noqa: PLC0415
    from optmech.mechanisms.certificates.certificate_file import write_certificate  # noqa: PLC0415

    check_out(arguments.out, ".csv", ".json")
    check_out(arguments.certificate, ".json", reads=[arguments.out])
    problem = _problem(arguments)
    with waiting(f"improving {problem.privacy}", None):
        improvement = improvement_of(problem)
    caution = improvement.design.caution
    if arguments.out is not None:
        improvement.write(arguments.out)
    if arguments.certificate is not None:
        assert improvement.design.certificate is not None  # noqa: S101 - it is proved
        write_certificate(improvement.design.certificate, arguments.certificate)
    table = [f"{row['response']:>19} up to {row['up_to']}" for row in improvement.content["table"]]
    lines = [str(improvement.design.problem), "", *improvement.lines]
    lines += ["", "release            for noisy answers", *table] if len(table) <= _MOST_ROWS else []
    answer(
        arguments,
        lambda: {"caution": caution, **improvement.content, "out": arguments.out},
        lambda: lines,
        arguments.out,
        arguments.certificate,
        caution=caution,
    )
    return 0


def _problem(arguments: Arguments) -> Problem:
    """Return the question, which must name a noise."""
    if arguments.formulation != "file" and arguments.as_private_as is None:
        message = "`--as-private-as` must be given: the noise whose answers are improved, such as skellam:2."
        raise ProblemError(message)
    return problem_of(arguments)


_MOST_ROWS = 101

_EXAMPLE = (
    "optmech improve count --range 0:10 --as-private-as discrete-gaussian:2 --loss squared --out improved.csv"
)
COMMAND = QuestionCommand(
    name="improve",
    about="""\
Say what to release for each noisy count, where the noise is given: a table that any pipeline can apply after
its own noise, and that sees nothing else. No mechanism that is as private as the noise loses less, for any
prior; the loss of clamping stands beside it.""",
    examples=(_EXAMPLE,),
    formulations=("count",),
    choices=("range", "as_private_as", "loss", "prior"),
    further={"count": " --as-private-as discrete-gaussian:2", "file": "noisy.toml --out improved.csv"},
    free_choice="epsilon",
    usual="count",
    options=(
        option("--noise", None, argparse.SUPPRESS, dest="as_private_as"),
        out("FILE.csv|FILE.json", "write the table there, whole or not at all"),
        option("--certificate", "FILE.json", "write the mechanism and its proof there"),
    ),
    run=_run,
)
