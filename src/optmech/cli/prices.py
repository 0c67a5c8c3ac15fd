"""``optmech prices``: what each choice of a question costs, as sentences or JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from optmech.cli.output import say, tell
from optmech.cli.parsers import designer_of
from optmech.cli.progress import waiting
from optmech.cli.show import json_text

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from optmech.question.problem import Problem

__all__ = ["EXAMPLES", "run_prices"]

EXAMPLES = ("optmech prices croft --query count --range 0:20 --epsilon 1 --variant 2",)


def run_prices(arguments: argparse.Namespace, asked: Callable[[argparse.Namespace], Problem]) -> int:
    """Print what each choice costs.

    Parameters
    ----------
    arguments : Namespace
        What was typed.
    asked : callable
        Returns the problem that was typed.
    """
    # Baselines and SciPy load in half a second, which no other command should wait for.
    from optmech.analysis.comparison.prices import prices  # noqa: PLC0415

    problem = asked(arguments)
    designer = designer_of(arguments)
    with waiting(f"designing {problem.query.title} without each of its choices", arguments.time_limit):
        found = prices(problem, designer=designer)
    if arguments.json:
        content = {
            "problem": str(problem),
            "objective": found.design.objective,
            "lower_bound": found.design.lower_bound,
            "shadow_price_of_epsilon": found.rate,
            "prices": [{**asdict(row), "text": str(row)} for row in found.rows],
        }
        tell(json_text(content))
    else:
        say(f"{problem}\n\n{found}")
    return 0
