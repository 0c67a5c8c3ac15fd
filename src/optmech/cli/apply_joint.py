"""``optmech apply`` with the certificate of a table: all cells and totals at once."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.cli.ledger import release_settings
from optmech.cli.output import answer, warn
from optmech.cli.progress import waiting
from optmech.mechanisms.certificates.table_text import is_table_text

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments
    from optmech.release.tables.table import ReleasedTable

_OF_COLUMNS = ("group", "interval", "clamp", "drop_zero", "cell_key", "constant_time")
_OF_TABLES = ("errors", "wide")


def is_of_table(arguments: Arguments) -> bool:
    """Whether the mechanism is the certificate of a table; ProblemError if options are of the other kind."""
    path = Path(arguments.mechanism)
    is_table = path.suffix.lower() == ".json" and path.is_file() and is_table_text(read_text(path, "utf-8"))
    for name in _OF_COLUMNS if is_table else _OF_TABLES:
        if getattr(arguments, name) not in (None, False):
            kind = "the certificate of one number" if is_table else "the certificate of a table"
            message = f"`--{name.replace('_', '-')}` must be left out: it needs {kind}."
            raise ProblemError(message)
    if not is_table and arguments.column is None:
        message = "`--column` must be given: where the true answers are."
        raise ProblemError(message)
    return is_table


def apply_table(arguments: Arguments) -> int:
    """Release a table as the arguments of ``optmech apply`` say."""
    from optmech.release.joint.release_joint import release_joint_table  # noqa: PLC0415 - Arrow takes a moment to load

    with waiting(f"releasing {arguments.table}"), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "these draws are NOT private")  # told below, as a sentence
        released = release_joint_table(
            arguments.mechanism,
            arguments.table,
            arguments.out,
            column=arguments.column,
            errors=arguments.errors,
            wide=arguments.wide,
            **release_settings(arguments),
        )
    is_seeded = arguments.seed is not None
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "log": str(released.log_path),
            "rows": released.rows,
            "confidential": {"cautions": released.cautions},
            "release": released.log,
        },
        lambda: _lines(released, visible(arguments.out), is_seeded=is_seeded),
        follow=[
            f"optmech estimate {shlex.quote(arguments.out)}",
            f"optmech ledger {shlex.quote(str(released.log_path))}",
        ],
    )
    for caution in released.cautions:
        warn(caution)
    if is_seeded:
        warn("these draws are NOT private: whoever knows or guesses the seed can subtract the noise")
    return 0


def _lines(released: ReleasedTable, out: str, *, is_seeded: bool) -> list[str]:
    log, (mechanism,) = released.log, released.log["mechanisms"]
    epsilon = f"epsilon = {mechanism['epsilon']}"
    if mechanism["delta"] != "0":
        epsilon += f" at delta = {mechanism['delta']}"
    rho = f"rho = {mechanism['zcdp']} of zCDP, at most " if "zcdp" in mechanism else ""
    again = "a second draw from the same numbers spends it again"
    if log["draws"] > 1:
        again = f"this is draw {log['draws']}, and what all of them spend adds up"
    spends = f"one person spends {rho}{epsilon}, in all numbers together"
    if is_seeded:
        spends = "NOT PRIVATE: anybody who has the seed has the true numbers, at any epsilon"
    return [
        spends,
        f"{released.rows:,} numbers of {visible(mechanism['query'])} released to {out}; all totals add up",
        f"{again}; {visible(released.log_path)} says so and can be published too",
        f"protected: {mechanism['neighbours']} {log['person']['bound'].capitalize()}.",
    ]
