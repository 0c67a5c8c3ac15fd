"""The account of one data set: the privacy that all its releases spend, against a budget."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from optmech.base.errors import broken_rule
from optmech.base.numbers import as_text, exact
from optmech.base.provenance import Provenance, weakest
from optmech.base.same_name import key_of_name
from optmech.base.wording import join_words
from optmech.question.epsilon import exact_epsilon
from optmech.release.tables.keyed import CONDITIONS

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.analysis.composition import Composition
    from optmech.base.logarithm import Logarithm
    from optmech.base.numbers import Number
    from optmech.release.tables.draws import Draw
    from optmech.release.tables.spending import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The spending of all releases of the same data together.

    If releases name disjoint parts of the data, a person spends those of one part and those of all parts. The
    account is that of the part that spends the most.

    Attributes
    ----------
    data : str
        Name of the data in the logs, by default the name of the table.
    draws : tuple of Draw
    delta : Fraction
        The delta of the epsilon: the sum of all deltas, unless another was requested.
    is_summed : bool
        Whether delta is that sum: then epsilons are added up, so that no further release lowers the account.
    broken : tuple of str
        Logs of these data that cannot be read, a sentence for each: their spending is unknown.
    unread : tuple of str
        Logs with unreadable data names: the account is without them.
    by_part : tuple of Spending
        The loss from the releases of each part with those of all parts; one item without parts.
    """

    data: str
    draws: tuple[Draw, ...]
    delta: Fraction
    is_summed: bool = False
    broken: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    by_part: tuple[Spending, ...] = field(repr=False)

    @property
    def epsilon(self) -> float:
        """Upper bound on the spent epsilon; ``math.inf`` where it is unknown, or delta is 1."""
        return max((part.epsilon(self._at) for part in self.by_part), default=math.inf)

    @property
    def attained(self) -> float:
        """Lower bound on the epsilon that some data spend."""
        return max((part.attained(self.delta) for part in self.by_part), default=0.0)

    @property
    def simple(self) -> float:
        """The sum of all epsilons, rounded up."""
        return max((part.simple for part in self.by_part), default=math.inf)

    @property
    def provenance(self) -> Provenance:
        """Proved if every certificate was found, else reported by logs, as disjoint parts are."""
        if self.claim or not self.by_part:
            return Provenance.REPORTED
        return weakest(*(part.provenance for part in self.by_part))

    @property
    def composition(self) -> Composition | None:
        """The curve of the part that spends the most; ``None`` where it is unknown, or uses are too many."""
        return self._most.composition if self.by_part else None

    @property
    def unit(self) -> str:
        """The person or unit that the loss is for."""
        if self.limited:
            return join_words(self.limited)
        units = {draw.is_for_person for draw in self.draws}
        if units == {True}:
            return "one person, by the bound in the log"
        row = "a person who can change one row"
        return row if units == {False} else f"one person, where a log bounds their rows, else {row}"

    @property
    def limited(self) -> tuple[str, ...]:
        """The units of the loss where mechanisms do not protect each person; empty where all do."""
        return tuple(dict.fromkeys(unit for draw in self.draws for unit in draw.limited))

    @property
    def counts_rows(self) -> bool:
        """Whether some release has no log with a bound on the rows of a person."""
        return not all(draw.is_for_person for draw in self.draws)

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the released parts of the data, as first written."""
        names = {key_of_name(draw.part): draw.part for draw in reversed(self.draws) if draw.part is not None}
        return tuple(sorted(names.values()))

    @property
    def claim(self) -> str:
        """Say who claims that several parts are disjoint; else nothing."""
        if len(self.parts) < 2:  # noqa: PLR2004 - one is disjoint from none
            return ""
        return (
            f"that no person is in two of the parts {join_words(self.parts)} is a claim of those who "
            "released them; nothing checks it"
        )

    @property
    def conditions(self) -> str:
        """The conditions of the account, as a clause, where cell keys picked noise; else nothing."""
        return CONDITIONS if any(draw.is_keyed for draw in self.draws) and not self.unknown else ""

    @property
    def is_exact(self) -> bool:
        """Whether some data spend exactly epsilon."""
        return bool(self.by_part) and self._most.is_exact(self._at)

    @property
    def is_spent(self) -> bool:
        """Whether no privacy is left: the deltas of all releases sum to 1."""
        return any(part.delta >= 1 for part in self.by_part)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The reasons why the spending is unknown, a sentence each."""
        return tuple(dict.fromkeys([*(draw.unknown for draw in self.draws if draw.unknown), *self.broken]))

    @property
    def _at(self) -> Fraction | None:
        return None if self.is_summed else self.delta

    @property
    def _most(self) -> Spending:
        return max(self.by_part, key=lambda part: (part.epsilon(self._at), part.total))

    @property
    def rho(self) -> Fraction | None:
        """The rho of zCDP, of the part that spends the most; ``None`` where a release has none."""
        every = [part.rho for part in self.by_part]
        known = [rho for rho in every if rho is not None]
        return max(known) if known and len(known) == len(every) else None

    @property
    def way(self) -> str:
        """How epsilon follows from rho; empty where it does not."""
        return self._most.way(self._at) if self.by_part else ""

    def within_rho(self, rho: Number) -> bool:
        """Whether at most this rho of zCDP is spent, exactly; see `within`."""
        most = rho_budget_of(rho)
        known = not (self.unknown or self.unread)
        return known and all(part.within_rho(most) for part in self.by_part)

    def within(self, budget: Number) -> bool:
        """Whether at most this epsilon is spent, exactly.

        No budget is kept if all deltas sum to 1, or an unreadable log may be of these data.
        """
        most = budget_of(budget)
        if self.unknown or self.unread:
            return False
        return all(part.within(most, self._at) for part in self.by_part)


def budget_of(epsilon: Number) -> Fraction | Logarithm:
    """Return a budget of zero or more, exactly as given, or raise ProblemError."""
    value = exact_epsilon(epsilon, "budget")
    if value < 0:
        raise broken_rule("budget", "be zero or more", as_text(value))
    return value


def rho_budget_of(rho: Number) -> Fraction:
    """Return a budget of zero or more in rho, exactly as given, or raise ProblemError."""
    value = exact(rho, "budget_zcdp")
    if value < 0:
        raise broken_rule("budget_zcdp", "be zero or more", as_text(value))
    return value
