"""``optmech apply`` with the certificate of a table: all cells and totals at once."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from optmech.base.errors import ProblemError
from optmech.base.visible import visible
from optmech.base.whole_files import read_text
from optmech.base.wording import plural
from optmech.cli.ledger import next_draws, releasing, warn_of_seed
from optmech.cli.output import answer, comma_list, warn
from optmech.cli.progress import waiting
from optmech.cli.table_files import file_of
from optmech.mechanisms.certificates.table_text import is_table_text

if TYPE_CHECKING:
    from optmech.cli.parsers import Arguments
    from optmech.release.tables.table import ReleasedTable

_OF_COLUMNS = ("interval", "clamp", "drop_zero", "cell_key", "constant_time")
_OF_TABLES = ("errors", "wide", "no_negative", "groups")


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

    with waiting(f"releasing {arguments.table}"), releasing(arguments) as asked:
        released = release_joint_table(
            arguments.mechanism,
            file_of(arguments),
            arguments.out,
            by=comma_list(arguments.group or ""),
            groups=arguments.groups,
            errors=arguments.errors,
            wide=arguments.wide,
            no_negative=arguments.no_negative,
            **asked,
        )
    answer(
        arguments,
        lambda: {
            "out": arguments.out,
            "log": str(released.log_path),
            "rows": released.rows,
            "confidential": {"cautions": released.cautions, "clamped": released.clamped},
            "release": released.log,
        },
        lambda: _lines(released, visible(arguments.out), is_seeded=arguments.seed is not None),
        follow=[
            f"optmech estimate {shlex.quote(arguments.out)}",
            *([] if "of_records" in released.log["mechanisms"][0] else [_report(released)]),
            f"optmech ledger {shlex.quote(str(released.log_path))}",
        ],
    )
    if released.clamped:
        warn(
            f"{released.clamped:,} records were beyond the range and were clamped. That number is a fact "
            "about the data: keep it to yourself"
        )
    for caution in released.cautions:
        warn(caution)
    warn_of_seed(arguments)
    return 0


def _report(released: ReleasedTable) -> str:
    return f"optmech report {shlex.quote(str(released.log_path))} --out release.html"


def _lines(released: ReleasedTable, out: str, *, is_seeded: bool) -> list[str]:
    log, (mechanism,) = released.log, released.log["mechanisms"]
    epsilon = f"epsilon = {mechanism['epsilon']}"
    if mechanism["delta"] != "0":
        epsilon += f" at delta = {mechanism['delta']}"
    rho = f"rho = {mechanism['zcdp']} of zCDP, at most " if "zcdp" in mechanism else ""
    add_up = "" if "of_records" in mechanism else "; all totals add up"
    spends = f"one person spends {rho}{epsilon}, in all numbers together"
    if is_seeded:
        spends = "NOT PRIVATE: anybody who has the seed has the true numbers, at any epsilon"
    second = log.get("no_negative")
    return [
        spends,
        f"{plural(released.rows, 'number')} of {visible(mechanism['query'])} released to {out}{add_up}",
        *([f"{visible(second['file'])} beside it is {second['is']}"] if second else []),
        f"{next_draws(log, 'numbers')}; {visible(released.log_path)} says so and can be published too",
        f"protected: {mechanism['neighbours']} {log['person']['bound'].capitalize()}.",
    ]
