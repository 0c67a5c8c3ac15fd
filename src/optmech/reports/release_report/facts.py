"""The facts of a release, read from its logs and certificates, for a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError, broken_rule
from optmech.base.numbers import exact
from optmech.base.wording import plural
from optmech.mechanisms.certificates.certificate_text import certificate_sha256
from optmech.release.tables.ledger import accounts_of
from optmech.release.tables.log import read_log
from optmech.release.tables.log_entries import entries_in
from optmech.reports.card import Card, card_of
from optmech.reports.release_report.published_file import PublishedFile, published_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optmech.proofs.certificate import Certificate
    from optmech.release.tables.account import Account
    from optmech.release.tables.draws import Draw
    from optmech.reports.release_report.description import Description

_FEW = 3
_TEXTS = ("file", "group", "query", "neighbours", "epsilon", "certificate_sha256", "allows", "caution")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedFile:
    """One log: what it tells, and the numbers of its file where that is at hand."""

    path: Path
    log: Mapping[str, Any]
    published: PublishedFile | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedMechanism:
    """A mechanism that some releases drew from: what the logs tell, and its card where it is certified."""

    log_entry: Mapping[str, Any]
    groups: tuple[str, ...]
    file: str
    card: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFacts:
    """A release: its description, files, mechanisms, and their total spending."""

    description: Description
    files: tuple[ReleasedFile, ...]
    mechanisms: tuple[UsedMechanism, ...]
    account: Account

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings, a sentence each."""
        account = self.account
        sentences = [f"{reason}: what that spends is unknown." for reason in account.unknown]
        sentences += ["No privacy is left: the deltas of all releases come to 1."] if account.is_spent else []
        sentences += [f"{account.claim[0].upper()}{account.claim[1:]}."] if account.claim else []
        sentences += self._laid_open()
        for one in self.mechanisms:
            sentences += [one.log_entry[name] for name in ("allows", "caution") if one.log_entry.get(name)]
            sentences += one.log_entry.get("unprotected", [])
        return tuple(dict.fromkeys(sentences))

    @property
    def why_reported(self) -> tuple[str, ...]:
        """The reasons why the spending is not proved, a sentence each."""
        missing = _outputs(draw for draw in self.account.draws if draw.lacks_certificate)
        whole = _outputs(draw for draw in self.account.draws if draw.is_taken_whole)
        sentences = {
            f"The certificate of {missing} is not here: its log's own numbers are taken.": missing,
            f"In {whole} several rows of one person may be in one group: what they spend together is taken "
            "from its log.": whole,
            "That parts of the data are disjoint is the word of those who released them.": self.account.claim,
        }
        return tuple(sentence for sentence, applies in sentences.items() if applies)

    @property
    def bounds(self) -> tuple[str, ...]:
        """The rows of a person that were counted, a sentence for each bound in the logs."""
        sentences = [
            f"{draw.output}: at most {plural(draw.rows, 'row')} of a person "
            f"{'was' if draw.rows == 1 else 'were'} counted, by the bound in its log."
            for draw in self.account.draws
            if draw.rows is not None
        ]
        return tuple(dict.fromkeys(sentences))

    def _laid_open(self) -> list[str]:
        """Return sentences on columns that one file releases with noise and another without."""
        return [
            f"`{other.log['output']['file']}` holds the column `{one.log['column']}` as it is, which "
            f"`{one.log['output']['file']}` releases with noise: then nothing protects it. Publish files "
            "that hold it with noise alone."
            for one in self.files
            for other in self.files
            if other.published is not None
            and Path(one.log["table"]).name in (Path(other.log["table"]).name, other.log["output"]["file"])
            and one.log["column"] in other.published.plain
        ]


def _outputs(draws: Iterable[Draw]) -> str:
    """Return the names of the files of these draws, of many the first ones; empty if there are none."""
    names = list(dict.fromkeys(draw.output for draw in draws))
    return ", ".join([*names[:_FEW], *(["…"] if len(names) > _FEW else [])])


def facts_of_release(
    description: Description,
    logs: Sequence[Path],
    certificates: Mapping[str, Certificate],
    folders: Sequence[Path] = (),
) -> ReleaseFacts:
    """Return the facts of a release, by the logs of all releases of these data and certificates by file name.

    The released files are read where their logs are. Further certificates may be in `folders`; those of other
    mechanisms are left out. FileFormatError if a file is no log, or a released file is not the one that its
    log tells of; ProblemError if logs tell of other data, or no log of a certificate.
    """
    contents = [(path, read_log(path)) for path in logs]
    _check_data(description, contents)
    digests = {certificate_sha256(one): name for name, one in certificates.items()}
    draws = [entry for path, log in contents for entry in entries_in(path, log)]
    entries = [one for draw in draws for one in draw.mechanisms]
    used_digests = {str(one.get("certificate_sha256", "")) for one in entries}
    stray = next((name for digest, name in digests.items() if digest not in used_digests), None)
    if stray is not None:
        message = f"`{stray}` must be the certificate of a release; no log tells of it. Leave it out."
        raise ProblemError(message)
    (account,) = accounts_of(contents, certificates=[*certificates.values(), *folders], data=description.data)
    if account.broken:
        raise FileFormatError(account.broken[0])
    by_digest = {digest: certificates[name] for digest, name in digests.items()}
    for draw in account.draws:  # certificates that the ledger found beside the logs
        by_digest |= {certificate_sha256(one): one for one in draw.mechanisms if not isinstance(one, tuple)}
    return ReleaseFacts(
        description=description,
        files=tuple(
            ReleasedFile(path=path, log=log, published=published_file(path, log, by_digest))
            for path, log in contents
        ),
        mechanisms=_mechanisms(entries, by_digest),
        account=account,
    )


def _mechanisms(
    entries: Sequence[Mapping[str, Any]], by_digest: Mapping[str, Certificate]
) -> tuple[UsedMechanism, ...]:
    """Return each mechanism once, with all groups that it is for."""
    groups_of_entries: dict[str, list[Mapping[str, Any]]] = {}
    for one in entries:
        groups_of_entries.setdefault(str(one.get("certificate_sha256") or one.get("file")), []).append(one)
    mechanisms = []
    for digest, ones in groups_of_entries.items():
        certificate = by_digest.get(digest)
        groups = tuple(dict.fromkeys(str(one["group"]) for one in ones if one.get("group") is not None))
        mechanisms.append(
            UsedMechanism(
                log_entry=ones[0],
                groups=groups,
                file=str(ones[0].get("file") or ""),
                card=None if certificate is None else card_of(certificate),
            )
        )
    return tuple(mechanisms)


def _check_data(description: Description, logs: Sequence[tuple[Path, Mapping[str, Any]]]) -> None:
    if not logs:
        raise broken_rule("logs", "be at least one, as `apply` writes it beside each table", "none")
    for path, log in logs:
        if not _is_whole(log):
            message = (
                f"`{path}` must be a release log as it was written; something in it is missing or changed."
            )
            raise FileFormatError(message)
    draws = [entry for path, log in logs for entry in entries_in(path, log)]
    names = {str(log["data"]) for _, log in logs} | {draw.data for draw in draws if draw.data is not None}
    own = {str(log.get("table")) for _, log in logs} | {draw.table for draw in draws}
    others = sorted(names - {description.data, *description.tables})
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
