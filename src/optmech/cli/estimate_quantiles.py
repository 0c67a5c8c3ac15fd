"""``optmech estimate`` of released quantiles: their values, and the error of their ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.cli.output import answer
from optmech.cli.progress import waiting
from optmech.cli.screen import aligned
from optmech.release.quantiles.quantile_words import rank_sentences

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments

_OF_NUMBERS = ("sum", "group", "difference", "shares", "sampled", "column", "out")
_SAYS = {True: "holds", False: "says nothing", None: ""}


def is_of_quantiles(arguments: Arguments) -> bool:
    """Whether quantiles were released; ProblemError if options are of another kind."""
    from optmech.release.estimates.released import LoggedFacts  # noqa: PLC0415 - Arrow takes a moment to load
    from optmech.release.quantiles.quantile_estimate import is_of_quantiles as is_own  # noqa: PLC0415 - as above

    if not is_own(LoggedFacts.beside(arguments.tables[0])):
        if arguments.people is not None:
            message = "`--people` must be left out: it needs released quantiles."
            raise ProblemError(message)
        return False
    for name in _OF_NUMBERS:
        if getattr(arguments, name):
            message = f"`--{name}` must be left out for quantiles: they are what is estimated."
            raise ProblemError(message)
    if len(arguments.tables) > 1 or len(arguments.mechanism or ()) > 1:
        message = f"`tables` must be one released file of quantiles; got {len(arguments.tables)}."
        raise ProblemError(message)
    return True


def estimate_quantiles(arguments: Arguments) -> int:
    """Print the released quantiles."""
    from optmech.release.quantiles.quantile_estimate import read_released_quantiles  # noqa: PLC0415 - as above

    (table,), mechanism = arguments.tables, arguments.mechanism
    with waiting("proving the certificate again"):
        found = read_released_quantiles(
            table, people=arguments.people, mechanism=mechanism[0] if mechanism else None
        )
    has_people = any(says is not None for _, says in found.rows)
    header = (*found.header, *(["rank bound"] if has_people else []))
    lines = [
        tuple(map(visible, header)),
        *((*map(visible, row), *([_SAYS[says]] if has_people else [])) for row, says in found.rows),
    ]
    answer(
        arguments,
        lambda: {
            "table": table,
            "rank_error": rank_sentences(found.certificate),
            "rows": [
                {**dict(zip(found.header, row, strict=True)), "rank_bound_holds": says}
                for row, says in found.rows
            ],
        },
        lambda: [
            *aligned(lines),
            *rank_sentences(found.certificate),
            "limits for values: none; a rank is between two values that nobody released",
            "spends nothing: made from what is public",
        ],
    )
    return 0
