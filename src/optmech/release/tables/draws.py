"""The draws that release logs tell of, each with the certificates of what it drew from, proved again."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.curve import rational_above
from optmech.analysis.composition.releases import Guarantee
from optmech.base.arguments import whole_number
from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.number_format import at_most
from optmech.base.numbers import as_text, exact_delta
from optmech.base.whole_files import read_text
from optmech.mechanisms.certificates.certificate_text import certificate_sha256, read_certificate_text
from optmech.proofs.certificate import Certificate
from optmech.question.epsilon import exact_epsilon
from optmech.question.protection import limited_unit
from optmech.release.tables.column_mechanisms import limited_unit_of
from optmech.release.tables.log import draws_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction
    from os import PathLike

    from optmech.base.logarithm import Logarithm


_LONGEST, _DIGITS = 12, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """One release that a log tells of: of which data, which draw, when, into which file, of which column.

    It drew from `mechanisms`, one for each person; of one without its certificate, what the log says. One
    person can change the answers of so many rows, `uses`, by the bound in the log, 1 where it says none. At
    most so many `rows` of one person were counted, ``None`` where no log bounds them; where several of them
    may be in one group, `is_taken_whole`: what the log says of a person is taken for all of them. Where its
    mechanisms do not protect each person, `limited` says of whom epsilon is the loss. Why nobody knows what
    is spent says `unknown`, else empty.
    """

    data: str
    id: str
    time: str
    output: str
    column: str
    mechanisms: tuple[Certificate | Guarantee, ...]
    uses: int
    rows: int | None
    is_taken_whole: bool
    limited: tuple[str, ...]
    unknown: str

    @property
    def is_for_person(self) -> bool:
        """Whether the log bounds what one person can change."""
        return self.rows is not None

    @property
    def lacks_certificate(self) -> bool:
        """Whether a mechanism is known by its log alone, for its certificate is not at hand."""
        return not self.is_taken_whole and any(isinstance(one, Guarantee) for one in self.mechanisms)

    @property
    def epsilon_text(self) -> str:
        """The epsilon of one person, or of one row without a bound: exact if short, never rounded down."""
        each = self.guarantee.epsilon
        epsilon = each if self.uses == 1 else self.uses * rational_above(each)
        text = as_text(epsilon)
        return text if len(text) <= _LONGEST else at_most(rational_above(epsilon), _DIGITS)

    @property
    def guarantee(self) -> Guarantee:
        """The largest epsilon and delta of one use."""
        each = [_guarantee_of(source) for source in self.mechanisms]
        return Guarantee(max(one.epsilon for one in each), max(one.delta for one in each))


def draws_in(path: Path, log: Mapping[str, Any], certificates: Certificates) -> tuple[Draw, ...]:
    """Return the draws that a log tells of; FileFormatError if something in it is not as it was written."""
    try:
        return tuple(_draw(entry, log, certificates, path.parent) for entry in draws_of(dict(log)))
    except (KeyError, TypeError, AttributeError, ProblemError):
        message = f"`{path}` must be a release log as it was written; something in it is missing or changed."
        raise FileFormatError(message) from None


class Certificates:
    """Where the certificates are that a log names, by the hash that it has of each."""

    def __init__(self, certificates: Iterable[str | PathLike[str] | Certificate] = ()) -> None:
        members = list(certificates)
        self._places = [Path(one) for one in members if not isinstance(one, Certificate)]
        self._by_digest = {certificate_sha256(one): one for one in members if isinstance(one, Certificate)}

    def find(self, entry: Mapping[str, Any], folder: Path) -> Certificate | None:
        """Return the certificate of a mechanism in a log, proved again; the folder of the log comes first."""
        digest = str(entry["certificate_sha256"])
        if digest not in self._by_digest and entry.get("file"):
            for path in self._paths_of(Path(str(entry["file"])).name, folder):
                text = read_text(path)
                if sha256(text.encode()).hexdigest() == digest:
                    self._by_digest[digest] = read_certificate_text(text, str(path))
                    break
        return self._by_digest.get(digest)

    def _paths_of(self, name: str, folder: Path) -> Iterable[Path]:
        for place in (folder, *self._places):
            if place.is_dir():
                folders = [place, *sorted(path for path in place.iterdir() if path.is_dir())]
                yield from (path for folder in folders if (path := folder / name).is_file())
            else:
                yield place


def _draw(entry: Mapping[str, Any], log: Mapping[str, Any], certificates: Certificates, folder: Path) -> Draw:
    mechanisms, person = entry["mechanisms"], entry.get("person")
    output = entry["output"]
    reason = ""
    if "NOT PRIVATE" in (entry.get("randomness") or log["randomness"]):
        reason = f"{output['file']} was drawn by a seed, which is not private"
    elif any("epsilon" not in one for one in mechanisms):
        reason = f"{output['file']} was drawn from a matrix of which nothing is proved"
    guarantees: tuple[Certificate | Guarantee, ...] = ()
    uses = 1
    is_taken_whole = False
    if not reason and person is not None and int(person["at_most_per_group"]) > 1:
        # Of several rows in one group the losses are no composition: what the bound says is taken as a whole.
        is_taken_whole = True
        guarantees = (Guarantee(exact_epsilon(person["epsilon"]), exact_delta(person["delta"])),)
    elif not reason:
        guarantees = tuple(certificates.find(one, folder) or _guarantee_in_log(one) for one in mechanisms)
        uses = 1 if person is None else int(person["steps"])
    return Draw(
        data=str(log.get("data") or log["table"]),
        id=str(entry["id"]),
        time=str(entry["made"]),
        output=str(output["file"]),
        column=str(log["column"]),
        mechanisms=guarantees,
        uses=uses,
        rows=None if person is None else whole_number(person["at_most"], "at_most"),
        is_taken_whole=is_taken_whole,
        limited=tuple(dict.fromkeys(_limited(mechanisms, guarantees))),
        unknown=reason,
    )


def _limited(
    mechanisms: Iterable[Mapping[str, Any]], sources: Iterable[Certificate | Guarantee]
) -> Iterator[str]:
    """Yield of whom epsilon is the loss where it is not of each person, by a log and by certificates."""
    yield from filter(None, map(limited_unit_of, mechanisms))
    for source in sources:
        if isinstance(source, Certificate):
            query = source.problem.query
            yield from filter(None, [limited_unit(query.scope, query.directions)])


def _guarantee_in_log(entry: Mapping[str, Any]) -> Guarantee:
    epsilon: Fraction | Logarithm = exact_epsilon(entry["epsilon"])
    steps = int(entry.get("largest_weight", 1))
    if steps > 1:
        epsilon = steps * rational_above(epsilon)
    return Guarantee(epsilon, exact_delta(entry.get("delta_of_sets", entry["delta"])))


def _guarantee_of(source: Certificate | Guarantee) -> Guarantee:
    if isinstance(source, Guarantee):
        return source
    epsilon, query = source.problem.privacy.epsilon, source.problem.query
    if query.is_weighted:
        epsilon = query.heaviest * rational_above(epsilon)
    return Guarantee(epsilon, source.delta_of_sets)
