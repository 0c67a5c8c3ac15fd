"""A limit on the privacy spent on the same data, checked before each release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.number_format import at_most, decimal_above
from optmech.base.numbers import as_text, exact_delta
from optmech.base.wording import join_words, plural
from optmech.release.tables.account import budget_of, rho_budget_of
from optmech.release.tables.ledger import accounts_of, read_folder
from optmech.release.tables.log import ENDING
from optmech.release.tables.log_entries import entries_in
from optmech.release.tables.spending import Spending

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from os import PathLike
    from pathlib import Path

    from optmech.base.numbers import Number
    from optmech.proofs.certificate import Certificate
    from optmech.release.tables.account import Account

_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The limit on the privacy of all releases of the same data, by the logs in a folder.

    Attributes
    ----------
    epsilon : number, optional
        The limit, exactly as typed.
    zcdp : number, optional
        In its place: the limit on the sum of all rho. Releases with a delta have none, and are refused.
    delta : number, optional
        The delta of the epsilon; by default the sum of all deltas.
    certificates : iterable of path or Certificate
        Certificates besides those next to the logs; see `ledger`.

    Raises
    ------
    ProblemError
        If a number breaks its rule.

    Examples
    --------
    >>> Budget(epsilon="3", delta="1e-6").epsilon
    '3'
    """

    epsilon: Number | None = None
    zcdp: Number | None = None
    delta: Number | None = None
    certificates: Iterable[str | PathLike[str] | Certificate] = ()

    def __post_init__(self) -> None:
        if (self.epsilon is None) == (self.zcdp is None):
            message = "`epsilon` or `zcdp` must be given, one of the two: a budget has one unit."
            raise ProblemError(message)
        if self.epsilon is not None:
            budget_of(self.epsilon)
        if self.zcdp is not None:
            rho_budget_of(self.zcdp)
            if self.delta is not None:
                message = "`delta` must be left out with `zcdp`: rho has no delta."
                raise ProblemError(message)
        if self.delta is not None:
            exact_delta(self.delta)

    def check(self, path: Path, log: dict[str, Any]) -> None:
        """Refuse a release, with its log at `path`, that exceeds the budget with all logs in that folder.

        Raises
        ------
        ProblemError
            If the budget is exceeded, or the spending is unknown because a log in the folder cannot be read.
        """
        if not path.name.endswith(ENDING):
            raise broken_rule("log", f"end in {ENDING}, with a budget, or no ledger finds it", path)
        logs, unread = read_folder(path.parent, but=path)
        accounts = accounts_of(
            [*logs, (path, log)],
            unread=unread,
            certificates=self.certificates,
            delta=self.delta,
            only=log["data"],
        )
        for account in accounts:
            if not self.is_kept_by(account):
                raise ProblemError(self._refusal(account, path, log))

    def is_kept_by(self, account: Account) -> bool:
        """Whether an account spends at most this."""
        if self.epsilon is not None:
            return account.within(self.epsilon)
        return self.zcdp is not None and account.within_rho(self.zcdp)

    @property
    def text(self) -> str:
        """The limit, such as ``ε = 3``."""
        if self.epsilon is not None:
            return f"ε = {as_text(budget_of(self.epsilon))}"
        return f"rho = {as_text(rho_budget_of(self.zcdp or 0))}"

    def _refusal(self, account: Account, path: Path, log: dict[str, Any]) -> str:
        at = "" if self.delta is None else f" at δ = {as_text(exact_delta(self.delta))}"
        subject = f"Budget of {self.text}{at} for *{account.data}*"
        if account.unknown or account.unread:
            reasons = join_words(sentence.rstrip(".") for sentence in (*account.unknown, *account.unread))
            mend = (
                " Mend a log that cannot be read, or move it away."
                if account.broken or account.unread
                else ""
            )
            return f"{subject} cannot be held: {reasons}. Nothing was released.{mend}"
        if self.zcdp is not None:
            spent = "a release with a delta has no rho"
            if account.rho is not None:
                spent = f"with this release rho = {at_most(account.rho, _DIGITS)} is spent"
            return f"{subject} would be exceeded: {spent}. Nothing was released."
        reason = self._reason(account, entries_in(path, log)[-1].key)
        return f"{subject} would be exceeded: {reason}. Nothing was released."

    def _reason(self, account: Account, key: str) -> str:
        """Return a text on the addition of one draw, for the part that spends the most."""
        ours = [part for part in account.by_part if any(draw.key == key for draw in part.draws)]
        after = max(ours or account.by_part, key=lambda part: (part.delta, self._epsilon(part)))
        if after.delta >= 1:
            return f"no privacy is left, as the deltas of {plural(len(after.draws), 'release')} come to 1"
        before, alone = (
            Spending(draws=tuple(draw for draw in after.draws if (draw.key == key) == is_new))
            for is_new in (False, True)
        )
        number = len(before.draws)
        if not number:
            return f"this release alone would spend {self._said(after)}"
        reason = (
            f"{plural(number, 'release')} spent {self._said(before)}, this one would add {self._said(alone)}"
        )
        first, second, whole = map(self._epsilon, (before, alone, after))
        is_plain_sum = (
            math.isfinite(whole)
            and not after.delta
            and (
                decimal_above(first, _DIGITS) + decimal_above(second, _DIGITS)
                == decimal_above(whole, _DIGITS)
            )
        )
        return reason if is_plain_sum else f"{reason}, together {self._said(after)}"

    def _delta(self, spending: Spending) -> Fraction:
        return spending.delta if self.delta is None else exact_delta(self.delta)

    def _epsilon(self, spending: Spending) -> float:
        return spending.epsilon(None if self.delta is None else exact_delta(self.delta))

    def _said(self, spending: Spending) -> str:
        """Return a text on the spending, rounded up, at the budget's delta or the sum of all deltas."""
        delta = self._delta(spending)
        at = f" at δ = {at_most(delta, _DIGITS)}" if delta else ""
        return at_most(self._epsilon(spending), _DIGITS) + at
