"""``optmech prices``: what each choice of a question costs, as sentences or JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.cli.output import answer
from optmech.cli.progress import waiting
from optmech.cli.question_parsers import QUESTIONS, QuestionCommand
from optmech.cli.questions import problem_of
from optmech.cli.solving import SOLVER, designer_of

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments


def _run(arguments: Arguments) -> int:
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.comparison.prices import prices  # noqa: PLC0415

    problem = problem_of(arguments)
    with waiting(f"designing {problem.query.title} without each of its choices", arguments.time_limit):
        price_list = prices(problem, designer=designer_of(arguments))
    caution = price_list.design.caution
    answer(
        arguments,
        lambda: {
            "caution": caution,
            "problem": str(problem),
            "question": problem.to_dict(),
            "objective": price_list.design.objective,
            "lower_bound": price_list.design.lower_bound,
            "shadow_price_of_epsilon": price_list.rate,
            "prices": [{**asdict(row), "text": str(row)} for row in price_list.rows],
        },
        lambda: [str(problem), "", *price_list.lines],
        caution=caution,
    )
    return 0


COMMAND = QuestionCommand(
    name="prices",
    about="Say what each choice of a question costs: the question without it is designed and proved as well.",
    examples=("optmech prices croft --query count --range 0:20 --epsilon 1 --variant 2",),
    formulations=QUESTIONS,
    options=(SOLVER,),
    run=_run,
)
