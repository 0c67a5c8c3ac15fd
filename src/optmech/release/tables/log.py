"""The log of a release: enough to check it and to account for it, and nothing about the true answers.

A log can be published beside its table. It leaves out the number of clamped answers, a hash of the true
table, and the time a release took: no mechanism protects these facts about true answers.
"""

from __future__ import annotations

import hashlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import brief
from optmech.base.errors import FileFormatError, reason_of
from optmech.base.strict_json import parse_json
from optmech.base.version import __version__
from optmech.base.visible import visible_json
from optmech.base.whole_files import read_text, resolved
from optmech.base.wording import join_words
from optmech.release.tables.column_mechanisms import limited_unit_of
from optmech.release.tables.drop_zero import LEFT_OUT
from optmech.release.tables.keyed import KEYED

if TYPE_CHECKING:
    from os import PathLike

    from optmech.release.tables.column_mechanisms import Laws

ENDING = ".release.json"
"""Ending of the name of a log that a ledger finds."""
_FORMAT, _VERSION = "optmech release log", 2
# Draws of version 1 may lack their data, part, table and column.
_READ_VERSIONS = (1, _VERSION)
# Keys of a draw that are kept after a later one, besides its data and the mark of a seed.
_OF_A_DRAW = ("id", "made", "output", "table", "data", "part", "column", "mechanisms", "randomness", "person")
_OF_A_DRAW_BY_KEYS = (*_OF_A_DRAW, "cell_keys")
# A digest has 64 bits: among a million paths two share one with probability 1 in 40 million, and then `again`
# is needed.
_DIGEST_LENGTH = 16
_SUFFIXES = (".parquet", ".pq", ".csv.gz", ".csv", ".xlsx")
_UNIT = (
    "Epsilon and delta hold between two true answers of one row that are neighbours in the question. "
    "Somebody who can change the answers of k rows is protected by k times epsilon and k times delta only."
)
_ALL_ROWS = (
    "All other columns, and how many rows there are and in which order, are released as they are, without "
    "protection."
)
_FURTHER_DRAWS = (
    "Each further draw from the same true answers, into whichever file, spends its epsilon again: by simple "
    "composition the epsilons of all draws add up."
)
_EACH_ROW = (
    "No file says how many rows of the table one person can change: who can change k rows spends k times "
    "epsilon and k times delta. A record that moves from one row to another changes two."
)
_GROUPS = (
    "Each group has its own mechanism. A person in the rows of one group alone spends what that one spends, "
    "at most the largest; a person in several spends their sum."
)
_PARTS = (
    "The one who made this release says that no person is in two parts of these data: then a person spends "
    "what the releases of one part spend, with those of all parts. Nothing checks that claim."
)
PRIVATE = "the randomness of the operating system"
NOT_PRIVATE = "a seed: NOT PRIVATE, whoever knows or guesses it can subtract the noise"


def log_beside(path: str | PathLike[str]) -> Path:
    """Return the path of the log of a released table: ``noisy.release.json`` beside ``noisy.csv.gz``."""
    target = Path(path)
    suffix = next((suffix for suffix in _SUFFIXES if target.name.lower().endswith(suffix)), "")
    return target.with_name(f"{target.name[: len(target.name) - len(suffix)]}{ENDING}")


def log_in_ledger(folder: str | PathLike[str], out: str | PathLike[str]) -> Path:
    """Return the path of a table's log in a folder of logs, unique to that table.

    The name ends in a digest of the table's path, because tables in different folders may share a name.
    """
    beside = log_beside(resolved(out))
    digest = hashlib.sha256(os.fsencode(resolved(out))).hexdigest()[:_DIGEST_LENGTH]
    return Path(folder) / f"{beside.name.removesuffix(ENDING)}.{digest}{ENDING}"


def log_of(
    laws: Laws,
    *,
    out: str,
    rows: int,
    sha256: str,
    table: str,
    data: str | None,
    part: str | None,
    column: str,
    by: str | None,
    clamp: bool,
    constant_time: bool,
    is_seeded: bool,
    drop_zero: bool,
    interval: dict[str, Any] | None,
    person: dict[str, Any] | None,
    cell_keys: dict[str, Any] | None,
    earlier: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the log of a release as JSON values."""
    is_grouped, randomness = by is not None, NOT_PRIVATE if is_seeded else PRIVATE
    mechanisms = [
        {**({"group": name} if is_grouped else {}), **law.description} for name, law in laws.items()
    ]
    return {
        "format": _FORMAT,
        "version": _VERSION,
        "made_by": f"optmech {__version__}",
        "id": token_hex(16),  # two draws of one second may be alike to the last digit
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "output": {"file": out, "sha256": sha256, "rows": rows},
        "table": table,
        "data": data or table,
        "part": part,
        "column": column,
        "by": by,
        "mechanisms": mechanisms,
        "beyond_the_range": "taken for the nearest end" if clamp else "refused",
        "randomness": KEYED if cell_keys else randomness,
        **({"cell_keys": cell_keys} if cell_keys else {}),
        "constant_time": constant_time,
        **({"interval": interval} if interval else {}),
        **({"left_out": "rows with the answer 0"} if drop_zero else {}),
        "draws": (1 if rows or drop_zero else 0) + len(earlier),
        "earlier": earlier,
        "person": person,
        "unit_of_privacy": _unit(
            person, mechanisms, is_grouped=is_grouped, others=LEFT_OUT if drop_zero else _ALL_ROWS
        ),
        **({"parts": _PARTS} if part is not None else {}),
        "drawing_again": cell_keys["needs"] if cell_keys else _FURTHER_DRAWS,
    }


def _unit(
    person: dict[str, Any] | None, mechanisms: list[dict[str, Any]], *, is_grouped: bool, others: str
) -> str:
    limited = dict.fromkeys(filter(None, map(limited_unit_of, mechanisms)))
    if limited:
        whose = f"Epsilon and delta are the loss of {join_words(limited)}: they are not that of one person."
        return f"{whose} {_UNIT} {others}"
    if person is not None:
        return f"{person['unit']} {_UNIT} {others}"
    return f"{_UNIT} {others} {_EACH_ROW} {_GROUPS}" if is_grouped else f"{_UNIT} {others} {_EACH_ROW}"


def log_text(log: dict[str, Any]) -> str:
    """Return a log as JSON text."""
    return visible_json(json.dumps(log, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def read_log(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the release log of a file as JSON values.

    Raises
    ------
    FileFormatError
        If it is none.
    """
    text = read_text(path)
    try:
        content = parse_json(text)
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        message = f"`{path}` must be a release log of optmech; got something else. Choose another path."
        raise FileFormatError(message)
    version = content.get("version")
    if type(version) is not int or version not in _READ_VERSIONS:
        known = " or ".join(map(str, _READ_VERSIONS))
        message = f"`{path}` must be of version {known}; got {brief(version)}. Use a newer optmech."
        raise FileFormatError(message)
    return content


def draws_of(log: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the draws in a log, the last one last."""
    output = log.get("output")
    if isinstance(output, dict) and output.get("rows") == 0 and "left_out" not in log:  # nothing was drawn
        return list(log.get("earlier", []))
    names = _OF_A_DRAW_BY_KEYS if "cell_keys" in log else _OF_A_DRAW
    return [*log.get("earlier", []), {name: log.get(name) for name in names}]


def logs_in(folder: Path) -> list[Path]:
    """Return the logs in a folder, or raise FileFormatError if it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(ENDING))
    except OSError as error:
        message = f"`{folder}` must be a folder that can be read; got: {reason_of(error)}."
        raise FileFormatError(message) from None
