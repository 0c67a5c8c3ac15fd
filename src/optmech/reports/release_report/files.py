"""Find what a page of a release is made of: the logs of a ledger, and the released file of each log.

A log has the name of its released file and the SHA-256 of it, and no folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.same_name import key_of_name
from optmech.base.whole_files import resolved
from optmech.base.wording import join_words
from optmech.release.tables.ledger import read_folder
from optmech.release.tables.log import ENDING, read_log
from optmech.release.tables.log_entries import data_named_in
from optmech.release.tabulate.count_table import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FEW = 5


def logs_in_ledger(folder: Path, names: Iterable[str] = ()) -> list[Path]:
    """Return the logs in a folder of the data of these names; without names, of the only data there.

    FileFormatError if a log cannot be read: what it spent would be missing. ProblemError if the folder has no
    log of these data, or without names logs of several data.
    """
    if not folder.is_dir():
        raise broken_rule("ledger", "be a folder that is there", str(folder))
    logs, unread = read_folder(folder)
    if unread:
        raise FileFormatError(unread[0])
    keys = {key_of_name(name) for name in names}
    data = {path: data_named_in(log) for path, log in logs}
    there = {key_of_name(name): name for of_log in data.values() for name in of_log or ()}
    if not keys and len(there) == 1:
        keys = set(there)
    found = [path for path, of_log in data.items() if of_log is None or keys & set(map(key_of_name, of_log))]
    if found and keys:
        return found
    listed = join_words(sorted(there.values())[:_FEW]) or f"no file that ends in {ENDING}"
    rule = "have logs of the data that `--data` or release.toml names" if keys else "have logs of one data"
    message = f"`ledger` must {rule}; {folder} has {listed}. Choose by `--data`."
    raise ProblemError(message)


def data_of_logs(paths: Sequence[Path]) -> str:
    """Return the name of the data that all logs are of; ProblemError if they name several, or none."""
    names = {key_of_name(name): name for path in paths for name in data_named_in(read_log(path)) or ()}
    if len(names) == 1:
        return next(iter(names.values()))
    message = (
        f"`logs` must be of one data set; got {join_words(sorted(names.values())[:_FEW]) or 'none'}. "
        "Choose one by `--data`, or describe the release in release.toml."
    )
    raise ProblemError(message)


def released_files(
    logs: Iterable[tuple[Path, Mapping[str, Any]]], folders: Sequence[Path] = (), files: Sequence[Path] = ()
) -> dict[Path, Path | None]:
    """Return the released file of each log: among `files`, beside the log, or in `folders`.

    It is the one of the SHA-256 in the log, ``None`` where there is no file of its name. FileFormatError if
    there is one that no log tells of: it was changed. ProblemError if one of `files` is in no log.
    """
    result, candidates = dict[Path, Path | None](), dict[Path, list[Path]]()
    for path, log in logs:
        name, sha256 = Path(str(log["output"]["file"])).name, log["output"]["sha256"]
        named = [folder / name for folder in (path.parent, *folders)]
        candidates[path] = [file for file in (*files, *named) if file.is_file()]
        result[path] = next((file for file in candidates[path] if digest_of(file) == sha256), None)
    told = {resolved(file) for file in result.values() if file is not None}
    for file in files:
        if resolved(file) not in told:
            message = f"`{file}` must be a released file of one of the logs; its SHA-256 is in none."
            raise ProblemError(message)
    for path in (path for path, file in result.items() if file is None):
        changed = [other for other in candidates[path] if resolved(other) not in told]
        if changed:
            message = (
                f"`{changed[0]}` must be the file that its log tells of; it was changed, or is another "
                f"release: its SHA-256 is not the one in {path}. Take the log beside it, or release again."
            )
            raise FileFormatError(message)
    return result
