"""Account for the privacy spent on each data set, read from release logs and composed exactly.

Certificates that a log names are found by their hash and proved again. Without its certificate, a log's
epsilon and delta count as reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.arguments import items, need_path
from optmech.base.errors import FileFormatError, broken_rule
from optmech.base.numbers import exact_delta
from optmech.base.same_name import key_of_name
from optmech.base.whole_files import resolved
from optmech.release.tables.account import Account
from optmech.release.tables.draws import Certificates, Draw, draws_in
from optmech.release.tables.keyed import LINKED
from optmech.release.tables.log import ENDING, logs_in, read_log
from optmech.release.tables.log_entries import data_named_in
from optmech.release.tables.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.base.numbers import Number
    from optmech.proofs.certificate import Certificate


def ledger(
    logs: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    certificates: Iterable[str | PathLike[str] | Certificate] = (),
    delta: Number | None = None,
) -> tuple[Account, ...]:
    r"""Return the account of each data set, from the logs of releases.

    Each data set has its own account; a release with two copies of its log counts once.

    Parameters
    ----------
    logs : path, or several
        Logs as `release_table` writes them, or folders of them.
    certificates : iterable of path or Certificate, optional
        Files or folders with further certificates. Those next to a log, or in a folder there, are found.
    delta : number, optional
        The delta of the epsilon; by default the sum of all deltas.

    Raises
    ------
    FileFormatError
        If a file is no release log.
    ProblemError
        If there is no log.

    Examples
    --------
    >>> import tempfile
    >>> import optmech as om
    >>> folder = Path(tempfile.mkdtemp())
    >>> count = om.design(om.croft(om.count(5), epsilon="0.5")).certificate
    >>> _ = (folder / "true.csv").write_text("town,count\nAller,3\nBeck,0\n")
    >>> for name in ("first", "second"):
    ...     _ = om.release_table(count, folder / "true.csv", folder / f"{name}.csv", column="count")
    >>> (account,) = ledger(folder, certificates=[count])
    >>> account.data, len(account.draws), round(account.epsilon, 6), account.provenance
    ('true.csv', 2, 1.0, 'proved')
    """
    paths = (
        [logs] if isinstance(logs, str) or not isinstance(logs, Iterable) else items(logs, "logs", "paths")
    )
    for path in paths:
        need_path(path, "logs")
    files, unread = list[tuple[Path, dict[str, Any]]](), list[str]()
    for path in map(Path, paths):
        if not path.is_dir():
            files.append((path, read_log(path)))
            continue
        there, sentences = read_folder(path)
        files += there
        unread += sentences
    if not files and not unread:
        raise broken_rule("logs", f"have at least one release log, whose name ends in {ENDING}", "none")
    return accounts_of(files, unread=unread, certificates=certificates, delta=delta)


def read_folder(
    folder: Path, *, but: Path | None = None
) -> tuple[list[tuple[Path, dict[str, Any]]], list[str]]:
    """Return the logs of a folder except one, with their paths, and a sentence for each unreadable one."""
    logs, unread = list[tuple[Path, dict[str, Any]]](), list[str]()
    for path in logs_in(folder):
        if but is not None and resolved(path) == resolved(but):
            continue
        try:
            logs.append((path, read_log(path)))
        except FileFormatError as refusal:
            unread.append(str(refusal))
    return logs, unread


def accounts_of(
    logs: Sequence[tuple[Path, Mapping[str, Any]]],
    *,
    unread: Iterable[str] = (),
    certificates: Iterable[str | PathLike[str] | Certificate] = (),
    delta: Number | None = None,
    data: str | None = None,
    only: str | None = None,
) -> tuple[Account, ...]:
    """Return the accounts of logs that were read, each with its path; see `ledger`.

    With `data`, the data of all logs get that name, and with `only` accounts of other data are left out.
    Sentences on `unread` logs, and on logs without a name of their data, go into every account;
    FileFormatError if there is no account.
    """
    folders = dict.fromkeys(path.parent for path, _ in logs)
    certificates_at_hand = Certificates([*certificates, *folders])
    draws, broken, unread = list[Draw](), dict[str, list[str]](), list(unread)
    for path, log in logs:
        try:
            draws += draws_in(path, log, certificates_at_hand)
        except FileFormatError as refusal:
            names = [data] if data is not None else data_named_in(log)
            for name in names or ():
                broken.setdefault(name, []).append(str(refusal))
            unread += [] if names else [str(refusal)]
    if data is not None:
        draws = [replace(draw, data=data) for draw in draws]
    at = None if delta is None else exact_delta(delta)
    by_data = list(_by_data(draws, broken))
    if unread and not by_data:
        raise FileFormatError(unread[0])
    return tuple(
        _account(name, of_data, at, broken=sentences, unread=tuple(dict.fromkeys(unread)))
        for name, of_data, sentences in by_data
        if only is None or key_of_name(name) == key_of_name(only)
    )


def _by_data(
    draws: Iterable[Draw], broken: Mapping[str, list[str]]
) -> Iterable[tuple[str, tuple[Draw, ...], tuple[str, ...]]]:
    """Yield the name of each data set, its distinct draws in order of time, and its unreadable logs.

    Names that differ by case or white space only are one. A draw with unknown data in every log counts for
    all data sets.
    """
    in_order = sorted(draws, key=attrgetter("time"))
    names = dict[str, str]()
    for name in [*(draw.data for draw in in_order if draw.data is not None), *broken]:
        names.setdefault(key_of_name(name), name)
    known = {draw.key for draw in in_order if draw.data is not None}
    everywhere = [draw for draw in in_order if draw.data is None and draw.key not in known]
    for key, name in names.items():
        own = [draw for draw in in_order if draw.data is not None and key_of_name(draw.data) == key]
        # A draw that is logged under two parts counts for both.
        each = {(draw.key, _key_of_part(draw)): draw for draw in [*everywhere, *own]}
        sentences = [text for other, texts in broken.items() if key_of_name(other) == key for text in texts]
        yield name, tuple(sorted(each.values(), key=attrgetter("time"))), tuple(dict.fromkeys(sentences))


def _key_of_part(draw: Draw) -> str | None:
    return None if draw.part is None else key_of_name(draw.part)


def _account(
    data: str,
    draws: tuple[Draw, ...],
    delta: Fraction | None,
    *,
    broken: tuple[str, ...],
    unread: tuple[str, ...],
) -> Account:
    named = {_key_of_part(draw) for draw in draws} - {None}
    by_part = [
        tuple(draw for draw in draws if _key_of_part(draw) in (None, part))
        for part in sorted(named, key=str) or [None]
    ]
    # Disjoint parts share no record keys.
    keyed = [{draw.key for draw in several if draw.is_keyed} for several in by_part]
    linked = set().union(*(keys for keys in keyed if len(keys) > 1))
    draws = tuple(
        replace(draw, unknown=LINKED) if draw.key in linked and not draw.unknown else draw for draw in draws
    )
    is_known = not broken and not any(draw.unknown for draw in draws)
    parts = tuple(Spending(draws=several) for several in (by_part if is_known else []))
    at = max((part.delta for part in parts), default=Fraction(0)) if delta is None else delta
    return Account(
        data=data,
        draws=draws,
        delta=at,
        is_summed=delta is None,
        broken=broken,
        unread=unread,
        by_part=parts,
    )
