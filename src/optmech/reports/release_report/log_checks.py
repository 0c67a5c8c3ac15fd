"""Check that release logs are whole and of the same data, before a page shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.numbers import exact
from optmech.base.same_name import key_of_name
from optmech.release.tables.log_entries import entries_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from optmech.reports.release_report.description import Description

_TEXTS = ("file", "group", "query", "neighbours", "epsilon", "certificate_sha256", "allows", "caution")


def check_logs(description: Description, logs: Sequence[tuple[Path, Mapping[str, Any]]]) -> None:
    """Raise FileFormatError for a log that was changed, ProblemError if there is none, or of other data."""
    if not logs:
        raise broken_rule("logs", "be at least one, as `apply` writes it beside each table", "none")
    for path, log in logs:
        if not _is_whole(log):
            message = (
                f"`{path}` must be a release log as it was written; something in it is missing or changed."
            )
            raise FileFormatError(message)
    draws = [entry for path, log in logs for entry in entries_in(path, log)]
    if not draws:
        raise broken_rule("logs", "have a release", f"{logs[0][0]}, of a table without rows")
    names = {str(log["data"]) for _, log in logs} | {draw.data for draw in draws if draw.data is not None}
    own = {str(log.get("table")) for _, log in logs} | {draw.table for draw in draws}
    keys = set(map(key_of_name, (description.data, *description.tables)))
    others = sorted(name for name in names if key_of_name(name) not in keys)
    if others and not (len(names) == 1 and names <= own):  # one table, which nobody gave a name
        message = (
            f"`logs` must be of {description.data}, as release.toml says; got one of {others[0]}. Name "
            "the data by `apply --data`, list other names of the same data as `tables`, or make two pages."
        )
        raise ProblemError(message)


def _is_whole(log: Mapping[str, Any]) -> bool:
    """Whether all is there that a page shows, each of its kind."""
    output, mechanisms, interval = log.get("output"), log.get("mechanisms"), log.get("interval")
    texts = [log.get(name) for name in ("made", "table", "column", "beyond_the_range")]
    if not (isinstance(output, dict) and isinstance(mechanisms, list) and mechanisms):
        return False
    texts += [output.get("file"), output.get("sha256")]
    numbers = [log.get("draws"), output.get("rows")]
    if interval is not None:
        if not isinstance(interval, dict) or not isinstance(interval.get("columns"), list):
            return False
        texts += [interval.get("level"), *interval["columns"]]
    return (
        all(isinstance(one, str) for one in texts)
        and all(isinstance(one, int) for one in numbers)
        and isinstance(log.get("by"), str | None)
        and isinstance(log.get("data"), str | None)
        and all(map(_is_whole_mechanism, mechanisms))
        and (interval is None or _is_number(interval["level"]))
    )


def _is_whole_mechanism(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("unprotected", []), list):
        return False
    texts = [value for name, value in entry.items() if name in _TEXTS and value is not None]
    deltas = [entry[name] for name in ("delta", "delta_of_sets") if name in entry]
    return all(isinstance(one, str) for one in texts) and all(map(_is_number, deltas))


def _is_number(text: Any) -> bool:  # noqa: ANN401 - any JSON value
    try:
        exact(text, "number")
    except ProblemError:
        return False
    return True
