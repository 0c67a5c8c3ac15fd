"""``optmech apply`` with the certificate of quantiles: records of people, by public groups."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.base.wording import plural
from optmech.cli.ledger import next_draws, releasing, warn_of_seed
from optmech.cli.options import Group
from optmech.cli.output import answer, warn
from optmech.cli.parsers import given_to
from optmech.cli.progress import waiting
from optmech.cli.record_options import DROP_EMPTY, DROP_OTHERS, EMPTY, GROUPS, KEY, columns_typed, whose_row
from optmech.cli.table_files import file_of
from optmech.mechanisms.certificates.quantile_text import is_quantiles_text

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments
    from optmech.release.tables.table import ReleasedTable

RECORDS = Group(
    "records of people, for quantiles",
    (whose_row(required=False), GROUPS, DROP_OTHERS, DROP_EMPTY, EMPTY, KEY),
)
_OF_OTHERS = ("interval", "clamp", "drop_zero", "cell_key", "constant_time", "errors", "wide", "no_negative")
_OF_RECORDS = (
    *("person", "each_row_a_person", "groups", "drop_others", "drop_empty", "empty", "key"),
    *("missing", "id_may_be", "ids_as_written"),
)


def is_of_quantiles(arguments: Arguments) -> bool:
    """Whether the mechanism is the certificate of quantiles; ProblemError if options are of another kind."""
    path = Path(arguments.mechanism)
    is_own = path.suffix.lower() == ".json" and path.is_file() and is_quantiles_text(read_text(path, "utf-8"))
    for name in _OF_OTHERS if is_own else (name for name in _OF_RECORDS if name != "groups"):
        if getattr(arguments, name) not in (None, False, []):
            kind = "another mechanism" if is_own else "the certificate of quantiles, from `design quantiles`"
            message = f"`--{name.replace('_', '-')}` must be left out: it needs {kind}."
            raise ProblemError(message)
    if is_own and arguments.column is None:
        message = "`--column` must be given: where the numbers of people are."
        raise ProblemError(message)
    return is_own


def apply_quantiles(arguments: Arguments) -> int:
    """Release quantiles as the arguments of ``optmech apply`` say."""
    from optmech.release.quantiles.release_quantiles import release_quantiles  # noqa: PLC0415 - Arrow loads slowly

    typed = [] if arguments.group is None else [arguments.group]
    records = file_of(arguments)
    columns = columns_typed(arguments, records, {"group": typed}, [arguments.column])
    further = {name: told for name in _OF_RECORDS[1:] if (told := getattr(arguments, name)) is not None}
    with waiting(f"releasing {arguments.column}"), releasing(arguments) as asked:
        asked |= {"certificate": arguments.mechanism, "table": records, **further, **columns}
        released = release_quantiles(**given_to(release_quantiles, arguments, **asked))
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "log": str(released.log_path),
            "rows": released.rows,
            "release": released.log,
        },
        lambda: _lines(released, visible(arguments.out), is_seeded=arguments.seed is not None),
        follow=[
            f"optmech estimate {shlex.quote(arguments.out)}",
            f"optmech ledger {shlex.quote(str(released.log_path))}",
        ],
    )
    for caution in released.cautions:
        warn(caution)
    warn_of_seed(arguments)
    return 0


def _lines(released: ReleasedTable, out: str, *, is_seeded: bool) -> list[str]:
    log, (mechanism,) = released.log, released.log["mechanisms"]
    rho = f"rho = {mechanism['zcdp']} of zCDP, and " if "zcdp" in mechanism else ""
    spends = f"one person spends {rho}epsilon = {mechanism['epsilon']}, in all groups together"
    if is_seeded:
        spends = "NOT PRIVATE: anybody who has the seed can repeat the draws, at any epsilon"
    return [
        spends,
        f"{plural(released.rows, 'value')} of {visible(mechanism['query'])} released to {out}",
        f"{next_draws(log, 'records')}; {visible(released.log_path)} says so and can be published too",
        f"protected: {visible(mechanism['neighbours'])} {visible(log['person']['bound'])}",
        *log["rank_error"],
        f"{log['beyond_the_range']}; the time of a draw depends on the records: let nobody measure it",
    ]
