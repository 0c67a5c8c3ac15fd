"""``optmech verify TABLE --p-table``: a perturbation table of the cell key method, judged exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.notes import Note, NoteKind
from optmech.cli.output import answer, warn_unsaid
from optmech.cli.parsers import Arguments, switch
from optmech.cli.progress import waiting
from optmech.cli.questions import CERTIFICATE

if TYPE_CHECKING:
    from optmech.cli.options import Option

P_TABLE: Option = switch(
    "--p-table",
    "judge a perturbation table of the cell key method, a file of ONS or ptable, in place of a certificate",
)


def verify_p_table(arguments: Arguments) -> int:
    """Say the facts of a perturbation table, beside the least delta of tables with its constraints."""
    if arguments.formulation != CERTIFICATE or arguments.matrix is not None:
        message = "`--p-table` must stand beside one file, the table, and no question; got more."
        raise ProblemError(message)
    # Designs take a moment to load, which other files are verified without.
    from optmech.analysis.p_tables import assess_p_table, read_p_table  # noqa: PLC0415

    with waiting(f"reading {arguments.mechanism}"):
        table = read_p_table(arguments.mechanism)
    with waiting("finding the best table with the same constraints"):
        assessment = assess_p_table(table)
    answer(arguments, assessment.to_dict, lambda: assessment.lines)
    if assessment.certain.results:
        warn_unsaid(Note(NoteKind.PRIVACY, assessment.certain.meaning), json=arguments.json)
    return 0
