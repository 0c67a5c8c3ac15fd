"""The facts of a release, read from its logs and certificates, for a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, NotAcceptedError, ProblemError
from optmech.base.wording import plural
from optmech.mechanisms.certificates.certificate_text import certificate_sha256
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.proofs.certificate import Certificate
from optmech.release.estimates.released import LoggedFacts
from optmech.release.joint.joint_released import is_whole_table
from optmech.release.tables.draws import Certificates, change_of
from optmech.release.tables.ledger import accounts_of
from optmech.release.tables.log import read_log
from optmech.release.tables.log_entries import entries_in
from optmech.reports.card import Card, card_of
from optmech.reports.release_report.files import released_files
from optmech.reports.release_report.log_checks import check_logs
from optmech.reports.release_report.published_file import PublishedFile, published_file
from optmech.reports.release_report.published_table import PublishedTable, published_table
from optmech.reports.release_report.spent import change_sentence, spent_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from optmech.release.tables.account import Account
    from optmech.release.tables.draws import Draw
    from optmech.release.tables.log_entries import Entry
    from optmech.reports.release_report.description import Description

_FEW = 3
_OF_TABLE = (
    "What such a person changes in all numbers together, cells and totals, is protected; so is which cells "
    "had a row."
)
Proved = Certificate | TableCertificate
"""The certificate of one number, or of a whole table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasedFile:
    """One log: what it tells, and the numbers of its file where that is at hand.

    `unproved` are the names of certificates that it names, and that are not at hand.
    """

    path: Path
    log: Mapping[str, Any]
    published: PublishedFile | PublishedTable | None
    unproved: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedMechanism:
    """A mechanism that some releases drew from: what the logs tell, and its card where it is certified.

    That of a whole table has its certificate in place of a card. Where each of these releases has a bound on
    the rows of a person, `bounded` says what one step is.
    """

    log_entry: Mapping[str, Any]
    groups: tuple[str, ...]
    file: str
    card: Card | None
    table: TableCertificate | None = None
    bounded: str = ""

    @property
    def protected(self) -> str:
        """The neighbours that it protects from each other, in words."""
        if self.table is not None:
            return f"{self.log_entry['neighbours']} {_OF_TABLE}"
        if self.bounded:
            return f"{self.log_entry['neighbours']} {self.bounded}"
        return str(self.log_entry["neighbours"]) if self.card is None else self.card.words.protected


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
    def has_numbers_alone(self) -> bool:
        """Whether all answers that are shown are numbers, and none is a label."""
        shown = [one.published for one in self.files if one.published is not None]
        return all(one.is_of_numbers for one in shown)

    @property
    def sentence(self) -> str:
        """The sentence on what all releases tell of one person; empty where that is unknown."""
        return spent_sentence(self.account)

    @property
    def sentence_of_a_change(self) -> str:
        """The sentence on a person whose records become others; empty where the first one is of that."""
        return change_sentence(self.account)

    @property
    def why_reported(self) -> tuple[str, ...]:
        """The reasons why the spending is not proved, a sentence each."""
        missing = _outputs(draw for draw in self.account.draws if draw.lacks_certificate)
        whole = _outputs(
            draw for draw in self.account.draws if draw.is_taken_whole and not draw.rests_on_bound
        )
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
            f"{draw.output}: {_bound_text(draw, draw.rows)}, by the bound in its log."
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


def _bound_text(draw: Draw, rows: int) -> str:
    if draw.adds:
        return f"one person adds {draw.adds}"
    return f"at most {plural(rows, 'row')} of a person {'was' if rows == 1 else 'were'} counted"


def _outputs(draws: Iterable[Draw]) -> str:
    """Return the names of the files of these draws, of many the first ones; empty if there are none."""
    names = list(dict.fromkeys(draw.output for draw in draws))
    return ", ".join([*names[:_FEW], *(["…"] if len(names) > _FEW else [])])


def facts_of_release(
    description: Description,
    logs: Sequence[Path],
    certificates: Mapping[str, Certificate],
    folders: Sequence[Path] = (),
    files: Sequence[Path] = (),
) -> ReleaseFacts:
    """Return the facts of a release, by the logs of all releases of these data and certificates by file name.

    The released files are among `files`, or beside their logs, or in `folders`. Further certificates may be
    there as well; those of other mechanisms are left out. FileFormatError if a file is no log, or a released
    file is not the one that its log tells of; ProblemError if logs tell of other data, or no log of a
    certificate or of a released file.
    """
    contents = list[tuple[Path, dict[str, Any]]]()
    for path in logs:
        log = read_log(path)
        contents += [] if any(log == other for _, other in contents) else [(path, log)]
    check_logs(description, contents)
    digests = {certificate_sha256(one): name for name, one in certificates.items()}
    draws = [(path, entry) for path, log in contents for entry in entries_in(path, log)]
    for path, entry in draws:
        _need_page(path, entry)
    entries = [one for _, draw in draws for one in draw.mechanisms]
    used_digests = {str(one.get("certificate_sha256", "")) for one in entries}
    stray = next((name for digest, name in digests.items() if digest not in used_digests), None)
    if stray is not None:
        message = f"`{stray}` must be the certificate of a release; no log tells of it. Leave it out."
        raise ProblemError(message)
    (account,) = accounts_of(contents, certificates=[*certificates.values(), *folders], data=description.data)
    if account.broken:
        raise FileFormatError(account.broken[0])
    by_digest: dict[str, Proved] = {digest: certificates[name] for digest, name in digests.items()}
    for draw in account.draws:  # certificates that the ledger found beside the logs
        by_digest |= {certificate_sha256(one): one for one in draw.mechanisms if isinstance(one, Certificate)}
    at_hand = Certificates(folders)
    for path, one in ((path, one) for path, draw in draws for one in draw.mechanisms):
        # The draws of several rows in a group have their log's bound in place of certificates.
        if "certificate_sha256" in one and (digest := str(one["certificate_sha256"])) not in by_digest:
            found = at_hand.find(one, path.parent)
            if found is not None and not isinstance(found, QuantileCertificate):
                by_digest |= {digest: found}
    released = released_files(contents, folders, files)
    return ReleaseFacts(
        description=description,
        files=tuple(
            ReleasedFile(
                path=path,
                log=log,
                published=_published(released[path], path, log, by_digest),
                unproved=_unproved(log, by_digest),
            )
            for path, log in contents
        ),
        mechanisms=_mechanisms([entry for _, entry in draws], by_digest),
        account=account,
    )


def _need_page(path: Path, draw: Entry) -> None:
    """Refuse logs of quantiles, and of sums of records: their numbers are read in another way."""
    of_records = any("of_records" in one for one in draw.mechanisms)
    if draw.is_of_quantiles or of_records:
        what = "sums of people's records" if of_records else "quantiles"
        message = (
            f"`{path}` must be of numbers that are read as they are: there is no page of {what} yet. "
            "`optmech estimate` tells of them, and `optmech ledger` what they spend."
        )
        raise NotAcceptedError(message)


def _published(
    file: Path | None, of_log: Path, log: Mapping[str, Any], by_digest: Mapping[str, Proved]
) -> PublishedFile | PublishedTable | None:
    """Return the numbers of a released file, where it is at hand."""
    if file is None:
        return None
    if not is_whole_table(LoggedFacts(content=log)):
        of_numbers = {digest: one for digest, one in by_digest.items() if isinstance(one, Certificate)}
        return published_file(file, log, of_numbers)
    certificate = by_digest.get(str(log["mechanisms"][0].get("certificate_sha256", "")))
    if not isinstance(certificate, TableCertificate):
        named = log["mechanisms"][0].get("file")
        message = (
            f"`{of_log}` must have its certificate beside it, {named or 'of a name'}: a whole table is read "
            "by it. Copy it there."
        )
        raise FileFormatError(message)
    return published_table(file, of_log, log, certificate)


def _unproved(log: Mapping[str, Any], by_digest: Mapping[str, Proved]) -> tuple[str, ...]:
    missing = (one for one in log["mechanisms"] if one.get("certificate_sha256") not in by_digest)
    return tuple(dict.fromkeys(str(one.get("file") or "a matrix without certificate") for one in missing))


def _mechanisms(draws: Sequence[Entry], by_digest: Mapping[str, Proved]) -> tuple[UsedMechanism, ...]:
    """Return each mechanism once, with all groups that it is for."""
    groups_of_entries: dict[str, list[Mapping[str, Any]]] = {}
    bounds: dict[str, set[str]] = {}
    for draw in draws:
        bounded = "" if draw.person is None else change_of(draw).of_a_bound
        for one in draw.mechanisms:
            key = str(one.get("certificate_sha256") or one.get("file"))
            groups_of_entries.setdefault(key, []).append(one)
            bounds.setdefault(key, set()).add(bounded)
    mechanisms = []
    for digest, ones in groups_of_entries.items():
        certificate = by_digest.get(digest)
        groups = tuple(dict.fromkeys(str(one["group"]) for one in ones if one.get("group") is not None))
        mechanisms.append(
            UsedMechanism(
                log_entry=ones[0],
                groups=groups,
                file=str(ones[0].get("file") or ""),
                card=card_of(certificate) if isinstance(certificate, Certificate) else None,
                table=certificate if isinstance(certificate, TableCertificate) else None,
                bounded="" if "" in bounds[digest] else " ".join(sorted(bounds[digest])),
            )
        )
    return tuple(mechanisms)
