"""The most that may be spent on the same data, to which a release is held before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optmech.base.errors import ProblemError, broken_rule
from optmech.base.numbers import as_text, exact_delta
from optmech.release.tables.ledger import accounts_of, budget_of
from optmech.release.tables.log import ENDING, logs_in, read_log

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from pathlib import Path

    from optmech.base.numbers import Number
    from optmech.proofs.certificate import Certificate


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What all releases of the same data may spend together, by the logs in a folder.

    Attributes
    ----------
    epsilon : number
        No more than this, exactly as typed.
    delta : number, optional
        At which epsilon is meant; the sum of all deltas if left out.
    certificates : iterable of path or Certificate
        Where certificates are, besides those beside the logs; see `ledger`.

    Raises
    ------
    ProblemError
        If a number is none.

    Examples
    --------
    >>> Budget(epsilon="3", delta="1e-6").epsilon
    '3'
    """

    epsilon: Number
    delta: Number | None = None
    certificates: Iterable[str | PathLike[str] | Certificate] = ()

    def __post_init__(self) -> None:
        budget_of(self.epsilon)
        if self.delta is not None:
            exact_delta(self.delta)

    def check(self, path: Path, log: dict[str, Any]) -> None:
        """Refuse a release whose log is to stand at `path` if it spends more, with all logs in that folder.

        Raises
        ------
        ProblemError
            If more is spent, or nobody knows what.
        FileFormatError
            If a log in the folder cannot be read.
        """
        if not path.name.endswith(ENDING):
            raise broken_rule("log", f"end in {ENDING}, with a budget, or no ledger finds it", path)
        others = [other for other in logs_in(path.parent) if other.resolve() != path.resolve()]
        logs = [*((other, read_log(other)) for other in others), (path, log)]
        accounts = accounts_of(logs, certificates=self.certificates, delta=self.delta)
        account = next((account for account in accounts if account.data == log["data"]), None)
        if account is None or account.within(self.epsilon):
            return
        number = len(account.draws) - 1
        before = f"{number} earlier release{'s' if number != 1 else ''}"
        text = (
            f"epsilon = {account.epsilon:.6g}, at delta = {float(account.delta):.6g}"
            if not account.unknown
            else f"more than anybody knows: {'; '.join(account.unknown)}"
        )
        message = (
            f"`budget` must hold what {account.unit} spends on {account.data}; with {before} this one "
            f"would make it {text}, of a budget of {as_text(budget_of(self.epsilon))}. "
            "Nothing was released."
        )
        raise ProblemError(message)
