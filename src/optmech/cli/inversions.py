"""The commands that ask back from what is wanted: one for each search that `least` knows."""

from __future__ import annotations

from functools import partial

from optmech.cli import least
from optmech.cli.parsers import Command
from optmech.cli.questions import problem_of

__all__ = ["COMMANDS"]

COMMANDS = tuple(
    Command(
        name=name,
        summary=search.summary,
        about=search.about,
        examples=(search.example,),
        formulations=tuple(formulation for formulation in search.further if formulation != "file"),
        sought=search.sought,
        further=search.further,
        options=(partial(least.add_least_options, command=name),),
        run=partial(least.run_least, asked=problem_of),
    )
    for name, search in least.COMMANDS.items()
)
