"""The draws in release logs, each with the certificates of its mechanisms, proved again."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.concentrated import TableGuarantee
from optmech.analysis.composition.curve import epsilon_of_steps, rational_above
from optmech.analysis.composition.releases import StatedGuarantee
from optmech.base.errors import FileFormatError, OptmechError, ProblemError
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text, exact
from optmech.base.provenance import Provenance
from optmech.base.whole_files import is_file, read_text
from optmech.mechanisms.certificates.certificate_text import certificate_sha256, read_certificate_text
from optmech.mechanisms.certificates.quantile_text import is_quantiles_text, read_quantiles_text
from optmech.mechanisms.certificates.table_text import is_table_text, read_table_text
from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate
from optmech.mechanisms.tables.table_certificate import TableCertificate
from optmech.mechanisms.tables.table_noise import MarginNoise
from optmech.proofs.privacy import short_delta
from optmech.question.step_weights import unit_reach
from optmech.release.tables.changes import UNKNOWN, PersonChange, change_in
from optmech.release.tables.column_mechanisms import limited_unit_of
from optmech.release.tables.log_entries import entries_in
from optmech.release.tabulate.bound import delta_of_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction
    from os import PathLike

    from optmech.proofs.certificate import Certificate

    AnyCertificate = Certificate | TableCertificate | QuantileCertificate
    from optmech.release.tables.log_entries import Entry, Person


_LONGEST, _DIGITS = 12, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One release in a log: its data, draw, time, file and column.

    `mechanisms` has the certificate of each mechanism, or the log's statement without one. One person can
    change the answers of `uses` rows, by the bound in the log, or 1 without a bound. With a bound each answer
    moves by at most `within` places, else to any neighbour. At most `rows` rows of
    one person were counted, ``None`` without a bound; of sums `adds` says how much they add. If several of
    them may be in one group, `is_taken_whole`: the log's numbers for a person are used for all rows together;
    these `rests_on_bound` where certificates prove them for the bound in the log.
    `limited` is the unit of epsilon where mechanisms do not protect each person. `unknown` is the reason why
    the spending is unknown, else empty. If `is_keyed`, cell keys picked the noise: draws of the same table
    and bytes have the same `key`, for they tell nothing new. Without a `part` the release was of all the
    data; without `data` these are unknown. `change` says how many steps of it a person takes.
    `rho` is that of zCDP for one person in a whole table, or of `is_of_quantiles`.
    """

    data: str | None
    part: str | None
    key: str
    time: str
    output: str
    table: str
    column: str
    mechanisms: tuple[Certificate | StatedGuarantee, ...]
    uses: int
    rows: int | None
    adds: str
    is_taken_whole: bool
    rests_on_bound: bool
    limited: tuple[str, ...]
    unknown: str
    change: PersonChange = UNKNOWN
    is_keyed: bool = False
    within: int | None = None
    rho: Fraction | None = None
    is_of_quantiles: bool = False

    @property
    def is_for_person(self) -> bool:
        """Whether the log bounds what one person can change."""
        return self.rows is not None

    @property
    def lacks_certificate(self) -> bool:
        """Whether a mechanism is known from its log alone, without its certificate."""
        return not self.is_taken_whole and any(
            one.provenance is Provenance.REPORTED for one in self.mechanisms
        )

    @property
    def is_proved(self) -> bool:
        """Whether certificates prove the spending, for the bound in the log if there is one."""
        return self.rests_on_bound if self.is_taken_whole else not self.lacks_certificate

    @property
    def epsilon_text(self) -> str:
        """The epsilon of one person, or of one row without a bound: exact if short, never rounded down."""
        epsilon = epsilon_of_steps(self.guarantee.epsilon, self.uses)
        text = as_text(epsilon)
        return text if len(text) <= _LONGEST else at_most(rational_above(epsilon), _DIGITS)

    @property
    def guarantee(self) -> StatedGuarantee:
        """The largest epsilon and delta of one use."""
        each = [_guarantee_of(source) for source in self.mechanisms]
        return StatedGuarantee(max(one.epsilon for one in each), max(one.delta for one in each))


def draws_in(path: Path, log: Mapping[str, Any], certificates: Certificates) -> tuple[Draw, ...]:
    """Return the draws in a log; raise FileFormatError if the log was changed."""
    return tuple(_draw(entry, certificates, path) for entry in entries_in(path, log))


class Certificates:
    """Find the certificates that a log names, by their hashes."""

    def __init__(self, certificates: Iterable[str | PathLike[str] | Certificate] = ()) -> None:
        members = list(certificates)
        self._paths = [Path(one) for one in members if isinstance(one, (str, os.PathLike))]
        proofs = [one for one in members if not isinstance(one, (str, os.PathLike))]
        self._by_digest: dict[str, AnyCertificate] = {certificate_sha256(one): one for one in proofs}

    def find(self, entry: Mapping[str, Any], folder: Path) -> AnyCertificate | None:
        """Return the certificate of a mechanism in a log, proved again; the folder of the log comes first."""
        digest = str(entry["certificate_sha256"])
        if digest not in self._by_digest and entry.get("file"):
            for path in self._paths_of(Path(str(entry["file"])).name, folder):
                text = _text_of(path)
                if text is not None and sha256(text.encode()).hexdigest() == digest:
                    self._by_digest[digest] = _proved(text, str(path))
                    break
        return self._by_digest.get(digest)

    def _paths_of(self, name: str, folder: Path) -> Iterable[Path]:
        for source in (folder, *self._paths):
            if source.is_dir():
                folders = [source, *sorted(path for path in source.iterdir() if path.is_dir())]
                yield from (path for folder in folders if is_file(path := folder / name))
            else:
                yield source


def _proved(text: str, path: str) -> AnyCertificate:
    """Return the certificate in a text, after proving everything in it again."""
    if is_quantiles_text(text):
        return read_quantiles_text(text, path)
    return read_table_text(text, path) if is_table_text(text) else read_certificate_text(text, path)


def _text_of(path: Path) -> str | None:
    """Return the text of a possible certificate file, ``None`` if it is not text."""
    try:
        return read_text(path)
    except FileFormatError:
        if path.exists():
            return None
        raise


def _draw(entry: Entry, certificates: Certificates, path: Path) -> Draw:
    person, reason = entry.person, ""
    if not entry.is_private:
        reason = f"{entry.file} was drawn by a seed, which is not private"
    elif None in entry.guarantees:
        reason = f"{entry.file} was drawn from a matrix of which nothing is proved"
    mechanisms: tuple[Certificate | StatedGuarantee, ...] = ()
    uses, within = 1, None
    is_taken_whole = rests_on_bound = False
    limited = dict.fromkeys(filter(None, map(limited_unit_of, entry.mechanisms)))
    if not reason:
        mechanisms = tuple(
            _source(one, said, certificates, path)
            for one, said in zip(entry.mechanisms, entry.guarantees, strict=True)
            if said is not None
        )
        limited |= dict.fromkeys(filter(None, (source.limited_unit for source in mechanisms)))
        if person is not None and (person.is_one_by_one or entry.is_of_whole_table):
            uses, within = person.steps, None if entry.is_of_whole_table else 1
        elif person is not None:
            # Several rows in one group are no composition of losses: the loss in the bound is used.
            is_taken_whole = True
            rests_on_bound = _proves(mechanisms, person)
            mechanisms = (person.guarantee,)
    return Draw(
        data=entry.data,
        part=entry.part,
        key=_key(entry),
        time=entry.made,
        output=entry.file,
        table=entry.table,
        column=entry.column,
        mechanisms=mechanisms,
        uses=uses,
        rows=None if person is None else person.rows,
        adds="" if person is None else person.adds,
        is_taken_whole=is_taken_whole,
        rests_on_bound=rests_on_bound,
        limited=tuple(limited),
        unknown=reason,
        is_keyed=bool(entry.cells),
        within=within,
        change=change_of(entry),
        rho=entry.rho,
        is_of_quantiles=entry.is_of_quantiles,
    )


def _proves(sources: Iterable[Certificate | StatedGuarantee], person: Person) -> bool:
    """Whether certificates prove what a log says of a person, for their steps and rows in one group."""
    said = person.guarantee
    for source in sources:
        reach = None if isinstance(source, StatedGuarantee) else unit_reach(source.problem.query)
        if reach is None:
            return False
        cell = _guarantee_of(source)
        in_group = -(-person.rows_per_group // reach)
        try:
            delta = delta_of_steps(cell.delta, cell.epsilon, person.steps, in_group)
        except ProblemError:
            return False
        if said.epsilon < epsilon_of_steps(cell.epsilon, person.steps) or said.delta < short_delta(delta):
            return False
    return True


def change_of(entry: Entry) -> PersonChange:
    """Return the change of a person in a draw."""
    return change_in(
        entry.mechanisms,
        column=entry.column,
        is_bounded=entry.person is not None,
        is_one_row=entry.content["output"].get("rows") == 1,
    )


def _key(entry: Entry) -> str:
    """Return the identity of a draw: by cell keys that of the table, its cells, mechanisms and guarantees."""
    if not entry.cells:
        return entry.key
    digests = [one.get("certificate_sha256") for one in entry.mechanisms]
    return json.dumps([entry.cells, digests, str(entry.guarantees), str(entry.person)])


def _source(
    entry: Mapping[str, Any], said: StatedGuarantee, certificates: Certificates, path: Path
) -> Certificate | StatedGuarantee:
    """Return the certificate of a mechanism, or the log's statement; FileFormatError if that is too small."""
    try:
        certificate = certificates.find(entry, path.parent)
    except OptmechError as refusal:
        message = f"`{path}` must name certificates that are proved; got one that is not: {refusal}"
        raise FileFormatError(message) from None
    if certificate is None:
        return said
    if isinstance(certificate, (TableCertificate, QuantileCertificate)):
        proved: StatedGuarantee = TableGuarantee(certificate.epsilon, certificate.delta)
        has_rho = isinstance(certificate, QuantileCertificate) or not isinstance(
            certificate.noise, MarginNoise
        )
        rho = certificate.rho if has_rho else None
        is_less = "zcdp" in entry and (rho is None or exact(entry["zcdp"], "zcdp") < rho)
    else:
        proved, is_less = _guarantee_of(certificate), False
    if is_less or said.epsilon < proved.epsilon or said.delta < proved.delta:
        message = (
            f"`{path}` must be a release log as it was written; it says less than the certificate that it "
            f"names, {entry.get('file')}, proves to be spent."
        )
        raise FileFormatError(message)
    return proved if isinstance(certificate, (TableCertificate, QuantileCertificate)) else certificate


def _guarantee_of(source: Certificate | StatedGuarantee) -> StatedGuarantee:
    if isinstance(source, StatedGuarantee):
        return source
    epsilon = epsilon_of_steps(source.problem.privacy.epsilon, source.problem.query.heaviest)
    return StatedGuarantee(epsilon, source.delta_of_sets)
