"""What has been spent on which data, read from release logs and composed exactly.

Certificates that a log names are proved again where they are at hand, by the hash that the log has of them;
else its epsilon and delta are taken for what they are: reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition.curve import rational_above, rounded_down, rounded_up
from optmech.analysis.composition.releases import Guarantee, Release, compose_releases
from optmech.base.arguments import items, need_path
from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text, exact_delta
from optmech.base.provenance import Provenance
from optmech.base.wording import join_words
from optmech.question.epsilon import exact_epsilon
from optmech.release.tables.draws import Certificates, Draw, draws_in
from optmech.release.tables.log import ENDING, logs_in, read_log

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from optmech.analysis.composition import Composition
    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.proofs.certificate import Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What all releases of the same data spend together.

    Attributes
    ----------
    data : str
        What the logs call the data, the name of the table if nobody gave another.
    draws : tuple of Draw
    delta : Fraction
        At which epsilon is meant: the sum of all deltas, unless another was asked for.
    epsilon, attained : float
        No more is spent, rounded up, ``math.inf`` where nobody knows or delta is 1, at which nothing is
        protected; some data spend at least the second.
    simple : float
        The sum of all epsilons.
    provenance : Provenance
        Proved if every certificate was at hand, else reported by the logs.
    composition : Composition or None
        The whole curve; ``None`` where nobody knows.
    """

    data: str
    draws: tuple[Draw, ...]
    delta: Fraction
    epsilon: float = math.inf
    attained: float = 0.0
    simple: float = math.inf
    provenance: Provenance = Provenance.REPORTED
    composition: Composition | None = field(default=None, repr=False)

    @property
    def unit(self) -> str:
        """Of whom it is the loss."""
        if self.limited:
            return join_words(self.limited)
        units = {draw.is_for_person for draw in self.draws}
        if units == {True}:
            return "one person, by the bound in the log"
        row = "a person who can change one row"
        return row if units == {False} else f"one person, where a log bounds their rows, else {row}"

    @property
    def limited(self) -> tuple[str, ...]:
        """Of whom it is the loss where some mechanisms do not protect each person; empty where all do."""
        return tuple(dict.fromkeys(unit for draw in self.draws for unit in draw.limited))

    @property
    def counts_rows(self) -> bool:
        """Whether no log bounds how many rows of a person there are in some release."""
        return not all(draw.is_for_person for draw in self.draws)

    @property
    def is_exact(self) -> bool:
        """Whether some data spend epsilon, so that it is no bound."""
        if self.composition is None or self.delta >= 1:
            return False
        curves = self.composition.attained, self.composition.curve
        attained, most = (curve.exact_epsilon(self.delta) for curve in curves)
        return attained == most

    @property
    def unknown(self) -> tuple[str, ...]:
        """Why nobody knows what is spent, a sentence for each reason."""
        return tuple(dict.fromkeys(draw.unknown for draw in self.draws if draw.unknown))

    def within(self, budget: Number) -> bool:
        """Whether no more than this epsilon is spent, exactly; at a delta of 1 no budget is kept."""
        most = budget_of(budget)
        if self.composition is None or self.delta >= 1:
            return False
        total = _sum(self.draws)
        if isinstance(total.epsilon, Fraction) and total.epsilon <= most and total.delta <= self.delta:
            return True
        return self.composition.delta(most) <= self.delta


def ledger(
    logs: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    certificates: Iterable[str | PathLike[str] | Certificate] = (),
    delta: Number | None = None,
) -> tuple[Account, ...]:
    r"""Return what has been spent on which data, by the logs of releases.

    Logs of other data are kept apart; a release whose log is there twice counts once.

    Parameters
    ----------
    logs : path, or several
        Logs as `release_table` writes them, or folders of them.
    certificates : iterable of path or Certificate, optional
        Where further certificates are: files, folders. Those beside a log, or in a folder there, are found.
    delta : number, optional
        At which epsilon is meant; the sum of all deltas if left out.

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
    files = [file for path in map(Path, paths) for file in (logs_in(path) if path.is_dir() else [path])]
    if not files:
        raise broken_rule("logs", f"have at least one release log, whose name ends in {ENDING}", "none")
    return accounts_of([(file, read_log(file)) for file in files], certificates=certificates, delta=delta)


def budget_of(epsilon: Number) -> Fraction | Logarithm:
    """Return a budget of zero or more, exactly as given: ProblemError."""
    value = exact_epsilon(epsilon, "budget")
    if value < 0:
        raise broken_rule("budget", "be zero or more", as_text(value))
    return value


def accounts_of(
    logs: Sequence[tuple[Path, Mapping[str, Any]]],
    *,
    certificates: Iterable[str | PathLike[str] | Certificate] = (),
    delta: Number | None = None,
) -> tuple[Account, ...]:
    """Return the accounts of logs that were read, each with its path; see `ledger`."""
    certificates_at_hand, by_data = Certificates(certificates), dict[str, dict[str, Draw]]()
    for path, log in logs:
        for draw in draws_in(path, log, certificates_at_hand):
            by_data.setdefault(draw.data, {})[draw.id] = draw
    at = None if delta is None else exact_delta(delta)
    return tuple(
        _account(data, tuple(sorted(draws.values(), key=attrgetter("time"))), at)
        for data, draws in by_data.items()
    )


def _account(data: str, draws: tuple[Draw, ...], delta: Fraction | None) -> Account:
    if any(draw.unknown for draw in draws):
        return Account(data=data, draws=draws, delta=delta or Fraction(0))
    total = _sum(draws)
    at = min(total.delta, Fraction(1)) if delta is None else delta
    composition = compose_releases([Release(draw.mechanisms, draw.uses) for draw in draws])
    simple = rounded_up(total.epsilon)
    epsilon = composition.epsilon(at) if at < 1 else math.inf
    return Account(
        data=data,
        draws=draws,
        delta=at,
        epsilon=min(epsilon, simple) if total.delta <= at < 1 else epsilon,
        attained=rounded_down(composition.attained.exact_epsilon(at)) if at < 1 else 0.0,
        simple=simple,
        provenance=composition.provenance,
        composition=composition,
    )


def _sum(draws: Sequence[Draw]) -> Guarantee:
    """Return the sums of all epsilons and deltas; logarithms are added as doubles, rounded up."""
    epsilon, delta = Fraction(0), Fraction(0)
    for draw in draws:
        each = draw.guarantee
        epsilon += draw.uses * rational_above(each.epsilon)
        delta += draw.uses * each.delta
    return Guarantee(epsilon, delta)
